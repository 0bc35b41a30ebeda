import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Sections that scroll across follow fingers, the pressed pointer and keys")
struct OrthogonalHandTests {
  private func wall(_ behavior: OrthogonalScrollingBehavior) -> NumberWall {
    NumberWall([Array(0..<50), Array(100..<140)], layout: Shelves.layout(behavior))
  }

  /// How far the section is scrolled: a page is half of 400 points wide, and each item stands at 200 times its number.
  private func offset(_ wall: NumberWall) -> Double? {
    wall.shown.first { $0 < 50 }.flatMap { number in wall.frame(of: number).map { Double(number) * 200 - $0.minX } }
  }

  private func touch(
    _ phase: TouchInput.Phase, _ x: Double, _ y: Double = 50, on wall: NumberWall, frames: Int = 1
  ) {
    wall.stage.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: y))))
    wall.stage.run(frames: frames)
  }

  private func swipe(_ wall: NumberWall, from start: Double, by step: Double, frames: Int = 5) {
    touch(.began, start, on: wall)
    for frame in 1...frames { touch(.moved, start - step * Double(frame), on: wall) }
    touch(.ended, start - step * Double(frames), on: wall)
  }

  @Test(
    "A swipe comes to rest by the behaviour",
    arguments: [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ] as [OrthogonalScrollingBehavior])
  func behaviors(behavior: OrthogonalScrollingBehavior) throws {
    let wall = wall(behavior)
    let start = try #require(offset(wall))
    swipe(wall, from: 380, by: 30)
    var (last, isSteady) = (try #require(offset(wall)), true)
    // Nothing leaps on its way, and it never turns back.
    for _ in 0..<200 {
      wall.stage.run(frames: 1)
      let now = try #require(offset(wall))
      isSteady = isSteady && now >= last - 1 && now - last < 60
      last = now
    }
    wall.stage.runUntilIdle()
    let rest = try #require(offset(wall))
    #expect(isSteady && !wall.view.isTracked)
    #expect(wall.view.contentOffset == 0)
    switch behavior {
    case .continuous: #expect(rest > 500 && rest.truncatingRemainder(dividingBy: 200) != 0)
    case .continuousGroupLeadingBoundary: #expect(rest > 500 && rest.truncatingRemainder(dividingBy: 200) == 0)
    case .paging: #expect(rest == 400)
    case .groupPaging: #expect(rest == 200)
    case .groupPagingCentered: #expect(rest - start == 200)
    case .none: Issue.record("is none")
    }
  }

  @Test("A section that is none of these lets a finger across do nothing")
  func none() {
    let wall = wall(.none)
    swipe(wall, from: 380, by: 30)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.minX == 0 && wall.view.contentOffset == 0)
  }

  @Test("At its beginning it is pulled out and comes back, and the page stays where it is")
  func bounce() throws {
    let wall = wall(.continuous)
    touch(.began, 50, on: wall)
    for x in [60.0, 160, 260] { touch(.moved, x, on: wall) }
    let shown = RubberBand(viewportLength: 400).shown(pulled: 200)
    #expect(((wall.frame(of: 0)?.minX ?? 0) - shown).magnitude <= 1)
    touch(.ended, 260, on: wall)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.minX == 0)
  }

  @Test("Up and down over a section scrolls the page, by fingers and by wheels; so does a trackpad's slanted burst")
  func along() {
    let wall = wall(.continuous)
    touch(.began, 200, 90, on: wall)
    for y in [80.0, 50, 20] { touch(.moved, 205, y, on: wall) }
    #expect(wall.view.contentOffset == 60 && offset(wall) == 0)
    touch(.ended, 205, 20, on: wall)
    wall.stage.runUntilIdle()
    wall.scroll(to: 0)
    wall.stage.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1)))
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset > 0)
    wall.scroll(to: 0)
    for step in 0..<8 {
      // It begins upwards, and slants to the side later.
      let across = step < 2 ? 0.31 : 2.73
      wall.stage.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: across, deltaY: -1.57)))
      wall.stage.run(frames: 1)
    }
    #expect(wall.view.contentOffset > 50)
    wall.scroll(to: 0)
    #expect(offset(wall) == 0)
  }

  @Test("A touch stops it while it runs, and lifted it is sent to where it may rest")
  func catches() throws {
    let wall = wall(.continuousGroupLeadingBoundary)
    swipe(wall, from: 380, by: 30)
    wall.stage.run(frames: 4)
    let seen = try #require(offset(wall))
    touch(.began, 200, on: wall)
    #expect(offset(wall) == seen)
    wall.stage.run(frames: 20)
    #expect(offset(wall) == seen)
    touch(.ended, 200, on: wall)
    wall.stage.runUntilIdle()
    #expect(offset(wall).map { $0.truncatingRemainder(dividingBy: 200) } == 0)
  }

  @Test("The pressed pointer drags it, and that click means nothing else")
  func pointer() throws {
    let wall = wall(.continuous)
    wall.stage.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    wall.stage.sendEvent(.pointerDown(Point(x: 300, y: 50), button: .primary, clicks: 1, modifiers: []))
    wall.stage.run(frames: 1)
    for x in [290.0, 250, 200, 200, 200, 200, 200, 200] {
      wall.stage.sendEvent(.pointerMoved(Point(x: x, y: 50)))
      wall.stage.run(frames: 1)
    }
    #expect(offset(wall) == 90)
    wall.stage.sendEvent(.pointerUp(Point(x: 200, y: 50), button: .primary, modifiers: []))
    wall.stage.runUntilIdle()
    #expect(offset(wall) == 90, "it was held still")
    #expect(wall.view.indexPathsForSelectedItems.isEmpty)
  }

  @Test("Left and right scroll the section under the pointer by a quarter of it, as it may rest")
  func keys() {
    let wall = wall(.continuous)
    wall.stage.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    wall.stage.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    wall.stage.sendEvent(.keyUp(.right, modifiers: []))
    wall.stage.runUntilIdle()
    #expect(offset(wall) == 100)
    wall.stage.sendEvent(.keyDown(.left, modifiers: [], isRepeat: false))
    wall.stage.runUntilIdle()
    #expect(offset(wall) == 0)
    wall.stage.sendEvent(.pointerMoved(Point(x: 300, y: 250)))
    wall.stage.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    wall.stage.runUntilIdle()
    #expect(offset(wall) == 0, "nothing there scrolls across")
  }

  @Test("A section that an update takes away from under a finger is held no more")
  func updates() {
    let wall = wall(.continuous)
    touch(.began, 300, on: wall)
    touch(.moved, 250, on: wall)
    wall.apply { $0.deleteSections([0]) }
    wall.stage.run(frames: 2)
    touch(.moved, 100, on: wall)
    touch(.ended, 100, on: wall)
    wall.stage.runUntilIdle()
    #expect(wall.shown.first == 100 && !wall.view.isTracked)
  }

  @Test("A page that is caught amid its way may go a page from there")
  func caughtPage() {
    let wall = wall(.groupPaging)
    swipe(wall, from: 380, by: 30)
    wall.stage.run(frames: 3)
    swipe(wall, from: 380, by: 30)
    wall.stage.runUntilIdle()
    #expect(offset(wall) == 400)
  }
}
