/// The columns of a grid in whole pixels.
///
/// Edges are computed, not added up: the last column ends exactly where the room ends, and neighbours keep exactly
/// their gap.
struct GridColumns: Hashable, Sendable {
  /// At least 1.
  let count: Int
  private let left: Int
  private let room: Int
  private let gap: Int
  private let remainder: GridLayout.Remainder

  /// Columns in a room that begins at a pixel; no room counts as one pixel.
  init(_ columns: GridLayout.Columns, left: Int, room: Int, gap: Int, remainder: GridLayout.Remainder, minimum: Int) {
    let room = max(1, room)
    let fitting =
      switch columns {
      case .count(let count): min(count, (room + gap) / (1 + gap))
      case .minimumWidth: (room + gap) / (max(1, minimum) + gap)
      }
    count = max(1, fitting)
    self.left = left
    self.room = room
    self.gap = gap
    self.remainder = remainder
  }

  /// The width that heights are derived from: the mean, rounded; with the remainder in the gaps, every item's width.
  var nominalWidth: Int {
    let widths = room - gap * (count - 1)
    return max(1, remainder == .gaps ? widths / count : (2 * widths + count) / (2 * count))
  }

  /// The pixels of a column: its left edge and its right one, outside of it.
  func edges(of column: Int) -> (left: Int, right: Int) {
    switch remainder {
    case .items:
      return (start(of: column), start(of: column + 1) - gap)
    case .gaps:
      let width = (room - gap * (count - 1)) / count
      let slack = room - gap * (count - 1) - width * count
      let start = left + column * (width + gap) + (count > 1 ? column * slack / (count - 1) : 0)
      return (start, start + width)
    }
  }

  private func start(of column: Int) -> Int { left + (2 * column * (room + gap) + count) / (2 * count) }

  /// The first column for which a property holds that all columns behind it have too; ``count`` when none has it.
  func first(where isBehind: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
