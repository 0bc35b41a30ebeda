internal import Geometry

/// What the sections of a composition are placed in, in whole pixels from where reading begins.
struct CompositionRoom: Hashable, Sendable {
  /// The axis along which sections follow each other.
  let axis: Axis
  /// Pixels a point.
  let scale: DisplayScale
  /// What is seen at once along the axis, less the environment's insets.
  let length: Int
  /// From side to side.
  private var wholeBreadth: Range<Int>
  /// Within the environment's insets.
  private var insetBreadth: Range<Int>
  /// Which of them a section has that leaves it to the layout.
  let reference: ContentInsetsReference
  /// The environment's insets before and behind the content.
  let before: Int
  let behind: Int

  /// Reads an environment.
  init(_ configuration: CompositionalLayout.Configuration, in environment: LayoutEnvironment) {
    axis = configuration.scrollDirection
    scale = environment.scale
    reference = configuration.contentInsetsReference
    let pixels = SectionRoom(
      size: environment.containerSize, flow: axis, scale: scale, interGroupSpacing: 0)
    let insets = environment.contentInsets
    let mirrored = environment.layoutDirection == .rightToLeft
    let top = pixels.pixels(insets.top)
    let bottom = pixels.pixels(insets.bottom)
    let leading = pixels.pixels(mirrored ? insets.right : insets.left)
    let trailing = pixels.pixels(mirrored ? insets.left : insets.right)
    let (near, far) = axis == .vertical ? (leading, trailing) : (top, bottom)
    (before, behind) = axis == .vertical ? (top, bottom) : (leading, trailing)
    length = max(0, pixels.pixelLength(axis) - before - behind)
    let breadth = pixels.pixelLength(axis.cross)
    wholeBreadth = 0..<breadth
    insetBreadth = wholeBreadth.narrowed(near: near, far: far)
  }

  /// The room that is left beside what stands at the sides of the whole content.
  func within(near: Int, far: Int) -> CompositionRoom {
    var room = self
    room.wholeBreadth = wholeBreadth.narrowed(near: near, far: far)
    room.insetBreadth = insetBreadth.narrowed(near: near, far: far)
    return room
  }

  /// From where to where a section reaches across the axis.
  func breadth(for reference: ContentInsetsReference) -> Range<Int> {
    switch reference == .automatic ? self.reference : reference {
    case .none: wholeBreadth
    case .automatic, .safeArea, .layoutMargins: insetBreadth
    case .readableContent: readableBreadth
    }
  }

  /// The middle of what the insets leave.
  private var readableBreadth: Range<Int> {
    let most = Int((ContentInsetsReference.readableBreadth * scale.pixelsPerPoint).rounded())
    let spare = max(0, insetBreadth.count - most)
    return (insetBreadth.lowerBound + spare / 2)..<(insetBreadth.upperBound - (spare - spare / 2))
  }

  /// A room of so many pixels, as it is handed to rules that count in points.
  func room(length: Int, breadth: Int, flow: Axis, interGroupSpacing: Double = 0) -> SectionRoom {
    var size = Size.zero
    size[axis] = points(length)
    size[axis.cross] = points(breadth)
    return SectionRoom(size: size, flow: flow, scale: scale, interGroupSpacing: interGroupSpacing)
  }

  /// Points that are so many whole pixels, also when they are rounded down.
  private func points(_ pixels: Int) -> Double {
    let points = Double(max(0, pixels)) / scale.pixelsPerPoint
    return (points * scale.pixelsPerPoint).rounded(.down) < Double(pixels) ? points.nextUp : points
  }
}
