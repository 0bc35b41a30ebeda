import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A large difference is computed in the slack of frames, and immediately without frames")
struct LargeApplyTests {
  @Test("A large difference is computed in slack without a late frame, and deterministically")
  func slack() throws {
    func run() throws -> (frames: Int, digest: String) {
      let (grid, actions) = FrameActions.makeGrid(0)
      var frames = 0
      var shownAt: Int?
      actions.pending = [
        {
          frames = grid.harness.display.presentedFrames
          var snapshot = grid.source.snapshot()
          snapshot.appendItems(WordGrid.words(0..<300_000))
          grid.source.apply(snapshot) { shownAt = grid.harness.display.presentedFrames }
          #expect(grid.view.itemCount == 0, "not immediately")
          #expect(grid.source.snapshot().numberOfItems == 300_000)
        }
      ]
      grid.harness.runUntilIdle()
      #expect(grid.view.itemCount == 300_000)
      #expect(grid.providerCalls == WordGrid.words(0..<6))
      #expect(grid.view.updateStatistics.comparedInSlack == 1)
      let history = grid.harness.loop.history
      for age in 0..<history.availableCount {
        #expect(history.record(atAge: age).shown == history.record(atAge: age).target)
      }
      return (try #require(shownAt) - frames, grid.harness.loop.frameDigest.text)
    }
    let (first, second) = (try run(), try run())
    #expect(first.frames >= 3, "300,000 items need more than one frame's slack")
    #expect(first == second)
  }

  @Test("Without slack, a step is performed in each frame")
  func noSlack() {
    /// Uses up the slack of every frame.
    final class SlackConsumer: FrameParticipant {
      func performSlackStep(_ budget: FrameBudget) -> Bool {
        budget.clock.spend(budget.remaining)
        return true
      }
    }
    let (grid, actions) = FrameActions.makeGrid(0)
    grid.harness.window.addFirstParticipant(SlackConsumer())
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<40_000))
        grid.source.apply(snapshot)
      }
    ]
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 40_000)
  }

  @Test("An apply during a large comparison is performed after it, and the view is consistent in between")
  func applyDuringComparison() {
    let (grid, actions) = FrameActions.makeGrid(10)
    var lines: [String] = []
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(10..<200_000))
        snapshot.deleteItems(["w1"])
        grid.source.apply(snapshot) { lines.append("large") }
      },
      { grid.apply { $0.deleteItems(["w2"]) } },
      {
        #expect(grid.shown.starts(with: ["w0", "w1", "w2"]))
        grid.apply { $0.deleteItems(["w3"]) }
      },
    ]
    grid.harness.runUntilIdle()
    #expect(lines == ["large"])
    #expect(grid.view.itemCount == 199_997)
    #expect(grid.shown == ["w0"] + WordGrid.words(4..<9))
  }

  @Test("Removing a view from its window displays the pending snapshot immediately")
  func removedFromWindow() {
    let (grid, actions) = FrameActions.makeGrid(0)
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<300_000))
        grid.source.apply(snapshot)
      }
    ]
    grid.harness.run(frames: 1)
    #expect(grid.view.itemCount == 0)
    grid.harness.window.removeParticipant(grid.view)
    grid.apply { $0.deleteItems(["w0"]) }
    #expect(grid.view.itemCount == 299_999)
  }

  @Test("In a hidden window, updates do not wait for frames")
  func hiddenWindow() {
    let (grid, actions) = FrameActions.makeGrid(0)
    grid.harness.sendEvent(.hidden)
    var counts: [Int] = []
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<30_000))
        grid.source.apply(snapshot) { counts.append(grid.view.itemCount) }
        #expect(counts == [30_000])
      }
    ]
    grid.harness.run(frames: 2)
    #expect(counts == [30_000])
    #expect(grid.view.updateStatistics.comparedInSlack == 0)
  }
}

// MARK: - Selection

@Suite("The selection is remapped ahead of an update of many items")
struct LargeSelectionTests {
  private static let count = 24_000

  /// Returns a snapshot of the words in random order, without each `interval`-th word and with new words.
  private func shuffled(deletingEvery interval: Int = 0, inserting insertedCount: Int = 0) -> WordGrid.Source.Snapshot {
    var random = SeededGenerator(seed: 9)
    var words = WordGrid.words(0..<(Self.count + insertedCount)).shuffled(using: &random)
    if interval > 0 {
      words.removeAll { word in Int(word.dropFirst()).map { $0 % interval == 0 } ?? false }
    }
    var snapshot = WordGrid.Source.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(words)
    return snapshot
  }

