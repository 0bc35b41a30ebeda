import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Orthogonal sections scroll by touch, pointer drags and keys")
struct OrthogonalInputTests {
  private func makeGrid(_ behavior: OrthogonalScrollingBehavior) -> NumberGrid {
    NumberGrid([Array(0..<50), Array(100..<140)], layout: TestLayouts.orthogonal(behavior))
  }

  /// Returns the section's offset.
  ///
  /// Items are 200 points wide, so that each item starts at 200 times its number.
  private func offset(_ grid: NumberGrid) -> Double? {
    grid.shown.first { $0 < 50 }.flatMap { number in grid.frame(of: number).map { Double(number) * 200 - $0.minX } }
  }

  private func touch(
    _ phase: TouchInput.Phase, _ x: Double, _ y: Double = 50, on grid: NumberGrid, frames: Int = 1
  ) {
    grid.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: y))))
    grid.harness.run(frames: frames)
  }

  private func swipe(_ grid: NumberGrid, from start: Double, by step: Double, frames: Int = 5) {
    touch(.began, start, on: grid)
    for frame in 1...frames { touch(.moved, start - step * Double(frame), on: grid) }
    touch(.ended, start - step * Double(frames), on: grid)
  }

  @Test(
    "A swipe comes to rest by the scrolling behavior",
    arguments: [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ] as [OrthogonalScrollingBehavior])
  func behaviors(behavior: OrthogonalScrollingBehavior) throws {
    let grid = makeGrid(behavior)
    let start = try #require(offset(grid))
    swipe(grid, from: 380, by: 30)
    var (last, isSteady) = (try #require(offset(grid)), true)
    // The section never jumps or reverses.
    for _ in 0..<200 {
      grid.harness.run(frames: 1)
      let now = try #require(offset(grid))
      isSteady = isSteady && now >= last - 1 && now - last < 60
      last = now
    }
    grid.harness.runUntilIdle()
    let rest = try #require(offset(grid))
    #expect(isSteady && !grid.view.isTracked)
    #expect(grid.view.contentOffset == 0)
    switch behavior {
    case .continuous: #expect(rest > 500 && rest.truncatingRemainder(dividingBy: 200) != 0)
    case .continuousGroupLeadingBoundary: #expect(rest > 500 && rest.truncatingRemainder(dividingBy: 200) == 0)
    case .paging: #expect(rest == 400)
    case .groupPaging: #expect(rest == 200)
    case .groupPagingCentered: #expect(rest - start == 200)
    case .none: Issue.record("not orthogonal")
    }
  }

  @Test("A section without orthogonal scrolling ignores horizontal swipes")
  func nonOrthogonalSection() {
    let grid = makeGrid(.none)
    swipe(grid, from: 380, by: 30)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.minX == 0 && grid.view.contentOffset == 0)
  }

  @Test("A section pulled beyond its start bounces back, and the content does not scroll")
  func bounce() throws {
    let grid = makeGrid(.continuous)
    touch(.began, 50, on: grid)
    for x in [60.0, 160, 260] { touch(.moved, x, on: grid) }
    let shown = RubberBand(viewportLength: 400).shown(pulled: 200)
    #expect(((grid.frame(of: 0)?.minX ?? 0) - shown).magnitude <= 1)
    touch(.ended, 260, on: grid)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.minX == 0)
  }

  @Test("Vertical touches and wheels over a section scroll the content, and so does a slanted trackpad burst")
  func mainAxis() {
    let grid = makeGrid(.continuous)
    touch(.began, 200, 90, on: grid)
    for y in [80.0, 50, 20] { touch(.moved, 205, y, on: grid) }
    #expect(grid.view.contentOffset == 60 && offset(grid) == 0)
    touch(.ended, 205, 20, on: grid)
    grid.harness.runUntilIdle()
    grid.scroll(to: 0)
    grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1)))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset > 0)
    grid.scroll(to: 0)
    for step in 0..<8 {
      // It starts vertically and slants to the side later.
      let deltaX = step < 2 ? 0.31 : 2.73
      grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: deltaX, deltaY: -1.57)))
      grid.harness.run(frames: 1)
    }
    #expect(grid.view.contentOffset > 50)
    grid.scroll(to: 0)
    #expect(offset(grid) == 0)
  }

  @Test("A touch stops a running section, which comes to rest at a valid position after the touch")
  func touchStopsScrolling() throws {
    let grid = makeGrid(.continuousGroupLeadingBoundary)
    swipe(grid, from: 380, by: 30)
    grid.harness.run(frames: 4)
    let stoppedOffset = try #require(offset(grid))
    touch(.began, 200, on: grid)
    #expect(offset(grid) == stoppedOffset)
    grid.harness.run(frames: 20)
    #expect(offset(grid) == stoppedOffset)
    touch(.ended, 200, on: grid)
    grid.harness.runUntilIdle()
    #expect(offset(grid).map { $0.truncatingRemainder(dividingBy: 200) } == 0)
  }

  @Test("A pointer drag scrolls the section and selects nothing")
  func pointer() throws {
    let grid = makeGrid(.continuous)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    grid.harness.sendEvent(.pointerDown(Point(x: 300, y: 50), button: .primary, clicks: 1, modifiers: []))
    grid.harness.run(frames: 1)
    for x in [290.0, 250, 200, 200, 200, 200, 200, 200] {
      grid.harness.sendEvent(.pointerMoved(Point(x: x, y: 50)))
      grid.harness.run(frames: 1)
    }
    #expect(offset(grid) == 90)
    grid.harness.sendEvent(.pointerUp(Point(x: 200, y: 50), button: .primary, modifiers: []))
    grid.harness.runUntilIdle()
    #expect(offset(grid) == 90, "the pointer was not moving at the end")
    #expect(grid.view.indexPathsForSelectedItems.isEmpty)
  }

  @Test("Left and right keys scroll the section under the pointer by a quarter of its width")
  func keys() {
    let grid = makeGrid(.continuous)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    grid.harness.sendEvent(.keyUp(.right, modifiers: []))
    grid.harness.runUntilIdle()
    #expect(offset(grid) == 100)
    grid.harness.sendEvent(.keyDown(.left, modifiers: [], isRepeat: false))
    grid.harness.runUntilIdle()
    #expect(offset(grid) == 0)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 250)))
    grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    grid.harness.runUntilIdle()
    #expect(offset(grid) == 0, "rows do not scroll horizontally")
  }

  @Test("A held key scrolls a continuous section until it is released, and pages of other sections")
  func heldKey() throws {
    for (behavior, isContinuous) in [(OrthogonalScrollingBehavior.continuous, true), (.groupPaging, false)] {
      let grid = makeGrid(behavior)
      grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
      grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
      grid.harness.run(frames: 60)
      let held = try #require(offset(grid))
      #expect(isContinuous ? held > 500 : held == 200, "\(behavior) scrolled to \(held)")
      grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: true))
      grid.harness.run(frames: 60)
      let repeated = try #require(offset(grid))
      #expect(isContinuous ? repeated > held + 800 : repeated == 400, "\(behavior) scrolled to \(repeated)")
      grid.harness.sendEvent(.keyUp(.right, modifiers: []))
      grid.harness.runUntilIdle()
      #expect(try #require(offset(grid)) - repeated < (isContinuous ? 600 : 1) && grid.view.contentOffset == 0)
    }
  }

  @Test("A key whose section is deleted before it scrolls on is forgotten")
  func deletedKeySection() {
    let grid = makeGrid(.continuous)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    grid.harness.run(frames: 2)
    #expect(grid.view.nextFrame != nil)
    grid.apply { $0.deleteSections([0]) }
    grid.harness.runUntilIdle()
    #expect(grid.view.nextFrame == nil)
  }

  @Test("A held key goes on in its section when the pointer leaves it, and a press releases it")
  func heldKeyWithMovingPointer() throws {
    let grid = makeGrid(.continuous)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 50)))
    grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: false))
    grid.harness.run(frames: 60)
    grid.harness.sendEvent(.pointerMoved(Point(x: 300, y: 250)))
    grid.harness.sendEvent(.keyDown(.right, modifiers: [], isRepeat: true))
    let held = try #require(offset(grid))
    grid.harness.run(frames: 30)
    let moved = try #require(offset(grid))
    #expect(moved > held + 300)
    grid.harness.sendEvent(.pointerDown(Point(x: 300, y: 250), button: .secondary, clicks: 1, modifiers: []))
    grid.harness.runUntilIdle()
    #expect(try #require(offset(grid)) < moved + 600)
  }

  @Test("Deleting a section while its scroll bar is dragged leaves the other sections where they are")
  func deletedScrollBar() throws {
    let grid = NumberGrid(
      [Array(0..<50), Array(100..<140), Array(200..<250)], layout: TestLayouts.orthogonal(.continuous))
    grid.view.scrollToItem(at: IndexPath(item: 20, section: 0), at: .left, animated: false)
    grid.harness.run(frames: 2)
    let bar = try #require(
      grid.view.subviews.compactMap { $0 as? ScrollIndicator }.first { $0 !== grid.view.scrollIndicator })
    bar.onDrag?(100)
    grid.harness.run(frames: 1)
    #expect(offset(grid) == 100)
    grid.apply { $0.deleteSections([1]) }
    grid.harness.run(frames: 2)
    #expect(offset(grid) == 100 && bar.superview != nil)
    grid.apply { $0.deleteSections([0]) }
    grid.harness.runUntilIdle()
    #expect(bar.superview == nil && bar.onDrag == nil)
    #expect((grid.view.solution.orthogonalSection(0)?.offset ?? 0) == 0)
  }

  @Test("A finger that stops the content and then scrolls a section lets the content go")
  func releasedContent() {
    let grid = makeGrid(.continuous)
    touch(.began, 200, 250, on: grid)
    for y in [220.0, 190, 160, 130] { touch(.moved, 200, y, on: grid) }
    touch(.ended, 200, 130, on: grid)
    grid.scroll(to: 0)
    grid.view.applyScrollEvent(.flick(velocity: 400, accumulating: false))
    grid.harness.run(frames: 2)
    touch(.began, 200, 30, on: grid)
    for x in [180.0, 150, 120] { touch(.moved, x, 30, on: grid) }
    touch(.ended, 120, 30, on: grid)
    grid.harness.runUntilIdle()
    #expect(!grid.view.isTracked && offset(grid).map { $0 > 50 } == true)
  }

  @Test("A section has a scroll bar while it moves, whose thumb scrolls it", arguments: [false, true])
  func scrollBar(isMirrored: Bool) throws {
    let grid = makeGrid(.continuous)
    if isMirrored { grid.view.layoutDirection = .rightToLeft }
    grid.harness.runUntilIdle()
    func bars() -> [ScrollIndicator] {
      grid.view.subviews.compactMap { $0 as? ScrollIndicator }.filter { $0 !== grid.view.scrollIndicator }
    }
    func sectionOffset() -> Double {
      grid.view.solution.orthogonalSection(0)?.offset ?? -1
    }
    #expect(bars().isEmpty)
    grid.view.scrollToItem(at: IndexPath(item: 20, section: 0), at: .centeredHorizontally, animated: false)
    grid.harness.run(frames: 2)
    let bar = try #require(bars().first)
    let strip = try #require(grid.view.solution.orthogonalSection(0))
    #expect(bar.frame == Rect(x: 0, y: strip.frame.maxY - 12, width: 382, height: 12))
    #expect(bar.hitTest(Point(x: isMirrored ? 10 : 370, y: 6)) == nil, "the content receives clicks beside the thumb")
    bar.onDrag?(0)
    grid.harness.run(frames: 2)
    #expect(sectionOffset() == (isMirrored ? strip.maximumOffset : 0))
    bar.onRelease?()
    grid.harness.runUntilIdle()
    #expect(bars().isEmpty, "it has faded")
  }

  @Test("Deleting a section ends its drag")
  func deletedSection() {
    let grid = makeGrid(.continuous)
    touch(.began, 300, on: grid)
    touch(.moved, 250, on: grid)
    grid.apply { $0.deleteSections([0]) }
    grid.harness.run(frames: 2)
    touch(.moved, 100, on: grid)
    touch(.ended, 100, on: grid)
    grid.harness.runUntilIdle()
    #expect(grid.shown.first == 100 && !grid.view.isTracked)
  }

  @Test("A page interrupted by a touch may continue by a page")
  func interruptedPaging() {
    let grid = makeGrid(.groupPaging)
    swipe(grid, from: 380, by: 30)
    grid.harness.run(frames: 3)
    swipe(grid, from: 380, by: 30)
    grid.harness.runUntilIdle()
    #expect(offset(grid) == 400)
  }
}

