import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Collection view with a compositional layout")
struct CompositionalViewTests {
  private func makeSection(_ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension)
    -> CollectionLayoutSection
  { TestLayouts.section(width, height) }

  private func orthogonalLayout(_ behavior: OrthogonalScrollingBehavior) -> CompositionalLayout {
    TestLayouts.orthogonal(behavior)
  }

  private func sendWheel(
    _ grid: NumberGrid, x: Double = 0, y: Double = 0, at point: Point, _ modifiers: KeyModifiers = []
  ) {
    grid.harness.sendEvent(.wheel(WheelInput(location: point, deltaX: x, deltaY: y, modifiers: modifiers)))
  }

  @Test("A horizontal wheel scrolls the section under the pointer to its resting position and nothing else")
  func orthogonalWheel() {
    let grid = NumberGrid([Array(0..<50), Array(100..<140)], layout: orthogonalLayout(.groupPaging))
    #expect(grid.shown == [0, 1] + Array(100..<105))
    sendWheel(grid, x: 1, at: Point(x: 200, y: 50))
    grid.harness.runUntilIdle()
    #expect(grid.shown == [1, 2] + Array(100..<105))
    #expect(grid.frame(of: 1) == Rect(x: 0, y: 0, width: 200, height: 100))
    #expect(grid.view.contentOffset == 0)
    sendWheel(grid, x: 1, at: Point(x: 200, y: 250))
    grid.harness.runUntilIdle()
    #expect(grid.shown == [1, 2] + Array(100..<105), "rows do not scroll horizontally")
    sendWheel(grid, y: -1, at: Point(x: 200, y: 50), .shift)
    grid.harness.runUntilIdle()
    #expect(grid.shown.first == 2, "Shift makes a wheel horizontal")
    sendWheel(grid, y: -1, at: Point(x: 200, y: 50))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset > 0, "a vertical wheel scrolls the whole content")
  }

  @Test("An orthogonal section keeps its offset through updates and resizes, and its cells are reused")
  func preservedOffset() {
    let grid = NumberGrid([Array(0..<1_000), Array(2_000..<2_040)], layout: orthogonalLayout(.continuous))
    for _ in 0..<40 {
      sendWheel(grid, x: 2, at: Point(x: 200, y: 50))
      grid.harness.run(frames: 4)
    }
    grid.harness.runUntilIdle()
    let first = grid.shown.first ?? 0
    #expect(first > 10)
    #expect(grid.view.statistics.created < 24, "cells of the section are reused")
    grid.apply { $0.deleteItems([2_003]) }
    grid.harness.runUntilIdle()
    #expect(grid.shown.first == first)
    grid.harness.resize(to: Size(width: 380, height: 300))
    grid.harness.runUntilIdle()
    #expect((grid.shown.first ?? 0) > 10)
  }

  @Test("Horizontal content scrolls horizontally by wheel and keys")
  func horizontalContent() {
    var layout = CompositionalLayout(section: makeSection(.absolute(90), .fractionalHeight(1)))
    layout.configuration.scrollDirection = .horizontal
    let grid = NumberGrid([Array(0..<100)], layout: layout)
    #expect(grid.shown == Array(0..<5))
    #expect(grid.view.scrollAxis == .horizontal && grid.view.contentLength == 9_000)
    grid.scroll(to: 180)
    #expect(grid.shown == Array(2..<7) && grid.frame(of: 2) == Rect(x: 0, y: 0, width: 90, height: 300))
    sendWheel(grid, y: -1, at: Point(x: 200, y: 50))
    grid.harness.runUntilIdle()
    let afterWheel = grid.view.contentOffset
    #expect(afterWheel > 180)
    grid.harness.sendEvent(.keyDown(.left, modifiers: [], isRepeat: false))
    grid.harness.sendEvent(.keyUp(.left, modifiers: []))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset < afterWheel)
    grid.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    grid.harness.runUntilIdle()
    #expect(grid.shown.last == 99)
    #expect(grid.view.scrollIndicator.frame == Rect(x: 0, y: 282, width: 400, height: 18))
  }

  @Test("A section's handler moves, fades, hides and reorders visible items while the layout has it")
  func visibleItemsHandler() {
    var section = makeSection(.fractionalWidth(1), .absolute(60))
    section.visibleItemsInvalidationHandler = { items, offset, _ in
      for index in items.indices {
        switch index {
        case 0: items[index].center.x += 30
        case 1: items[index].alpha = 0.5
        case 2: items[index].isHidden = true
        case 3: items[index].zIndex = -5
        case 4: items[index].scale = 0.5
        default: break
        }
        #expect(items[index].frame.minY >= offset.y - 60)
      }
    }
    let grid = NumberGrid([Array(0..<30)], layout: CompositionalLayout(section: section))
    let fills = grid.harness.lastFrameCommands.filter { $0.hasPrefix("fill") }
    #expect(grid.frame(of: 0)?.minX == 30)
    #expect(grid.frame(of: 1)?.minX == 0)
    #expect(grid.cells.count == 5)
    let commands = grid.harness.display.frames.last?.commands ?? []
    let drawn = commands.filter { $0.kind == .fill && $0.destination.height == 60 }
    #expect(drawn.map(\.destination.y) == [180, 0, 60], "\(fills)")
    #expect(drawn.map(\.color.alpha) == [255, 255, 128])
    let half = PixelRect(x: 100, y: 255, width: 200, height: 30)
    #expect(commands.contains { $0.kind == .fill && $0.destination == half })
    grid.view.collectionViewLayout = CompositionalLayout(section: makeSection(.fractionalWidth(1), .absolute(60)))
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.minX == 0)
    let plain = (grid.harness.display.frames.last?.commands ?? []).filter {
      $0.kind == .fill && $0.destination.height == 60
    }
    #expect(plain.map(\.destination.y) == [0, 60, 120, 180, 240] && plain.allSatisfy { $0.color.alpha == 255 })
  }
}
