import VitrineDataStructures

/// The cells that are bound to an item and not on screen, sorted by the flat indices of their items.
///
/// Some were prepared ahead of need, completely or in part; others have left the screen. Each displays its item again
/// without more work. The order makes the removal of cells deterministic.
public struct WaitingCells<Cell> {
  /// A waiting cell.
  public struct Entry {
    /// The flat index of the cell's item.
    public let index: Int
    /// The cell.
    public let cell: Cell
    /// How far the cell is prepared.
    public let progress: PreparationProgress
    /// Whether the cell has been on screen since it was prepared for this item.
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
  /// The number of cells that are completely prepared.
  public private(set) var readyCount = 0

  /// The memory that the cells use together, in bytes, as far as it was reported.
  public private(set) var bytes = 0
  /// The most memory that was reported for one cell, in bytes.
  ///
  /// It serves as the estimate for one more cell.
  public private(set) var largestBytes = 0

  /// Creates an empty collection.
  public init() {}

  /// The number of waiting cells.
  public var count: Int { indices.count }

  /// Whether no cell is waiting.
  public var isEmpty: Bool { indices.isEmpty }

  /// The cells, in the order of their items.
  public var cells: [Cell] { slots.map(\.cell) }

  /// All entries, in the order of the items.
  public var entries: [Entry] { indices.indices.map(entry) }

  /// The cell of the item at a flat index, or nil if no cell is waiting for it.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> Cell? { position(of: index).map { slots[$0].cell } }

  /// Returns how far the cell of an item is prepared, or nil if no cell is waiting for it.
  ///
  /// - Complexity: O(log n), no allocation.
  public func progress(at index: Int) -> PreparationProgress? { position(of: index).map { slots[$0].progress } }

  /// Returns whether a completely prepared cell is waiting for an item.
  ///
  /// - Complexity: O(log n), no allocation.
  public func isReady(_ index: Int) -> Bool { progress(at: index)?.isReady ?? false }

  /// Returns whether the cell at a position is completely prepared.
  ///
  /// - Parameter position: A position in ``indices``.
  public func isReady(at position: Int) -> Bool { slots[position].progress.isReady }

  /// Returns the cell at a position, or nil if it is not completely prepared.
  ///
  /// - Parameter position: A position in ``indices``.
  public func readyCell(at position: Int) -> Cell? { slots[position].progress.isReady ? slots[position].cell : nil }

  // MARK: - Adding and updating cells

  /// Adds the cell of an item.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - index: The flat index of its item.
  ///   - progress: How far the cell is prepared.
  ///   - wasDisplayed: Whether the cell has been on screen since it was prepared for this item.
  ///   - bytes: The memory that the cell uses.
  /// - Precondition: No cell is waiting for the item.
  /// - Complexity: O(n).
  public mutating func insert(
    _ cell: Cell, at index: Int, progress: PreparationProgress = .ready, wasDisplayed: Bool = false,
    bytes: Int = 0
  ) {
    let position = firstPosition(notBelow: index)
    checkPrecondition(
      position == indices.count || indices[position] != index, "A cell waits for item \(index) already.")
    indices.insert(index, at: position)
    slots.insert(Slot(cell: cell, progress: progress, wasDisplayed: wasDisplayed, bytes: 0), at: position)
    if progress.isReady { readyCount += 1 }
    setBytes(bytes, at: index)
  }

  // MARK: - Memory

  /// Sets the memory that the cell of an item uses, in bytes.
  ///
  /// Does nothing if no cell is waiting for the item.
  ///
  /// - Complexity: O(log n).
  public mutating func setBytes(_ count: Int, at index: Int) {
    guard let position = position(of: index) else { return }
    let count = max(0, count)
    bytes += count - slots[position].bytes
    slots[position].bytes = count
    largestBytes = max(largestBytes, count)
  }

  /// Recomputes ``largestBytes`` from the waiting cells, after the size of cells has changed.
  ///
  /// - Complexity: O(n).
  public mutating func resetLargestBytes() { largestBytes = slots.reduce(0) { max($0, $1.bytes) } }

  /// Returns whether one more cell may wait within the given limits.
  ///
  /// The cell is assumed to use ``largestBytes``. One cell may always wait if the limit of cells is not 0, whatever
  /// memory it uses.
  public func hasCapacity(cells maximumCells: Int, bytes maximumBytes: Int) -> Bool {
    count < maximumCells && (isEmpty || bytes + largestBytes <= maximumBytes)
  }

  /// Returns whether cells are to be removed because they use too much memory.
  ///
  /// The last cell is never removed for that.
  public func exceedsLimit(bytes maximumBytes: Int) -> Bool { count > 1 && bytes > maximumBytes }

  /// Sets how far the cell of an item is prepared.
  ///
  /// - Returns: Whether a cell is waiting for the item.
  /// - Complexity: O(log n).
  @discardableResult
  public mutating func setProgress(_ progress: PreparationProgress, at index: Int) -> Bool {
    guard let position = position(of: index) else { return false }
    readyCount += (progress.isReady ? 1 : 0) - (slots[position].progress.isReady ? 1 : 0)
    slots[position].progress = progress
    return true
  }

  // MARK: - Removing and remapping cells

  /// Removes and returns the cell of an item, or nil if no cell is waiting for it.
  ///
  /// - Complexity: O(n).
  public mutating func removeCell(at index: Int) -> Entry? {
    guard let position = position(of: index) else { return nil }
    let taken = entry(at: position)
    indices.remove(at: position)
    if taken.progress.isReady { readyCount -= 1 }
    bytes -= slots[position].bytes
    slots.remove(at: position)
    return taken
  }

