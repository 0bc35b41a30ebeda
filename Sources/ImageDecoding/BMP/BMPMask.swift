/// Which bits of a pixel's number hold a channel.
struct BMPMask: Hashable {
  private let mask: UInt32
  private let shift: UInt32
  private let most: UInt32

  init(bits mask: UInt32) {
    self.mask = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    most = mask == 0 ? 0 : mask >> shift
  }

  /// Whether the channel is there at all.
  var isSet: Bool { mask != 0 }

  /// The channel of a pixel, 0 to 255.
  func value(_ pixel: UInt32) -> UInt8 {
    guard most > 0 else { return 0 }
    let value = UInt64((pixel & mask) >> shift)
    return UInt8(truncatingIfNeeded: (value * 255 + UInt64(most) / 2) / UInt64(most))
  }
}
