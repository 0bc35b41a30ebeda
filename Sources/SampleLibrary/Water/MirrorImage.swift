/// What stands over the water, at half its resolution, for the water to show again.
final class MirrorImage {
  private let sheet: Sheet<Tint>

  /// Room for the rows above a row.
  init(width: Int, rows: Int) {
    sheet = Sheet(width: width / 2 + 2, height: rows / 2 + 2, filledWith: .zero)
  }

  /// Keeps a painted row, if it is one of every two.
  func keep(row: Int, _ pixels: UnsafePointer<Tint>, width: Int) {
    guard row & 1 == 0, row / 2 < sheet.height else { return }
    let line = sheet.row(row / 2)
    for cell in 0..<sheet.width {
      let column = min(cell * 2, width - 1)
      line[cell] = (pixels[column] + pixels[min(column + 1, width - 1)]) * 0.5
    }
    // The row after the last is read when the picture's edge is mixed with it.
    if row / 2 + 1 < sheet.height { sheet.row(row / 2 + 1).update(from: line, count: sheet.width) }
  }

  /// The colour at a place in pixels, between the four cells about it; places outside give the nearest inside.
  @inline(__always) func sample(_ x: Float, _ y: Float) -> Tint {
    let across = max(0, min(Float(sheet.width) - 1.01, x * 0.5))
    let down = max(0, min(Float(sheet.height) - 1.01, y * 0.5))
    let (left, top) = (Int(across), Int(down))
    let part = across - Float(left)
    let (upper, lower) = (sheet.row(top), sheet.row(top + 1))
    return mix(
      mix(upper[left], upper[left + 1], part), mix(lower[left], lower[left + 1], part), down - Float(top))
  }
}
