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
}
