/// Brightness and two differences of colour, of which pictures have less detail: red less blue, and green less both.
///
/// The parts of YCoCg (Malvar and Sullivan, 2003), which are simple to undo.
enum PreviewColors {
  /// The parts of a colour whose channels are 0...1.
  @inline(__always)
  static func parts(red: Float, green: Float, blue: Float) -> (luma: Float, orange: Float, green: Float) {
    ((red + 2 * green + blue) / 4, red - blue, green - (red + blue) / 2)
  }

  /// Red, green and blue, 0...1 where the colour exists.
  @inline(__always)
  static func channels(_ luma: Float, _ orange: Float, _ green: Float) -> (red: Float, green: Float, blue: Float) {
    let rest = luma - green / 2
    return (rest + orange / 2, luma + green / 2, rest - orange / 2)
  }

  /// Opaque pixels, red lowest, of brightness and the differences of colour.
  @inline(__always)
  static func pixels(_ luma: PreviewRow.Part, _ orange: PreviewRow.Part, _ green: PreviewRow.Part) -> SIMD8<UInt32> {
    let rest = luma - green * 0.5
    let opaque = SIMD8<UInt32>(repeating: 0xFF00_0000)
    return byte(rest + orange * 0.5) | byte(luma + green * 0.5) &<< 8 | byte(rest - orange * 0.5) &<< 16 | opaque
  }

  /// The nearest of 0...255 to each.
  @inline(__always)
  private static func byte(_ channel: PreviewRow.Part) -> SIMD8<UInt32> {
    var scaled = channel * 255
    scaled.replace(with: 0, where: scaled .< 0)
    scaled.replace(with: 255, where: scaled .> 255)
    // A number of this size has no room for a fraction: what it is rounded to stands in its lowest bits.
    let rounded = scaled + 8_388_608
    return withUnsafeBytes(of: rounded) { $0.load(as: SIMD8<UInt32>.self) } & 0xFF
  }
}
