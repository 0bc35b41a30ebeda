import DiffableData
import Testing

@Suite("A mistake of the caller stops the program with a sentence that names it")
struct SnapshotMisuseTests {
  private static func sample() -> DiffableDataSourceSnapshot<String, String> {
    var snapshot = DiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(["spring"])
    snapshot.appendItems(["tulip", "crocus"])
    return snapshot
  }

  private func expect(_ result: ExitTest.Result?, says words: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(words), "\(text)")
  }

  @Test("An item named twice in one call")
  func itemTwice() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.appendItems(["rose", "rose"])
    }
    try expect(appended, says: "The item rose is named twice in one call.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.insertItems(["rose", "rose"], beforeItem: "tulip")
    }
    try expect(inserted, says: "The item rose is named twice in one call.")
  }

  @Test("A known item named twice in one call")
  func knownItemTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.appendItems(["tulip", "tulip"])
    }
    try expect(result, says: "The item tulip is named twice in one call.")
  }

  @Test("An anchor that is not there, or that is to stand next to itself")
  func anchor() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.insertItems(["rose"], afterItem: "aster")
    }
    try expect(unknown, says: "There is no item aster in the snapshot.")
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.moveItem("tulip", beforeItem: "tulip")
    }
    try expect(itself, says: "The item tulip cannot be put next to itself.")
    let moved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.moveItem("aster", beforeItem: "tulip")
    }
    try expect(moved, says: "There is no item aster in the snapshot.")
  }

  @Test("A section that is not there, is there already, or would be needed")
  func section() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.appendItems(["rose"], toSection: "summer")
    }
    try expect(unknown, says: "There is no section summer in the snapshot.")
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.appendSections(["spring"])
    }
    try expect(twice, says: "The section spring is in the snapshot already, or named twice.")
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = DiffableDataSourceSnapshot<String, String>()
      snapshot.appendItems(["rose"])
    }
    try expect(none, says: "Items cannot be appended to a snapshot without sections.")
  }

  @Test("A section next to itself, or by an index that is not there")
  func sectionPlaces() async throws {
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.moveSection("spring", beforeSection: "spring")
    }
    try expect(itself, says: "The section spring cannot be moved next to itself.")
    let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SnapshotMisuseTests.sample().numberOfItems(inSectionAt: 1)
    }
    try expect(index, says: "There is no section at index 1.")
  }

  @Test("A changeset of other snapshots")
  func foreignChangeset() async throws {
    let applied = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var other = SnapshotMisuseTests.sample()
      other.deleteAllItems()
      _ = other.applying(other.changeset(from: SnapshotMisuseTests.sample()), insertionsFrom: other)
    }
    try expect(applied, says: "The changeset is not one of this snapshot.")
    let converted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var other = SnapshotMisuseTests.sample()
      other.appendItems(["rose", "aster"])
      let changes = other.changeset(from: SnapshotMisuseTests.sample())
      _ = changes.collectionDifference(from: other, to: SnapshotMisuseTests.sample())
    }
    try expect(converted, says: "A changeset can be converted only with the two snapshots")
  }

  @Test("A mark for what is not there")
  func mark() async throws {
    let reloaded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.reloadItems(["aster"])
    }
    try expect(reloaded, says: "Attempted to reload the item aster, which is not in the snapshot.")
    let reconfigured = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotMisuseTests.sample()
      snapshot.reconfigureItems(["aster"])
    }
    try expect(reconfigured, says: "Attempted to reconfigure the item aster, which is not in the snapshot.")
  }
}
