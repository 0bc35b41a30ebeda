import Geometry

/// By how many whole pixels a picture is averaged before it is resampled: cheap, and it leaves twice the pixels that are
/// needed, so that the resampler still decides how the result looks.
struct Reduction: Hashable {
  /// Pixels across that become one.
  let across: Int
  /// Pixels down that become one.
  let down: Int

  /// Sums of so many bytes fit 16 bits, with room to spare.
  private static let most = 128

  /// For a ratio of pixels to one of the result, on either axis.
  init(ratioX: Double, ratioY: Double) {
    across = Reduction.factor(ratioX)
    down = Reduction.factor(ratioY)
  }

  private init(across: Int, down: Int) {
    self.across = across
    self.down = down
  }

  /// The next stronger one.
  var next: Reduction { Reduction(across: across + 1, down: down + 1) }

  private static func factor(_ ratio: Double) -> Int { max(1, min(most, Int(min(ratio, 1e6) / 2))) }

  /// Whether there is nothing to do.
  var isIdentity: Bool { across == 1 && down == 1 }

  /// The extent that is left; pixels at the right and the bottom may stand for fewer.
  func reduced(_ size: PixelSize) -> PixelSize {
    PixelSize(width: (size.width + across - 1) / across, height: (size.height + down - 1) / down) ?? size
  }
}
