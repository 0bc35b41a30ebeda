import BenchmarkSupport
import VitrineDiffableData

/// Measures operations on single items of a snapshot with one section that was filled in one call, and an empty
/// section.
struct ItemOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let count: Int
  private let identifiers: [ID]
  private let indices: RandomIndices
  private let shared: Snapshot

  init(count: Int) {
    self.count = count
    identifiers = (0..<count).map(ID.identifier)
    indices = RandomIndices(below: count)
    shared = Self.makeSnapshot(of: identifiers)
  }

  private static func makeSnapshot(of identifiers: [ID]) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(identifiers, toSection: 0)
    return snapshot
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    queries(recorder)
    editedQueries(recorder)
    var unshared = Self.makeSnapshot(of: identifiers)
    insertions(into: &unshared, recorder)
    moves(in: &unshared, recorder)
    marks(of: &unshared, recorder)
    manyMarks(recorder)
    firstMutations(recorder)
  }

  private func queries(_ recorder: OperationRecorder) {
    recorder.measureQuery("init()", .flat("-")) { _ in Snapshot() }
    recorder.measureQuery("numberOfItems", .flat("1")) { _ in opaque(shared).numberOfItems }
    recorder.measureQuery("numberOfItems(inSection:)", .flat("1")) { shared.numberOfItems(inSection: $0 & 1) }
    recorder.measureQuery("numberOfItems(inSectionAt:)", .flat("1")) { shared.numberOfItems(inSectionAt: $0 & 1) }
    // A block has its 128 leaves from 2^16 items on.
    let walk = StatedComplexity.flat("log n + n/2^16 + 128", validFrom: 1 << 16)
    recorder.measureQuery("itemIdentifier(section:item:)", walk) {
      shared.itemIdentifier(section: 0, item: indices[$0])
    }
    recorder.measureQuery("itemIdentifier(at:)", walk) {
      shared.itemIdentifier(at: ItemPosition(section: 0, item: indices[$0]))
    }
    recorder.measureQuery("indexOfItem(_:)", .flat("log n + n/2^16 + s")) {
      shared.indexOfItem(identifiers[indices[$0]])
    }
    recorder.measureQuery("contains(_:)", .flat("1")) { shared.contains(identifiers[indices[$0]]) }
    recorder.measureQuery("position(ofItem:)", .flat("log n + n/2^16")) {
      shared.position(ofItem: identifiers[indices[$0]])
    }
    recorder.measureQuery("sectionIdentifier(containingItem:)", .flat("log n")) {
      shared.sectionIdentifier(containingItem: identifiers[indices[$0]])
    }
  }

  /// Measures the same queries of a snapshot that was filled in sixteen calls.
  private func editedQueries(_ recorder: OperationRecorder) {
    var grown = Snapshot()
    grown.appendSections([0])
    for part in 0..<16 {
      grown.appendItems(Array(identifiers[(part * count / 16)..<((part + 1) * count / 16)]))
    }
    recorder.measureQuery("contains(_:), after 16 appends", .flat("log n")) { grown.contains(identifiers[indices[$0]]) }
    recorder.measureQuery("position(ofItem:), after 16 appends", .flat("log n + n/2^16")) {
      grown.position(ofItem: identifiers[indices[$0]])
    }
  }

  private func newItem(_ call: OperationRecorder.Call) -> ID { ID.identifier(of: count + call.number) }

  private func randomItem(_ call: OperationRecorder.Call) -> ID { identifiers[indices[call.index]] }

  /// Returns the item half the snapshot away from a call's item.
  private func oppositeItem(_ call: OperationRecorder.Call) -> ID {
    identifiers[(indices[call.index] + count / 2) % count]
  }

  private func insertions(into unshared: inout Snapshot, _ recorder: OperationRecorder) {
    func remove(_ snapshot: inout Snapshot, _ call: OperationRecorder.Call) { snapshot.deleteItems([newItem(call)]) }
    recorder.measureMutation(
      "appendItems(_:)", .flat("k log n"), of: &unshared, { $0.appendItems([newItem($1)], toSection: 0) },
      undoing: remove)
    recorder.measureMutation(
      "insertItems(_:beforeItem:)", .flat("k log n + n/2^16"), of: &unshared,
      { $0.insertItems([newItem($1)], beforeItem: randomItem($1)) }, undoing: remove)
    recorder.measureMutation(
      "insertItems(_:afterItem:)", .flat("k log n + n/2^16"), of: &unshared,
      { $0.insertItems([newItem($1)], afterItem: randomItem($1)) }, undoing: remove)
    recorder.measureMutation(
      "deleteItems(_:)", .flat("k (log n + n/2^16)"), of: &unshared,
      preparing: { $0.insertItems([newItem($1)], afterItem: randomItem($1)) }, { $0.deleteItems([newItem($1)]) })
  }

  private func moves(in unshared: inout Snapshot, _ recorder: OperationRecorder) {
    recorder.measureMutation("moveItem(_:beforeItem:)", .flat("log n + n/2^16"), of: &unshared) {
      $0.moveItem(randomItem($1), beforeItem: oppositeItem($1))
    }
    recorder.measureMutation("moveItem(_:afterItem:)", .flat("log n + n/2^16"), of: &unshared) {
      $0.moveItem(randomItem($1), afterItem: oppositeItem($1))
    }
    recorder.measureMutation(
      "insertItems(_:afterItem:) that relocates", .flat("k log n + n/2^16"), of: &unshared,
      { $0.insertItems([randomItem($1)], afterItem: oppositeItem($1)) },
      undoing: { snapshot, _ in snapshot.removeMarks() })
  }

  private func marks(of unshared: inout Snapshot, _ recorder: OperationRecorder) {
    func unmark(_ snapshot: inout Snapshot, _ call: OperationRecorder.Call) { snapshot.removeMarks() }
    recorder.measureMutation(
      "reloadItems(_:)", .flat("k log n"), of: &unshared, { $0.reloadItems([randomItem($1)]) }, undoing: unmark)
    recorder.measureMutation(
      "reconfigureItems(_:)", .flat("k log n"), of: &unshared, { $0.reconfigureItems([randomItem($1)]) },
      undoing: unmark)
    recorder.measureMutation(
      "removeMarks(), 64 unshared", .flat("m"), of: &unshared, calls: 1,
      preparing: { snapshot, _ in snapshot.reloadItems(Array(Set((0..<64).map { identifiers[indices[$0]] }))) },
      { snapshot, _ in snapshot.removeMarks() })
    var marked = shared
    let items = Array(Set((0..<64).map { identifiers[indices[$0]] }))
    marked.reloadItems(items)
    marked.reconfigureItems(items)
    marked.insertItems(items, afterItem: oppositeItem(.init(number: 0, index: 64)))
    recorder.measureQuery("reloadedItemIdentifiers", .flat("1")) { _ in opaque(marked).reloadedItemIdentifiers }
    recorder.measureQuery("reconfiguredItemIdentifiers", .flat("1")) { _ in opaque(marked).reconfiguredItemIdentifiers }
    recorder.measureQuery("relocatedItemIdentifiers", .flat("1")) { _ in opaque(marked).relocatedItemIdentifiers }
    recorder.measureFirstMutation("removeMarks()", .flat("1"), ofCopyOf: marked) { snapshot, _ in snapshot.removeMarks()
    }
  }

  /// Marks every sixteenth item, then deletes one of them or marks another one.
  private func manyMarks(_ recorder: OperationRecorder) {
    var marked = shared
    marked.reloadItems(stride(from: 0, to: count, by: 16).map { identifiers[$0] })
    recorder.measureFirstMutation("deleteItems(_:), n/16 marked", .linear("k (log n + n/2^16) + m"), ofCopyOf: marked) {
      $0.deleteItems([identifiers[indices[$1.index] & ~15]])
    }
    recorder.measureFirstMutation("reloadItems(_:), n/16 marked", .linear("k log n + m"), ofCopyOf: marked) {
      $0.reloadItems([identifiers[(indices[$1.index] | 1) % count]])
    }
  }

  private func firstMutations(_ recorder: OperationRecorder) {
    recorder.measureQuery("copy", .flat("1")) { _ in opaque(shared) }
    recorder.measureFirstMutation("appendItems(_:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.appendItems([newItem($1)], toSection: 0)
    }
    recorder.measureFirstMutation("insertItems(_:beforeItem:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.insertItems([newItem($1)], beforeItem: randomItem($1))
    }
    recorder.measureFirstMutation("insertItems(_:afterItem:)", .flat("k log n + n/2^16"), ofCopyOf: shared) {
      $0.insertItems([newItem($1)], afterItem: randomItem($1))
    }
    recorder.measureFirstMutation("deleteItems(_:)", .flat("k (log n + n/2^16)"), ofCopyOf: shared) {
      $0.deleteItems([randomItem($1)])
    }
    recorder.measureFirstMutation("moveItem(_:beforeItem:)", .flat("log n + n/2^16"), ofCopyOf: shared) {
      $0.moveItem(randomItem($1), beforeItem: oppositeItem($1))
    }
    recorder.measureFirstMutation("moveItem(_:afterItem:)", .flat("log n + n/2^16"), ofCopyOf: shared) {
      $0.moveItem(randomItem($1), afterItem: oppositeItem($1))
    }
    recorder.measureFirstMutation("reloadItems(_:)", .flat("k log n"), ofCopyOf: shared) {
      $0.reloadItems([randomItem($1)])
    }
    recorder.measureFirstMutation("reconfigureItems(_:)", .flat("k log n"), ofCopyOf: shared) {
      $0.reconfigureItems([randomItem($1)])
    }
  }
}

