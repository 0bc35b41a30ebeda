import CollectionUI
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A background view lies behind the content and does not scroll")
struct BackgroundViewTests {
  private final class Plain: View {
    var places: [Point] = []
    override func draw(in context: DrawContext) {
      places.append(context.origin)
      context.fill(bounds, Color(hex: 0x123456))
    }
  }

  @Test("It is drawn first, where it is whatever is scrolled, and has the view's size")
  func drawing() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    let background = Plain()
    grid.view.backgroundView = background
    grid.stage.runUntilIdle()
    grid.scroll(to: 170)
    #expect(background.places.allSatisfy { $0 == .zero } && background.places.count >= 2)
    let commands = try #require(grid.stage.display.frames.last?.commands)
    let first = commands.firstIndex { $0.color == Color(hex: 0x123456) }
    let word = commands.firstIndex { $0.color == WordCell.color(of: grid.shown[0]) }
    #expect(first != nil && word != nil)
    if let first, let word { #expect(first < word) }
    grid.stage.resize(to: Size(width: 300, height: 200))
    grid.stage.runUntilIdle()
    #expect(background.frame == Rect(x: 0, y: 0, width: 300, height: 200))
  }

  @Test("A point is the cell's where one is, else the background's; without one the view's")
  func hits() {
    let grid = WordGrid(WordGrid.words(0..<2))
    #expect(grid.view.hitTest(Point(x: 10, y: 250)) === grid.view)
    let background = Plain()
    grid.view.backgroundView = background
    #expect(grid.view.hitTest(Point(x: 10, y: 250)) === background)
    #expect(grid.view.hitTest(Point(x: 10, y: 10)) === grid.cell(of: "w0"))
    let other = Plain()
    grid.view.backgroundView = other
    #expect(background.superview == nil && other.superview === grid.view)
    grid.view.backgroundView = nil
    #expect(other.superview == nil && grid.view.hitTest(Point(x: 10, y: 250)) === grid.view)
  }
}
