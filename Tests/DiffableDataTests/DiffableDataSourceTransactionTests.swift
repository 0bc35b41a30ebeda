import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A transaction describes a reordering for any kind of store")
struct DiffableDataSourceTransactionTests {
  typealias Flat = DiffableDataSourceSnapshot<Int, Int>
  typealias Transaction = DiffableDataSourceTransaction<Int, Int>

  @Test(
    "The difference turns the old items into the new ones, in total and per section", arguments: TestScale.seeds(0..<60)
  )
  func differences(seed: UInt64) {
    var edits = SnapshotEdits(seed: seed &+ 300)
    for _ in 0..<12 { edits.edit(upTo: 12) }
    for _ in 0..<10 {
      let before = edits.snapshot
      for _ in 0..<Int.random(in: 1...6, using: &edits.random) { edits.edit(upTo: 10) }
      let transaction = Transaction(from: before, to: edits.snapshot)
      #expect(before.itemIdentifiers.applying(transaction.difference) == edits.snapshot.itemIdentifiers)
      var store = Dictionary(
        uniqueKeysWithValues: before.sectionIdentifiers.map { ($0, before.itemIdentifiers(inSection: $0)) })
      for section in transaction.sectionTransactions {
        let id = section.sectionIdentifier
        #expect(section.initialSnapshot.items == store[id] ?? [])
        store[id] = store[id, default: []].applying(section.difference)
        #expect(section.finalSnapshot.items == store[id])
      }
      for id in edits.snapshot.sectionIdentifiers {
        #expect(store[id] ?? [] == edits.snapshot.itemIdentifiers(inSection: id))
      }
    }
  }

  @Test("A move is a removal and an insertion that are associated, within a section and across sections")
  func moves() {
    var before = Flat()
    before.appendSections([1, 2])
    before.appendItems([10, 11, 12], toSection: 1)
    before.appendItems([20, 21], toSection: 2)
    var after = before
    after.moveItem(10, afterItem: 12)
    after.moveItem(21, beforeItem: 11)
    let difference = Transaction(from: before, to: after).difference
    #expect(
      difference.removals == [
        .remove(offset: 0, element: 10, associatedWith: 3), .remove(offset: 4, element: 21, associatedWith: 0),
      ])
    #expect(
      difference.insertions == [
        .insert(offset: 0, element: 21, associatedWith: 4), .insert(offset: 3, element: 10, associatedWith: 0),
      ])
  }

  @Test("The items of a moved section move, without a section transaction")
  func movedSection() {
    var before = Flat()
    before.appendSections([1, 2, 3])
    before.appendItems([10, 11], toSection: 1)
    before.appendItems([20], toSection: 2)
    before.appendItems([30], toSection: 3)
    var after = before
    after.moveSection(1, afterSection: 3)
    let transaction = Transaction(from: before, to: after)
    #expect(transaction.difference.removals.count == transaction.difference.insertions.count)
    #expect(before.itemIdentifiers.applying(transaction.difference) == [20, 30, 10, 11])
    #expect(transaction.sectionTransactions.isEmpty)
  }

  @Test("Inserted and deleted sections have transactions from and to an empty list")
  func insertedAndDeletedSections() throws {
    var before = Flat()
    before.appendSections([1, 2])
    before.appendItems([10, 11], toSection: 1)
    before.appendItems([20], toSection: 2)
    var after = before
    after.deleteSections([1])
    after.appendSections([3])
    after.appendItems([10, 30])
    let sections = Transaction(from: before, to: after).sectionTransactions
    #expect(sections.map(\.sectionIdentifier) == [3, 1])
    let (inserted, deleted) = (try #require(sections.first), try #require(sections.last))
    #expect(inserted.initialSnapshot.items.isEmpty && inserted.finalSnapshot.items == [10, 30])
    #expect(deleted.initialSnapshot.items == [10, 11] && deleted.finalSnapshot.items.isEmpty)
  }

  @Test("A transaction without changes is empty")
  func noChanges() {
    var snapshot = Flat()
    snapshot.appendSections([1])
    snapshot.appendItems([1, 2, 3])
    let transaction = Transaction(from: snapshot, to: snapshot)
    #expect(transaction.difference.isEmpty && transaction.sectionTransactions.isEmpty)
  }

  @Test("The changeset of other snapshots is a precondition failure with a message")
  func foreignChangeset() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var before = Flat()
      before.appendSections([1])
      before.appendItems([1, 2, 3])
      var after = before
      after.deleteItems([2])
      _ = after.changeset(from: before).collectionDifference(from: before, to: before)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains("A changeset can be converted only with the two snapshots that it is the difference of."), "\(text)"
    )
  }
}
