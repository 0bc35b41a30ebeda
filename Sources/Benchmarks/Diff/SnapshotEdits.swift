import BenchmarkSupport
import DiffableData

/// Scattered edits with their identifiers made beforehand.
struct SnapshotEdits<ID: BenchmarkIdentifier> {
  /// The edits in numbers.
  let numbers: ScatteredEdits
  private let deletions: [ID]
  private let moves: [(item: ID, anchor: ID)]
  private let insertions: [(item: ID, anchor: ID)]

  init(_ numbers: ScatteredEdits) {
    func identifiers(_ placements: [ScatteredEdits.Placement]) -> [(item: ID, anchor: ID)] {
      placements.map { (ID.identifier(of: $0.number), ID.identifier(of: $0.anchor)) }
    }
    self.numbers = numbers
    deletions = numbers.deletions.map(ID.identifier)
    moves = identifiers(numbers.moves)
    insertions = identifiers(numbers.insertions)
  }

  /// Deletes in one call, and moves and inserts one by one.
  func apply(to snapshot: inout DiffableDataSourceSnapshot<Int, ID>) {
    snapshot.deleteItems(deletions)
    for move in moves { snapshot.moveItem(move.item, afterItem: move.anchor) }
    for insertion in insertions { snapshot.insertItems([insertion.item], afterItem: insertion.anchor) }
  }
}
