import DiffableData
import TestSupport
import Testing

@Suite("Only the visible items of a section's tree enter the flat snapshot")
struct SectionSnapshotVisibleItemsTests {
  typealias Flat = DiffableDataSourceSnapshot<Int, Int>

  @Test("A section that is not there is appended, and an item of another section is moved")
  func sections() {
    var flat = Flat()
    flat.appendSections([1])
    flat.appendItems([1, 2, 3])
    var tree = DiffableDataSourceSectionSnapshot<Int>()
    tree.append([4, 2])
    tree.append([5], to: 4)
    flat.showVisibleItems(of: tree, inSection: 2)
    #expect(flat.sectionIdentifiers == [1, 2])
    #expect(flat.itemIdentifiers(inSection: 1) == [1, 3])
    #expect(flat.itemIdentifiers(inSection: 2) == [4, 2])
    flat.showVisibleItems(of: DiffableDataSourceSectionSnapshot(), inSection: 2)
    #expect(flat.sectionIdentifiers == [1, 2] && flat.numberOfItems(inSection: 2) == 0)
  }

  @Test(
    "Whatever tree follows whatever tree, the section holds the visible items and the others stay", arguments: 0..<40)
  func anyTrees(seed: UInt64) {
    var edits = SectionSnapshotEdits(seed: seed &+ 5_000)
    var flat = Flat()
    flat.appendSections([1, 2, 3])
    flat.appendItems([-1, -2], toSection: 1)
    flat.appendItems([-3], toSection: 3)
    for _ in 0..<60 {
      edits.edit(upTo: 5)
      flat.showVisibleItems(of: edits.snapshot, inSection: 2)
      #expect(flat.itemIdentifiers(inSection: 2) == edits.snapshot.visibleItems)
    }
    #expect(flat.itemIdentifiers(inSection: 1) == [-1, -2] && flat.itemIdentifiers(inSection: 3) == [-3])
  }

  @Test("An item that is expanded shows by insertions alone")
  func differences() {
    var tree = DiffableDataSourceSectionSnapshot<Int>()
    tree.append(Array(0..<100))
    tree.append(Array(100..<110), to: 50)
    var flat = Flat()
    flat.showVisibleItems(of: tree, inSection: 7)
    var next = flat
    tree.expand([50])
    next.showVisibleItems(of: tree, inSection: 7)
    let changes = next.changeset(from: flat)
    #expect(changes.itemMoves.isEmpty)
    #expect(changes.sections.first?.inserts.ranges == [51..<61])
    #expect(changes.sections.first?.deletes.isEmpty ?? false)
  }
}
