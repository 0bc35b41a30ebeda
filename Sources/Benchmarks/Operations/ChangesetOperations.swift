import BenchmarkSupport
import DiffableData

/// What a difference is asked.
struct ChangesetOperations<ID: BenchmarkIdentifier> {
  private let count: Int
  private let places: SpreadPlaces
  private let identifiers: [ID]

  init(count: Int) {
    self.count = count
    places = SpreadPlaces(below: count)
    identifiers = (0..<count).map(ID.identifier)
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    let old = SnapshotWork.snapshot(of: identifiers)
    var one = old
    one.insertItems([ID.identifier(of: count)], afterItem: identifiers[places[0]])
    let mixed = SnapshotWork.emptied(
      old, filledWith: ScatteredEdits.publishedMix(of: count, seed: 2).result.map(ID.identifier))
    let few = one.changeset(from: old)
    let many = mixed.changeset(from: old)
    recorder.query("position(afterUpdateOf:), one edit", .flat("log c")) {
      few.position(afterUpdateOf: ItemPosition(section: 0, item: places[$0]))
    }
    recorder.query("position(afterUpdateOf:), n/5 edits", .flat("log c")) {
      many.position(afterUpdateOf: ItemPosition(section: 0, item: places[$0]))
    }
    recorder.query("collectionDifference(from:to:), one edit", .flat("s + k log n")) { _ in
      few.collectionDifference(from: old, to: one)
    }
    recorder.query("collectionDifference(from:to:), n/5 edits", .linearithmic("s + k log n")) { _ in
      many.collectionDifference(from: old, to: mixed)
    }
    sections(recorder)
  }

  private func sections(_ recorder: OperationRecorder) {
    var old = DiffableDataSourceSnapshot<Int, ID>()
    let sections = Array(0..<(count / 10))
    old.appendSections(sections)
    var one = old
    one.moveSection(0, afterSection: sections.count / 2)
    var reversed = DiffableDataSourceSnapshot<Int, ID>()
    reversed.appendSections(sections.reversed())
    let few = one.changeset(from: old)
    let many = reversed.changeset(from: old)
    let places = SpreadPlaces(below: sections.count)
    recorder.query("section(afterUpdateOf:), one of n/10 moved", .flat("log m + m")) {
      few.section(afterUpdateOf: places[$0])
    }
    recorder.query("section(afterUpdateOf:), n/10 moved", .linear("log m + m")) {
      many.section(afterUpdateOf: places[$0])
    }
  }
}
