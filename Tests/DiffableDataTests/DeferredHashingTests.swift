import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineDiffableData

@Suite("The first items of a snapshot are hashed when one is looked up")
struct DeferredHashingTests {
  /// An identifier that counts how often it is hashed.
  private struct CountedItem: Hashable, Sendable {
    let number: Int
    let hashes: Lock<Int>

    static func == (left: CountedItem, right: CountedItem) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) {
      hashes.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  private typealias Snapshot = DiffableDataSourceSnapshot<Int, CountedItem>

  private func snapshot(of items: [CountedItem]) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(items, toSection: 1)
    return snapshot
  }

  @Test("Nothing is hashed to build, copy, count, read and compare", arguments: [4_096, 70_000])
  func unhashed(count: Int) {
    let hashes = Lock(0)
    let items = (0..<count).map { CountedItem(number: $0, hashes: hashes) }
    let snapshot = snapshot(of: items)
    #expect(snapshot.numberOfItems == count && snapshot.itemCounts == [0, count])
    #expect(snapshot.itemIdentifiers(inSection: 1) == items)
    #expect(snapshot.itemIdentifier(section: 1, item: count - 1)?.number == count - 1)
    #expect(snapshot.changeset(from: Snapshot()).sectionInserts.count == 2)
    #expect(snapshot == self.snapshot(of: items))
    #expect(snapshot.changeset(from: self.snapshot(of: items)).isEmpty)
    #expect(snapshot.hasUnhashedItems)
    #expect(hashes.withLock { $0 } == 0)
  }

  @Test("Snapshots filled apart in one call are compared by their items", arguments: [4_096, 5_000, 70_000])
  func filledApart(count: Int) {
    func snapshot(_ items: [Int]) -> DiffableDataSourceSnapshot<Int, Int> {
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([0])
      snapshot.appendItems(items)
      return snapshot
    }
    let old = snapshot(Array(0..<count))
    var other = Array(0..<count)
    other[count - 7] = -1
    other.swapAt(100, 900)
    let new = snapshot(other)
    let changes = new.changeset(from: old)
    #expect(changes.sections.first?.inserts.count == 1 && old.applying(changes, insertionsFrom: new) == new)
    #expect(snapshot((0..<count).map { $0 + count }).changeset(from: old).sections.first?.inserts.count == count)
    var derived = old
    derived.deleteItems([count / 2])
    derived.appendItems([count / 2])
    #expect(derived.itemIdentifiers == (0..<count).filter { $0 != count / 2 } + [count / 2])
    #expect(derived.indexOfItem(count - 1) == count - 2 && old.indexOfItem(count - 1) == count - 1)
  }

  @Test("The first question hashes every item once, also for the copies")
  func firstQuestion() {
    let hashes = Lock(0)
    let items = (0..<5_000).map { CountedItem(number: $0, hashes: hashes) }
    let snapshot = snapshot(of: items)
    let copy = snapshot
    #expect(snapshot.position(ofItem: items[4_999]) == ItemPosition(section: 1, item: 4_999))
    #expect(hashes.withLock { $0 } == 5_001)
    #expect(copy.indexOfItem(items[7]) == 7 && !copy.hasUnhashedItems)
    #expect(hashes.withLock { $0 } == 5_002)
    var adopted = copy
    adopted.adoptHashes()
    #expect(adopted.indexOfItem(items[8]) == 8 && adopted == copy)
    #expect(hashes.withLock { $0 } == 5_003)
  }

  @Test("Fewer items are hashed at once")
  func fewItems() {
    let hashes = Lock(0)
    let snapshot = snapshot(of: (0..<4_095).map { CountedItem(number: $0, hashes: hashes) })
    #expect(!snapshot.hasUnhashedItems && hashes.withLock { $0 } >= 4_095)
  }

  @Test("Threads that ask at the same time get the same answers")
  func threads() async {
    let hashes = Lock(0)
    let items = (0..<20_000).map { CountedItem(number: $0, hashes: hashes) }
    let snapshot = snapshot(of: items)
    let answers = await withTaskGroup(of: [Int?].self) { group in
      for offset in 0..<4 {
        group.addTask {
          snapshot.hashItems()
          return stride(from: offset, to: 20_000, by: 4).map { snapshot.indexOfItem(items[$0]) }
        }
      }
      return await group.reduce(into: [Int?]()) { $0 += $1 }
    }
    #expect(Set(answers.compactMap(\.self)) == Set(0..<20_000) && !snapshot.hasUnhashedItems)
  }

  @Test("Random edits of a snapshot filled in one call give the same result as the model", arguments: 1...6)
  func randomEdits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = [4_096, 4_097, 4_608, 66_000, 5_119, 131_072][Int(seed) - 1]
    var edits = SnapshotEdits(seed: seed, appending: (0..<count).shuffled(using: &random))
    var (copy, before) = (edits.snapshot, edits.model)
    #expect(edits.snapshot.hasUnhashedItems)
    for _ in 0..<12 {
      edits.edit(upTo: 700)
      #expect(edits.snapshot.brokenInvariant == nil)
    }
    #expect(edits.snapshot.itemIdentifiers == edits.model.items)
    #expect(copy.itemIdentifiers == before.items && copy.brokenInvariant == nil)
    copy.moveItem(before.items[count - 1], beforeItem: before.items[0])
    before.insert([before.items[count - 1]], at: before.items[0], after: false)
    #expect(copy.itemIdentifiers == before.items && copy.brokenInvariant == nil)
    let changes = edits.snapshot.changeset(from: copy)
    #expect(copy.applying(changes, insertionsFrom: edits.snapshot) == edits.snapshot)
  }

  @Test("An item that is named twice stops the program at the first question")
  func duplicateItem() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<5_000) + [17])
      _ = snapshot.contains(3)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("The item 17 is named twice in one call."))
  }
}
