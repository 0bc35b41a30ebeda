public import VitrineGeometry
public import VitrineImageMetadata
public import VitrineRendering

/// The requested result of a decoding.
public struct DecodingTarget: Hashable, Sendable {
  /// The size in pixels, after orientation.
  public var size: PixelSize
  /// How the image fills the size.
  public var fit: FitMode
  /// The colour behind transparent pixels, and of pixels that a damaged file lacks.
  ///
  /// Its own alpha is ignored.
  public var background: Color
  /// The colour of every other square of a checkerboard behind transparent pixels, or nil for a plain background.
  public var secondBackground: Color?
  /// The part of the image to decode, in pixels of the upright image, or nil for all of it.
  ///
  /// It is scaled to the size, whatever the fit.
  public var region: PixelRect?

  /// Creates a target.
  public init(
    size: PixelSize, fit: FitMode = .fill, background: Color = .black, secondBackground: Color? = nil,
    region: PixelRect? = nil
  ) {
    self.size = size
    self.fit = fit
    self.background = background
    self.secondBackground = secondBackground
    self.region = region
  }
}

/// The ways in which an image fills a requested size.
public enum FitMode: Hashable, Sendable {
  /// Covers the size and crops the image around its centre. The result has exactly the requested size, enlarged if
  /// necessary.
  case fill
  /// Fits the whole image within the size without enlarging it. The result may be smaller.
  case fit
  /// Covers the requested aspect ratio, cropped around the centre, without enlarging. The result has the requested
  /// size, or is as large as the image has pixels for.
  case fillWithoutEnlarging
}

/// The mapping of a stored image to the result: the part of the image that is shown, and its size.
public struct Placement: Hashable, Sendable {
  /// The size of the result after orientation, in pixels.
  public let outputSize: PixelSize
  /// The part of the stored image that is shown, in fractional stored pixels.
  public let window: Rect
  /// The orientation of the stored pixels.
  public let orientation: Orientation

  /// Creates a placement.
  ///
  /// - Parameters:
  ///   - stored: The size as stored, before orientation.
  ///   - orientation: The orientation of the stored pixels.
  ///   - target: The requested size, after orientation.
  ///   - fit: How the image fills the requested size.
  public init(stored: PixelSize, orientation: Orientation, target: PixelSize, fit: FitMode) {
    let upright = orientation.isTransposed ? stored.transposed : stored
    let across = Double(target.width) / Double(upright.width)
    let down = Double(target.height) / Double(upright.height)
    var shown = Size(width: Double(upright.width), height: Double(upright.height))
    switch fit {
    case .fill, .fillWithoutEnlarging:
      let scale = max(across, down)
      shown = Size(
        width: min(shown.width, Double(target.width) / scale), height: min(shown.height, Double(target.height) / scale))
      if fit == .fill || scale <= 1 {
        outputSize = target
      } else {
        // One pixel of the image for each pixel of the result, in whole pixels, so that rounding does not enlarge
        // either.
        let (width, height) = (max(1, shown.width.rounded()), max(1, shown.height.rounded()))
        shown = Size(width: width, height: height)
        outputSize = PixelSize(width: Int(width), height: Int(height)) ?? target
      }
    case .fit:
      let scale = min(1, across, down)
      let width = max(1, min(target.width, Int((shown.width * scale).rounded())))
      let height = max(1, min(target.height, Int((shown.height * scale).rounded())))
      outputSize = PixelSize(width: width, height: height) ?? target
    }
    // The window is centred, so that rotation and mirroring keep its position and at most swap its sides.
    let turned = orientation.isTransposed ? Size(width: shown.height, height: shown.width) : shown
    window = Rect(
      x: (Double(stored.width) - turned.width) / 2, y: (Double(stored.height) - turned.height) / 2,
      width: turned.width, height: turned.height)
    self.orientation = orientation
  }

  /// Creates a placement of a part of an image.
  ///
  /// - Parameters:
  ///   - stored: The size as stored, before orientation.
  ///   - orientation: The orientation of the stored pixels.
  ///   - region: The part of the upright image. What lies outside of the image is left out.
  ///   - target: The size of the result, which is never larger than the part.
  /// - Returns: Nil if the part lies outside of the image.
  init?(stored: PixelSize, orientation: Orientation, region: PixelRect, target: PixelSize) {
    let upright = orientation.isTransposed ? stored.transposed : stored
    let part = region.intersection(
      PixelRect(x: 0, y: 0, width: Int32(upright.width), height: Int32(upright.height)))
    guard !part.isEmpty,
      let output = PixelSize(width: min(target.width, Int(part.width)), height: min(target.height, Int(part.height)))
    else { return nil }
    let storedPart = orientation.storedPart(part, of: stored)
    self.init(
      outputSize: output,
      window: Rect(
        x: Double(storedPart.x), y: Double(storedPart.y), width: Double(storedPart.width),
        height: Double(storedPart.height)),
      orientation: orientation)
  }

  private init(outputSize: PixelSize, window: Rect, orientation: Orientation) {
    self.outputSize = outputSize
    self.window = window
    self.orientation = orientation
  }

  /// Returns the placement for a larger stored image in which this one begins at the given offset in pixels.
  package func moved(right: Double, down: Double) -> Placement {
    let moved = Rect(x: window.minX + right, y: window.minY + down, width: window.width, height: window.height)
    return Placement(outputSize: outputSize, window: moved, orientation: orientation)
  }

  /// Returns the placement for a stored image with more or fewer pixels.
  package func scaled(across: Double, down: Double) -> Placement {
    let scaled = Rect(
      x: window.minX * across, y: window.minY * down, width: window.width * across, height: window.height * down)
    return Placement(outputSize: outputSize, window: scaled, orientation: orientation)
  }

  /// The size of the result before orientation.
  package var storedOutputSize: PixelSize { orientation.isTransposed ? outputSize.transposed : outputSize }

  /// The number of stored pixels per pixel of the result, horizontally.
  package var ratioX: Double { window.width / Double(storedOutputSize.width) }

  /// The number of stored pixels per pixel of the result, vertically.
  package var ratioY: Double { window.height / Double(storedOutputSize.height) }

  /// Returns the rows that the resampler reads of a stored image that is decoded at another scale and then averaged.
  ///
  /// - Parameters:
  ///   - height: The number of rows at this scale.
  ///   - scale: The ratio of decoded pixels to stored pixels.
  ///   - factor: The number of rows that are averaged into one.
  /// - Returns: A range that starts at a multiple of the factor and ends at another or at the last row.
  func rows(of height: Int, scale: Double, reducedBy factor: Int) -> Range<Int> {
    Placement.needed(
      from: window.minY * scale, to: window.maxY * scale, ratio: ratioY * scale, step: factor, count: height)
  }

  /// Returns the columns that the resampler reads, like ``rows(of:scale:reducedBy:)``.
  func columns(of width: Int, scale: Double, reducedBy factor: Int) -> Range<Int> {
    Placement.needed(
      from: window.minX * scale, to: window.maxX * scale, ratio: ratioX * scale, step: factor, count: width)
  }

  private static func needed(from low: Double, to high: Double, ratio: Double, step: Int, count: Int) -> Range<Int> {
    let factor = Double(step)
    // Three pixels of the result for the kernel on either side, and one for rounding.
    let reach = (LanczosWeights.reach(ratio: ratio / factor) + 1) * factor
    let first = max(0, Int(((low - reach) / factor).rounded(.down))) * step
    let end = Int(((high + reach) / factor).rounded(.up)) * step
    let start = min(first, (count - 1) / step * step)
    return start..<max(start + 1, min(count, end))
  }
}
