import BenchmarkSupport
import DiffableData

/// What is done to snapshots, by their public interface alone.
enum SnapshotWork {
  /// A snapshot of one section with everything appended at once.
  static func snapshot<ID: BenchmarkIdentifier>(of identifiers: [ID]) -> DiffableDataSourceSnapshot<Int, ID> {
    var snapshot = DiffableDataSourceSnapshot<Int, ID>()
    snapshot.appendSections([0])
    snapshot.appendItems(identifiers)
    return snapshot
  }

  /// A copy of a snapshot whose items have made way for others.
  static func emptied<ID: BenchmarkIdentifier>(
    _ snapshot: DiffableDataSourceSnapshot<Int, ID>, filledWith identifiers: [ID]
  ) -> DiffableDataSourceSnapshot<Int, ID> {
    var copy = snapshot
    copy.deleteAllItems()
    copy.appendItems(identifiers)
    return copy
  }

  /// Inserts an item beside those that the snapshot was made of.
  static func insert<ID: BenchmarkIdentifier>(
    _ item: ID, at place: InsertionPlace, beside identifiers: [ID],
    into snapshot: inout DiffableDataSourceSnapshot<Int, ID>
  ) {
    switch place {
    case .head: snapshot.insertItems([item], beforeItem: identifiers[0])
    case .middle: snapshot.insertItems([item], afterItem: identifiers[identifiers.count / 2])
    case .end: snapshot.insertItems([item], afterItem: identifiers[identifiers.count - 1])
    }
  }
}
