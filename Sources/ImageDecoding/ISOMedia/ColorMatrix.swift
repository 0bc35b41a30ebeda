/// How brightness and differences of colour become red, green and blue (ITU-T H.273, section 8.3).
struct ColorMatrix: Hashable {
  private enum Kind: Hashable {
    /// Green, blue and red themselves.
    case identity
    /// Differences scaled by how bright red and blue are.
    case weighted(red: Float, blue: Float)
    /// Differences as sums of halves and quarters.
    case greenOrange
  }

  private let kind: Kind
  private let bits: Int
  /// Whether samples use all their range, and not video's part of it.
  private let isFullRange: Bool

  /// For a number of the standard's table; one that is not known is taken for that of JPEG.
  init(coefficients: Int, primaries: Int, isFullRange: Bool, bits: Int) {
    self.bits = bits
    self.isFullRange = isFullRange
    let derivedFromPrimaries = 12
    switch coefficients == derivedFromPrimaries ? primaries : coefficients {
    case 0: kind = .identity
    case 1: kind = .weighted(red: 0.2126, blue: 0.0722)
    case 4: kind = .weighted(red: 0.30, blue: 0.11)
    case 7: kind = .weighted(red: 0.212, blue: 0.087)
    case 8: kind = .greenOrange
    case 9, 10: kind = .weighted(red: 0.2627, blue: 0.0593)
    // Display P3's own, where the matrix is to follow from the primaries.
    case 12 where coefficients == derivedFromPrimaries: kind = .weighted(red: 0.22897, blue: 0.07929)
    default: kind = .weighted(red: 0.299, blue: 0.114)
    }
  }

  /// What turns samples into brightness of 0 to 255.
  var lumaScale: (factor: Float, offset: Float) {
    let step = Float(1 << (bits - 8))
    return isFullRange
      ? (255 / Float((1 << bits) - 1), 0) : (255 / (219 * step), -16 * 255 / 219)
  }

  /// What turns samples of colour into differences of -128 to 128.
  var chromaScale: (factor: Float, offset: Float) {
    if kind == .identity { return lumaScale }
    let step = Float(1 << (bits - 8))
    let factor = isFullRange ? 255 / Float((1 << bits) - 1) : 255 / (224 * step)
    return (factor, -128 * step * factor)
  }

  /// By how much brightness, blue's and red's difference count in each colour.
  struct Weights {
    var red: SIMD3<Float>
    var green: SIMD3<Float>
    var blue: SIMD3<Float>
  }

  /// The weights of scaled samples; what they add up to may lie out of bounds.
  var weights: Weights {
    switch kind {
    case .identity:
      return Weights(red: [0, 0, 1], green: [1, 0, 0], blue: [0, 1, 0])
    case .weighted(let red, let blue):
      let green = 1 - red - blue
      let (redStep, blueStep) = (2 * (1 - red), 2 * (1 - blue))
      return Weights(
        red: [1, 0, redStep], green: [1, -blue * blueStep / green, -red * redStep / green], blue: [1, blueStep, 0])
    case .greenOrange:
      return Weights(red: [1, -1, 1], green: [1, 1, 0], blue: [1, -1, -1])
    }
  }
}
