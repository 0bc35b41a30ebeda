import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("The loop rests when nothing is left to do")
struct RestTests {
  /// Lets time pass and expects no frame.
  static func expectRest(_ grid: WordGrid) {
    let frames = grid.stage.display.presentedFrames
    grid.stage.run(milliseconds: 10_000)
    #expect(grid.stage.display.presentedFrames == frames)
  }

  @Test("An apply makes one frame, whether cells enter or not")
  func apply() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { $0.insertItems(["a"], afterItem: "w1") }
    #expect(grid.stage.runUntilIdle() == 1)
    grid.apply { $0.appendItems(["b"]) }
    #expect(grid.stage.runUntilIdle() == 1)
    grid.apply { $0.reconfigureItems(["w1"]) }
    #expect(grid.stage.runUntilIdle() == 0, "the same word is the same picture")
    grid.apply { _ in }
    #expect(grid.stage.runUntilIdle() == 0)
    grid.apply { $0.reloadItems(["w1"]) }
    #expect(grid.stage.runUntilIdle() == 1)
    Self.expectRest(grid)
  }

  @Test("An apply in the commit of a frame is seen in the next one, and no other follows")
  func applyInCommit() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var isFirst = true
    grid.onConfigure = { _, _ in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.insertItems(["late"], afterItem: "w0") }
    }
    grid.apply { $0.insertItems(["early"], beforeItem: "w0") }
    #expect(grid.stage.runUntilIdle() == 2)
    #expect(grid.shown == ["early", "w0", "late", "w1", "w2", "w3"])
    Self.expectRest(grid)
  }

  @Test("Cells that enter need no frame of their own: a scroll takes as many with cells as without")
  func entering() {
    func frames(_ count: Int, isPrefetched: Bool) -> Int {
      let grid = WordGrid(WordGrid.words(0..<count))
      grid.view.isPrefetchingEnabled = isPrefetched
      grid.view.applyScrollEvent(.advance(by: 150))
      return grid.stage.runUntilIdle()
    }
    // Nine rows scroll by 150 points as a thousand do.
    #expect(frames(9, isPrefetched: true) == frames(1_000, isPrefetched: false))
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.indicator.isHidden = true
    grid.view.applyScrollEvent(.advance(by: 150))
    grid.stage.runUntilIdle()
    Self.expectRest(grid)
  }

  @Test("A leap with cells whose subviews are laid out makes one frame")
  func layoutWithinCells() {
    /// A cell that places a subview.
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
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
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
    #expect(stage.runUntilIdle() == 1)
    source.reconfigureItems([1, 2])
    #expect(stage.runUntilIdle() == 1)
    stage.resize(to: Size(width: 200, height: 300))
    #expect(stage.runUntilIdle() == 1)
  }

  @Test("A resize is one frame")
  func resize() {
    let grid = WordGrid(WordGrid.words(0..<4))
    grid.stage.resize(to: Size(width: 350, height: 280))
    #expect(grid.stage.runUntilIdle() == 1)
  }

  @Test("The records count the cells that entered")
  func records() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 525)
    #expect(grid.stage.loop.history.record(atAge: 0).cellsEntered == 7)
    #expect(grid.stage.loop.history.record(atAge: 0).cellsForced == 7)
    grid.scroll(to: 526)
    #expect(grid.stage.loop.history.record(atAge: 0).cellsEntered == 0)
  }
}
