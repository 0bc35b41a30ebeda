import DataStructures

/// The cells that are bound to an item and not on screen, by the flat indices of their items.
///
/// Some were prepared ahead, in whole or in part; others were shown and have left the screen. Each shows its item again
/// without work. They stand in ascending order, so that equal runs let go of equal cells.
public struct WaitingCells<Cell> {
  /// A waiting cell.
  public struct Entry {
    /// The flat index of its item.
    public let index: Int
    /// The cell.
    public let cell: Cell
    /// How far it is prepared.
    public let progress: PreparationProgress
    /// Whether it was on screen since it was prepared for this item.
    public let wasDisplayed: Bool
  }

  private struct Slot {
    var cell: Cell
    var progress: PreparationProgress
    var wasDisplayed: Bool
    var bytes: Int
  }

  /// The flat indices of the items, ascending.
  public private(set) var indices: [Int] = []
  private var slots: [Slot] = []
  /// How many of the cells could be shown without further work.
  public private(set) var readyCount = 0

  /// How many bytes the cells hold together, as far as they were told.
  public private(set) var bytes = 0
  /// The most bytes that one cell was told to hold: one more may come to as many.
  public private(set) var largestBytes = 0

  /// No cell waits.
  public init() {}

  /// How many cells wait.
  public var count: Int { indices.count }

  /// Whether no cell waits.
  public var isEmpty: Bool { indices.isEmpty }

  /// The cells, by the order of their items.
  public var cells: [Cell] { slots.map(\.cell) }

  /// Everything that waits, by the order of the items.
  public var entries: [Entry] { indices.indices.map(entry) }

  /// The cell of an item, if one waits.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> Cell? { position(of: index).map { slots[$0].cell } }

  /// How far the cell of an item is prepared; nothing where none waits.
  ///
  /// - Complexity: O(log n), no allocation.
  public func progress(at index: Int) -> PreparationProgress? { position(of: index).map { slots[$0].progress } }

  /// Whether an item's cell waits and could be shown without further work.
  ///
  /// - Complexity: O(log n), no allocation.
  public func isReady(_ index: Int) -> Bool { progress(at: index)?.isReady ?? false }

  /// Whether the cell that waits for an item of ``indices`` could be shown without further work.
  ///
  /// - Parameter place: the item's place among those.
  public func isReady(at place: Int) -> Bool { slots[place].progress.isReady }

  /// The cell that waits for an item of ``indices``, if it could be shown without further work.
  ///
  /// - Parameter place: the item's place among those.
  public func readyCell(at place: Int) -> Cell? { slots[place].progress.isReady ? slots[place].cell : nil }

  /// Lets a cell wait for its item.
  ///
  /// - Parameters:
  ///   - cell: the cell.
  ///   - index: the flat index of its item.
  ///   - progress: how far it is prepared.
  ///   - wasDisplayed: whether it was on screen since it was prepared for this item.
  ///   - bytes: how many it holds.
  /// - Precondition: no cell waits for the item.
  /// - Complexity: O(n).
  public mutating func insert(
    _ cell: Cell, at index: Int, progress: PreparationProgress = .ready, wasDisplayed: Bool = false,
    bytes: Int = 0
  ) {
    let place = firstPosition(notBelow: index)
    checkPrecondition(place == indices.count || indices[place] != index, "A cell waits for item \(index) already.")
    indices.insert(index, at: place)
    slots.insert(Slot(cell: cell, progress: progress, wasDisplayed: wasDisplayed, bytes: 0), at: place)
    if progress.isReady { readyCount += 1 }
    setBytes(bytes, at: index)
  }

  /// The cell of an item holds so many bytes by now; nothing happens where none waits.
  ///
  /// - Complexity: O(log n).
  public mutating func setBytes(_ count: Int, at index: Int) {
    guard let place = position(of: index) else { return }
    let count = max(0, count)
    bytes += count - slots[place].bytes
    slots[place].bytes = count
    largestBytes = max(largestBytes, count)
  }

  /// Cells have other sizes from now on: what the largest one held says nothing of the next.
  ///
  /// - Complexity: O(n).
  public mutating func resetLargestBytes() { largestBytes = slots.reduce(0) { max($0, $1.bytes) } }

  /// Whether one more may wait, where so many may at most and hold so many bytes.
  ///
  /// It is taken to hold as many as the largest did. One may always wait, if any may, however many bytes it holds.
  public func hasCapacity(cells mostCells: Int, bytes mostBytes: Int) -> Bool {
    count < mostCells && (isEmpty || bytes + largestBytes <= mostBytes)
  }

  /// Whether some are to be let go, as they came to hold more bytes than they may: never the last one.
  public func exceedsLimit(bytes mostBytes: Int) -> Bool { count > 1 && bytes > mostBytes }

  /// The cell of an item is prepared so far.
  ///
  /// - Returns: whether one waits.
  /// - Complexity: O(log n).
  @discardableResult
  public mutating func setProgress(_ progress: PreparationProgress, at index: Int) -> Bool {
    guard let place = position(of: index) else { return false }
    readyCount += (progress.isReady ? 1 : 0) - (slots[place].progress.isReady ? 1 : 0)
    slots[place].progress = progress
    return true
  }

  /// Takes the cell of an item out, if one waits.
  ///
  /// - Complexity: O(n).
  public mutating func removeCell(at index: Int) -> Entry? {
    guard let place = position(of: index) else { return nil }
    let taken = entry(at: place)
    indices.remove(at: place)
    if taken.progress.isReady { readyCount -= 1 }
    bytes -= slots[place].bytes
    slots.remove(at: place)
    return taken
  }

