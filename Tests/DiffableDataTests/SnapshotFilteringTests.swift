import Testing
import VitrineDataStructures

@testable import VitrineDiffableData

@Suite("A snapshot is filtered to the items that satisfy a predicate")
struct SnapshotFilteringTests {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  private func makeSnapshot(_ random: inout SplitMix64) -> Snapshot {
    var snapshot = Snapshot()
    var next = 0
    for section in 0..<Int.random(in: 1..<6, using: &random) {
      snapshot.appendSections([section])
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let count = Int.random(in: 0..<900, using: &random)
        snapshot.appendItems(Array(next..<(next + count)))
        next += count
      }
    }
    snapshot.deleteItems((0..<next).filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    return snapshot
  }

  @Test(
    "The result equals a snapshot of the remaining items, without empty sections", arguments: [1, 2, 3] as [UInt64])
  func equalsRebuilt(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let snapshot = makeSnapshot(&random)
    for divisor in [1, 2, 7, 400, 100_000] {
      let filtered = try #require(snapshot.filteringItems { $0 % divisor == 0 })
      var expected = Snapshot()
      for section in snapshot.sectionIdentifiers {
        let items = snapshot.itemIdentifiers(inSection: section).filter { $0 % divisor == 0 }
        guard !items.isEmpty else { continue }
        expected.appendSections([section])
        expected.appendItems(items)
      }
      #expect(filtered == expected && filtered.numberOfItems == expected.numberOfItems)
      for item in snapshot.itemIdentifiers {
        #expect(filtered.position(ofItem: item) == expected.position(ofItem: item))
      }
      let changes = filtered.changeset(from: snapshot)
      #expect(snapshot.applying(changes, insertionsFrom: filtered) == filtered && changes.movedItemCount == 0)
    }
  }

  @Test("The result can be changed, and does not affect the original")
  func edits() throws {
    var random = SplitMix64(seed: 9)
    let snapshot = makeSnapshot(&random)
    let copy = snapshot
    var filtered = try #require(snapshot.filteringItems { $0 % 3 == 0 })
    let first = try #require(filtered.itemIdentifiers.first)
    filtered.insertItems([-1], beforeItem: first)
    filtered.deleteItems([first])
    filtered.appendSections([99])
    filtered.appendItems([-2])
    #expect(filtered.itemIdentifiers.first == -1 && filtered.itemIdentifiers.last == -2 && !filtered.contains(first))
    #expect(snapshot == copy && snapshot.contains(first))
  }

  @Test("A filter that is stopped has no result")
  func stops() {
    var snapshot = Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<2_000))
    var count = 0
    let stopped = snapshot.filteringItems { _ in
      true
    } shouldContinue: {
      count += 1
      return count < 3
    }
    #expect(stopped == nil && count == 3)
  }
}
