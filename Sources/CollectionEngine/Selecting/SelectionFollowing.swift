public import DiffableData

/// Finds the numbers that many selected items will have after an update, a portion at a time before it is shown: a pure
/// machine.
///
/// In the update's own frame only what was selected meanwhile is left to be followed.
public struct SelectionRemapper: Sendable {
  /// What was selected when it began.
  private let base: IndexRuns
  /// How many of them were followed, the first first.
  public private(set) var remappedCount = 0
  /// A bit for each item after the update.
  private var selectedBits: [UInt64]
  /// How many words of it were made runs.
  private var joinedWordCount = 0
  /// What will be selected, as far as it was made runs.
  private var result = IndexRuns()

  /// Marks that are made runs in the time in which one item is followed.
  private static let wordsPerItem = 4

  /// Begins.
  ///
  /// - Parameters:
  ///   - items: what is selected.
  ///   - count: how many items there will be.
  /// - Complexity: O(n/64) for n items.
  public init(_ items: IndexRuns, to count: Int) {
    base = items
    selectedBits = [UInt64](repeating: 0, count: (max(0, count) + 63) / 64)
  }

  /// Whether all were followed that were selected when it began.
  public var isComplete: Bool { remappedCount == base.count && joinedWordCount == selectedBits.count }

  /// Follows some more.
  ///
  /// - Parameters:
  ///   - most: how many items, about.
  ///   - newIndex: the new number of an item, or nothing when it is gone.
  /// - Complexity: O(most log r) for r runs, and as many questions.
  public mutating func advance(atMost most: Int, newIndex: (Int) -> Int?) {
    var rest = most
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

  /// What will be selected.
  ///
  /// - Parameters:
  ///   - items: what is selected now.
  ///   - most: how many of them may have come or gone since it began.
  ///   - newIndex: the new number of an item, or nothing when it is gone.
  /// - Returns: nothing where it is not complete, or more than that came or went.
  /// - Complexity: O(1) where nothing came or went, else O(r) for r runs.
  public func remappedSelection(of items: IndexRuns, changedAtMost most: Int, newIndex: (Int) -> Int?) -> IndexRuns? {
    guard isComplete else { return nil }
    guard items != base else { return result }
    let (come, gone) = (items.subtracting(base), base.subtracting(items))
    guard come.count + gone.count <= most else { return nil }
    func new(_ items: IndexRuns) -> IndexRuns { IndexRuns(items.ranges.joined().compactMap(newIndex)) }
    var selected = result
    selected.subtract(new(gone))
    selected.formUnion(new(come))
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
