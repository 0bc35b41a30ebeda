import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import TestSupport
import Testing
import Views

@Suite("What is selected is followed through an update of very many items without numbering all of them in its frame")
struct LargeSelectionTests {
  private static let count = 24_000

  /// The words in an order that keeps no neighbours, some of them gone and some new.
  private func shuffled(dropping dropped: Int = 0, adding added: Int = 0) -> WordGrid.Source.Snapshot {
    var random = SeededGenerator(seed: 9)
    var words = WordGrid.words(0..<(Self.count + added)).shuffled(using: &random)
    if dropped > 0 {
      words.removeAll { word in Int(word.dropFirst()).map { $0 % dropped == 0 } ?? false }
    }
    var snapshot = WordGrid.Source.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(words)
    return snapshot
  }

  private func grid() -> (WordGrid, FrameActor) {
    let (grid, actor) = FrameActor.grid(0)
    actor.next = [{ grid.apply { $0.appendItems(WordGrid.words(0..<Self.count)) } }]
    grid.stage.runUntilIdle()
    grid.view.allowsMultipleSelection = true
    return (grid, actor)
  }

  private func selected(_ grid: WordGrid) -> Set<String> {
    var words: Set<String> = []
    grid.view.selection.items.forEach { item in
      if let word = grid.source.itemIdentifier(atFlatIndex: item) { words.insert(word) }
    }
    return words
  }

  @Test("All that are selected stay one run where nothing is new, and none is followed", arguments: [0, 3])
  func all(dropping dropped: Int) {
    let (grid, actor) = grid()
    grid.view.select(.all)
    actor.next = [{ grid.source.apply(shuffled(dropping: dropped), animatingDifferences: false) }]
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount < Self.count || dropped == 0)
    #expect(grid.view.selection.items.ranges == [0..<grid.view.itemCount])
    #expect(grid.view.updateStatistics.remappedAhead == 0)
  }

  @Test("What is new beside all that were selected is not selected")
  func newOnes() {
    let (grid, actor) = grid()
    grid.view.select(.all)
    actor.next = [{ grid.source.apply(shuffled(dropping: 5, adding: 500), animatingDifferences: false) }]
    grid.stage.runUntilIdle()
    #expect(grid.view.updateStatistics.remappedAhead == 0)
    #expect(selected(grid) == Set((0..<Self.count).filter { $0 % 5 != 0 }.map { "w\($0)" }))
  }

  @Test("Many are followed a portion at a time before it; until then all is as it was, and what is chosen then counts")
  func many() throws {
    let (grid, actor) = grid()
    let some = IndexRuns((0..<Self.count).filter { $0 % 7 < 3 })
    grid.view.select(.replace(some))
    var waited = 0
    actor.next = [{ grid.source.apply(shuffled(dropping: 10), animatingDifferences: false) }]
    // No slack: a portion is followed in each frame.
    let greedy = Greedy()
    grid.stage.window.addFirstParticipant(greedy)
    while grid.view.updateStatistics.remappedAhead == 0 { grid.stage.run(frames: 1) }
    while grid.view.itemCount == Self.count {
      #expect(grid.view.selection.items.count >= some.count - 1 && grid.shown.first == "w0")
      if waited == 3 { grid.view.select(.exchange(adding: IndexRuns(3..<5), removing: IndexRuns(7..<8))) }
      waited += 1
      grid.stage.run(frames: 1)
    }
    #expect(waited > 8)
    var expected = Set(some.ranges.joined()).union([3, 4])
    expected.remove(7)
    #expect(selected(grid) == Set(expected.filter { $0 % 10 != 0 }.map { "w\($0)" }))
    #expect(grid.view.updateStatistics.remappedAhead == some.count)
  }

  @Test("Where other ones are selected meanwhile, these are followed; few of them at once")
  func others() {
    let (grid, actor) = grid()
    grid.view.select(.replace(IndexRuns(0..<18_000)))
    actor.next = [{ grid.source.apply(shuffled(), animatingDifferences: false) }]
    grid.stage.window.addFirstParticipant(Greedy())
    while grid.view.updateStatistics.remappedAhead == 0 { grid.stage.run(frames: 1) }
    grid.view.select(.replace(IndexRuns(6_000..<22_000)))
    while grid.view.updateStatistics.remappedAhead < 19_000 { grid.stage.run(frames: 1) }
    grid.view.select(.choose(1_234))
    grid.stage.runUntilIdle()
    #expect(grid.view.updateStatistics.remappedAhead < 34_000)
    #expect(grid.shown.first != "w0" && selected(grid) == ["w1234"])
    #expect(grid.view.selection.lead == grid.view.selection.items.first)
  }

  /// Uses up every frame's slack.
  private final class Greedy: FrameParticipant {
    func performSlackStep(_ budget: FrameBudget) -> Bool {
      budget.clock.spend(budget.remaining)
      return true
    }
  }
}
