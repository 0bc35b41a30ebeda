/// The rounded mean of so many bytes, of which the sum is known: by a product, as a division takes ten times as long.
struct BoxMean {
  private let half: UInt64
  private let reciprocal: UInt64

  private static let bits: UInt64 = 40

  /// Of a box of so many pixels, 128 x 128 at most: up to there the product is exact.
  init(of count: Int) {
    let count = UInt64(max(1, count))
    half = count / 2
    reciprocal = (1 << BoxMean.bits) / count + 1
  }

  /// The mean of bytes with this sum.
  func callAsFunction(_ sum: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: ((UInt64(sum) + half) &* reciprocal) >> BoxMean.bits)
  }
}
