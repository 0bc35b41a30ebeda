import BenchmarkSupport
import DataStructures
import DiffableData

/// What is done with all items of a snapshot at once, or with two snapshots.
struct WholeSnapshotOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let identifiers: [ID]
  private let places: SpreadPlaces
  private let shared: Snapshot

  init(count: Int) {
    identifiers = (0..<count).map(ID.identifier)
    places = SpreadPlaces(below: count)
    shared = SnapshotWork.snapshot(of: identifiers)
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    recorder.query("itemIdentifiers", .linear("n")) { _ in opaque(shared).itemIdentifiers }
    recorder.query("itemIdentifiers(inSection:), all", .linear("n")) { _ in opaque(shared).itemIdentifiers(inSection: 0)
    }
    recorder.query("outline(ofSection:), all", .linear("n")) { _ in opaque(shared).outline(ofSection: 0) }
    recorder.query("appendItems(_:), all in one call", .linear("n")) { _ in
      SnapshotWork.snapshot(of: opaque(identifiers))
    }
    recorder.change(
      "deleteItems(_:), all, unshared", .linearithmic("k log n"), making: { SnapshotWork.snapshot(of: identifiers) }
    ) {
      $0.deleteItems(identifiers)
    }
    recorder.change(
      "deleteAllItems(), unshared", .linear("s + n/512"), making: { SnapshotWork.snapshot(of: identifiers) }
    ) {
      $0.deleteAllItems()
    }
    recorder.firstChange("deleteAllItems()", .flat("s"), ofCopyOf: shared) { snapshot, _ in snapshot.deleteAllItems() }
    let outline = shared.outline(ofSection: 0)
    var longer = outline
    longer.insert([ID.identifier(of: identifiers.count)], after: identifiers[identifiers.count / 2])
    recorder.firstChange("showVisibleItems(of:inSection:), one new", .linear("v + k log n + c"), ofCopyOf: shared) {
      snapshot, _ in snapshot.showVisibleItems(of: longer, inSection: 0)
    }
    comparisons(recorder)
  }

  private func comparisons(_ recorder: OperationRecorder) {
    let apart = SnapshotWork.snapshot(of: identifiers)
    var edited = shared
    edited.moveItem(identifiers[places[0]], afterItem: identifiers[(places[0] + 1) % identifiers.count])
    edited.moveItem(identifiers[places[0]], beforeItem: identifiers[(places[0] + 1) % identifiers.count])
    var longer = shared
    longer.insertItems([ID.identifier(of: identifiers.count)], afterItem: identifiers[places[1]])
    var random = SplitMix64(seed: 3)
    let shuffled = SnapshotWork.emptied(shared, filledWith: identifiers.shuffled(using: &random))
    recorder.query("==, one edit and its undoing between", .flat("s + n/2^16")) { _ in opaque(edited) == shared }
    recorder.query("==, built apart", .linear("n")) { _ in opaque(apart) == shared }
    recorder.query("changeset(from:), one edit between", .flat("s + w + n/2^16")) { _ in
      opaque(longer).changeset(from: shared)
    }
    recorder.query("changeset(from:), built apart", .linear("n")) { _ in opaque(apart).changeset(from: shared) }
    recorder.query("changeset(from:), shuffled", .linearithmic("n log n")) { _ in
      opaque(shuffled).changeset(from: shared)
    }
    let changes = longer.changeset(from: shared)
    recorder.query("applying(_:insertionsFrom:)", .linearithmic("n log n")) { _ in
      opaque(shared).applying(changes, insertionsFrom: longer)
    }
  }
}
