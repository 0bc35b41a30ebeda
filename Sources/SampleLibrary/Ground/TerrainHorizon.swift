/// Which samples of a grid may be seen over the ground nearer than they are, so that the others need no paint.
struct TerrainHorizon {
  /// Metres that trees may add to the ground.
  private static let tallest: Float = 32
  /// By column: the highest look over the ground so far.
  private var tops: [Float]
  private var seen: [Bool]
  private var seenNext: [Bool]

  init(columns: Int) {
    tops = [Float](repeating: -.infinity, count: columns)
    seen = [Bool](repeating: true, count: columns)
    seenNext = seen
  }

  /// Moves on to a row of the grid; rows come in order.
  mutating func advance(to row: Int, heights: Sheet<Float>, distances: [Float], eye: Float) {
    swap(&seen, &seenNext)
    let next = row + 1
    guard next < distances.count else { return }
    let line = heights.row(row)
    let nextLine = heights.row(next)
    for column in tops.indices {
      tops[column] = max(tops[column], (line[column] - eye) / distances[row])
      seenNext[column] = (nextLine[column] + TerrainHorizon.tallest - eye) / distances[next] >= tops[column]
    }
  }

  /// Whether a sample of the row, or a neighbour that colours are mixed with, may be seen.
  func mayShow(_ column: Int) -> Bool {
    for near in max(column - 1, 0)...min(column + 1, tops.count - 1) where seen[near] || seenNext[near] {
      return true
    }
    return false
  }
}
