import DiffableData
import Testing

@Suite("Marks travel with a snapshot until they are carried out")
struct SnapshotMarkTests {
  private func sample() -> DiffableDataSourceSnapshot<String, Int> {
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems([1, 2, 3], toSection: "a")
    snapshot.appendItems([4, 5, 6], toSection: "b")
    return snapshot
  }

  @Test("Each identifier is marked once, in the order of marking")
  func markedOnce() {
    var snapshot = sample()
    snapshot.reconfigureItems([5, 1])
    snapshot.reconfigureItems([1, 2])
    snapshot.reloadItems([3, 3])
    snapshot.reloadSections(["b", "a", "b"])
    #expect(snapshot.reconfiguredItemIdentifiers == [5, 1, 2])
    #expect(snapshot.reloadedItemIdentifiers == [3])
    #expect(snapshot.reloadedSectionIdentifiers == ["b", "a"])
  }

  @Test("What is deleted loses its marks, what is moved keeps them")
  func deletedAndMoved() {
    var snapshot = sample()
    snapshot.reconfigureItems([1, 2, 4])
    snapshot.reloadSections(["b"])
    snapshot.moveItem(1, afterItem: 3)
    snapshot.deleteItems([2])
    #expect(snapshot.reconfiguredItemIdentifiers == [1, 4])
    snapshot.deleteSections(["b"])
    #expect(snapshot.reconfiguredItemIdentifiers == [1])
    #expect(snapshot.reloadedSectionIdentifiers.isEmpty)
  }

  @Test("Marks that were carried out are gone, and only they")
  func removed() {
    var snapshot = sample()
    snapshot.reconfigureItems([1])
    snapshot.reloadItems([2])
    snapshot.reloadSections(["a"])
    let marked = snapshot
    snapshot.removeMarks()
    #expect(snapshot == sample())
    #expect(marked != snapshot)
    #expect(marked.reconfiguredItemIdentifiers == [1])
  }
}
