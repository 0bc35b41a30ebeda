import CollectionUI
import Testing
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Paths, opacity, transforms and gestures of cells")
struct DrawnCellTests {
  /// A cell with a disc of its own size, and a badge.
  private final class DiscCell: CollectionViewCell {
    let badge = View(frame: Rect(x: 10, y: 10, width: 20, height: 20))

    required init() {
      super.init()
      badge.backgroundColor = Color(hex: 0xFF0000)
      addSubview(badge)
    }

    override func draw(in context: DrawContext) {
      context.fill(Path(ellipseIn: Rect(x: 40, y: 0, width: 40, height: 40)), .white)
    }
  }

  private final class Delegate: CollectionViewDelegate {
    var selected: [IndexPath] = []
    func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { selected.append(indexPath) }
  }

  private final class Fixture {
    let view: CollectionView
    let harness: WindowHarness
    let delegate = Delegate()
    var cells: [Int: DiscCell] = [:]
    private let source: DiffableDataSource<Int, Int>

    init() {
      view = CollectionView(layout: GridLayout(columns: .count(2), heightRatio: 0.25))
      view.delegate = delegate
      var configured: [Int: DiscCell] = [:]
      let registration = CellRegistration<DiscCell, Int> { cell, _, item in configured[item] = cell }
      source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<200))
      source.apply(snapshot)
      harness.runUntilIdle()
      cells = configured
    }

    func click(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
      harness.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
      harness.runUntilIdle()
    }
  }

  /// A view that draws as many large paths as the cache can hold.
  private final class LargePaths: View {
    var step = 0.0
    override func draw(in context: DrawContext) {
      for index in 0..<3 {
        context.fill(
          Path(Rect(x: 0.5, y: 0.5 + Double(index), width: 1_000, height: 800 + step)), Color(hex: 0, alpha: 1))
      }
    }
  }

  @Test("Cells keep their paths while others are evicted, and share one texture")
  func retainedPaths() throws {
    let fixture = Fixture()
    #expect(fixture.harness.display.textureCounts.created == 2, "the disc, and the scroll indicator")
    let paths = LargePaths(frame: fixture.view.bounds)
    paths.isUserInteractionEnabled = false
    fixture.view.addSubview(paths)
    for step in 0..<8 {
      paths.step = Double(step)
      paths.setNeedsDisplay()
      fixture.harness.run(frames: 1)
    }
    #expect(fixture.harness.display.textureCounts.destroyed > 10)
    #expect(fixture.harness.display.textureCounts.staleCommands == 0)
    #expect(try fixture.harness.display.readPixels().color(60, 20).red > 240)
    fixture.view.setContentOffset(300, animated: false)
    fixture.harness.runUntilIdle()
    #expect(fixture.harness.display.textureCounts.staleCommands == 0)
  }

  @Test("A translucent and a transformed cell are drawn so from their cached drawing")
  func effects() throws {
    let fixture = Fixture()
    let cell = try #require(fixture.cells[0])
    cell.alpha = 0.5
    fixture.harness.runUntilIdle()
    let image = try fixture.harness.display.readPixels()
    #expect(image.color(15, 15).red == 128 && image.color(60, 20).red == 128)
    #expect(image.color(215, 15).red == 255, "another cell")
    cell.alpha = 1
    cell.transform = Transform(translationX: 0, y: 6)
    fixture.harness.runUntilIdle()
    let moved = try fixture.harness.display.readPixels()
    #expect(moved.color(15, 12) == fixture.view.backgroundColor || moved.color(15, 12).red < 255)
    #expect(moved.color(15, 35).red == 255)
    cell.transform = .identity
    cell.badge.transform = Transform(scaleX: 0.5, y: 0.5)
    fixture.harness.runUntilIdle()
    let scaled = try fixture.harness.display.readPixels()
    #expect(scaled.color(20, 20).red == 255 && scaled.color(13, 13).red < 255)
    #expect(
      fixture.view.hitTest(Point(x: 20, y: 20)) === cell.badge && fixture.view.hitTest(Point(x: 13, y: 13)) === cell)
  }

  @Test("A tap on a subview of a cell does not select the cell, and one beside it does")
  func gestures() throws {
    let fixture = Fixture()
    let cell = try #require(fixture.cells[2])
    var taps = 0
    cell.badge.addGestureRecognizer(TapGestureRecognizer { _ in taps += 1 })
    fixture.click(20, 70)
    #expect(taps == 1 && fixture.delegate.selected.isEmpty && fixture.view.indexPathsForSelectedItems.isEmpty)
    fixture.click(150, 70)
    #expect(taps == 1 && fixture.view.indexPathsForSelectedItems.count == 1)
  }
}
