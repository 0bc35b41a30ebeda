import DataStructures

/// The cells on screen by the flat indices of their items, in display order.
///
/// Flat indices count the items of all sections. A new range says which cells leave and which items lack a cell; new
/// numbers of the items keep the cells of those that stay, even where others came between them.
public struct DisplayedCells<Cell> {
  /// A cell, and the flat index of the item that it shows.
  public typealias Entry = (index: Int, cell: Cell)

  /// The items on screen, whether they have a cell yet or not.
  public private(set) var range: Range<Int> = 0..<0
  /// The cells, by the order of their items.
  public private(set) var cells: [Cell] = []
  /// The items of these cells, ascending.
  private var indices: [Int] = []

  /// Nothing on screen.
  public init() {}

  /// The cell of an item, if it has one.
  ///
  /// - Complexity: O(1), or O(log n) while items lack cells.
  public subscript(index: Int) -> Cell? { place(of: index).map { cells[$0] } }

  /// The cells and their items.
  public var entries: [Entry] { zip(indices, cells).map { ($0, $1) } }

  /// The first item on screen that lacks a cell.
  ///
  /// - Complexity: O(log n).
  public var firstMissing: Int? {
    guard cells.count < range.count else { return nil }
    // Up to the first gap an item's number is that of its place.
    let place = firstPlace { indices[$0] - $0 > range.lowerBound }
    return range.lowerBound + place
  }

  /// Takes another range.
  ///
  /// - Returns: the cells that left, from both ends, in their order.
  /// - Complexity: O(n) where cells leave.
  public mutating func move(to next: Range<Int>) -> [Entry] {
    range = next
    let first = firstPlace { indices[$0] >= next.lowerBound }
    let end = max(first, firstPlace { indices[$0] >= next.upperBound })
    guard first > 0 || end < cells.count else { return [] }
    let before = entries
    cells = Array(cells[first..<end])
    indices = Array(indices[first..<end])
    return Array(before[..<first] + before[end...])
  }

  /// Gives an item on screen its cell.
  ///
  /// - Precondition: the item is within ``range`` and lacks one.
  public mutating func insert(_ cell: Cell, at index: Int) {
    let place = firstPlace { indices[$0] >= index }
    demand(
      range.contains(index) && (place == indices.count || indices[place] != index),
      "Item \(index) is not on screen, or has a cell already.")
    indices.insert(index, at: place)
    cells.insert(cell, at: place)
  }

  /// Gives an item another cell.
  ///
  /// - Returns: the cell that it had; nothing, and nothing done, where it had none.
  public mutating func replaceCell(at index: Int, with cell: Cell) -> Cell? {
    guard let place = place(of: index) else { return nil }
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
  public mutating func renumber(_ newIndex: (Int) -> Int?) -> [Entry] {
    var gone: [Entry] = []
    var kept: [Entry] = []
    for (index, cell) in entries {
      if let new = newIndex(index) { kept.append((new, cell)) } else { gone.append((index, cell)) }
    }
    kept.sort { $0.index < $1.index }
    indices = kept.map(\.index)
    cells = kept.map(\.cell)
    range = (indices.first ?? 0)..<((indices.last ?? -1) + 1)
    return gone
  }

  /// Lets go of everything.
  ///
  /// - Returns: the cells, in their order.
  public mutating func removeAll() -> [Entry] { move(to: 0..<0) }

  private func place(of index: Int) -> Int? {
    guard let first = indices.first else { return nil }
    let direct = index - first
    if indices.indices.contains(direct), indices[direct] == index { return direct }
    let place = firstPlace { indices[$0] >= index }
    return place < indices.count && indices[place] == index ? place : nil
  }

  /// The first place with a property that all places behind it have too.
  private func firstPlace(where isBehind: (Int) -> Bool) -> Int {
    var low = 0
    var high = indices.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
