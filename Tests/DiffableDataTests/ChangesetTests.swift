import DiffableData
import Testing

@Suite("A changeset says in indexes what changed")
struct ChangesetTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<String, Int>

  private func snapshot(_ sections: KeyValuePairs<String, [Int]>) -> DiffableDataSourceSnapshot<String, Int> {
    var snapshot = Snapshot()
    for (section, items) in sections {
      snapshot.appendSections([section])
      snapshot.appendItems(items)
    }
    return snapshot
  }

  @Test("Of equal snapshots it is empty")
  func equalSnapshots() {
    let one = snapshot(["a": [1, 2, 3], "b": []])
    let changeset = snapshot(["a": [1, 2, 3], "b": []]).changeset(from: one)
    #expect(changeset.isEmpty && !changeset.hasStructuralChanges)
    #expect(!changeset.isAppendOnly && !changeset.isReconfigureOnly)
  }

  @Test("Deletions count in the old snapshot, insertions in the new one, as runs")
  func deletesAndInserts() {
    let old = snapshot(["a": [1, 2, 3, 4, 5, 6]])
    let new = snapshot(["a": [10, 1, 4, 11, 12, 6]])
    let changeset = new.changeset(from: old)
    #expect(changeset.sections.count == 1)
    #expect(changeset.sections.first?.deletes.ranges == [1..<3, 4..<5])
    #expect(changeset.sections.first?.inserts.ranges == [0..<1, 3..<5])
    #expect(changeset.itemMoves.isEmpty)
  }

  @Test("An item taken to the other end is one move")
  func oneMove() {
    let old = snapshot(["a": [1, 2, 3, 4, 5]])
    let new = snapshot(["a": [2, 3, 4, 5, 1]])
    let changeset = new.changeset(from: old)
    #expect(
      changeset.itemMoves == [ItemMove(from: .init(section: 0, item: 0), to: .init(section: 0, item: 4))])
    #expect(changeset.sections.first?.departures.ranges == [0..<1])
    #expect(changeset.sections.first?.arrivals.ranges == [4..<5])
  }

  @Test("Items move across sections, out of deleted ones and into inserted ones")
  func acrossSections() {
    let old = snapshot(["gone": [1, 2], "stays": [3, 4]])
    let new = snapshot(["stays": [3, 1], "new": [4, 5]])
    let changeset = new.changeset(from: old)
    #expect(changeset.sectionDeletes.ranges == [0..<1])
    #expect(changeset.sectionInserts.ranges == [1..<2])
    #expect(changeset.sectionMoves.isEmpty)
    #expect(
      changeset.itemMoves == [
        ItemMove(from: .init(section: 0, item: 0), to: .init(section: 0, item: 1)),
        ItemMove(from: .init(section: 1, item: 1), to: .init(section: 1, item: 0)),
      ])
    #expect(changeset.sections.first?.deletes.isEmpty == true)
    #expect(changeset.sections.first?.inserts.isEmpty == true)
    #expect(changeset.position(afterUpdateOf: .init(section: 0, item: 1)) == nil)
    #expect(changeset.position(afterUpdateOf: .init(section: 1, item: 0)) == .init(section: 0, item: 0))
  }

  @Test("A section taken to the other end is one move and takes its items along")
  func sectionMove() {
    let old = snapshot(["a": [1], "b": [2], "c": [3]])
    let new = snapshot(["b": [2], "c": [3, 4], "a": [1]])
    let changeset = new.changeset(from: old)
    #expect(changeset.sectionMoves == [SectionMove(from: 0, to: 2)])
    #expect(changeset.itemMoves.isEmpty)
    #expect(changeset.sections.map(\.oldSection) == [2])
    #expect(changeset.sections.map(\.newSection) == [1])
    #expect(changeset.position(afterUpdateOf: .init(section: 0, item: 0)) == .init(section: 2, item: 0))
  }

  @Test("Appending is told apart from every other change")
  func appendOnly() {
    let old = snapshot(["a": [1, 2], "b": [3]])
    #expect(snapshot(["a": [1, 2], "b": [3, 4]]).changeset(from: old).isAppendOnly)
    #expect(snapshot(["a": [1, 2], "b": [3], "c": [4]]).changeset(from: old).isAppendOnly)
    #expect(snapshot(["a": [1, 2], "b": [3, 5], "c": []]).changeset(from: old).isAppendOnly)
    #expect(snapshot(["a": [1]]).changeset(from: Snapshot()).isAppendOnly)
    #expect(!snapshot(["a": [1, 2, 4], "b": [3]]).changeset(from: old).isAppendOnly)
    #expect(!snapshot(["a": [1, 2], "c": [], "b": [3]]).changeset(from: old).isAppendOnly)
    #expect(!snapshot(["a": [1, 2], "b": [4, 3]]).changeset(from: old).isAppendOnly)
    #expect(!snapshot(["b": [3], "a": [1, 2]]).changeset(from: old).isAppendOnly)
    #expect(!snapshot(["a": [1], "b": [3, 2]]).changeset(from: old).isAppendOnly)
    #expect(!snapshot(["a": [1, 2]]).changeset(from: old).isAppendOnly)
  }

  @Test("Marks are new places, in order, of what was there before; a new cell outdoes a configuration")
  func marks() {
    let old = snapshot(["a": [1, 2, 3], "b": [4]])
    var new = snapshot(["b": [4], "a": [9, 3, 2, 1]])
    new.reconfigureItems([1, 4, 9, 3])
    new.reloadItems([3, 9])
    new.reloadSections(["a"])
    let changeset = new.changeset(from: old)
    #expect(changeset.reconfigures == [.init(section: 0, item: 0), .init(section: 1, item: 3)])
    #expect(changeset.reloads == [.init(section: 1, item: 1)])
    #expect(changeset.sectionReloads.ranges == [1..<2])
    #expect(!changeset.isReconfigureOnly)
  }

  @Test("Marks alone are no change of structure")
  func reconfigureOnly() {
    let old = snapshot(["a": [1, 2, 3]])
    var new = old
    new.reconfigureItems([2])
    #expect(new.changeset(from: old).isReconfigureOnly)
    new.reloadItems([1])
    #expect(!new.changeset(from: old).isReconfigureOnly)
    #expect(!new.changeset(from: old).hasStructuralChanges && !new.changeset(from: old).isEmpty)
  }
}
