import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A cell keeps its drawing: scrolling moves it")
struct DrawingTests {
  @Test(
    "Frames of a fresh view at an offset are those of one that was scrolled there", arguments: [0.0, 17, 1_000, 4_321])
  func equalsFreshBuild(offset: Double) {
    let scrolled = WordGrid(WordGrid.words(0..<500), columns: 3)
    for step in [3_000.0, 120, 7_000, offset - 30, offset + 10, offset] { scrolled.scroll(to: step) }
    scrolled.stage.runUntilIdle()
    let fresh = WordGrid(WordGrid.words(0..<500), columns: 3)
    fresh.scroll(to: offset)
    fresh.stage.runUntilIdle()
    #expect(scrolled.stage.lastFrameCommands == fresh.stage.lastFrameCommands)
    #expect(fresh.stage.lastFrameCommands.count > 2 * fresh.shown.count)
  }

  @Test("The commands of three words are these")
  func golden() {
    let grid = WordGrid(WordGrid.words(0..<3), columns: 2)
    #expect(
      grid.stage.lastFrameCommands == [
        "clip 0,0 400x300", "fill 0,0 200x50 #0028e0ff", "fill 2,2 25x4 #ffffffff", "fill 200,0 200x50 #0028e1ff",
        "fill 202,2 26x4 #ffffffff", "fill 0,50 200x50 #0028e2ff", "fill 2,52 27x4 #ffffffff", "endClip",
      ])
  }

  @Test("Scrolling draws no cell again, and entering ones once")
  func scrollingKeeps() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let before = grid.cells.map(\.drawings)
    #expect(before == [1, 1, 1, 1, 1, 1])
    for offset in stride(from: 1.0, through: 49, by: 1) { grid.scroll(to: offset) }
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 7)
    grid.scroll(to: 50)
    grid.scroll(to: 51)
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 8)
  }

  @Test("A cell that asks for it is drawn again, the others are not")
  func redrawsOnDemand() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let cell = grid.cell(of: "w2")
    cell?.setNeedsDisplay()
    #expect(grid.stage.runUntilIdle() == 1)
    #expect(cell?.drawings == 2)
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 7)
  }

  @Test("A cell that asks again while it draws is drawn in the next frame as well")
  func asksWhileDrawing() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let cell = grid.cell(of: "w2")
    var left = 2
    cell?.onDraw = {
      guard left > 0 else { return }
      left -= 1
      cell?.setNeedsDisplay()
    }
    cell?.setNeedsDisplay()
    #expect(grid.stage.runUntilIdle() == 3)
    #expect(cell?.drawings == 4)
  }

  @Test("A hidden cell draws nothing and takes no input until it is shown")
  func hidden() {
    let grid = WordGrid(WordGrid.words(0..<6))
    let before = grid.stage.lastFrameCommands
    let cell = grid.cell(of: "w2")
    cell?.isHidden = true
    grid.stage.runUntilIdle()
    #expect(grid.stage.lastFrameCommands.count == before.count - 2)
    #expect(grid.view.hitTest(Point(x: 10, y: 120)) === grid.view)
    cell?.isHidden = false
    grid.stage.runUntilIdle()
    #expect(grid.stage.lastFrameCommands == before)
  }

  @Test("Lost textures and another scale have every cell draw again")
  func lostTextures() {
    let grid = WordGrid(WordGrid.words(0..<500))
    grid.stage.display.loseTextures()
    grid.stage.sendEvent(.texturesLost)
    grid.stage.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [2, 2, 2, 2, 2, 2])
    grid.stage.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    grid.stage.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [3, 3, 3, 3, 3, 3])
    #expect(grid.stage.lastFrameCommands[1].hasPrefix("fill 0,0 800x100 "))
    #expect(grid.stage.display.textureCounts.staleCommands == 0)
  }

  @Test("Another size of cells is drawn at that size; another place alone is not drawn again")
  func otherSize() {
    let grid = WordGrid(WordGrid.words(0..<500))
    grid.stage.resize(to: Size(width: 300, height: 300))
    grid.stage.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [2, 2, 2, 2, 2, 2])
    grid.apply { $0.insertItems(["a"], beforeItem: "w0") }
    grid.stage.runUntilIdle()
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 13)
  }

  @Test("What a kept drawing names stays, however short of room textures are")
  func texturesOfKeptDrawings() throws {
    /// A cell with rounded corners and a label.
    final class RoundCell: CollectionViewCell {
      let picture = ImageView()
      let label = Label(style: TextStyle(size: 12), color: .white)
      required init() {
        super.init()
        picture.cornerRadius = 9
        addSubview(picture)
        addSubview(label)
      }
      override func layoutSubviews() {
        picture.frame = bounds
        label.frame = bounds
      }
    }
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    stage.resources.textures.idleByteLimit = 0
    let registration = CellRegistration<RoundCell, Int> { cell, _, item in
      cell.label.text = "\(item)"
      cell.picture.image = try? Bitmap.square(20 + item % 7, .white)
    }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<300))
    source.apply(snapshot)
    for offset in stride(from: 0.0, to: 5_000, by: 90) {
      view.scroll(to: offset, animated: false)
      stage.run(frames: 1)
    }
    stage.runUntilIdle()
    #expect(stage.display.textureCounts.released > 100)
    #expect(stage.display.textureCounts.staleCommands == 0)
    #expect(stage.display.textureCounts.invalidReleases == 0)
  }
}
