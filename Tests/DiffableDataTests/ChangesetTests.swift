import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A changeset describes changes by indices")
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

  @Test("The changeset of equal snapshots is empty")
  func equalSnapshots() {
    let one = snapshot(["a": [1, 2, 3], "b": []])
    let changeset = snapshot(["a": [1, 2, 3], "b": []]).changeset(from: one)
    #expect(changeset.isEmpty && !changeset.hasStructuralChanges)
    #expect(!changeset.isAppendOnly && !changeset.isReconfigureOnly)
  }

  @Test("Deletions are runs of old indices, and insertions are runs of new indices")
  func deletesAndInserts() {
    let old = snapshot(["a": [1, 2, 3, 4, 5, 6]])
    let new = snapshot(["a": [10, 1, 4, 11, 12, 6]])
    let changeset = new.changeset(from: old)
    #expect(changeset.sections.count == 1)
    #expect(changeset.sections.first?.deletes.ranges == [1..<3, 4..<5])
    #expect(changeset.sections.first?.inserts.ranges == [0..<1, 3..<5])
    #expect(changeset.itemMoves.isEmpty)
  }

  @Test("An item that moves to the other end is one move")
  func oneMove() {
    let old = snapshot(["a": [1, 2, 3, 4, 5]])
    let new = snapshot(["a": [2, 3, 4, 5, 1]])
    let changeset = new.changeset(from: old)
    #expect(
      changeset.itemMoves == [ItemMove(from: .init(section: 0, item: 0), to: .init(section: 0, item: 4))])
    #expect(changeset.sections.first?.departures.ranges == [0..<1])
    #expect(changeset.sections.first?.arrivals.ranges == [4..<5])
  }

  @Test("Items move across sections, out of deleted sections and into inserted ones")
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

  @Test("A section that moves to the other end is one move and takes its items along")
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

  @Test("Appending is distinguished from all other changes")
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

  @Test("Marks are sorted new positions of existing items, and a reload overrides a reconfiguration")
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

  @Test("Marks alone are no structural change")
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

// MARK: - Invariants

@Suite("Applying a changeset to the old snapshot gives the new one")
struct ChangesetInvariantTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  private func expectCorrectChangeset(
    _ old: DiffableDataSourceSnapshot<Int, Int>, _ new: DiffableDataSourceSnapshot<Int, Int>
  ) {
    let changeset = new.changeset(from: old)
    #expect(old.applying(changeset, insertionsFrom: new) == new)
    #expect(changeset.isEmpty == (old == new))
    #expect(zip(changeset.itemMoves, changeset.itemMoves.dropFirst()).allSatisfy { $0.to < $1.to })
    #expect(changeset.itemMoves.reduce(0) { $0 + $1.count } == changeset.movedItemCount)
    // Every item is at the position that the changeset gives.
    var isMapped = true
    for (section, count) in old.itemCounts.enumerated() {
      for item in 0..<count {
        let from = ItemPosition(section: section, item: item)
        guard let id = old.itemIdentifier(at: from) else { continue }
        isMapped = isMapped && changeset.position(afterUpdateOf: from) == new.position(ofItem: id)
      }
      let moved = old.sectionIdentifier(at: section).flatMap(new.indexOfSection)
      isMapped = isMapped && changeset.section(afterUpdateOf: section) == moved
    }
    for (section, count) in new.itemCounts.enumerated() {
      for item in 0..<count {
        let to = ItemPosition(section: section, item: item)
        guard let id = new.itemIdentifier(at: to) else { continue }
        isMapped = isMapped && changeset.position(beforeUpdateOf: to) == old.position(ofItem: id)
        let isListed = changeset.itemMoves.contains {
          $0.to.section == section && ($0.to.item..<($0.to.item + $0.count)).contains(item)
        }
        isMapped = isMapped && changeset.isMoved(to: to) == isListed
      }
      let origin = new.sectionIdentifier(at: section).flatMap(old.indexOfSection)
      isMapped = isMapped && changeset.section(beforeUpdateOf: section) == origin
    }
    #expect(isMapped)
  }

  @Test("Random edits of a copy, small and large", arguments: TestScale.seeds(1...8))
  func edits(seed: UInt64) {
    var edits = SnapshotEdits(seed: 100 + seed)
    for _ in 0..<(seed % 4 == 0 ? 25 : 60) {
      let old = edits.snapshot
      for _ in 0..<Int.random(in: 1...4, using: &edits.random) { edits.edit(upTo: seed % 4 == 0 ? 700 : 12) }
      expectCorrectChangeset(old, edits.snapshot)
      expectCorrectChangeset(edits.snapshot, old)
    }
  }

  @Test("Rebuilt snapshots have exactly as many moves as edited copies")
  func rebuiltSnapshots() {
    var edits = SnapshotEdits(seed: 200)
    for _ in 0..<80 {
      let (old, oldModel) = (edits.snapshot, edits.model)
      for _ in 0..<3 { edits.edit(upTo: 30) }
      let rebuilt = edits.model.snapshot.changeset(from: oldModel.snapshot)
      let edited = edits.snapshot.changeset(from: old)
      // Which of several items moves may differ, because edited copies skip what they share.
      #expect(rebuilt.movedItemCount == edited.movedItemCount)
      #expect(rebuilt.sections.map(\.deletes) == edited.sections.map(\.deletes))
      #expect(rebuilt.sections.map(\.inserts) == edited.sections.map(\.inserts))
      expectCorrectChangeset(oldModel.snapshot, edits.model.snapshot)
    }
  }

  @Test("Permutations of a few items have the fewest possible moves")
  func fewestMoves() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<400 {
      let count = Int.random(in: 0...9, using: &random)
      let items = Array(0..<count)
      let shuffled = items.shuffled(using: &random)
      let old = SnapshotModel(sections: [(0, items)]).snapshot
      let new = SnapshotModel(sections: [(0, shuffled)]).snapshot
      // Brute force: the largest subset that keeps its order.
      var longest = 0
      for subset in 0..<(1 << count) where subset.nonzeroBitCount > longest {
        let remaining = shuffled.filter { subset & (1 << $0) != 0 }
        if remaining == remaining.sorted() { longest = remaining.count }
      }
      #expect(new.changeset(from: old).movedItemCount == count - longest)
      expectCorrectChangeset(old, new)
    }
  }

  @Test("All pairs of small snapshots")
  func allSmallSnapshots() {
    // Every order of some of three items, split into two sections at every index, or in one section.
    var states: [DiffableDataSourceSnapshot<Int, Int>] = []
    func add(_ items: [Int]) {
      for cut in 0...items.count {
        let halves = [(0, Array(items[..<cut])), (1, Array(items[cut...]))]
        states.append(SnapshotModel(sections: halves).snapshot)
      }
      states.append(SnapshotModel(sections: [(1, items)]).snapshot)
      for item in 0..<3 where !items.contains(item) { add(items + [item]) }
    }
    add([])
    #expect(states.count == 65)
    for old in states { for new in states { expectCorrectChangeset(old, new) } }
  }

  @Test("Random changes of the sections")
  func sections() {
    var random = SeededGenerator(seed: 42)
    func model() -> SnapshotModel {
      var items = Array(0..<14).shuffled(using: &random)
      return SnapshotModel(
        sections: Array(0..<6).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map { section in
          let count = min(items.count, Int.random(in: 0...5, using: &random))
          defer { items.removeFirst(count) }
          return (section, Array(items.prefix(count)))
        })
    }
    for _ in 0..<800 { expectCorrectChangeset(model().snapshot, model().snapshot) }
  }

  @Test("100,000 items with appended ones, and 20,000 shuffled items")
  func large() {
    var random = SeededGenerator(seed: 43)
    var old = Snapshot()
    old.appendSections([0])
    old.appendItems(Array(0..<100_000))
    var new = old
    new.appendItems(Array(100_000..<101_000))
    let appended = new.changeset(from: old)
    #expect(appended.isAppendOnly)
    #expect(appended.sections.first?.inserts.ranges == [100_000..<101_000])
    let shuffled = SnapshotModel(sections: [(0, Array(0..<20_000).shuffled(using: &random))]).snapshot
    let plain = SnapshotModel(sections: [(0, Array(0..<20_000))]).snapshot
    #expect(plain.applying(shuffled.changeset(from: plain), insertionsFrom: shuffled) == shuffled)
  }
}