  /// The items are numbered anew: keeps the cells of those that stay, in their new order.
  ///
  /// - Parameter newIndex: the new number of an item by its old one, no number twice; nothing for one that is gone.
  /// - Returns: the cells of items that are gone, by their old numbers, in their order.
  /// - Complexity: O(n log n).
  public mutating func remapIndices(_ newIndex: (Int) -> Int?) -> [Entry] {
    var gone: [Entry] = []
    var kept: [(index: Int, slot: Slot)] = []
    for place in indices.indices {
      if let new = newIndex(indices[place]) { kept.append((new, slots[place])) } else { gone.append(entry(at: place)) }
    }
    kept.sort { $0.index < $1.index }
    for place in kept.indices.dropFirst() {
      checkPrecondition(
        kept[place - 1].index != kept[place].index, "Two waiting cells were given item \(kept[place].index).")
    }
    replaceAll(kept)
    return gone
  }

  /// Lets go of the cells whose items may not wait.
  ///
  /// - Parameter isKept: whether the cell of an item may wait on; asked once for each, in ascending order.
  /// - Returns: the cells that were let go, in their order.
  /// - Complexity: O(n); nothing is allocated where every cell is kept.
  public mutating func removeCells(unless isKept: (Int) -> Bool) -> [Entry] {
    var place = 0
    while place < indices.count, isKept(indices[place]) { place += 1 }
    var dropped: [Entry] = []
    let first = place
    // Where those begin that stay since the last one that goes, and where they go.
    var (stretch, kept) = (place, place)
    while place < indices.count {
      // The first one was asked already.
      if !dropped.isEmpty, isKept(indices[place]) {
        place += 1
        continue
      }
      compactSlots(stretch..<place, to: &kept)
      dropped.append(entry(at: place))
      if slots[place].progress.isReady { readyCount -= 1 }
      bytes -= slots[place].bytes
      place += 1
      stretch = place
    }
    guard !dropped.isEmpty else { return [] }
    if kept == first {
      // What goes lies together: what stays is not touched one by one.
      indices.removeSubrange(first..<stretch)
      slots.removeSubrange(first..<stretch)
      return dropped
    }
    compactSlots(stretch..<indices.count, to: &kept)
    indices.removeLast(indices.count - kept)
    slots.removeLast(slots.count - kept)
    return dropped
  }

  /// Lets go of the cells of items outside of a range of flat indices.
  ///
  /// - Returns: the cells that were let go, in their order.
  /// - Complexity: O(1) where every cell is kept, else O(n).
  public mutating func removeCells(outside range: Range<Int>) -> [Entry] {
    guard let first = indices.first, let last = indices.last, !range.contains(first) || !range.contains(last) else {
      return []
    }
    return removeCells { range.contains($0) }
  }

  /// Whether each item of some runs has a cell here, or is among others.
  ///
  /// - Parameters:
  ///   - runs: the items, ascending and apart.
  ///   - others: the others, ascending and apart.
  /// - Complexity: O(n + runs), no allocation.
  public func covers(_ runs: [Range<Int>], beside others: [Range<Int>]) -> Bool {
    var place = 0
    var other = 0
    for run in runs {
      var item = run.lowerBound
      while item < run.upperBound {
        while other < others.count, others[other].upperBound <= item { other += 1 }
        if other < others.count, others[other].lowerBound <= item {
          item = others[other].upperBound
          continue
        }
        while place < indices.count, indices[place] < item { place += 1 }
        guard place < indices.count, indices[place] == item else { return false }
        item += 1
      }
    }
    return true
  }

  /// The item that can do without its cell most of all, and how remote it is.
  ///
  /// Of equally remote ones it is the last.
  ///
  /// - Parameters:
  ///   - isSuitable: whether a cell would do: of the right registration, say.
  ///   - remoteness: how little an item is needed; asked for those with a suitable cell alone.
  /// - Complexity: O(n), no allocation.
  public func leastNeeded(
    where isSuitable: (Cell) -> Bool = { _ in true }, remoteness: (Int) -> Double
  ) -> (index: Int, remoteness: Double)? {
    var least: (index: Int, remoteness: Double)?
    for place in indices.indices where isSuitable(slots[place].cell) {
      let remote = remoteness(indices[place])
      if remote >= least?.remoteness ?? -.infinity { least = (indices[place], remote) }
    }
    return least
  }

  /// Lets go of everything.
  ///
  /// - Returns: the cells, in their order.
  public mutating func removeAll() -> [Entry] {
    let all = entries
    replaceAll([])
    largestBytes = 0
    return all
  }

  private mutating func compactSlots(_ stretch: Range<Int>, to kept: inout Int) {
    for place in stretch {
      if kept != place {
        indices.swapAt(kept, place)
        slots.swapAt(kept, place)
      }
      kept += 1
    }
  }

  private mutating func replaceAll(_ kept: [(index: Int, slot: Slot)]) {
    indices.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    readyCount = 0
    bytes = 0
    for (index, slot) in kept {
      indices.append(index)
      slots.append(slot)
      if slot.progress.isReady { readyCount += 1 }
      bytes += slot.bytes
    }
  }

  private func entry(at place: Int) -> Entry {
    let slot = slots[place]
    return Entry(
      index: indices[place], cell: slot.cell, progress: slot.progress, wasDisplayed: slot.wasDisplayed)
  }

  private func position(of index: Int) -> Int? {
    let place = firstPosition(notBelow: index)
    return place < indices.count && indices[place] == index ? place : nil
  }

  private func firstPosition(notBelow index: Int) -> Int {
    var low = 0
    var high = indices.count
    while low < high {
      let middle = (low + high) / 2
      if indices[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
