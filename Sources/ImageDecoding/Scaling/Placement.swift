public import Geometry
public import ImageMetadata

/// Where a picture's pixels go: which part of the stored picture is shown, and at which size.
public struct Placement: Hashable, Sendable {
  /// The extent of the result as it is looked at, in pixels.
  public let outputSize: PixelSize
  /// The part of the stored picture that is shown, in stored pixels, which need not be whole ones.
  public let window: Rect
  /// How the stored pixels are turned.
  public let orientation: Orientation

  /// Places a picture.
  ///
  /// - Parameters:
  ///   - stored: the extent as stored, before orientation.
  ///   - orientation: how the stored pixels are turned.
  ///   - target: the size asked for, as it is looked at.
  ///   - fit: how the picture fills it.
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
        // Pixel by pixel, and whole ones: rounding enlarges nothing either.
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
    // The window stands in the middle, so that turning and mirroring leave its place and at most exchange its sides.
    let turned = orientation.isTransposed ? Size(width: shown.height, height: shown.width) : shown
    window = Rect(
      x: (Double(stored.width) - turned.width) / 2, y: (Double(stored.height) - turned.height) / 2,
      width: turned.width, height: turned.height)
    self.orientation = orientation
  }

  private init(outputSize: PixelSize, window: Rect, orientation: Orientation) {
    self.outputSize = outputSize
    self.window = window
    self.orientation = orientation
  }

  /// The same where the stored picture is a part of a larger one that begins so many pixels before it.
  func moved(right: Double, down: Double) -> Placement {
    let moved = Rect(x: window.minX + right, y: window.minY + down, width: window.width, height: window.height)
    return Placement(outputSize: outputSize, window: moved, orientation: orientation)
  }

  /// The same for a stored picture with more or fewer pixels.
  func scaled(across: Double, down: Double) -> Placement {
    let scaled = Rect(
      x: window.minX * across, y: window.minY * down, width: window.width * across, height: window.height * down)
    return Placement(outputSize: outputSize, window: scaled, orientation: orientation)
  }

  /// The extent of the result before it is turned.
  var storedOutputSize: PixelSize { orientation.isTransposed ? outputSize.transposed : outputSize }

  /// Stored pixels to one of the result, across.
  var ratioX: Double { window.width / Double(storedOutputSize.width) }

  /// Stored pixels to one of the result, down.
  var ratioY: Double { window.height / Double(storedOutputSize.height) }

  /// The rows that the resampler looks at in a stored picture of another scale, which is then averaged.
  ///
  /// - Parameters:
  ///   - height: the rows that the picture has at this scale.
  ///   - scale: its pixels to one of the file.
  ///   - factor: how many rows are averaged to one.
  /// - Returns: rows from a multiple of the factor to another, or to the last.
  func rows(of height: Int, scale: Double, reducedBy factor: Int) -> Range<Int> {
    Placement.needed(
      from: window.minY * scale, to: window.maxY * scale, ratio: ratioY * scale, step: factor, count: height)
  }

  /// The columns, likewise.
  func columns(of width: Int, scale: Double, reducedBy factor: Int) -> Range<Int> {
    Placement.needed(
      from: window.minX * scale, to: window.maxX * scale, ratio: ratioX * scale, step: factor, count: width)
  }

  private static func needed(from low: Double, to high: Double, ratio: Double, step: Int, count: Int) -> Range<Int> {
    let factor = Double(step)
    // The kernel's three pixels of the result to either side, and one for what rounding moves.
    let reach = (LanczosWeights.reach(ratio: ratio / factor) + 1) * factor
    let first = max(0, Int(((low - reach) / factor).rounded(.down))) * step
    let end = Int(((high + reach) / factor).rounded(.up)) * step
    let start = min(first, (count - 1) / step * step)
    return start..<max(start + 1, min(count, end))
  }
}
