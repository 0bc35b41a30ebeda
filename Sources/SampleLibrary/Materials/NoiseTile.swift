/// A square of noise that repeats seamlessly, painted once and read many times.
final class NoiseTile: @unchecked Sendable {
  // @unchecked: the cells are written in the initialiser alone.
  /// Cells a side, a power of two.
  let side: Int
  private let mask: Int
  private let sheet: Sheet<Float>

  /// Paints a tile: the body gets the column and row of each cell.
  init(side: Int, _ body: (Int, Int) -> Float) {
    self.side = side
    mask = side - 1
    sheet = Sheet(width: side, height: side, filledWith: 0)
    for row in 0..<side {
      for column in 0..<side { sheet[column, row] = body(column, row) }
    }
  }

  /// A cell, by any whole coordinates.
  @inline(__always) func cell(_ column: Int, _ row: Int) -> Float {
    sheet.cells[(row & mask) &* side &+ (column & mask)]
  }

  /// The value at a place in cells, between the four cells about it.
  @inline(__always) func sample(_ x: Float, _ y: Float) -> Float {
    let left = floored(x)
    let top = floored(y)
    let along = x - Float(left)
    let columns = (left & mask, (left &+ 1) & mask)
    let rows = ((top & mask) &* side, ((top &+ 1) & mask) &* side)
    let cells = sheet.cells
    let upper = mix(cells[rows.0 &+ columns.0], cells[rows.0 &+ columns.1], along)
    let lower = mix(cells[rows.1 &+ columns.0], cells[rows.1 &+ columns.1], along)
    return mix(upper, lower, y - Float(top))
  }

  /// The same noise with its mean moved to 0 and its deviation to 1.
  func normalized() -> NoiseTile {
    let count = Float(side * side)
    var sum: Float = 0
    for row in 0..<side {
      var line: Float = 0
      for column in 0..<side { line += cell(column, row) }
      sum += line
    }
    let mean = sum / count
    var squares: Float = 0
    for row in 0..<side {
      var line: Float = 0
      for column in 0..<side {
        let difference = cell(column, row) - mean
        line += difference * difference
      }
      squares += line
    }
    let scale = 1 / max((squares / count).squareRoot(), 1e-6)
    return NoiseTile(side: side) { (self.cell($0, $1) - mean) * scale }
  }
}
