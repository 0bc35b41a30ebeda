import CollectionUI
import Testing
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The frame loop becomes idle when nothing changes")
struct FrameSchedulingTests {
  /// Advances the time by ten seconds and expects no frame.
  static func expectNoFrames(_ grid: WordGrid) {
    let frames = grid.harness.display.presentedFrames
    grid.harness.run(milliseconds: 10_000)
    #expect(grid.harness.display.presentedFrames == frames)
  }

  @Test("An apply draws one frame, whether cells enter or not")
  func apply() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { $0.insertItems(["a"], afterItem: "w1") }
    #expect(grid.harness.runUntilIdle() == 1)
    grid.apply { $0.appendItems(["b"]) }
    #expect(grid.harness.runUntilIdle() == 1)
    grid.apply { $0.reconfigureItems(["w1"]) }
    #expect(grid.harness.runUntilIdle() == 0, "the same word is drawn equally")
    grid.apply { _ in }
    #expect(grid.harness.runUntilIdle() == 0)
    grid.apply { $0.reloadItems(["w1"]) }
    #expect(grid.harness.runUntilIdle() == 1)
    Self.expectNoFrames(grid)
  }

  @Test("An apply in the commit phase is visible in the next frame, the last one")
  func applyInCommit() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var isFirst = true
    grid.onConfigure = { _, _ in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.insertItems(["late"], afterItem: "w0") }
    }
    grid.apply { $0.insertItems(["early"], beforeItem: "w0") }
    #expect(grid.harness.runUntilIdle() == 2)
    #expect(grid.shown == ["early", "w0", "late", "w1", "w2", "w3"])
    Self.expectNoFrames(grid)
  }

  @Test("Entering cells need no additional frames")
  func enteringCells() {
    func frames(_ count: Int, isPrefetched: Bool) -> Int {
      let grid = WordGrid(WordGrid.words(0..<count))
      grid.view.isPrefetchingEnabled = isPrefetched
      grid.view.applyScrollEvent(.advance(by: 150))
      return grid.harness.runUntilIdle()
    }
    // Nine rows scroll by 150 points in as many frames as a thousand rows.
    #expect(frames(9, isPrefetched: true) == frames(1_000, isPrefetched: false))
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.scrollIndicator.isHidden = true
    grid.view.applyScrollEvent(.advance(by: 150))
    grid.harness.runUntilIdle()
    Self.expectNoFrames(grid)
  }

  @Test("Cells with subviews to lay out need one frame")
  func subviewLayout() {
    /// A cell that lays out a subview.
    final class FramedCell: CollectionViewCell {
      let inner = View()
      var inset = 4.0
      required init() {
        super.init()
        inner.backgroundColor = .white
        addSubview(inner)
      }
      override func layoutSubviews() {
        inner.frame = Rect(x: inset, y: inset, width: bounds.width - 2 * inset, height: bounds.height - 2 * inset)
      }
    }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let registration = CellRegistration<FramedCell, Int> { cell, _, item in
      cell.inset += Double(item)
      cell.setNeedsLayout()
    }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<5))
    source.apply(snapshot)
    #expect(harness.runUntilIdle() == 1)
    source.reconfigureItems([1, 2])
    #expect(harness.runUntilIdle() == 1)
    harness.resize(to: Size(width: 200, height: 300))
    #expect(harness.runUntilIdle() == 1)
  }

  @Test("A resize draws one frame")
  func resize() {
    let grid = WordGrid(WordGrid.words(0..<4))
    grid.harness.resize(to: Size(width: 350, height: 280))
    #expect(grid.harness.runUntilIdle() == 1)
  }

  @Test("Frame records count the cells that entered")
  func frameRecords() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 525)
    #expect(grid.harness.loop.history.record(atAge: 0).cellsEntered == 7)
    #expect(grid.harness.loop.history.record(atAge: 0).cellsForced == 7)
    grid.scroll(to: 526)
    #expect(grid.harness.loop.history.record(atAge: 0).cellsEntered == 0)
  }
}
