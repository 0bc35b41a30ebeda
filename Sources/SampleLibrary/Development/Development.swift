/// From light to a picture's bytes: a tone curve, a lens's darker corners and a sensor's grain.
struct Development {
  let curve: ToneCurve
  /// How much darker the corners are, 0 to 1.
  let vignette: Float
  /// Where in the noise the grain begins.
  let origin: (column: Int, row: Int)

  /// Turns a row of light into bytes R, G, B, A.
  func develop(
    row: Int, _ light: UnsafePointer<Tint>, width: Int, height: Int, tile: NoiseTile,
    into bytes: UnsafeMutableRawPointer
  ) {
    let down = (Float(row) / Float(height) - 0.5) * 2
    let across = 2 / Float(width)
    for column in 0..<width {
      let side = Float(column) * across - 1
      let corner = (side * side + down * down) * 0.5
      let color = light[column] * (1 - vignette * corner * corner)
      let (red, green, blue) = (curve.step(color.x), curve.step(color.y), curve.step(color.z))
      let shift = column &+ origin.column
      let first = tile.cell(shift, row &+ origin.row)
      let second = tile.cell(shift &+ 171, row &+ origin.row &+ 67)
      let noise = Tint(first + second * 0.35, first, first - second * 0.45, 0) * green.y
      let value = (Tint(red.x, green.x, blue.x, 0) + noise).held(0, 255)
      // Adding two to the 23rd leaves the rounded number in the lowest bits.
      let bits = unsafeBitCast(value + Tint(repeating: 8_388_608), to: SIMD4<UInt32>.self) & 0xFF
      let packed = bits.x | bits.y << 8 | bits.z << 16 | 0xFF00_0000
      bytes.storeBytes(of: packed.littleEndian, toByteOffset: column &* 4, as: UInt32.self)
    }
  }
}