// MARK: - Determinism

@Suite("A changeset is the same in every process, independent of the hash seed")
struct ChangesetDeterminismTests {
  /// Returns the changesets of random edits of strings, as text.
  static func log() -> String {
    var random = SeededGenerator(seed: 91)
    var snapshot = DiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections((0..<6).map { "section \($0)" })
    snapshot.appendItems((0..<3_000).map { "item \($0)" }, toSection: "section 2")
    var log = ""
    for round in 0..<20 {
      let old = snapshot
      let items = snapshot.itemIdentifiers
      snapshot.deleteItems(items.filter { _ in random.chance(oneIn: 40) })
      let movers = items.filter { snapshot.contains($0) && random.chance(oneIn: 15) }.shuffled(using: &random)
      snapshot.appendItems(movers, toSection: "section \(Int.random(in: 0..<6, using: &random))")
      snapshot.appendItems((0..<50).map { "round \(round) \($0)" }, toSection: "section \(round % 6)")
      snapshot.moveSection("section \(round % 6)", beforeSection: "section \((round + 3) % 6)")
      snapshot.reconfigureItems(
        snapshot.itemIdentifiers.filter { _ in random.chance(oneIn: 30) }.shuffled(using: &random))
      let changes = snapshot.changeset(from: old)
      snapshot.removeMarks()
      log += "\(changes.sectionMoves) \(changes.sections) \(changes.itemMoves) \(changes.reconfigures)\n"
    }
    return log
  }

  @Test("Two processes print the same changesets")
  func processes() async throws {
    var logs: [[UInt8]] = []
    for _ in 0..<2 {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("seed".hashValue)
        print(ChangesetDeterminismTests.log())
      }
      logs.append(try #require(result).standardOutputContent)
    }
    let lines = logs.map { $0.split(separator: UInt8(ascii: "\n")) }
    #expect(
      lines[0].first != lines[1].first, "both processes have the same hash seed, so the comparison proves nothing")
    #expect(logs[0].count > 10_000)
    #expect(lines[0].dropFirst() == lines[1].dropFirst())
  }
}
