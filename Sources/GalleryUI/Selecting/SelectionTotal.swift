import CollectionEngine
import DiffableData

/// How many bytes the files of the selected photographs have, added up a portion at a time: a pure machine.
///
/// What was added up is kept: a change of the selection costs what differs. Nothing costs a frame more than a portion,
/// however many are selected.
nonisolated struct SelectionTotal: Hashable, Sendable {
  /// The bytes of what was added up so far.
  private(set) var bytes: Int64 = 0
  /// Whether that is all that is selected.
  var isComplete: Bool { coming.isEmpty && going.isEmpty }

  private var counted = IndexRuns()
  /// To be added, and to be taken off.
  private var coming = IndexRuns()
  private var going = IndexRuns()

  /// Other photographs are selected.
  ///
  /// - Complexity: O(r) for the runs of both.
  mutating func select(_ items: IndexRuns) {
    coming = items.subtracting(counted)
    going = counted.subtracting(items)
    // Rather anew than back the whole way.
    if going.count > items.count { restart(items) }
  }

  /// The photographs are numbered anew, or their files are others.
  mutating func restart(_ items: IndexRuns) {
    self = SelectionTotal()
    coming = items
  }

  /// Adds up some more.
  ///
  /// - Parameters:
  ///   - most: how many photographs are asked for.
  ///   - bytes: the bytes of one's file, by its number.
  /// - Complexity: O(most), and O(r) for the runs of what is selected.
  mutating func advance(atMost most: Int, bytes: (Int) -> Int64) {
    let less = SelectionTotal.first(most, of: going)
    less.forEach { self.bytes -= bytes($0) }
    let more = SelectionTotal.first(most - less.count, of: coming)
    more.forEach { self.bytes += bytes($0) }
    going = going.subtracting(less)
    coming = coming.subtracting(more)
    counted = counted.subtracting(less).union(more)
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