// MARK: - Sections

/// Measures operations on sections: a snapshot with n / 10 sections of ten items each.
struct SectionOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let count: Int
  private let sections: Int
  private let indices: RandomIndices
  private let shared: Snapshot

  init(count: Int) {
    self.count = count
    sections = count / 10
    indices = RandomIndices(below: sections)
    shared = Self.makeSnapshot(count)
  }

  /// Returns a snapshot with n / 10 sections.
  static func makeSnapshot(_ count: Int) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections(Array(0..<(count / 10)))
    for section in 0..<(count / 10) {
      snapshot.appendItems((0..<10).map { ID.identifier(of: section * 10 + $0) }, toSection: section)
    }
    return snapshot
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    recorder.measureQuery("numberOfSections", .flat("1")) { _ in opaque(shared).numberOfSections }
    recorder.measureQuery("sectionIdentifiers", .linear("s")) { _ in opaque(shared).sectionIdentifiers }
    recorder.measureQuery("itemCounts", .linear("s")) { _ in opaque(shared).itemCounts }
    recorder.measureQuery("sectionIdentifier(at:)", .flat("1")) { shared.sectionIdentifier(at: indices[$0]) }
    recorder.measureQuery("indexOfSection(_:)", .flat("1")) { shared.indexOfSection(indices[$0]) }
    recorder.measureQuery("indexOfItem(_:), n/10 sections", .linear("log n + n/2^16 + s")) {
      shared.indexOfItem(ID.identifier(of: indices[$0] * 10))
    }
    recorder.measureQuery("sectionIdentifier(containingItem:), n/10 sections", .flat("log n")) {
      shared.sectionIdentifier(containingItem: ID.identifier(of: indices[$0] * 10))
    }
    recorder.measureQuery("itemIdentifiers(inSection:), ten", .flat("k")) {
      shared.itemIdentifiers(inSection: indices[$0])
    }
    recorder.measureQuery("outline(ofSection:), ten", .flat("k")) { shared.outline(ofSection: indices[$0]) }
    var unshared = Self.makeSnapshot(count)
    mutations(of: &unshared, recorder)
    firstMutations(recorder)
  }

  private func newSection(_ call: OperationRecorder.Call) -> Int { count + call.number }

  private func randomSection(_ call: OperationRecorder.Call) -> Int { indices[call.index] }

  private func oppositeSection(_ call: OperationRecorder.Call) -> Int {
    (indices[call.index] + sections / 2) % sections
  }

  private func mutations(of unshared: inout Snapshot, _ recorder: OperationRecorder) {
    // Deletes all sections of a batch in one call.
    func remove(_ snapshot: inout Snapshot, _ call: OperationRecorder.Call) {
      if call.index == 0 { snapshot.deleteSections((0..<64).map { count + call.number + $0 }) }
    }
    recorder.measureMutation(
      "appendSections(_:)", .flat("k"), of: &unshared, { $0.appendSections([newSection($1)]) }, undoing: remove)
    recorder.measureMutation(
      "insertSections(_:beforeSection:)", .linear("k + s"), of: &unshared, calls: 16,
      { $0.insertSections([newSection($1)], beforeSection: randomSection($1)) }, undoing: remove)
    recorder.measureMutation(
      "insertSections(_:afterSection:)", .linear("k + s"), of: &unshared, calls: 16,
      { $0.insertSections([newSection($1)], afterSection: randomSection($1)) }, undoing: remove)
    recorder.measureMutation(
      "deleteSections(_:), ten items", .linear("s + k"), of: &unshared, calls: 16,
      preparing: { snapshot, call in
        snapshot.insertSections([newSection(call)], afterSection: randomSection(call))
        snapshot.appendItems(
          (0..<10).map { ID.identifier(of: count + call.number * 10 + $0) }, toSection: newSection(call))
      }, { $0.deleteSections([newSection($1)]) })
    recorder.measureMutation("moveSection(_:beforeSection:)", .linear("s"), of: &unshared, calls: 16) {
      $0.moveSection(randomSection($1), beforeSection: oppositeSection($1))
    }
    recorder.measureMutation("moveSection(_:afterSection:)", .linear("s"), of: &unshared, calls: 16) {
      $0.moveSection(randomSection($1), afterSection: oppositeSection($1))
    }
    recorder.measureMutation(
      "reloadSections(_:)", .flat("k"), of: &unshared, { $0.reloadSections([randomSection($1)]) },
      undoing: { snapshot, _ in snapshot.removeMarks() })
    var marked = shared
    marked.reloadSections([0])
    recorder.measureQuery("reloadedSectionIdentifiers", .flat("1")) { _ in opaque(marked).reloadedSectionIdentifiers }
  }

  private func firstMutations(_ recorder: OperationRecorder) {
    recorder.measureFirstMutation("appendSections(_:)", .linear("k + s"), ofCopyOf: shared) {
      $0.appendSections([newSection($1)])
    }
    recorder.measureFirstMutation("insertSections(_:beforeSection:)", .linear("k + s"), ofCopyOf: shared) {
      $0.insertSections([newSection($1)], beforeSection: randomSection($1))
    }
    recorder.measureFirstMutation("insertSections(_:afterSection:)", .linear("k + s"), ofCopyOf: shared) {
      $0.insertSections([newSection($1)], afterSection: randomSection($1))
    }
    recorder.measureFirstMutation("deleteSections(_:), ten items", .linear("s + k"), ofCopyOf: shared) {
      $0.deleteSections([randomSection($1)])
    }
    recorder.measureFirstMutation("moveSection(_:beforeSection:)", .linear("s"), ofCopyOf: shared) {
      $0.moveSection(randomSection($1), beforeSection: oppositeSection($1))
    }
    recorder.measureFirstMutation("moveSection(_:afterSection:)", .linear("s"), ofCopyOf: shared) {
      $0.moveSection(randomSection($1), afterSection: oppositeSection($1))
    }
    recorder.measureFirstMutation("reloadSections(_:)", .flat("k"), ofCopyOf: shared) {
      $0.reloadSections([randomSection($1)])
    }
    recorder.measureFirstMutation("appendItems(_:), n/10 sections", .linear("k log n + n/2^16 + s"), ofCopyOf: shared) {
      $0.appendItems([ID.identifier(of: newSection($1))], toSection: randomSection($1))
    }
  }
}

