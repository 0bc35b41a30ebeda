/// What stands over the water, at a third of its resolution, for the water to show again.
final class MirrorImage {
  /// Pixels a cell; a finer copy would not fit a processor's cache, and waves blur it anyway.
  private static let step = 3

  private let sheet: Sheet<Tint>

  /// Room for the rows above a row.
  init(width: Int, rows: Int) {
    sheet = Sheet(
      width: width / MirrorImage.step + 2, height: rows / MirrorImage.step + 2, filledWith: .zero)
  }

  /// Keeps a painted row, if it is one of every three.
  func keep(row: Int, _ pixels: UnsafePointer<Tint>, width: Int) {
    guard row % MirrorImage.step == 0, row / MirrorImage.step < sheet.height else { return }
    let line = sheet.row(row / MirrorImage.step)
    for cell in 0..<sheet.width {
      let column = min(cell * MirrorImage.step, width - 1)
      let next = min(column + 1, width - 1)
      line[cell] = (pixels[column] + pixels[next] + pixels[min(next + 1, width - 1)]) * (1 / 3)
    }
    // The row after the last is read when the picture's edge is mixed with it.
    let after = row / MirrorImage.step + 1
    if after < sheet.height { sheet.row(after).update(from: line, count: sheet.width) }
  }

  /// The colour at a place in pixels, between the four cells about it; places outside give the nearest inside.
  @inline(__always) func sample(_ x: Float, _ y: Float) -> Tint {
    let across = max(0, min(Float(sheet.width) - 1.01, x * (1 / 3)))
    let down = max(0, min(Float(sheet.height) - 1.01, y * (1 / 3)))
    let (left, top) = (Int(across), Int(down))
    let part = across - Float(left)
    let (upper, lower) = (sheet.row(top), sheet.row(top + 1))
    return mix(
      mix(upper[left], upper[left + 1], part), mix(lower[left], lower[left + 1], part), down - Float(top))
  }
}
