import DataStructures

/// The cells on screen by the flat indices of their items, in display order.
///
/// Flat indices count the items of all sections. New runs of items say which cells leave and which items lack a cell; new
/// numbers of the items keep the cells of those that stay, even where others came between them.
public struct DisplayedCells<Cell> {
  /// A cell, and the flat index of the item that it shows.
  public typealias Entry = (index: Int, cell: Cell)

  /// The items on screen, whether they have a cell yet or not: ascending, apart, none empty.
  ///
  /// Most layouts show one run; where sections scroll across, items outside the screen lie between two that are on it.
  public private(set) var runs: [Range<Int>] = []
  /// The cells, by the order of their items.
  public private(set) var cells: [Cell] = []
  /// The items of these cells, ascending.
  private var indices: [Int] = []

  /// Nothing on screen.
  public init() {}

  /// The shortest range that holds every item on screen.
  public var range: Range<Int> {
    guard let first = runs.first, let last = runs.last else { return 0..<0 }
    return first.lowerBound..<last.upperBound
  }

  /// The same without an item that lies apart from all others and has a cell: one that is carried is seen wherever its place
  /// is.
  ///
  /// - Complexity: O(1).
  public func range(excluding item: Int) -> Range<Int> {
    var range = self.range
    guard let first = indices.first, let last = indices.last, first < last else { return range }
    if first == item, range.lowerBound == item, indices[1] > item + 1 { range = indices[1]..<range.upperBound }
    if last == item, range.upperBound == item + 1, indices[indices.count - 2] < item - 1 {
      range = range.lowerBound..<(indices[indices.count - 2] + 1)
    }
    return range
  }

  /// How many items are on screen.
  ///
  /// - Complexity: O(runs).
  public var itemCount: Int { runs.reduce(0) { $0 + $1.count } }

  /// The cell of an item, if it has one.
  ///
  /// - Complexity: O(1), or O(log n) while items lack cells.
  public subscript(index: Int) -> Cell? { position(of: index).map { cells[$0] } }

  /// The cells and their items.
  public var entries: [Entry] { zip(indices, cells).map { ($0, $1) } }

  /// The first item on screen that lacks a cell.
  ///
  /// - Complexity: O(r log n) for r runs.
  public var firstIndexWithoutCell: Int? {
    var place = 0
    for run in runs {
      let end = firstPosition { indices[$0] >= run.upperBound }
      guard end - place == run.count else {
        // Up to the first gap an item's number grows with its place.
        let gap = firstPosition { $0 >= end || ($0 >= place && indices[$0] - run.lowerBound > $0 - place) }
        return run.lowerBound + max(0, gap - place)
      }
      place = end
    }
    return nil
  }

  /// Takes other runs of items, ascending, apart and none of them empty.
  ///
  /// - Returns: the cells that left, in their order.
  /// - Complexity: O(n) where cells leave, O(r log n) for r runs where none does.
  public mutating func setRuns(_ next: [Range<Int>]) -> [Entry] {
    runs = next
    var staying = 0
    for run in next {
      staying += firstPosition { indices[$0] >= run.upperBound } - firstPosition { indices[$0] >= run.lowerBound }
    }
    guard staying < cells.count else { return [] }
    var left: [Entry] = []
    left.reserveCapacity(cells.count - staying)
    if next.count == 1, let run = next.first {
      // What stays lies together: it is not touched.
      let low = firstPosition { indices[$0] >= run.lowerBound }
      let end = low + staying
      for place in 0..<low { left.append((indices[place], cells[place])) }
      for place in end..<cells.count { left.append((indices[place], cells[place])) }
      indices.removeLast(indices.count - end)
      cells.removeLast(cells.count - end)
      indices.removeFirst(low)
      cells.removeFirst(low)
      return left
    }
    let before = entries
    cells.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    var run = 0
    for entry in before {
      while run < next.count, next[run].upperBound <= entry.index { run += 1 }
      if run < next.count, next[run].contains(entry.index) {
        indices.append(entry.index)
        cells.append(entry.cell)
      } else {
        left.append(entry)
      }
    }
    return left
  }

  /// Takes one other run of items, which may be empty.
  ///
  /// - Returns: the cells that left, in their order.
  public mutating func setRuns(_ next: Range<Int>) -> [Entry] { setRuns(next.isEmpty ? [] : [next]) }

  /// Gives an item on screen its cell.
  ///
  /// - Precondition: the item is within ``runs`` and lacks one.
  public mutating func insert(_ cell: Cell, at index: Int) {
    let place = firstPosition { indices[$0] >= index }
    checkPrecondition(
      runs.contains { $0.contains(index) } && (place == indices.count || indices[place] != index),
      "Item \(index) is not on screen, or has a cell already.")
    indices.insert(index, at: place)
    cells.insert(cell, at: place)
  }

  /// Gives an item another cell.
  ///
  /// - Returns: the cell that it had; nothing, and nothing done, where it had none.
  public mutating func replaceCell(at index: Int, with cell: Cell) -> Cell? {
    guard let place = position(of: index) else { return nil }
    let last = cells[place]
    cells[place] = cell
    return last
  }

  /// The items are numbered anew: keeps the cells of those that stay, in their new order.
  ///
  /// What is on screen is then what has a cell, until the next range is known.
  ///
  /// - Parameter newIndex: the new number of an item by its old one, no number twice; nothing for one that is gone.
  /// - Returns: the cells of items that are gone, by their old numbers, in their order.
  /// - Complexity: O(n log n).
  public mutating func remapIndices(_ newIndex: (Int) -> Int?) -> [Entry] {
    var gone: [Entry] = []
    var kept: [Entry] = []
    for (index, cell) in entries {
      if let new = newIndex(index) { kept.append((new, cell)) } else { gone.append((index, cell)) }
    }
    kept.sort { $0.index < $1.index }
    indices = kept.map(\.index)
    cells = kept.map(\.cell)
    runs = indices.first.flatMap { first in indices.last.map { [first..<($0 + 1)] } } ?? []
    return gone
  }

  /// Lets go of everything.
  ///
  /// - Returns: the cells, in their order.
  public mutating func removeAll() -> [Entry] { setRuns([]) }

  private func position(of index: Int) -> Int? {
    guard let first = indices.first else { return nil }
    let direct = index - first
    if indices.indices.contains(direct), indices[direct] == index { return direct }
    let place = firstPosition { indices[$0] >= index }
    return place < indices.count && indices[place] == index ? place : nil
  }

  /// The first place with a property that all places behind it have too.
  private func firstPosition(where isBehind: (Int) -> Bool) -> Int {
    var low = 0
    var high = indices.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
