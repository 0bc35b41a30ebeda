/// From light to a picture's bytes: exposure, a soft shoulder, sRGB, a lens's darker corners and a sensor's grain.
struct Development {
  /// What light is multiplied by.
  let exposure: Float
  /// The deviation of the grain in the mid tones, in 1/255.
  let grain: Float
  /// How much darker the corners are, 0 to 1.
  let vignette: Float
  /// Where in the noise the grain begins.
  let origin: (column: Int, row: Int)

  /// Turns a row of light into bytes R, G, B, A.
  func develop(
    row: Int, _ light: UnsafePointer<Tint>, width: Int, height: Int, tile: NoiseTile, into bytes: UnsafeMutableRawPointer
  ) {
    let down = (Float(row) / Float(height) - 0.5) * 2
    let across = 2 / Float(width)
    let shoulder = Tint(repeating: 0.72)
    let room = Tint(repeating: 0.30)
    for column in 0..<width {
      let side = Float(column) * across - 1
      let corner = (side * side + down * down) * 0.5
      var color = light[column] * (exposure * (1 - vignette * corner * corner))
      // Above the shoulder light comes closer to white without reaching it.
      let over = color - shoulder
      color.replace(with: shoulder + over / (1 + over / room), where: over .> 0)
      color.clamp(lowerBound: .zero, upperBound: Tint(repeating: 1))
      let root = color.squareRoot()
      let fourth = root.squareRoot()
      let encoded = root * 0.585_122_4 + fourth * 0.783_140_4 - fourth.squareRoot() * 0.368_262_7
      let bright = encoded.y
      // Most grain in the lower mid tones, little in black and white.
      let strength = grain * (0.42 + 2.6 * bright * (1 - bright) * (1.15 - bright))
      let shift = column &+ origin.column
      let first = tile.cell(shift, row &+ origin.row)
      let second = tile.cell(shift &+ 171, row &+ origin.row &+ 67)
      let noise = Tint(first + second * 0.35, first, first - second * 0.45, 0) * strength
      let value = (encoded * 255 + noise).clamped(lowerBound: .zero, upperBound: Tint(repeating: 255))
      // Adding two to the 23rd leaves the rounded number in the lowest bits.
      let bits = unsafeBitCast(value + Tint(repeating: 8_388_608), to: SIMD4<UInt32>.self) & 0xFF
      let packed = bits.x | bits.y << 8 | bits.z << 16 | 0xFF00_0000
      bytes.storeBytes(of: packed.littleEndian, toByteOffset: column &* 4, as: UInt32.self)
    }
  }
}