// MARK: - Delegate

@Suite("The delegate is notified of orthogonal scrolling with the section's index")
struct OrthogonalDelegateTests {
  private final class Log: CollectionViewDelegate {
    var lines: [String] = []
    var offset = 0.0
    func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double) {
      self.offset = offset
      if lines.last != "\(section) scroll" { lines.append("\(section) scroll") }
    }
    func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int) {
      lines.append("\(section) \(notice)")
    }
  }

  private func makeGrid() -> (NumberGrid, Log) {
    let grid = NumberGrid([Array(0..<50), Array(100..<140)], layout: TestLayouts.orthogonal(.continuous))
    let log = Log()
    grid.view.delegate = log
    grid.harness.runUntilIdle()
    return (grid, log)
  }

  @Test("A wheel notch and a programmatic scroll notify of start, scrolling and end")
  func wheelNotch() {
    let (grid, log) = makeGrid()
    grid.harness.sendEvent(
      .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1, modifiers: .shift)))
    grid.harness.runUntilIdle()
    #expect(log.lines == ["0 willBeginAnimation", "0 scroll", "0 didEndAnimation"])
    #expect(log.offset == 100)
    log.lines = []
    grid.view.scrollToItem(at: IndexPath(item: 20, section: 0), at: .left, animated: false)
    grid.harness.runUntilIdle()
    #expect(log.lines == ["0 scroll"] && log.offset == 4_000)
    log.lines = []
    grid.scroll(to: 300)
    grid.harness.runUntilIdle()
    #expect(log.lines.isEmpty, "the section moved with the content")
  }

  @Test("A trackpad drags a section, which then decelerates")
  func trackpad() {
    let (grid, log) = makeGrid()
    for _ in 0..<12 {
      grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 3.37, deltaY: 0.01)))
      grid.harness.run(frames: 1)
    }
    grid.harness.runUntilIdle()
    #expect(
      log.lines == [
        "0 willBeginDragging", "0 scroll", "0 didEndDragging(willDecelerate: true)", "0 willBeginDecelerating",
        "0 scroll", "0 didEndDecelerating",
      ])
  }

  @Test("A section moved by an update is reported with its new index")
  func movedSection() {
    let (grid, log) = makeGrid()
    grid.harness.sendEvent(
      .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1, modifiers: .shift)))
    grid.harness.run(frames: 3)
    log.lines = []
    // The first section remains orthogonal, because the layout defines it by its index.
    grid.apply { $0.deleteSections([1]) }
    grid.harness.runUntilIdle()
    #expect(log.lines == ["0 scroll", "0 didEndAnimation"])
  }
}
