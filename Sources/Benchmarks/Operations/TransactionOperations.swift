import BenchmarkSupport
import DiffableData

/// What a reordering leads to: one item that is put elsewhere among n, in a list and in a tree.
struct TransactionOperations<ID: BenchmarkIdentifier> {
  typealias Transaction = DiffableDataSourceTransaction<Int, ID>

  private let identifiers: [ID]
  private let old: Transaction.Snapshot
  private let new: Transaction.Snapshot

  init(count: Int) {
    identifiers = (0..<count).map(ID.identifier)
    old = SnapshotWork.snapshot(of: identifiers)
    var moved = old
    moved.moveItem(identifiers[count / 4], afterItem: identifiers[count / 4 + 32])
    new = moved
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    let outlines = [0: old.outline(ofSection: 0)]
    let transaction = Transaction(from: old, to: new)
    recorder.query("init(from:to:), one move", .flat("changeset + difference")) { _ in
      Transaction(from: opaque(old), to: new)
    }
    recorder.query("init(from:to:) with trees, one move", .linear("changeset + t")) { _ in
      Transaction(
        from: opaque(old), to: new, initialOutlines: outlines, finalOutlines: [0: new.outline(ofSection: 0)])
    }
    recorder.query("sectionTransactions", .linearithmic("c log c")) { _ in opaque(transaction).sectionTransactions }
    let reorder = ItemReorder<Int, ID>(
      identifiers[identifiers.count / 4], to: .after(identifiers[identifiers.count / 4 + 32]))
    recorder.query("ItemReorder.sections(in:)", .flat("log n")) { _ in opaque(reorder).sections(in: old) }
    recorder.query("ItemReorder.transaction(in:outlines:)", .flat("move + transaction")) { _ in
      opaque(reorder).transaction(in: old, outlines: [:])
    }
    recorder.query("ItemReorder.transaction(in:outlines:), a tree", .linear("move + transaction + t")) { _ in
      opaque(reorder).transaction(in: old, outlines: outlines)
    }
  }
}