  /// Updates the flat indices after an update of the items.
  ///
  /// - Returns: The cells of deleted items with their old indices, in order.
  /// - Complexity: O(n log n) and one question to the map for each of n cells.
  public mutating func apply(_ map: IndexMap) -> [Entry] {
    var removed: [Entry] = []
    var remaining: [(index: Int, slot: Slot)] = []
    for position in indices.indices {
      if let new = map.newIndex(ofItem: indices[position]) {
        remaining.append((new, slots[position]))
      } else {
        removed.append(entry(at: position))
      }
    }
    remaining.sort { $0.index < $1.index }
    replaceAll(remaining)
    return removed
  }

  /// Removes the cells whose items do not satisfy a predicate.
  ///
  /// - Parameter isRetained: Returns whether the cell of an item may continue to wait. Called once for each item, in
  ///   ascending order.
  /// - Returns: The removed cells, in order.
  /// - Complexity: O(n). Nothing is allocated if all cells are retained.
  public mutating func removeCells(unless isRetained: (Int) -> Bool) -> [Entry] {
    var position = 0
    while position < indices.count, isRetained(indices[position]) { position += 1 }
    var removed: [Entry] = []
    let first = position
    // The start of the retained run after the last removed cell, and the position where the run is moved to.
    var (runStart, writeIndex) = (position, position)
    while position < indices.count {
      // The predicate was already called for the first removed cell.
      if !removed.isEmpty, isRetained(indices[position]) {
        position += 1
        continue
      }
      compactSlots(runStart..<position, to: &writeIndex)
      removed.append(entry(at: position))
      if slots[position].progress.isReady { readyCount -= 1 }
      bytes -= slots[position].bytes
      position += 1
      runStart = position
    }
    guard !removed.isEmpty else { return [] }
    if writeIndex == first {
      // The removed cells are contiguous: the rest is moved as a whole.
      indices.removeSubrange(first..<runStart)
      slots.removeSubrange(first..<runStart)
      return removed
    }
    compactSlots(runStart..<indices.count, to: &writeIndex)
    indices.removeLast(indices.count - writeIndex)
    slots.removeLast(slots.count - writeIndex)
    return removed
  }

  /// Removes the cells of items outside a range of flat indices.
  ///
  /// - Returns: The removed cells, in order.
  /// - Complexity: O(1) if all cells are retained, otherwise O(n).
  public mutating func removeCells(outside range: Range<Int>) -> [Entry] {
    guard let first = indices.first, let last = indices.last, !range.contains(first) || !range.contains(last) else {
      return []
    }
    return removeCells { range.contains($0) }
  }

  // MARK: - Queries

  /// Returns whether each item of some runs has a waiting cell or is in other runs.
  ///
  /// - Parameters:
  ///   - runs: The items: ascending and disjoint.
  ///   - others: The other runs: ascending and disjoint.
  /// - Complexity: O(n + r) for r runs, no allocation.
  public func covers(_ runs: [Range<Int>], excluding others: [Range<Int>]) -> Bool {
    var position = 0
    var other = 0
    for run in runs {
      var item = run.lowerBound
      while item < run.upperBound {
        while other < others.count, others[other].upperBound <= item { other += 1 }
        if other < others.count, others[other].lowerBound <= item {
          item = others[other].upperBound
          continue
        }
        while position < indices.count, indices[position] < item { position += 1 }
        guard position < indices.count, indices[position] == item else { return false }
        item += 1
      }
    }
    return true
  }

  /// Returns the item that needs its cell least, with its remoteness, or nil if no cell is suitable.
  ///
  /// If several items are equally remote, the last one is returned.
  ///
  /// - Parameters:
  ///   - isSuitable: Returns whether a cell is suitable, for example because of its registration. Default: all cells.
  ///   - remoteness: Returns how little an item needs its cell. Called only for items with a suitable cell.
  /// - Complexity: O(n), no allocation.
  public func leastNeeded(
    where isSuitable: (Cell) -> Bool = { _ in true }, remoteness: (Int) -> Double
  ) -> (index: Int, remoteness: Double)? {
    var least: (index: Int, remoteness: Double)?
    for position in indices.indices where isSuitable(slots[position].cell) {
      let remote = remoteness(indices[position])
      if remote >= least?.remoteness ?? -.infinity { least = (indices[position], remote) }
    }
    return least
  }

  /// Removes all cells.
  ///
  /// - Returns: The cells, in order.
  public mutating func removeAll() -> [Entry] {
    let all = entries
    replaceAll([])
    largestBytes = 0
    return all
  }

  // MARK: - Storage

  private mutating func compactSlots(_ range: Range<Int>, to writeIndex: inout Int) {
    for position in range {
      if writeIndex != position {
        indices.swapAt(writeIndex, position)
        slots.swapAt(writeIndex, position)
      }
      writeIndex += 1
    }
  }

  private mutating func replaceAll(_ newSlots: [(index: Int, slot: Slot)]) {
    indices.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    readyCount = 0
    bytes = 0
    for (index, slot) in newSlots {
      indices.append(index)
      slots.append(slot)
      if slot.progress.isReady { readyCount += 1 }
      bytes += slot.bytes
    }
  }

  private func entry(at position: Int) -> Entry {
    let slot = slots[position]
    return Entry(
      index: indices[position], cell: slot.cell, progress: slot.progress, wasDisplayed: slot.wasDisplayed)
  }

  private func position(of index: Int) -> Int? {
    let position = firstPosition(notBelow: index)
    return position < indices.count && indices[position] == index ? position : nil
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
