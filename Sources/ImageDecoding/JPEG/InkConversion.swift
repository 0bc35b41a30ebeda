/// Turns four inks into red, green and blue, without a colour profile.
struct InkConversion {
  /// Whether 255 stands for no ink, as in every file that Adobe's programs write.
  let isInverted: Bool

  /// Converts pixels where they stand.
  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    let flip: UInt8 = isInverted ? 0 : 255
    var pixel = pixels
    for _ in 0..<count {
      let light = UInt32(pixel[3] ^ flip)
      for channel in 0..<3 {
        pixel[channel] = UInt8(truncatingIfNeeded: (UInt32(pixel[channel] ^ flip) * light + 127) / 255)
      }
      pixel[3] = 255
      pixel += 4
    }
  }
}
