import CollectionEngine
import DiffableData

/// How many bytes the files of the selected photographs have, added up a portion at a time: a pure machine.
///
/// A cursor goes through what is selected. What changes behind it is made up for, what changes before it the cursor meets:
/// so a change of the selection costs what differs, and a frame no more than a portion, however many are selected and in
/// however many runs. The selection itself is not kept, as a second holder would have it copied at each change.
nonisolated struct SelectionByteCount: Hashable, Sendable {
  /// Photographs that came to be selected behind the cursor, or are no more.
  private struct Correction: Hashable, Sendable {
    let items: IndexRuns
    let areAdded: Bool
    /// How many of them were made up for, the first first.
    var processedCount = 0
  }

  /// The bytes of what was added up so far.
  private(set) var bytes: Int64 = 0
  /// Whether that is all that is selected.
  var isComplete: Bool { cursor == .max && corrections.isEmpty }

  /// What is selected below was added up, but for the amends; beyond all numbers once the end was reached.
  private var cursor = Int.max
  /// What is to be made up for, the last one first, and how many photographs that are.
  private var corrections: [Correction] = []
  private var remainingCorrections = 0

  /// Other photographs are selected.
  ///
  /// - Parameters:
  ///   - added: those that were not before.
  ///   - removed: those that were, and are no more.
  ///   - items: what is selected now.
  /// - Complexity: O(log r + k) for r runs of the selection and k of what differs.
  mutating func updateSelection(adding added: IndexRuns, removing removed: IndexRuns, to items: IndexRuns) {
    for (part, areAdded) in [(removed, false), (added, true)] {
      let behind = cursor == .max ? part : part.part(in: 0..<cursor)
      guard !behind.isEmpty else { continue }
      corrections.append(Correction(items: behind, areAdded: areAdded))
      remainingCorrections += behind.count
    }
    // Rather anew than back the whole way.
    if remainingCorrections > items.count { restart(items) }
  }

  /// The photographs are numbered anew, or their files are others.
  ///
  /// - Complexity: O(1), and the letting go of what was to be made up for.
  mutating func restart(_ items: IndexRuns) {
    self = SelectionByteCount()
    cursor = items.first ?? .max
  }

  /// Adds up some more.
  ///
  /// - Parameters:
  ///   - most: how many photographs are asked for.
  ///   - items: what is selected.
  ///   - bytes: the bytes of one's file, by its number.
  /// - Complexity: O(most log r) for r runs.
  mutating func advance(atMost most: Int, of items: IndexRuns, bytes: (Int) -> Int64) {
    var rest = most
    while rest > 0, var next = corrections.popLast() {
      let end = min(next.items.count, next.processedCount + rest)
      for ordinal in next.processedCount..<end {
        let size = bytes(next.items.index(at: ordinal))
        addBytes(next.areAdded ? size : -size)
      }
      rest -= end - next.processedCount
      remainingCorrections -= end - next.processedCount
      next.processedCount = end
      if end < next.items.count { corrections.append(next) }
    }
    guard cursor < .max else { return }
    var ordinal = items.count(below: cursor)
    while rest > 0, ordinal < items.count {
      addBytes(bytes(items.index(at: ordinal)))
      ordinal += 1
      rest -= 1
    }
    cursor = ordinal < items.count ? items.index(at: ordinal) : .max
  }

  /// Sizes are what a file system or a recording says, and need not be possible.
  private mutating func addBytes(_ size: Int64) {
    let (sum, isTooLarge) = bytes.addingReportingOverflow(size)
    bytes = isTooLarge ? (size > 0 ? .max : .min) : sum
  }
}
