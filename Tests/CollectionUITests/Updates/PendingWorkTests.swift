import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Pending snapshots, prepared cells and missing items delay or stop the work that depends on them")
struct PendingWorkTests {
  @Test("No cell is prepared ahead while a snapshot is pending, and preparation continues after it is applied")
  func pendingSnapshot() {
    let (grid, actions) = FrameActions.makeGrid(400)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    #expect(grid.view.preparedCells.count == 6)
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(400..<300_000))
        snapshot.deleteItems(["w1"])
        grid.source.apply(snapshot)
        grid.view.scroll(to: 1_000, animated: false)
      }
    ]
    let before = grid.view.statistics.preparedInSlack
    grid.harness.run(frames: 1)
    #expect(grid.view.itemCount == 400 && grid.view.updateStatistics.comparedInSlack == 1)
    #expect(grid.view.statistics.preparedInSlack == before && grid.shown == WordGrid.words(20..<26))
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 299_999 && grid.view.statistics.preparedInSlack > before)
    #expect(grid.view.preparedCells.count >= 6)
  }

  @Test("A new layout resizes prepared cells without requesting them again")
  func layoutChange() throws {
    let grid = WordGrid.preparing(200, columns: 2)
    let path = IndexPath(item: 13, section: 0)
    let cell = try #require(grid.view.cellForItem(at: path) as? WordCell)
    #expect(!grid.shown.contains("w13") && cell.frame.width == 200)
    grid.clearLog()
    grid.view.setCollectionViewLayout(WordGrid.layout(columns: 4))
    #expect(cell.frame.width == 100)
    grid.harness.runUntilIdle()
    #expect(grid.view.cellForItem(at: path) === cell && grid.cell(of: "w13") === cell)
    #expect(!grid.providerCalls.contains("w13") && grid.log.lines.filter { $0 == "+w13" }.count == 1)
  }

  /// A layout that returns one item more than there are.
  private nonisolated struct OvercountingLayout: CollectionLayout {
    func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedStack {
      StackLayout(returnsInvalidItem: true).solved(in: environment, for: counts)
    }
  }

  @Test("A layout with more items than the snapshot stops the program with a message")
  func excessItems() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let grid = NumberGrid([[1, 2], [3]], layout: OvercountingLayout())
        grid.harness.runUntilIdle()
      }
    }
    try Misuse.expectMessage(of: result, contains: "which its data source does not have.")
    try Misuse.expectMessage(of: result, contains: "so that view and data source change together.")
  }
}

// MARK: - Removal from the window

@Suite("A view that is removed from its window finishes all pending work, and can be added again")
struct WindowRemovalTests {
  /// A grid of words in a root view, from which it can be removed.
  private final class DetachableGrid {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let source: WordGrid.Source
    let log = DisplayLog()
    let actions = FrameActions()
    let root = View()
    let harness: WindowHarness
    var completions: [String] = []

    init() {
      let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
      source = WordGrid.Source(collectionView: view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      harness = WindowHarness(root: root)
      harness.window.addFirstParticipant(actions)
      DemonstrationSwitches(view).isCellPrefetchingEnabled = false
      view.delegate = log
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(WordGrid.words(0..<40))
      source.apply(snapshot)
      enterWindow()
      harness.runUntilIdle()
    }

    var shown: [String] { view.visibleCells.compactMap { ($0 as? WordCell)?.word } }

    func enterWindow() {
      root.addSubview(view)
      view.frame = root.bounds
      harness.window.addParticipant(view)
    }

    func leaveWindow() {
      harness.window.removeParticipant(view)
      view.removeFromSuperview()
    }

    func delete(_ word: String) {
      var snapshot = source.snapshot()
      snapshot.deleteItems([word])
      source.apply(snapshot) { [unowned self] in completions.append("\(word) \($0)") }
    }
  }

  @Test("Pending completion handlers are called with false, and the animation ends")
  func duringAnimation() {
    let grid = DetachableGrid()
    grid.actions.pending = [{ grid.delete("w1") }]
    grid.harness.run(frames: 4)
    #expect(grid.view.isAnimatingUpdates && grid.completions.isEmpty && grid.log.displayed.count == 7)
    grid.leaveWindow()
    #expect(grid.completions == ["w1 false"] && !grid.view.isAnimatingUpdates && grid.log.displayed.count == 6)
    #expect(grid.harness.runUntilIdle() <= 1 && grid.harness.runUntilIdle() == 0, "at most one frame without the view")
    grid.delete("w2")
    #expect(grid.completions == ["w1 false", "w2 true"] && grid.view.itemCount == 38)
    grid.enterWindow()
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["w0"] + WordGrid.words(3..<8) && grid.completions.count == 2)
    #expect(grid.log.displayed.values.sorted() == grid.shown && grid.harness.runUntilIdle() == 0)
  }

  @Test("A snapshot that is still being diffed is applied")
  func pendingDiff() {
    let grid = DetachableGrid()
    grid.actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(40..<200_000))
        snapshot.deleteItems(["w0"])
        grid.source.apply(snapshot) { grid.completions.append("\($0)") }
      }
    ]
    grid.harness.run(frames: 1)
    #expect(grid.view.itemCount == 40)
    grid.leaveWindow()
    #expect(grid.view.itemCount == 199_999 && grid.completions == ["true"])
  }

  @Test("The completion handler of a batch is called with false")
  func pendingBatch() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    var completions: [Bool] = []
    grid.performInFrame {
      grid.source.sections[0].removeFirst()
      grid.view.performBatchUpdates {
        grid.view.deleteItems(at: [DataSourceGrid.path(0)])
      } completion: {
        completions.append($0)
      }
    }
    #expect(grid.view.isAnimatingUpdates && completions.isEmpty)
    grid.harness.window.removeParticipant(grid.view)
    #expect(!grid.view.isAnimatingUpdates && completions == [false])
    grid.harness.window.addParticipant(grid.view)
    grid.harness.runUntilIdle()
    #expect(grid.shown == WordGrid.words(1..<7) && completions == [false])
  }

  @Test("Removal in a callback of a frame takes effect when the callback has returned")
  func removalInCallback() {
    let grid = DetachableGrid()
    grid.actions.pending = [{ grid.delete("w1") }]
    grid.harness.run(frames: 2)
    grid.log.onChange = {
      grid.log.onChange = nil
      grid.harness.window.removeParticipant(grid.view)
      #expect(grid.completions.isEmpty)
    }
    grid.view.scroll(to: 100, animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.completions == ["w1 false"] && !grid.view.isAnimatingUpdates)
    grid.harness.window.addParticipant(grid.view)
    grid.harness.runUntilIdle()
    #expect(grid.shown == WordGrid.words(3..<9))
    #expect(grid.log.displayed.values.sorted() == grid.shown)
  }
}
