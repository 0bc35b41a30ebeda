import CollectionEngine
import DiffableData

/// How many bytes the files of the selected photographs have, added up a portion at a time: a pure machine.
///
/// What was added up is kept: a change of the selection costs what differs. Nothing costs a frame more than a portion,
/// however many are selected and in however many runs.
nonisolated struct SelectionTotal: Hashable, Sendable {
  /// The bytes of what was added up so far.
  private(set) var bytes: Int64 = 0
  /// Whether that is all that is selected.
  var isComplete: Bool { came == coming.count && went == going.count }

  /// What was added up when the selection changed last.
  private var base = IndexRuns()
  /// What is selected.
  private var target = IndexRuns()
  /// To be added since then, and to be taken off; how many of each were, from the first on.
  private var coming = IndexRuns()
  private var going = IndexRuns()
  private var came = 0
  private var went = 0

  /// Other photographs are selected.
  ///
  /// - Complexity: O(r) for the runs of both.
  mutating func select(_ items: IndexRuns) {
    let counted = counted
    let gone = counted.subtracting(items)
    // Rather anew than back the whole way.
    if gone.count > items.count { return restart(items) }
    (base, target) = (counted, items)
    (coming, going) = (items.subtracting(counted), gone)
    (came, went) = (0, 0)
  }

  /// The photographs are numbered anew, or their files are others.
  mutating func restart(_ items: IndexRuns) {
    self = SelectionTotal()
    (target, coming) = (items, items)
  }

  /// Adds up some more.
  ///
  /// - Parameters:
  ///   - most: how many photographs are asked for.
  ///   - bytes: the bytes of one's file, by its number.
  /// - Complexity: O(most log r) for r runs.
  mutating func advance(atMost most: Int, bytes: (Int) -> Int64) {
    let less = min(most, going.count - went)
    for ordinal in went..<(went + less) { self.bytes -= bytes(going.index(at: ordinal)) }
    went += less
    let more = min(most - less, coming.count - came)
    for ordinal in came..<(came + more) { self.bytes += bytes(coming.index(at: ordinal)) }
    came += more
  }

  /// What was added up so far.
  private var counted: IndexRuns {
    if isComplete { return target }
    return base.subtracting(SelectionTotal.first(went, of: going)).union(SelectionTotal.first(came, of: coming))
  }

  private static func first(_ most: Int, of items: IndexRuns) -> IndexRuns {
    var taken = IndexRuns()
    for range in items.ranges {
      guard taken.count < most else { break }
      taken.append(contentsOf: range.prefix(most - taken.count))
    }
    return taken
  }
}
