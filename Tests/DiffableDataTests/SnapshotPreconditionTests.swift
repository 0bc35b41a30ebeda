import Testing
import VitrineDiffableData

@Suite("An invalid call is a precondition failure that names the argument")
struct SnapshotPreconditionTests {
  private static func sample() -> DiffableDataSourceSnapshot<String, String> {
    var snapshot = DiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(["spring"])
    snapshot.appendItems(["tulip", "crocus"])
    return snapshot
  }

  private func expect(_ result: ExitTest.Result?, contains message: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(message), "\(text)")
  }

  @Test("An item that is passed twice in one call")
  func duplicateItem() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.appendItems(["rose", "rose"])
    }
    try expect(appended, contains: "The item rose is named twice in one call.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.insertItems(["rose", "rose"], beforeItem: "tulip")
    }
    try expect(inserted, contains: "The item rose is named twice in one call.")
  }

  @Test("An existing item that is passed twice in one call")
  func duplicateExistingItem() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.appendItems(["tulip", "tulip"])
    }
    try expect(result, contains: "The item tulip is named twice in one call.")
  }

  @Test("An unknown anchor, or an item as its own anchor")
  func anchor() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.insertItems(["rose"], afterItem: "aster")
    }
    try expect(unknown, contains: "There is no item aster in the snapshot.")
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.moveItem("tulip", beforeItem: "tulip")
    }
    try expect(itself, contains: "The item tulip cannot be put next to itself.")
    let moved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.moveItem("aster", beforeItem: "tulip")
    }
    try expect(moved, contains: "There is no item aster in the snapshot.")
  }

  @Test("An unknown section, an existing section, or no section")
  func section() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.appendItems(["rose"], toSection: "summer")
    }
    try expect(unknown, contains: "There is no section summer in the snapshot.")
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.appendSections(["spring"])
    }
    try expect(twice, contains: "The section spring is in the snapshot already, or named twice.")
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = DiffableDataSourceSnapshot<String, String>()
      snapshot.appendItems(["rose"])
    }
    try expect(none, contains: "Items cannot be appended to a snapshot without sections.")
  }

  @Test("A section as its own anchor, or an invalid index")
  func sectionIndex() async throws {
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.moveSection("spring", beforeSection: "spring")
    }
    try expect(itself, contains: "The section spring cannot be moved next to itself.")
    let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SnapshotPreconditionTests.sample().numberOfItems(inSectionAt: 1)
    }
    try expect(index, contains: "There is no section at index 1.")
  }

  @Test("A changeset of other snapshots")
  func foreignChangeset() async throws {
    let applied = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var other = SnapshotPreconditionTests.sample()
      other.deleteAllItems()
      _ = other.applying(other.changeset(from: SnapshotPreconditionTests.sample()), insertionsFrom: other)
    }
    try expect(applied, contains: "The changeset is not one of this snapshot.")
    let converted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var other = SnapshotPreconditionTests.sample()
      other.appendItems(["rose", "aster"])
      let changes = other.changeset(from: SnapshotPreconditionTests.sample())
      _ = changes.collectionDifference(from: other, to: SnapshotPreconditionTests.sample())
    }
    try expect(converted, contains: "A changeset can be converted only with the two snapshots")
  }

  @Test("A mark for an unknown item")
  func mark() async throws {
    let reloaded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.reloadItems(["aster"])
    }
    try expect(reloaded, contains: "Attempted to reload the item aster, which is not in the snapshot.")
    let reconfigured = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = SnapshotPreconditionTests.sample()
      snapshot.reconfigureItems(["aster"])
    }
    try expect(reconfigured, contains: "Attempted to reconfigure the item aster, which is not in the snapshot.")
  }
}

// MARK: - Section snapshots

@Suite("An invalid call with a section tree is a precondition failure that names the item")
struct SectionSnapshotPreconditionTests {
  private func expect(_ result: ExitTest.Result?, contains message: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(message), "\(text)")
  }

  @Test("An item that is passed twice in one call")
  func duplicateItem() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose", "rose"])
    }
    try expect(appended, contains: "The item rose is named twice in one call.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["rose", "rose"], after: "oak")
    }
    try expect(inserted, contains: "The item rose is named twice in one call.")
  }

  @Test("An item that exists already, at any level")
  func existingItem() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose", "red oak"], to: "flowers")
    }
    try expect(appended, contains: "The item red oak is in the section snapshot already.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["oak"], before: "oak")
    }
    try expect(inserted, contains: "The item oak is in the section snapshot already.")
    let tree = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(garden.snapshot(of: "trees"), before: "flowers")
    }
    try expect(tree, contains: "The item oak is in the section snapshot already.")
    let replaced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.replace(childrenOf: "trees", using: garden.snapshot(of: "trees", includingParent: true))
    }
    try expect(replaced, contains: "The item trees is in the section snapshot already.")
  }

  @Test("An unknown parent or anchor")
  func unknownAnchor() async throws {
    let parent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose"], to: "cacti")
    }
    try expect(parent, contains: "There is no item cacti in the section snapshot.")
    let before = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["rose"], before: "cactus")
    }
    try expect(before, contains: "There is no item cactus in the section snapshot.")
    let after = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.delete(["trees"])
      garden.insert(["rose"], after: "red oak")
    }
    try expect(after, contains: "There is no item red oak in the section snapshot.")
    let tree = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(SectionSnapshotTests.Snapshot(), after: "cactus")
    }
    try expect(tree, contains: "There is no item cactus in the section snapshot.")
    let replaced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.replace(childrenOf: "cacti", using: SectionSnapshotTests.Snapshot())
    }
    try expect(replaced, contains: "There is no item cacti in the section snapshot.")
  }

  @Test("A query about an unknown item")
  func unknownItem() async throws {
    let level = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().level(of: "cactus")
    }
    try expect(level, contains: "There is no item cactus in the section snapshot.")
    let part = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().snapshot(of: "cactus")
    }
    try expect(part, contains: "There is no item cactus in the section snapshot.")
    let children = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().children(of: "cactus")
    }
    try expect(children, contains: "There is no item cactus in the section snapshot.")
  }
}
