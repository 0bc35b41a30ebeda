import CollectionUI
import ExampleSupport
import Testing
import VitrineRendering
import VitrineTestSupport

@testable import vitrine_layouts

@Suite("A carousel ends scrolling at a card, and cards grow in and fall out")
struct CarouselTests {
  private func harness(items: Int = 100) -> (list: CardList, harness: WindowHarness) {
    let list = CardList(.carousel, itemCount: items, theme: .dark)
    let harness = WindowHarness(root: list.view, size: Size(width: 800, height: 600))
    harness.window.addParticipant(list.view)
    harness.runUntilIdle()
    return (list, harness)
  }

  private func prepared(_ count: Int) -> Carousel {
    var layout = Carousel(cardLength: 320, spacing: 24)
    layout.prepare(
      itemCount: count,
      in: SectionLayoutEnvironment(containerSize: Size(width: 784, height: 584), flowAxis: .horizontal))
    return layout
  }

  @Test("Frames are literal, and items in a rectangle are those of a linear search")
  func frames() {
    let layout = prepared(50)
    #expect(layout.frame(ofItem: 0) == Rect(x: 232, y: 68, width: 320, height: 448))
    #expect(layout.frame(ofItem: 2).minX == 232 + 2 * 344 && layout.contentLength == 464 + 50 * 344 - 24)
    for x in stride(from: -100.0, through: 18_000, by: 97) {
      let rect = Rect(x: x, y: 0, width: 130, height: 584)
      let found = layout.items(in: rect).filter { layout.frame(ofItem: $0).intersects(rect) }
      #expect(found == (0..<50).filter { layout.frame(ofItem: $0).intersects(rect) })
    }
    #expect(prepared(0).contentLength == 0 && prepared(0).items(in: Rect(x: 0, y: 0, width: 9_999, height: 9)).isEmpty)
  }

  @Test("A swipe ends with a card in the middle of the window")
  func snapping() throws {
    let (list, harness) = harness()
    func touch(_ phase: TouchInput.Phase, _ x: Double) {
      harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: 300))))
      harness.run(frames: 1)
    }
    for speed in [12.0, 31, 55] {
      touch(.began, 700)
      for frame in 1...6 { touch(.moved, 700 - speed * Double(frame)) }
      touch(.ended, 700 - speed * 6)
      harness.runUntilIdle()
      let middles = list.view.visibleCells.map { list.view.origin(of: $0).x + $0.frame.width / 2 }
      #expect(middles.contains(400), "\(middles)")
    }
    #expect(list.view.contentOffset > 344 && list.view.layoutWarnings.isEmpty)
  }

  @Test("Updates while cards move end with cards in the middle, and violate no rule")
  func updates() {
    let (list, harness) = harness()
    for step in 0..<9 {
      list.updateVisibleCards()
      harness.run(frames: 3 * step)
    }
    harness.runUntilIdle()
    #expect(list.view.itemCount == 100 && list.view.layoutWarnings.isEmpty)
    let middles = list.view.visibleCells.map { list.view.origin(of: $0).x + $0.frame.width / 2 }
    #expect(middles.contains(400), "\(middles)")
  }
}
