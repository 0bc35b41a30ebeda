import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Hands on a collection view, where what they hold goes away, is hidden, or long rested")
struct AcrossLifeTests {
  private func wall(_ behavior: OrthogonalScrollingBehavior = .continuous) -> NumberWall {
    NumberWall([Array(0..<50), Array(100..<400)], layout: Shelves.layout(behavior))
  }

  private func touch(_ phase: TouchInput.Phase, _ x: Double, _ y: Double = 50, on wall: NumberWall) {
    wall.stage.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: y))))
    wall.stage.run(frames: 1)
  }

  @Test("A strip that is none any more while a finger draws it is held no more, and the page does not follow instead")
  func stripGoesAway() {
    let wall = wall()
    touch(.began, 300, on: wall)
    touch(.moved, 280, on: wall)
    touch(.moved, 250, on: wall)
    #expect(wall.view.isTracked)
    wall.view.collectionViewLayout = Shelves.layout(.none)
    wall.stage.run(frames: 2)
    #expect(!wall.view.isTracked, "nothing moves, and late frames are nobody's")
    touch(.moved, 240, 10, on: wall)
    touch(.moved, 240, -60, on: wall)
    #expect(wall.view.contentOffset == 0)
    touch(.ended, 240, -60, on: wall)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 0 && !wall.view.isTracked)
    // Where it was before is where it is again.
    wall.view.collectionViewLayout = Shelves.layout(.continuous)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.minX == -30)
  }

  @Test("A section that an update takes away from under a finger does not leave its pan to the page")
  func sectionGoesAway() {
    // The second one is the strip afterwards, and the third has the rows.
    let wall = NumberWall([Array(0..<50), Array(100..<150), Array(200..<400)], layout: Shelves.layout(.continuous))
    touch(.began, 300, on: wall)
    touch(.moved, 280, on: wall)
    wall.apply { $0.deleteSections([0]) }
    wall.stage.run(frames: 2)
    touch(.moved, 280, -60, on: wall)
    touch(.ended, 280, -60, on: wall)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 0 && !wall.view.isTracked)
    touch(.began, 300, 200, on: wall)
    touch(.moved, 300, 180, on: wall)
    touch(.moved, 300, 100, on: wall)
    #expect(wall.view.contentOffset > 50, "the next one is its own")
  }

  @Test("The way to an item across is seen also after a rest, whether there were frames meanwhile or not")
  func animatedAfterRest() throws {
    let wall = wall()
    wall.stage.run(milliseconds: 5_000)
    wall.view.scrollToItem(at: IndexPath(item: 10, section: 0), at: .left, animated: true)
    var places: [Double] = []
    for _ in 0..<60 {
      wall.stage.run(frames: 1)
      let number = try #require(wall.shown.first { $0 < 50 })
      places.append(Double(number) * 200 - (try #require(wall.frame(of: number))).minX)
    }
    #expect(places.last == 2_000)
    #expect(Set(places).count > 8, "\(places)")
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("A strip that a pointer drags, a press and a band are held no more in a window that is hidden")
  func hidden() {
    let wall = wall()
    wall.view.allowsMultipleSelection = true
    func down(_ point: Point) {
      wall.stage.sendEvent(.pointerMoved(point))
      wall.stage.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
      wall.stage.run(frames: 1)
    }
    func move(_ x: Double, _ y: Double) {
      wall.stage.sendEvent(.pointerMoved(Point(x: x, y: y)))
      wall.stage.run(frames: 1)
    }
    func hide() {
      wall.stage.sendEvent(.hidden)
      wall.stage.sendEvent(.shown)
      wall.stage.runUntilIdle()
    }
    down(Point(x: 300, y: 50))
    for x in [290.0, 250, 200] { move(x, 50) }
    #expect(wall.view.isTracked)
    hide()
    #expect(!wall.view.isTracked)
    let place = wall.frame(of: 0)?.minX
    move(100, 50)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.minX == place, "no button is held")
    down(Point(x: 200, y: 220))
    hide()
    wall.stage.sendEvent(.pointerUp(Point(x: 200, y: 220), button: .primary, modifiers: []))
    wall.stage.runUntilIdle()
    #expect(wall.view.indexPathsForSelectedItems.isEmpty, "it was no click")
  }

  @Test("A key and a wheel over a strip end what the pressed wheel began, and then mean what they do")
  func autoscroll() {
    let ends: [InputEvent.Kind] = [
      .keyDown(.down, modifiers: [], isRepeat: false),
      .wheel(WheelInput(location: Point(x: 200, y: 20), deltaX: 1, deltaY: 0)),
    ]
    for end in ends {
      let wall = wall()
      wall.view.allowsSelection = true
      wall.view.allowsFocus = true
      wall.stage.sendEvent(.pointerDown(Point(x: 100, y: 150), button: .middle, clicks: 1, modifiers: []))
      wall.stage.sendEvent(.pointerUp(Point(x: 100, y: 150), button: .middle, modifiers: []))
      wall.stage.sendEvent(.pointerMoved(Point(x: 100, y: 165)))
      wall.stage.run(frames: 4)
      #expect(wall.stage.window.grabber === wall.view)
      wall.stage.sendEvent(end)
      wall.stage.run(frames: 1)
      #expect(wall.stage.window.grabber == nil, "\(end)")
      wall.stage.runUntilIdle()
      let offset = wall.view.contentOffset
      wall.stage.sendEvent(.pointerMoved(Point(x: 100, y: 290)))
      wall.stage.runUntilIdle()
      #expect(wall.view.contentOffset == offset, "\(end)")
      if case .wheel = end { #expect((wall.frame(of: 0)?.minX ?? 0) < 0) }
    }
  }

  @Test("Pages begin with a row, forth and back, and go on from where the one before leads to")
  func pages() {
    func rows(of height: Double) -> NumberWall {
      NumberWall(
        [Array(0..<400)],
        layout: CompositionalLayout(section: Shelves.section(.fractionalWidth(1), .absolute(height))))
    }
    let wall = rows(of: 70)
    func press(_ key: Key) {
      wall.stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      wall.stage.sendEvent(.keyUp(key, modifiers: []))
    }
    // Nine tenths of 300 points are 270: the third row further begins within, at 210.
    press(.pageDown)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 210)
    press(.space)
    wall.stage.run(frames: 2)
    press(.space)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 630)
    wall.scroll(to: 640)
    press(.pageUp)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 420)
    press(.pageUp)
    press(.pageUp)
    press(.pageUp)
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 0)
    // Rows that are longer than a page are turned by plain pages.
    let tall = rows(of: 700)
    tall.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    tall.stage.runUntilIdle()
    #expect(tall.view.contentOffset == 270)
  }
}
