import DiffableData
import TestSupport
import Testing

@Suite("A changeset is the same in every process, whatever its hash seed")
struct ChangesetDeterminismTests {
  /// Edits of strings, printed with the changes that they made.
  static func story() -> String {
    var random = SeededGenerator(seed: 91)
    var snapshot = DiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections((0..<6).map { "section \($0)" })
    snapshot.appendItems((0..<3_000).map { "item \($0)" }, toSection: "section 2")
    var story = ""
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
      story += "\(changes.sectionMoves) \(changes.sections) \(changes.itemMoves) \(changes.reconfigures)\n"
    }
    return story
  }

  @Test("Two processes print the same")
  func processes() async throws {
    var stories: [[UInt8]] = []
    for _ in 0..<2 {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("seed".hashValue)
        print(ChangesetDeterminismTests.story())
      }
      stories.append(try #require(result).standardOutputContent)
    }
    let lines = stories.map { $0.split(separator: UInt8(ascii: "\n")) }
    #expect(lines[0].first != lines[1].first, "the processes hash alike, so they show nothing")
    #expect(stories[0].count > 10_000)
    #expect(lines[0].dropFirst() == lines[1].dropFirst())
  }
}
