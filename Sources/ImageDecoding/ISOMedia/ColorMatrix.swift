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

  /// Red, green and blue of scaled samples, not yet brought within bounds.
  func color(luma: Float, blue: Float, red: Float) -> SIMD4<Float> {
    switch kind {
    case .identity:
      return SIMD4(red, luma, blue, 0)
    case .weighted(let redShare, let blueShare):
      let r = luma + 2 * (1 - redShare) * red
      let b = luma + 2 * (1 - blueShare) * blue
      return SIMD4(r, (luma - redShare * r - blueShare * b) / (1 - redShare - blueShare), b, 0)
    case .greenOrange:
      let base = luma - blue
      return SIMD4(base + red, luma + blue, base - red, 0)
    }
  }
}
