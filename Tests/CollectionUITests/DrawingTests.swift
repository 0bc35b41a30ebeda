import CollectionUI
import Testing
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Drawings of cells are cached and moved by scrolling")
struct DrawingTests {
  @Test(
    "A frame after scrolling equals the frame of a new view at the same offset", arguments: [0.0, 17, 1_000, 4_321])
  func equalsNewView(offset: Double) {
    let scrolled = WordGrid(WordGrid.words(0..<500), columns: 3)
    for step in [3_000.0, 120, 7_000, offset - 30, offset + 10, offset] { scrolled.scroll(to: step) }
    scrolled.harness.runUntilIdle()
    let fresh = WordGrid(WordGrid.words(0..<500), columns: 3)
    fresh.scroll(to: offset)
    fresh.harness.runUntilIdle()
    #expect(scrolled.harness.lastFrameCommands == fresh.harness.lastFrameCommands)
    #expect(fresh.harness.lastFrameCommands.count > 2 * fresh.shown.count)
  }

  @Test("Draw commands of three words")
  func golden() {
    let grid = WordGrid(WordGrid.words(0..<3), columns: 2)
    #expect(
      grid.harness.lastFrameCommands == [
        "clip 0,0 400x300", "fill 0,0 200x50 #0028e0ff", "fill 2,2 25x4 #ffffffff", "fill 200,0 200x50 #0028e1ff",
        "fill 202,2 26x4 #ffffffff", "fill 0,50 200x50 #0028e2ff", "fill 2,52 27x4 #ffffffff", "endClip",
      ])
  }

  @Test("Scrolling redraws no visible cell and draws entering cells once")
  func scrollingReusesDrawings() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let before = grid.cells.map(\.drawings)
    #expect(before == [1, 1, 1, 1, 1, 1])
    for offset in stride(from: 1.0, through: 49, by: 1) { grid.scroll(to: offset) }
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 7)
    grid.scroll(to: 50)
    grid.scroll(to: 51)
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 8)
  }

  @Test("A cell that needs display is redrawn, and the others are not")
  func redrawRequest() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let cell = grid.cell(of: "w2")
    cell?.setNeedsDisplay()
    #expect(grid.harness.runUntilIdle() == 1)
    #expect(cell?.drawings == 2)
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 7)
  }

  @Test("A cell that needs display again while it is drawn is redrawn in the next frame")
  func redrawRequestWhileDrawing() {
    let grid = WordGrid(WordGrid.words(0..<500))
    let cell = grid.cell(of: "w2")
    var left = 2
    cell?.onDraw = {
      guard left > 0 else { return }
      left -= 1
      cell?.setNeedsDisplay()
    }
    cell?.setNeedsDisplay()
    #expect(grid.harness.runUntilIdle() == 3)
    #expect(cell?.drawings == 4)
  }

  @Test("A hidden cell is not drawn and receives no input")
  func hiddenCell() {
    let grid = WordGrid(WordGrid.words(0..<6))
    let before = grid.harness.lastFrameCommands
    let cell = grid.cell(of: "w2")
    cell?.isHidden = true
    grid.harness.runUntilIdle()
    #expect(grid.harness.lastFrameCommands.count == before.count - 2)
    #expect(grid.view.hitTest(Point(x: 10, y: 120)) === grid.view)
    cell?.isHidden = false
    grid.harness.runUntilIdle()
    #expect(grid.harness.lastFrameCommands == before)
  }

  @Test("Lost textures and another display scale redraw all cells")
  func lostTextures() {
    let grid = WordGrid(WordGrid.words(0..<500))
    grid.harness.display.loseTextures()
    grid.harness.sendEvent(.texturesLost)
    grid.harness.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [2, 2, 2, 2, 2, 2])
    grid.harness.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    grid.harness.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [3, 3, 3, 3, 3, 3])
    #expect(grid.harness.lastFrameCommands[1].hasPrefix("fill 0,0 800x100 "))
    #expect(grid.harness.display.textureCounts.staleCommands == 0)
  }

  @Test("Resized cells are redrawn, and cells that only move are not")
  func resizedCells() {
    let grid = WordGrid(WordGrid.words(0..<500))
    grid.harness.resize(to: Size(width: 300, height: 300))
    grid.harness.runUntilIdle()
    #expect(grid.cells.map(\.drawings) == [2, 2, 2, 2, 2, 2])
    grid.apply { $0.insertItems(["a"], beforeItem: "w0") }
    grid.harness.runUntilIdle()
    #expect(grid.cells.map(\.drawings).reduce(0, +) == 13)
  }

  @Test("Textures of cached drawings are retained under any texture budget")
  func texturesOfCachedDrawings() throws {
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
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.resources.textures.idleByteLimit = 0
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
      harness.run(frames: 1)
    }
    harness.runUntilIdle()
    #expect(harness.display.textureCounts.released > 100)
    #expect(harness.display.textureCounts.staleCommands == 0)
    #expect(harness.display.textureCounts.invalidReleases == 0)
  }
}

// MARK: - Background view

@Suite("A background view is behind the content and does not scroll")
struct BackgroundViewTests {
  private final class PlainBackground: View {
    var origins: [Point] = []
    override func draw(in context: DrawContext) {
      origins.append(context.origin)
      context.fill(bounds, Color(hex: 0x123456))
    }
  }

  @Test("The background view is drawn first, does not scroll and has the view's size")
  func drawing() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    let background = PlainBackground()
    grid.view.backgroundView = background
    grid.harness.runUntilIdle()
    grid.scroll(to: 170)
    #expect(background.origins.allSatisfy { $0 == .zero } && background.origins.count >= 2)
    let commands = try #require(grid.harness.display.frames.last?.commands)
    let first = commands.firstIndex { $0.color == Color(hex: 0x123456) }
    let word = commands.firstIndex { $0.color == WordCell.color(of: grid.shown[0]) }
    #expect(first != nil && word != nil)
    if let first, let word { #expect(first < word) }
    grid.harness.resize(to: Size(width: 300, height: 200))
    grid.harness.runUntilIdle()
    #expect(background.frame == Rect(x: 0, y: 0, width: 300, height: 200))
  }

  @Test("Hit testing returns a cell, or else the background view, or else the collection view")
  func hitTesting() {
    let grid = WordGrid(WordGrid.words(0..<2))
    #expect(grid.view.hitTest(Point(x: 10, y: 250)) === grid.view)
    let background = PlainBackground()
    grid.view.backgroundView = background
    #expect(grid.view.hitTest(Point(x: 10, y: 250)) === background)
    #expect(grid.view.hitTest(Point(x: 10, y: 10)) === grid.cell(of: "w0"))
    let other = PlainBackground()
    grid.view.backgroundView = other
    #expect(background.superview == nil && other.superview === grid.view)
    grid.view.backgroundView = nil
    #expect(other.superview == nil && grid.view.hitTest(Point(x: 10, y: 250)) === grid.view)
  }
}
