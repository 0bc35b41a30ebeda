import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A view over a compositional layout")
struct CompositionalViewTests {
  private func group(_ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension) -> CollectionLayoutSection
  { Shelves.section(width, height) }

  private func shelves(_ behavior: OrthogonalScrollingBehavior) -> CompositionalLayout { Shelves.layout(behavior) }

  private func wheel(_ wall: NumberWall, x: Double = 0, y: Double = 0, at point: Point, _ modifiers: KeyModifiers = [])
  {
    wall.stage.sendEvent(.wheel(WheelInput(location: point, deltaX: x, deltaY: y, modifiers: modifiers)))
  }

  @Test("A wheel across moves the section under the pointer to where it may rest, and nothing else")
  func across() {
    let wall = NumberWall([Array(0..<50), Array(100..<140)], layout: shelves(.groupPaging))
    #expect(wall.shown == [0, 1] + Array(100..<105))
    wheel(wall, x: 1, at: Point(x: 200, y: 50))
    wall.stage.runUntilIdle()
    #expect(wall.shown == [1, 2] + Array(100..<105))
    #expect(wall.frame(of: 1) == Rect(x: 0, y: 0, width: 200, height: 100))
    #expect(wall.view.contentOffset == 0)
    wheel(wall, x: 1, at: Point(x: 200, y: 250))
    wall.stage.runUntilIdle()
    #expect(wall.shown == [1, 2] + Array(100..<105), "rows do not scroll across")
    wheel(wall, y: -1, at: Point(x: 200, y: 50), .shift)
    wall.stage.runUntilIdle()
    #expect(wall.shown.first == 2, "Shift turns a wheel across")
    wheel(wall, y: -1, at: Point(x: 200, y: 50))
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset > 0, "a wheel along the layout's axis scrolls the whole content")
  }

  @Test("A section stays where it was scrolled to when sections come before it, and cells go back to the pool")
  func lasting() {
    let wall = NumberWall([Array(0..<1_000), Array(2_000..<2_040)], layout: shelves(.continuous))
    for _ in 0..<40 {
      wheel(wall, x: 2, at: Point(x: 200, y: 50))
      wall.stage.run(frames: 4)
    }
    wall.stage.runUntilIdle()
    let first = wall.shown.first ?? 0
    #expect(first > 10)
    #expect(wall.view.statistics.created < 24, "cells of the section are used again")
    wall.apply { $0.deleteItems([2_003]) }
    wall.stage.runUntilIdle()
    #expect(wall.shown.first == first)
    wall.stage.resize(to: Size(width: 380, height: 300))
    wall.stage.runUntilIdle()
    #expect((wall.shown.first ?? 0) > 10)
  }

  @Test("Content that is laid out to the side scrolls to the side, by wheels, keys and the thumb")
  func sideways() {
    var layout = CompositionalLayout(section: group(.absolute(90), .fractionalHeight(1)))
    layout.configuration.scrollDirection = .horizontal
    let wall = NumberWall([Array(0..<100)], layout: layout)
    #expect(wall.shown == Array(0..<5))
    #expect(wall.view.scrollAxis == .horizontal && wall.view.contentLength == 9_000)
    wall.scroll(to: 180)
    #expect(wall.shown == Array(2..<7) && wall.frame(of: 2) == Rect(x: 0, y: 0, width: 90, height: 300))
    wheel(wall, y: -1, at: Point(x: 200, y: 50))
    wall.stage.runUntilIdle()
    let afterWheel = wall.view.contentOffset
    #expect(afterWheel > 180)
    wall.stage.sendEvent(.keyDown(.left, modifiers: [], isRepeat: false))
    wall.stage.sendEvent(.keyUp(.left, modifiers: []))
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset < afterWheel)
    wall.stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    wall.stage.runUntilIdle()
    #expect(wall.shown.last == 99)
    #expect(wall.view.indicator.frame == Rect(x: 0, y: 282, width: 400, height: 18))
  }

  @Test("A section's handler moves, fades, hides and lifts what is seen, for as long as it says so")
  func handler() {
    var section = group(.fractionalWidth(1), .absolute(60))
    section.visibleItemsInvalidationHandler = { items, offset, _ in
      for place in items.indices {
        switch place {
        case 0: items[place].center.x += 30
        case 1: items[place].alpha = 0.5
        case 2: items[place].isHidden = true
        case 3: items[place].zIndex = -5
        case 4: items[place].scale = 0.5
        default: break
        }
        #expect(items[place].frame.minY >= offset.y - 60)
      }
    }
    let wall = NumberWall([Array(0..<30)], layout: CompositionalLayout(section: section))
    let fills = wall.stage.lastFrameCommands.filter { $0.hasPrefix("fill") }
    #expect(wall.frame(of: 0)?.minX == 30)
    #expect(wall.frame(of: 1)?.minX == 0)
    #expect(wall.cells.count == 5)
    let commands = wall.stage.display.frames.last?.commands ?? []
    let drawn = commands.filter { $0.kind == .fill && $0.destination.height == 60 }
    #expect(drawn.map(\.destination.y) == [180, 0, 60], "\(fills)")
    #expect(drawn.map(\.color.alpha) == [255, 255, 128])
    let half = PixelRect(x: 100, y: 255, width: 200, height: 30)
    #expect(commands.contains { $0.kind == .fill && $0.destination == half })
    wall.view.collectionViewLayout = CompositionalLayout(section: group(.fractionalWidth(1), .absolute(60)))
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.minX == 0)
    let plain = (wall.stage.display.frames.last?.commands ?? []).filter {
      $0.kind == .fill && $0.destination.height == 60
    }
    #expect(plain.map(\.destination.y) == [0, 60, 120, 180, 240] && plain.allSatisfy { $0.color.alpha == 255 })
  }
}
