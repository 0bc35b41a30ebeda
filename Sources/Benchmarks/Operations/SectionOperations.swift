import BenchmarkSupport
import DiffableData

/// What is asked and changed about sections: a snapshot of n / 10 of them, ten items each.
struct SectionOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let count: Int
  private let sections: Int
  private let places: SpreadPlaces
  private let shared: Snapshot

  init(count: Int) {
    self.count = count
    sections = count / 10
    places = SpreadPlaces(below: sections)
    shared = Self.made(count)
  }

  /// A snapshot of n / 10 sections.
  static func made(_ count: Int) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections(Array(0..<(count / 10)))
    for section in 0..<(count / 10) {
      snapshot.appendItems((0..<10).map { ID.identifier(of: section * 10 + $0) }, toSection: section)
    }
    return snapshot
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    recorder.query("numberOfSections", .flat("1")) { _ in opaque(shared).numberOfSections }
    recorder.query("sectionIdentifiers", .linear("s")) { _ in opaque(shared).sectionIdentifiers }
    recorder.query("itemCounts", .linear("s")) { _ in opaque(shared).itemCounts }
    recorder.query("sectionIdentifier(at:)", .flat("1")) { shared.sectionIdentifier(at: places[$0]) }
    recorder.query("indexOfSection(_:)", .flat("1")) { shared.indexOfSection(places[$0]) }
    recorder.query("indexOfItem(_:), n/10 sections", .linear("log n + n/2^16 + s")) {
      shared.indexOfItem(ID.identifier(of: places[$0] * 10))
    }
    recorder.query("sectionIdentifier(containingItem:), n/10 sections", .flat("log n")) {
      shared.sectionIdentifier(containingItem: ID.identifier(of: places[$0] * 10))
    }
    recorder.query("itemIdentifiers(inSection:), ten", .flat("k")) { shared.itemIdentifiers(inSection: places[$0]) }
    recorder.query("outline(ofSection:), ten", .flat("k")) { shared.outline(ofSection: places[$0]) }
    var own = Self.made(count)
    changes(of: &own, recorder)
    firstChanges(recorder)
  }

  private func fresh(_ turn: OperationRecorder.Turn) -> Int { count + turn.number }

  private func at(_ turn: OperationRecorder.Turn) -> Int { places[turn.place] }

  private func opposite(_ turn: OperationRecorder.Turn) -> Int { (places[turn.place] + sections / 2) % sections }

  private func changes(of own: inout Snapshot, _ recorder: OperationRecorder) {
    // All those of a batch in one call.
    func remove(_ snapshot: inout Snapshot, _ turn: OperationRecorder.Turn) {
      if turn.place == 0 { snapshot.deleteSections((0..<64).map { count + turn.number + $0 }) }
    }
    recorder.change(
      "appendSections(_:)", .flat("k"), of: &own, { $0.appendSections([fresh($1)]) }, undoing: remove)
    recorder.change(
      "insertSections(_:beforeSection:)", .linear("k + s"), of: &own, calls: 16,
      { $0.insertSections([fresh($1)], beforeSection: at($1)) }, undoing: remove)
    recorder.change(
      "insertSections(_:afterSection:)", .linear("k + s"), of: &own, calls: 16,
      { $0.insertSections([fresh($1)], afterSection: at($1)) }, undoing: remove)
    recorder.change(
      "deleteSections(_:), ten items", .linear("s + k"), of: &own, calls: 16,
      preparing: { snapshot, turn in
        snapshot.insertSections([fresh(turn)], afterSection: at(turn))
        snapshot.appendItems((0..<10).map { ID.identifier(of: count + turn.number * 10 + $0) }, toSection: fresh(turn))
      }, { $0.deleteSections([fresh($1)]) })
    recorder.change("moveSection(_:beforeSection:)", .linear("s"), of: &own, calls: 16) {
      $0.moveSection(at($1), beforeSection: opposite($1))
    }
    recorder.change("moveSection(_:afterSection:)", .linear("s"), of: &own, calls: 16) {
      $0.moveSection(at($1), afterSection: opposite($1))
    }
    recorder.change(
      "reloadSections(_:)", .flat("k"), of: &own, { $0.reloadSections([at($1)]) },
      undoing: { snapshot, _ in snapshot.removeMarks() })
    var marked = shared
    marked.reloadSections([0])
    recorder.query("reloadedSectionIdentifiers", .flat("1")) { _ in opaque(marked).reloadedSectionIdentifiers }
  }

  private func firstChanges(_ recorder: OperationRecorder) {
    recorder.firstChange("appendSections(_:)", .linear("k + s"), ofCopyOf: shared) { $0.appendSections([fresh($1)]) }
    recorder.firstChange("insertSections(_:beforeSection:)", .linear("k + s"), ofCopyOf: shared) {
      $0.insertSections([fresh($1)], beforeSection: at($1))
    }
    recorder.firstChange("insertSections(_:afterSection:)", .linear("k + s"), ofCopyOf: shared) {
      $0.insertSections([fresh($1)], afterSection: at($1))
    }
    recorder.firstChange("deleteSections(_:), ten items", .linear("s + k"), ofCopyOf: shared) {
      $0.deleteSections([at($1)])
    }
    recorder.firstChange("moveSection(_:beforeSection:)", .linear("s"), ofCopyOf: shared) {
      $0.moveSection(at($1), beforeSection: opposite($1))
    }
    recorder.firstChange("moveSection(_:afterSection:)", .linear("s"), ofCopyOf: shared) {
      $0.moveSection(at($1), afterSection: opposite($1))
    }
    recorder.firstChange("reloadSections(_:)", .flat("k"), ofCopyOf: shared) { $0.reloadSections([at($1)]) }
    recorder.firstChange("appendItems(_:), n/10 sections", .linear("k log n + n/2^16 + s"), ofCopyOf: shared) {
      $0.appendItems([ID.identifier(of: fresh($1))], toSection: at($1))
    }
  }
}
