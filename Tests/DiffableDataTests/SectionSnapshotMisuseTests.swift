import DiffableData
import Testing

@Suite("A mistake in a section's tree stops the program with a sentence that names it")
struct SectionSnapshotMisuseTests {
  private func expect(_ result: ExitTest.Result?, says words: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(words), "\(text)")
  }

  @Test("An item named twice in one call")
  func twice() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose", "rose"])
    }
    try expect(appended, says: "The item rose is named twice in one call.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["rose", "rose"], after: "oak")
    }
    try expect(inserted, says: "The item rose is named twice in one call.")
  }

  @Test("An item that is there already, at whatever level")
  func present() async throws {
    let appended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose", "red oak"], to: "flowers")
    }
    try expect(appended, says: "The item red oak is in the section snapshot already.")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["oak"], before: "oak")
    }
    try expect(inserted, says: "The item oak is in the section snapshot already.")
    let tree = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(garden.snapshot(of: "trees"), before: "flowers")
    }
    try expect(tree, says: "The item oak is in the section snapshot already.")
    let replaced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.replace(childrenOf: "trees", using: garden.snapshot(of: "trees", includingParent: true))
    }
    try expect(replaced, says: "The item trees is in the section snapshot already.")
  }

  @Test("A parent or an anchor that is not there")
  func unknown() async throws {
    let parent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.append(["rose"], to: "cacti")
    }
    try expect(parent, says: "There is no item cacti in the section snapshot.")
    let before = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(["rose"], before: "cactus")
    }
    try expect(before, says: "There is no item cactus in the section snapshot.")
    let after = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.delete(["trees"])
      garden.insert(["rose"], after: "red oak")
    }
    try expect(after, says: "There is no item red oak in the section snapshot.")
    let tree = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.insert(SectionSnapshotTests.Snapshot(), after: "cactus")
    }
    try expect(tree, says: "There is no item cactus in the section snapshot.")
    let replaced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var garden = SectionSnapshotTests.garden()
      garden.replace(childrenOf: "cacti", using: SectionSnapshotTests.Snapshot())
    }
    try expect(replaced, says: "There is no item cacti in the section snapshot.")
  }

  @Test("A question that has no answer for an item that is not there")
  func questions() async throws {
    let level = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().level(of: "cactus")
    }
    try expect(level, says: "There is no item cactus in the section snapshot.")
    let part = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().snapshot(of: "cactus")
    }
    try expect(part, says: "There is no item cactus in the section snapshot.")
    let children = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionSnapshotTests.garden().children(of: "cactus")
    }
    try expect(children, says: "There is no item cactus in the section snapshot.")
  }
}
