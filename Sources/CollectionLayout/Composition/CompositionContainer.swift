internal import VitrineGeometry

/// The container of the sections of a composition, in whole pixels in reading direction.
struct CompositionContainer: Hashable, Sendable {
  /// The scroll axis, along which sections follow each other.
  let axis: Axis
  /// The number of pixels per point.
  let scale: DisplayScale
  /// The length of the viewport along the scroll axis without the environment's insets.
  let length: Int
  /// The range along the cross axis.
  private var fullBreadth: Range<Int>
  /// The range along the cross axis without the environment's insets.
  private var insetBreadth: Range<Int>
  /// The insets that apply to sections whose own reference is `.automatic`.
  let reference: ContentInsetsReference
  /// The environment's insets before and after the content.
  let startInset: Int
  let endInset: Int

  /// Creates the container of a layout in an environment.
  init(_ configuration: CompositionalLayout.Configuration, in environment: LayoutEnvironment) {
    axis = configuration.scrollDirection
    scale = environment.scale
    reference = configuration.contentInsetsReference
    let pixels = SectionContainer(
      size: environment.containerSize, flow: axis, scale: scale, interGroupSpacing: 0)
    let insets = environment.contentInsets
    let mirrored = environment.layoutDirection == .rightToLeft
    let top = pixels.pixels(insets.top)
    let bottom = pixels.pixels(insets.bottom)
    let leading = pixels.pixels(mirrored ? insets.right : insets.left)
    let trailing = pixels.pixels(mirrored ? insets.left : insets.right)
    let (crossStart, crossEnd) = axis == .vertical ? (leading, trailing) : (top, bottom)
    (startInset, endInset) = axis == .vertical ? (top, bottom) : (leading, trailing)
    length = max(0, pixels.pixelLength(axis) - startInset - endInset)
    let breadth = pixels.pixelLength(axis.cross)
    fullBreadth = 0..<breadth
    insetBreadth = fullBreadth.narrowed(start: crossStart, end: crossEnd)
  }

  /// Returns the container without the boundary views at the sides of the whole content.
  func inset(crossStart: Int, crossEnd: Int) -> CompositionContainer {
    var container = self
    container.fullBreadth = fullBreadth.narrowed(start: crossStart, end: crossEnd)
    container.insetBreadth = insetBreadth.narrowed(start: crossStart, end: crossEnd)
    return container
  }

  /// Returns the range of a section along the cross axis.
  func breadth(for reference: ContentInsetsReference) -> Range<Int> {
    switch reference == .automatic ? self.reference : reference {
    case .none: fullBreadth
    case .automatic, .safeArea, .layoutMargins: insetBreadth
    case .readableContent: readableBreadth
    }
  }

  /// The centered part of the range without insets that is at most as wide as readable content.
  private var readableBreadth: Range<Int> {
    let most = Int((ContentInsetsReference.readableBreadth * scale.pixelsPerPoint).rounded())
    let spare = max(0, insetBreadth.count - most)
    return (insetBreadth.lowerBound + spare / 2)..<(insetBreadth.upperBound - (spare - spare / 2))
  }

  /// Returns a container of the given size in pixels for the rules of a section, which use points.
  func sectionContainer(length: Int, breadth: Int, flow: Axis, interGroupSpacing: Double = 0) -> SectionContainer {
    var size = Size.zero
    size[axis] = points(length)
    size[axis.cross] = points(breadth)
    return SectionContainer(size: size, flow: flow, scale: scale, interGroupSpacing: interGroupSpacing)
  }

  /// Returns a number of points that converts to the given number of pixels, even when rounded down.
  private func points(_ pixels: Int) -> Double {
    let points = Double(max(0, pixels)) / scale.pixelsPerPoint
    return (points * scale.pixelsPerPoint).rounded(.down) < Double(pixels) ? points.nextUp : points
  }
}