  private func makeGrid() -> (WordGrid, FrameActions) {
    let (grid, actions) = FrameActions.makeGrid(0)
    actions.pending = [{ grid.apply { $0.appendItems(WordGrid.words(0..<Self.count)) } }]
    grid.harness.runUntilIdle()
    grid.view.allowsMultipleSelection = true
    return (grid, actions)
  }

  private func selectedWords(_ grid: WordGrid) -> Set<String> {
    var words: Set<String> = []
    grid.view.selection.items.forEach { item in
      if let word = grid.source.itemIdentifier(atFlatIndex: item) { words.insert(word) }
    }
    return words
  }

  @Test("A selection of all items stays one range and is not remapped, if no items are inserted", arguments: [0, 3])
  func selectAll(deletingEvery interval: Int) {
    let (grid, actions) = makeGrid()
    grid.view.select(.all)
    actions.pending = [{ grid.source.apply(shuffled(deletingEvery: interval), animatingDifferences: false) }]
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount < Self.count || interval == 0)
    #expect(grid.view.selection.items.ranges == [0..<grid.view.itemCount])
    #expect(grid.view.updateStatistics.remappedAhead == 0)
  }

  @Test("Items inserted while all items are selected are not selected")
  func insertedItems() {
    let (grid, actions) = makeGrid()
    grid.view.select(.all)
    actions.pending = [{ grid.source.apply(shuffled(deletingEvery: 5, inserting: 500), animatingDifferences: false) }]
    grid.harness.runUntilIdle()
    #expect(grid.view.updateStatistics.remappedAhead == 0)
    #expect(selectedWords(grid) == Set((0..<Self.count).filter { $0 % 5 != 0 }.map { "w\($0)" }))
  }

  @Test("A large selection is remapped over several frames before the update, including changes in the meantime")
  func largeSelection() throws {
    let (grid, actions) = makeGrid()
    let selection = IndexRuns((0..<Self.count).filter { $0 % 7 < 3 })
    grid.view.select(.replace(selection))
    var waitedFrames = 0
    actions.pending = [{ grid.source.apply(shuffled(deletingEvery: 10), animatingDifferences: false) }]
    // Without slack, a part of the selection is remapped in each frame.
    let consumer = SlackConsumer()
    grid.harness.window.addFirstParticipant(consumer)
    while grid.view.updateStatistics.remappedAhead == 0 { grid.harness.run(frames: 1) }
    while grid.view.itemCount == Self.count {
      #expect(grid.view.selection.items.count >= selection.count - 1 && grid.shown.first == "w0")
      if waitedFrames == 3 { grid.view.select(.exchange(adding: IndexRuns(3..<5), removing: IndexRuns(7..<8))) }
      waitedFrames += 1
      grid.harness.run(frames: 1)
    }
    #expect(waitedFrames > 8)
    var expected = Set(selection.ranges.joined()).union([3, 4])
    expected.remove(7)
    #expect(selectedWords(grid) == Set(expected.filter { $0 % 10 != 0 }.map { "w\($0)" }))
    #expect(grid.view.updateStatistics.remappedAhead == selection.count)
  }

  @Test("A selection replaced in the meantime is remapped, and a small one immediately")
  func replacedSelection() {
    let (grid, actions) = makeGrid()
    grid.view.select(.replace(IndexRuns(0..<18_000)))
    actions.pending = [{ grid.source.apply(shuffled(), animatingDifferences: false) }]
    grid.harness.window.addFirstParticipant(SlackConsumer())
    while grid.view.updateStatistics.remappedAhead == 0 { grid.harness.run(frames: 1) }
    grid.view.select(.replace(IndexRuns(6_000..<22_000)))
    while grid.view.updateStatistics.remappedAhead < 19_000 { grid.harness.run(frames: 1) }
    grid.view.select(.choose(1_234))
    grid.harness.runUntilIdle()
    #expect(grid.view.updateStatistics.remappedAhead < 34_000)
    #expect(grid.shown.first != "w0" && selectedWords(grid) == ["w1234"])
    #expect(grid.view.selection.lead == grid.view.selection.items.first)
  }

  /// Uses up the slack of every frame.
  private final class SlackConsumer: FrameParticipant {
    func performSlackStep(_ budget: FrameBudget) -> Bool {
      budget.clock.spend(budget.remaining)
      return true
    }
  }
}
