import Testing
import VitrineTestSupport

@testable import VitrineDiffableData

@Suite("A snapshot behaves like a list of lists")
struct SnapshotTests {
  private func expectEqual(_ snapshot: DiffableDataSourceSnapshot<Int, Int>, _ model: SnapshotModel) {
    #expect(snapshot.sectionIdentifiers == model.sections.map(\.id))
    #expect(snapshot.itemIdentifiers == model.items)
    #expect(snapshot.numberOfItems == model.items.count)
    #expect(snapshot.numberOfSections == model.sections.count)
    #expect(snapshot.itemCounts == model.sections.map(\.items.count))
    var areFound = true
    var global = 0
    for (index, section) in model.sections.enumerated() {
      #expect(snapshot.itemIdentifiers(inSection: section.id) == section.items)
      areFound = areFound && snapshot.indexOfSection(section.id) == index
      areFound = areFound && snapshot.numberOfItems(inSection: section.id) == section.items.count
      for (itemIndex, item) in section.items.enumerated() {
        areFound = areFound && snapshot.position(ofItem: item) == ItemPosition(section: index, item: itemIndex)
        areFound = areFound && snapshot.itemIdentifier(section: index, item: itemIndex) == item
        areFound = areFound && snapshot.sectionIdentifier(containingItem: item) == section.id
        if itemIndex % 97 == 0 { areFound = areFound && snapshot.indexOfItem(item) == global }
        global += 1
      }
      areFound = areFound && snapshot.itemIdentifier(section: index, item: section.items.count) == nil
    }
    #expect(areFound)
  }

  @Test("Random edits give the same result as the model, and copies are unchanged", arguments: TestScale.seeds(1...8))
  func randomEdits(seed: UInt64) {
    var edits = SnapshotEdits(seed: seed)
    var copies: [(DiffableDataSourceSnapshot<Int, Int>, SnapshotModel)] = []
    for step in 0..<90 {
      edits.edit(upTo: seed % 4 == 0 ? 800 : 40)
      #expect(edits.snapshot.brokenInvariant == nil)
      if step % 12 == 0 { expectEqual(edits.snapshot, edits.model) }
      if step % 20 == 0 { copies.append((edits.snapshot, edits.model)) }
    }
    expectEqual(edits.snapshot, edits.model)
    #expect(edits.snapshot == edits.model.snapshot)
    for (snapshot, model) in copies { expectEqual(snapshot, model) }
  }

  @Test("Existing items that are added again are relocated and reported, and moved items are not")
  func relocated() {
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems([1, 2, 3, 4], toSection: "a")
    #expect(snapshot.relocatedItemIdentifiers.isEmpty)
    snapshot.appendItems([5, 2, 6], toSection: "b")
    snapshot.insertItems([4], beforeItem: 1)
    snapshot.moveItem(3, beforeItem: 4)
    #expect(snapshot.itemIdentifiers == [3, 4, 1, 5, 2, 6])
    #expect(snapshot.relocatedItemIdentifiers == [2, 4])
    snapshot.deleteItems([2])
    #expect(snapshot.relocatedItemIdentifiers == [4])
    snapshot.removeMarks()
    #expect(snapshot.relocatedItemIdentifiers.isEmpty)
  }

  @Test("The storage is compacted after many edits, and copies are unchanged")
  func compaction() {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<2_000))
    let first = snapshot
    for round in 1...10 {
      snapshot.deleteAllItems()
      snapshot.appendItems(Array((round * 2_000)..<((round + 1) * 2_000)))
      #expect(snapshot.brokenInvariant == nil)
    }
    #expect(snapshot.itemIdentifiers == Array(20_000..<22_000))
    #expect(first.itemIdentifiers == Array(0..<2_000))
    #expect(snapshot.changeset(from: first).sections.first?.deletes.count == 2_000)
  }

  @Test("Deleted items are unknown, and can be added again")
  func deletedItemsAreUnknown() {
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems(Array(0..<2_000), toSection: "a")
    let copy = snapshot
    snapshot.deleteItems(Array(0..<1_000))
    for item in 0..<1_000 {
      #expect(!snapshot.contains(item) && snapshot.position(ofItem: item) == nil && snapshot.indexOfItem(item) == nil)
    }
    snapshot.appendItems(Array(0..<1_000), toSection: "b")
    #expect(snapshot.itemIdentifiers == Array(1_000..<2_000) + Array(0..<1_000))
    #expect(copy.itemIdentifiers(inSection: "a") == Array(0..<2_000))
    #expect(copy.sectionIdentifier(containingItem: 7) == "a")
    #expect(snapshot.sectionIdentifier(containingItem: 7) == "b")
  }

  @Test("Deleting all items keeps the sections")
  func deleteAllItems() {
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems([1, 2], toSection: "a")
    snapshot.reloadItems([1])
    snapshot.reconfigureItems([2])
    snapshot.deleteAllItems()
    #expect(snapshot.sectionIdentifiers == ["a", "b"])
    #expect(snapshot.numberOfItems == 0 && snapshot.itemIdentifiers.isEmpty)
    #expect(snapshot.reloadedItemIdentifiers.isEmpty && snapshot.reconfiguredItemIdentifiers.isEmpty)
    snapshot.appendItems([2, 1])
    #expect(snapshot.itemIdentifiers(inSection: "b") == [2, 1])
  }

  @Test("A hundred batches that are appended after copies leave every copy unchanged")
  func batchesAfterCopies() {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    var copies: [DiffableDataSourceSnapshot<Int, Int>] = []
    for batch in 0..<100 {
      snapshot.appendItems(Array((batch * 1_000)..<(batch * 1_000 + 1_000)))
      copies.append(snapshot)
    }
    for (batch, copy) in copies.enumerated() {
      #expect(copy.numberOfItems == (batch + 1) * 1_000)
      #expect(copy.contains(batch * 1_000 + 999) && !copy.contains(batch * 1_000 + 1_000))
      #expect(copy.indexOfItem(batch * 500) == batch * 500)
      #expect(copy.itemIdentifier(section: 0, item: batch * 1_000) == batch * 1_000)
    }
  }

  @Test("Sections and items have separate namespaces")
  func namespaces() {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([1, 2])
    snapshot.appendItems([2, 1], toSection: 1)
    #expect(snapshot.indexOfSection(1) == 0)
    #expect(snapshot.indexOfItem(1) == 1)
  }

  @Test("Lookups at invalid positions return nil")
  func invalidPositions() {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    #expect(snapshot.itemIdentifier(section: 0, item: 0) == nil)
    snapshot.appendSections([1])
    snapshot.appendItems([5])
    for (section, item) in [(0, -1), (0, 1), (-1, 0), (1, 0), (.max, .max), (.min, .min)] {
      #expect(snapshot.itemIdentifier(section: section, item: item) == nil)
    }
    #expect(snapshot.sectionIdentifier(at: 1) == nil && snapshot.sectionIdentifier(at: -1) == nil)
    #expect(snapshot.sectionIdentifier(at: 0) == 1)
  }
}

// MARK: - Marks

@Suite("Marks stay in a snapshot until they are removed")
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

  @Test("Deleted items lose their marks, and moved items keep them")
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

  @Test("Removing the marks changes only the marks")
  func removingMarks() {
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
