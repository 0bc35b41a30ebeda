import VitrineDataStructures

/// The cells on screen, sorted by the flat indices of their items.
///
/// Flat indices count the items of all sections. Setting new runs of items determines which cells leave the screen and
/// which items lack a cell. Remapping the indices keeps the cells of the remaining items, even if other items were
/// inserted between them.
public struct DisplayedCells<Cell> {
  /// A cell and the flat index of its item.
  public typealias Entry = (index: Int, cell: Cell)

  /// The items on screen, with or without a cell: ascending, disjoint, none empty.
  ///
  /// Most layouts have one run. With orthogonal sections, items outside the viewport lie between visible ones.
  public private(set) var runs: [Range<Int>] = []
  /// The cells, in the order of their items.
  public private(set) var cells: [Cell] = []
  /// The flat indices of the items that have cells, ascending, in the order of ``cells``.
  public private(set) var indices: [Int] = []

  /// Creates an empty collection.
  public init() {}

  /// The smallest range that contains every item on screen.
  public var range: Range<Int> {
    guard let first = runs.first, let last = runs.last else { return 0..<0 }
    return first.lowerBound..<last.upperBound
  }

  /// Returns ``range`` without the given item if the item is separated from all others and has a cell.
  ///
  /// A dragged item stays on screen wherever its layout position is.
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

  /// The number of items on screen.
  ///
  /// - Complexity: O(r) for r runs.
  public var itemCount: Int { runs.reduce(0) { $0 + $1.count } }

  /// The cell of the item at a flat index, or nil if the item has none.
  ///
  /// - Complexity: O(1), or O(log n) while items lack cells.
  public subscript(index: Int) -> Cell? { position(of: index).map { cells[$0] } }

  /// All cells with the flat indices of their items.
  public var entries: [Entry] { zip(indices, cells).map { ($0, $1) } }

  /// The flat index of the first item on screen that lacks a cell, or nil if there is none.
  ///
  /// - Complexity: O(r log n) for r runs.
  public var firstIndexWithoutCell: Int? {
    var position = 0
    for run in runs {
      let end = firstPosition { indices[$0] >= run.upperBound }
      guard end - position == run.count else {
        // Up to the first gap the flat indices grow in step with the positions.
        let gap = firstPosition { $0 >= end || ($0 >= position && indices[$0] - run.lowerBound > $0 - position) }
        return run.lowerBound + max(0, gap - position)
      }
      position = end
    }
    return nil
  }

  /// Sets the runs of items on screen.
  ///
  /// - Parameter next: The runs: ascending, disjoint, none empty.
  /// - Returns: The cells that left the screen, in order.
  /// - Complexity: O(n) if cells leave the screen, otherwise O(r log n) for r runs.
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
      // The remaining cells are contiguous and need not be copied.
      let low = firstPosition { indices[$0] >= run.lowerBound }
      let end = low + staying
      for position in 0..<low { left.append((indices[position], cells[position])) }
      for position in end..<cells.count { left.append((indices[position], cells[position])) }
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

  /// Sets a single run of items on screen, which may be empty.
  ///
  /// - Returns: The cells that left the screen, in order.
  public mutating func setRuns(_ next: Range<Int>) -> [Entry] { setRuns(next.isEmpty ? [] : [next]) }

  /// Adds the cell of an item on screen.
  ///
  /// - Precondition: The item is within ``runs`` and has no cell.
  public mutating func insert(_ cell: Cell, at index: Int) {
    let position = firstPosition { indices[$0] >= index }
    checkPrecondition(
      runs.contains { $0.contains(index) } && (position == indices.count || indices[position] != index),
      "Item \(index) is not on screen, or has a cell already.")
    indices.insert(index, at: position)
    cells.insert(cell, at: position)
  }

  /// Replaces the cell of an item.
  ///
  /// - Returns: The previous cell, or nil if the item has no cell. In that case nothing is replaced.
  public mutating func replaceCell(at index: Int, with cell: Cell) -> Cell? {
    guard let position = position(of: index) else { return nil }
    let last = cells[position]
    cells[position] = cell
    return last
  }

  /// Updates the flat indices after an update of the items.
  ///
  /// Until the next call of `setRuns(_:)`, the items on screen are those that have a cell.
  ///
  /// - Returns: The cells of deleted items with their old indices, in order.
  /// - Complexity: O(n log n) and one question to the map for each of n cells.
  public mutating func apply(_ map: IndexMap) -> [Entry] {
    var removed: [Entry] = []
    var remaining: [Entry] = []
    for (index, cell) in entries {
      if let new = map.newIndex(ofItem: index) { remaining.append((new, cell)) } else { removed.append((index, cell)) }
    }
    remaining.sort { $0.index < $1.index }
    indices = remaining.map(\.index)
    cells = remaining.map(\.cell)
    runs = indices.first.flatMap { first in indices.last.map { [first..<($0 + 1)] } } ?? []
    return removed
  }

  /// Removes all items and cells.
  ///
  /// - Returns: The cells, in order.
  public mutating func removeAll() -> [Entry] { setRuns([]) }

  private func position(of index: Int) -> Int? {
    guard let first = indices.first else { return nil }
    let direct = index - first
    if indices.indices.contains(direct), indices[direct] == index { return direct }
    let position = firstPosition { indices[$0] >= index }
    return position < indices.count && indices[position] == index ? position : nil
  }

  /// Returns the first position that satisfies a predicate, by binary search.
  ///
  /// All later positions must satisfy it too.
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
