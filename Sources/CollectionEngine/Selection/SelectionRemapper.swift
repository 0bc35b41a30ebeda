public import VitrineDiffableData

/// Maps a large selection to the indices after an update, in batches before the update is displayed.
///
/// In the frame of the update only the items that were selected or deselected meanwhile remain to be mapped.
public struct SelectionRemapper: Sendable {
  /// The selection at the start.
  private let base: IndexRuns
  /// The number of items mapped so far, in ascending order.
  public private(set) var remappedCount = 0
  /// One bit for each item after the update.
  private var selectedBits: [UInt64]
  /// The number of words of ``selectedBits`` that have been converted to runs.
  private var joinedWordCount = 0
  /// The mapped selection, as far as it has been converted to runs.
  private var result = IndexRuns()

  /// The number of words that can be converted to runs in the time of mapping one item.
  private static let wordsPerItem = 4

  /// Starts mapping a selection.
  ///
  /// - Parameters:
  ///   - items: The selected items.
  ///   - count: The number of items after the update.
  /// - Complexity: O(n / 64) for n items.
  public init(_ items: IndexRuns, to count: Int) {
    base = items
    selectedBits = [UInt64](repeating: 0, count: (max(0, count) + 63) / 64)
  }

  /// Whether all items of the initial selection have been mapped.
  public var isComplete: Bool { remappedCount == base.count && joinedWordCount == selectedBits.count }

  /// Maps further items.
  ///
  /// - Parameters:
  ///   - limit: The approximate number of items.
  ///   - newIndex: Returns the new index of an item, or nil if the item was deleted.
  /// - Complexity: O(m log r) for m items and r runs, and m calls of the closure.
  public mutating func advance(atMost limit: Int, newIndex: (Int) -> Int?) {
    var rest = limit
    while rest > 0, remappedCount < base.count {
      if let new = newIndex(base.index(at: remappedCount)) { selectedBits[new / 64] |= 1 << UInt64(new % 64) }
      remappedCount += 1
      rest -= 1
    }
    guard remappedCount == base.count else { return }
    let end = min(selectedBits.count, joinedWordCount + rest * SelectionRemapper.wordsPerItem)
    while joinedWordCount < end {
      SelectionRemapper.appendRuns(selectedBits[joinedWordCount], from: joinedWordCount * 64, to: &result)
      joinedWordCount += 1
    }
  }

  /// Returns the mapped selection.
  ///
  /// - Parameters:
  ///   - items: The current selection.
  ///   - limit: The maximum number of items that were selected or deselected since the start.
  ///   - newIndex: Returns the new index of an item, or nil if the item was deleted.
  /// - Returns: The selected items in new indices, or nil if mapping is not complete or more items changed.
  /// - Complexity: O(1) if the selection did not change, otherwise O(r) for r runs.
  public func remappedSelection(of items: IndexRuns, changedAtMost limit: Int, newIndex: (Int) -> Int?) -> IndexRuns? {
    guard isComplete else { return nil }
    guard items != base else { return result }
    let (added, removed) = (items.subtracting(base), base.subtracting(items))
    guard added.count + removed.count <= limit else { return nil }
    func new(_ items: IndexRuns) -> IndexRuns { IndexRuns(items.ranges.joined().compactMap(newIndex)) }
    var selected = result
    selected.subtract(new(removed))
    selected.formUnion(new(added))
    return selected
  }

  private static func appendRuns(_ word: UInt64, from first: Int, to runs: inout IndexRuns) {
    var (rest, index) = (word, first)
    while rest != 0 {
      let gap = rest.trailingZeroBitCount
      let count = (~(rest &>> UInt64(gap))).trailingZeroBitCount
      runs.append(contentsOf: (index + gap)..<(index + gap + count))
      rest = gap + count < 64 ? rest &>> UInt64(gap + count) : 0
      index += gap + count
    }
  }
}
