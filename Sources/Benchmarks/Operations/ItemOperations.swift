import BenchmarkSupport
import DiffableData

/// What is asked and changed about single items of a snapshot: one section of them, built in one go, and an empty one.
struct ItemOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let count: Int
  private let identifiers: [ID]
  private let places: SpreadPlaces
  private let shared: Snapshot

  init(count: Int) {
    self.count = count
    identifiers = (0..<count).map(ID.identifier)
    places = SpreadPlaces(below: count)
    shared = Self.made(of: identifiers)
  }

  private static func made(of identifiers: [ID]) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(identifiers, toSection: 0)
    return snapshot
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    queries(recorder)
    editedQueries(recorder)
    var own = Self.made(of: identifiers)
    insertions(into: &own, recorder)
    moves(in: &own, recorder)
    marks(of: &own, recorder)
    manyMarks(recorder)
    firstChanges(recorder)
  }

  private func queries(_ recorder: OperationRecorder) {
    recorder.query("init()", .flat("-")) { _ in Snapshot() }
    recorder.query("numberOfItems", .flat("1")) { _ in opaque(shared).numberOfItems }
    recorder.query("numberOfItems(inSection:)", .flat("1")) { shared.numberOfItems(inSection: $0 & 1) }
    recorder.query("numberOfItems(inSectionAt:)", .flat("1")) { shared.numberOfItems(inSectionAt: $0 & 1) }
    // A block has its 128 leaves from 2^16 items on.
    let walk = StatedCost.flat("log n + n/2^16 + 128", settledFrom: 1 << 16)
    recorder.query("itemIdentifier(section:item:)", walk) {
      shared.itemIdentifier(section: 0, item: places[$0])
    }
    recorder.query("itemIdentifier(at:)", walk) {
      shared.itemIdentifier(at: ItemPosition(section: 0, item: places[$0]))
    }
    recorder.query("indexOfItem(_:)", .flat("log n + n/2^16 + s")) { shared.indexOfItem(identifiers[places[$0]]) }
    recorder.query("contains(_:)", .flat("1")) { shared.contains(identifiers[places[$0]]) }
    recorder.query("position(ofItem:)", .flat("log n + n/2^16")) {
      shared.position(ofItem: identifiers[places[$0]])
    }
    recorder.query("sectionIdentifier(containingItem:)", .flat("log n")) {
      shared.sectionIdentifier(containingItem: identifiers[places[$0]])
    }
  }

  /// The same of a snapshot that came to be in sixteen calls.
  private func editedQueries(_ recorder: OperationRecorder) {
    var grown = Snapshot()
    grown.appendSections([0])
    for part in 0..<16 {
      grown.appendItems(Array(identifiers[(part * count / 16)..<((part + 1) * count / 16)]))
    }
    recorder.query("contains(_:), after 16 appends", .flat("log n")) { grown.contains(identifiers[places[$0]]) }
    recorder.query("position(ofItem:), after 16 appends", .flat("log n + n/2^16")) {
      grown.position(ofItem: identifiers[places[$0]])
    }
  }

  private func fresh(_ turn: OperationRecorder.Turn) -> ID { ID.identifier(of: count + turn.number) }

  private func at(_ turn: OperationRecorder.Turn) -> ID { identifiers[places[turn.place]] }

  /// Half the snapshot away from the place of a turn.
  private func opposite(_ turn: OperationRecorder.Turn) -> ID {
    identifiers[(places[turn.place] + count / 2) % count]
  }

  private func insertions(into own: inout Snapshot, _ recorder: OperationRecorder) {
    func remove(_ snapshot: inout Snapshot, _ turn: OperationRecorder.Turn) { snapshot.deleteItems([fresh(turn)]) }
    recorder.change(
      "appendItems(_:)", .flat("k log n"), of: &own, { $0.appendItems([fresh($1)], toSection: 0) }, undoing: remove)
    recorder.change(
      "insertItems(_:beforeItem:)", .flat("k log n + n/2^16"), of: &own,
      { $0.insertItems([fresh($1)], beforeItem: at($1)) }, undoing: remove)
    recorder.change(
      "insertItems(_:afterItem:)", .flat("k log n + n/2^16"), of: &own,
      { $0.insertItems([fresh($1)], afterItem: at($1)) }, undoing: remove)
    recorder.change(
      "deleteItems(_:)", .flat("k (log n + n/2^16)"), of: &own,
      preparing: { $0.insertItems([fresh($1)], afterItem: at($1)) }, { $0.deleteItems([fresh($1)]) })
  }

  private func moves(in own: inout Snapshot, _ recorder: OperationRecorder) {
    recorder.change("moveItem(_:beforeItem:)", .flat("log n + n/2^16"), of: &own) {
      $0.moveItem(at($1), beforeItem: opposite($1))
    }
    recorder.change("moveItem(_:afterItem:)", .flat("log n + n/2^16"), of: &own) {
      $0.moveItem(at($1), afterItem: opposite($1))
    }
    recorder.change(
      "insertItems(_:afterItem:) that relocates", .flat("k log n + n/2^16"), of: &own,
      { $0.insertItems([at($1)], afterItem: opposite($1)) }, undoing: { snapshot, _ in snapshot.removeMarks() })
  }

  private func marks(of own: inout Snapshot, _ recorder: OperationRecorder) {
    func forget(_ snapshot: inout Snapshot, _ turn: OperationRecorder.Turn) { snapshot.removeMarks() }
    recorder.change("reloadItems(_:)", .flat("k log n"), of: &own, { $0.reloadItems([at($1)]) }, undoing: forget)
    recorder.change(
      "reconfigureItems(_:)", .flat("k log n"), of: &own, { $0.reconfigureItems([at($1)]) }, undoing: forget)
    recorder.change(
      "removeMarks(), 64 unshared", .flat("m"), of: &own, calls: 1,
      preparing: { snapshot, _ in snapshot.reloadItems(Array(Set((0..<64).map { identifiers[places[$0]] }))) },
      { snapshot, _ in snapshot.removeMarks() })
    var marked = shared
    let items = Array(Set((0..<64).map { identifiers[places[$0]] }))
    marked.reloadItems(items)
    marked.reconfigureItems(items)
    marked.insertItems(items, afterItem: opposite(.init(number: 0, place: 64)))
    recorder.query("reloadedItemIdentifiers", .flat("1")) { _ in opaque(marked).reloadedItemIdentifiers }
    recorder.query("reconfiguredItemIdentifiers", .flat("1")) { _ in opaque(marked).reconfiguredItemIdentifiers }
    recorder.query("relocatedItemIdentifiers", .flat("1")) { _ in opaque(marked).relocatedItemIdentifiers }
    recorder.firstChange("removeMarks()", .flat("1"), ofCopyOf: marked) { snapshot, _ in snapshot.removeMarks() }
  }

  /// Every sixteenth item is marked; one of them goes, or another is marked as well.
  private func manyMarks(_ recorder: OperationRecorder) {
    var marked = shared
    marked.reloadItems(stride(from: 0, to: count, by: 16).map { identifiers[$0] })
    recorder.firstChange("deleteItems(_:), n/16 marked", .linear("k (log n + n/2^16) + m"), ofCopyOf: marked) {
      $0.deleteItems([identifiers[places[$1.place] & ~15]])
    }
    recorder.firstChange("reloadItems(_:), n/16 marked", .linear("k log n + m"), ofCopyOf: marked) {
      $0.reloadItems([identifiers[(places[$1.place] | 1) % count]])
    }
  }

  private func firstChanges(_ recorder: OperationRecorder) {
    recorder.query("copy", .flat("1")) { _ in opaque(shared) }
    recorder.firstChange("appendItems(_:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.appendItems([fresh($1)], toSection: 0)
    }
    recorder.firstChange("insertItems(_:beforeItem:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.insertItems([fresh($1)], beforeItem: at($1))
    }
    recorder.firstChange("insertItems(_:afterItem:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.insertItems([fresh($1)], afterItem: at($1))
    }
    recorder.firstChange("deleteItems(_:)", .flat("k (log n + n/2^16)"), ofCopyOf: shared) { $0.deleteItems([at($1)]) }
    recorder.firstChange("moveItem(_:beforeItem:)", .flat("log n + n/2^16"), ofCopyOf: shared) {
      $0.moveItem(at($1), beforeItem: opposite($1))
    }
    recorder.firstChange("moveItem(_:afterItem:)", .flat("log n + n/2^16"), ofCopyOf: shared) {
      $0.moveItem(at($1), afterItem: opposite($1))
    }
    recorder.firstChange("reloadItems(_:)", .flat("k log n"), ofCopyOf: shared) { $0.reloadItems([at($1)]) }
    recorder.firstChange("reconfigureItems(_:)", .flat("k log n"), ofCopyOf: shared) { $0.reconfigureItems([at($1)]) }
  }
}
