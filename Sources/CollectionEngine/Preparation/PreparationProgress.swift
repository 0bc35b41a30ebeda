/// How far a cell is prepared.
///
/// Preparation may pause between any two steps.
public struct PreparationProgress: Hashable, Sendable {
  /// The next step, or nil if all steps are done.
  public private(set) var next: PreparationStep?
  /// The number of parts of the next step that are done, for cells that are prepared in parts.
  public private(set) var part = 0

  /// The progress of a completely prepared cell.
  public static let ready = PreparationProgress(next: nil)

  /// Creates a progress with all steps before the given one done.
  public init(next: PreparationStep?) { self.next = next }

  /// Whether all steps are done.
  public var isReady: Bool { next == nil }

  /// Records that the next step or one part of it is done.
  ///
  /// - Parameter isWhole: Whether the whole step is done. Default: true.
  public mutating func advance(isWhole: Bool = true) {
    guard let step = next else { return }
    next = isWhole ? step.next : step
    part = isWhole ? 0 : part + 1
  }
}

/// A step of preparing a cell for display.
///
/// The steps are done in this order.
public enum PreparationStep: UInt8, CaseIterable, Comparable, Sendable {
  /// The cell is created, or dequeued from its pool and reset.
  case create
  /// The cell is configured for its item.
  case configure
  /// One part of an expensive cell is prepared.
  case part
  /// The cell is measured and laid out.
  case size
  /// The cell's display list is built, and its texts are measured.
  case draw
  /// The cell's bitmaps are uploaded to textures.
  case upload

  /// The following step, or nil for the last one.
  public var next: PreparationStep? { PreparationStep(rawValue: rawValue + 1) }

  /// Returns whether the first step is done before the second.
  public static func < (left: PreparationStep, right: PreparationStep) -> Bool { left.rawValue < right.rawValue }
}

/// A sorted set of items that need no work.
///
/// Membership tests usually go through the items in ascending or descending order, so the set starts from the previous
/// item's neighbours.
public struct ReadyItemSet: Sendable {
  private var items: [Int] = []
  /// The index where the last item was found or would be inserted.
  private var cursor = 0

  /// Creates an empty set.
  public init() {}

  /// The number of items.
  public var count: Int { items.count }

  /// Removes all items and keeps the storage.
  public mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    cursor = 0
  }

  /// Appends an item.
  ///
  /// - Precondition: The item is greater than all others.
  public mutating func append(_ item: Int) { items.append(item) }

  /// Returns whether the set contains an item.
  ///
  /// - Complexity: O(1) for a neighbour of the previous item, otherwise O(log n). No allocation.
  public mutating func contains(_ item: Int) -> Bool {
    if isItem(item, at: cursor) { return true }
    if isItem(item, at: cursor + 1) {
      cursor += 1
      return true
    }
    if isItem(item, at: cursor - 1) {
      cursor -= 1
      return true
    }
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle] < item { low = middle + 1 } else { high = middle }
    }
    cursor = low
    return isItem(item, at: low)
  }

  private func isItem(_ item: Int, at position: Int) -> Bool {
    position >= 0 && position < items.count && items[position] == item
  }
}
