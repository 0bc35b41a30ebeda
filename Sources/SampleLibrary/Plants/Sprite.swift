/// A drawn plant, ready to stand in a picture at about its own size.
struct Sprite {
  let sheet: Sheet<SIMD4<Float>>

  init(_ canvas: PlantCanvas) { sheet = canvas.sheet }

  /// Cells across by cells down.
  var proportion: Float { Float(sheet.width) / Float(sheet.height) }

  /// The cell at a place in cells, between the four about it; nothing outside.
  @inline(__always) func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let (across, down) = (x - 0.5, y - 0.5)
    let (left, top) = (floored(across), floored(down))
    guard left >= 0, top >= 0, left + 1 < sheet.width, top + 1 < sheet.height else { return .zero }
    let (upper, lower) = (sheet.row(top) + left, sheet.row(top + 1) + left)
    let part = across - Float(left)
    return mix(mix(upper[0], upper[1], part), mix(lower[0], lower[1], part), down - Float(top))
  }
}