// MARK: - Transactions

/// Measures the transactions of reordering one of n items, in a list and in a tree.
struct TransactionOperations<ID: BenchmarkIdentifier> {
  typealias Transaction = DiffableDataSourceTransaction<Int, ID>

  private let identifiers: [ID]
  private let old: Transaction.Snapshot
  private let new: Transaction.Snapshot

  init(count: Int) {
    identifiers = (0..<count).map(ID.identifier)
    old = SnapshotBuilder.snapshot(of: identifiers)
    var moved = old
    moved.moveItem(identifiers[count / 4], afterItem: identifiers[count / 4 + 32])
    new = moved
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    let outlines = [0: old.outline(ofSection: 0)]
    let transaction = Transaction(from: old, to: new)
    recorder.measureQuery("init(from:to:), one move", .flat("changeset + difference")) { _ in
      Transaction(from: opaque(old), to: new)
    }
    recorder.measureQuery("init(from:to:) with trees, one move", .linear("changeset + t")) { _ in
      Transaction(
        from: opaque(old), to: new, initialOutlines: outlines, finalOutlines: [0: new.outline(ofSection: 0)])
    }
    recorder.measureQuery("sectionTransactions", .linearithmic("c log c")) { _ in
      opaque(transaction).sectionTransactions
    }
    let reorder = ItemReorder<Int, ID>(
      identifiers[identifiers.count / 4], to: .after(identifiers[identifiers.count / 4 + 32]))
    recorder.measureQuery("ItemReorder.sections(in:)", .flat("log n")) { _ in opaque(reorder).sections(in: old) }
    recorder.measureQuery("ItemReorder.transaction(in:outlines:)", .flat("move + transaction")) { _ in
      opaque(reorder).transaction(in: old, outlines: [:])
    }
    recorder.measureQuery("ItemReorder.transaction(in:outlines:), a tree", .linear("move + transaction + t")) { _ in
      opaque(reorder).transaction(in: old, outlines: outlines)
    }
  }
}
