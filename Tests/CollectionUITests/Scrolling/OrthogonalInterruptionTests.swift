@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Gestures on orthogonal sections end when their section is removed or the window is hidden")
struct OrthogonalInterruptionTests {
  private func makeGrid(_ behavior: OrthogonalScrollingBehavior = .continuous) -> NumberGrid {
    NumberGrid([Array(0..<50), Array(100..<400)], layout: TestLayouts.orthogonal(behavior))
  }

  private func touch(_ phase: TouchInput.Phase, _ x: Double, _ y: Double = 50, on grid: NumberGrid) {
    grid.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: y))))
    grid.harness.run(frames: 1)
  }

  @Test("A section that stops being orthogonal during a drag ends the drag, and the content does not scroll instead")
  func changedBehavior() {
    let grid = makeGrid()
    touch(.began, 300, on: grid)
    touch(.moved, 280, on: grid)
    touch(.moved, 250, on: grid)
    #expect(grid.view.isTracked)
    grid.view.collectionViewLayout = TestLayouts.orthogonal(.none)
    grid.harness.run(frames: 2)
    #expect(!grid.view.isTracked, "no late frames are counted without a motion")
    touch(.moved, 240, 10, on: grid)
    touch(.moved, 240, -60, on: grid)
    #expect(grid.view.contentOffset == 0)
    touch(.ended, 240, -60, on: grid)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0 && !grid.view.isTracked)
    // The section keeps its former offset.
    grid.view.collectionViewLayout = TestLayouts.orthogonal(.continuous)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.minX == -30)
  }

  @Test("Deleting a section during a drag does not pass the gesture to the content")
  func deletedSection() {
    // Afterwards the second section is orthogonal, and the third one contains the rows.
    let grid = NumberGrid(
      [Array(0..<50), Array(100..<150), Array(200..<400)], layout: TestLayouts.orthogonal(.continuous))
    touch(.began, 300, on: grid)
    touch(.moved, 280, on: grid)
    grid.apply { $0.deleteSections([0]) }
    grid.harness.run(frames: 2)
    touch(.moved, 280, -60, on: grid)
    touch(.ended, 280, -60, on: grid)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0 && !grid.view.isTracked)
    touch(.began, 300, 200, on: grid)
    touch(.moved, 300, 180, on: grid)
    touch(.moved, 300, 100, on: grid)
    #expect(grid.view.contentOffset > 50, "the next gesture scrolls the content")
  }

  @Test("An animated scroll to an item of an orthogonal section is visible after an idle period")
  func animatedAfterRest() throws {
    let grid = makeGrid()
    grid.harness.run(milliseconds: 5_000)
    grid.view.scrollToItem(at: IndexPath(item: 10, section: 0), at: .left, animated: true)
    var offsets: [Double] = []
    for _ in 0..<60 {
      grid.harness.run(frames: 1)
      let number = try #require(grid.shown.first { $0 < 50 })
      offsets.append(Double(number) * 200 - (try #require(grid.frame(of: number))).minX)
    }
    #expect(offsets.last == 2_000)
    #expect(Set(offsets).count > 8, "\(offsets)")
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("Hiding the window ends drags and presses")
  func hiddenWindow() {
    let grid = makeGrid()
    grid.view.allowsMultipleSelection = true
    func down(_ point: Point) {
      grid.harness.sendEvent(.pointerMoved(point))
      grid.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
      grid.harness.run(frames: 1)
    }
    func move(_ x: Double, _ y: Double) {
      grid.harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
      grid.harness.run(frames: 1)
    }
    func hide() {
      grid.harness.sendEvent(.hidden)
      grid.harness.sendEvent(.shown)
      grid.harness.runUntilIdle()
    }
    down(Point(x: 300, y: 50))
    for x in [290.0, 250, 200] { move(x, 50) }
    #expect(grid.view.isTracked)
    hide()
    #expect(!grid.view.isTracked)
    let x = grid.frame(of: 0)?.minX
    move(100, 50)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 0)?.minX == x, "no button is pressed")
    down(Point(x: 200, y: 220))
    hide()
    grid.harness.sendEvent(.pointerUp(Point(x: 200, y: 220), button: .primary, modifiers: []))
    grid.harness.runUntilIdle()
    #expect(grid.view.indexPathsForSelectedItems.isEmpty, "it was no click")
  }

  @Test("A key or a wheel over an orthogonal section ends autoscroll and has its usual effect")
  func autoscroll() {
    let ends: [InputEvent.Kind] = [
      .keyDown(.down, modifiers: [], isRepeat: false),
      .wheel(WheelInput(location: Point(x: 200, y: 20), deltaX: 1, deltaY: 0)),
    ]
    for end in ends {
      let grid = makeGrid()
      grid.view.allowsSelection = true
      grid.view.allowsFocus = true
      grid.harness.sendEvent(.pointerDown(Point(x: 100, y: 150), button: .middle, clicks: 1, modifiers: []))
      grid.harness.sendEvent(.pointerUp(Point(x: 100, y: 150), button: .middle, modifiers: []))
      grid.harness.sendEvent(.pointerMoved(Point(x: 100, y: 165)))
      grid.harness.run(frames: 4)
      #expect(grid.harness.window.grabber === grid.view)
      grid.harness.sendEvent(end)
      grid.harness.run(frames: 1)
      #expect(grid.harness.window.grabber == nil, "\(end)")
      grid.harness.runUntilIdle()
      let offset = grid.view.contentOffset
      grid.harness.sendEvent(.pointerMoved(Point(x: 100, y: 290)))
      grid.harness.runUntilIdle()
      #expect(grid.view.contentOffset == offset, "\(end)")
      if case .wheel = end { #expect((grid.frame(of: 0)?.minX ?? 0) < 0) }
    }
  }
}

// MARK: - Frame rates

@Suite("Orthogonal sections scroll equally at any frame rate")
struct OrthogonalFrameRateTests {
  private typealias TimedEvent = (milliseconds: Double, kind: InputEvent.Kind)

  private static func wheel(_ delta: Double) -> InputEvent.Kind {
    .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: delta, deltaY: 0))
  }

  private static func touch(_ phase: TouchInput.Phase, _ x: Double) -> InputEvent.Kind {
    .touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: 50)))
  }

  private static func swipe(from start: Double) -> [TimedEvent] {
    var events: [TimedEvent] = [(start, touch(.began, 380))]
    for step in 1...6 {
      let distance = Double(step * step) * 4
      events.append((start + Double(step) * 7.3, touch(.moved, 380 - distance)))
    }
    events.append((start + 48, touch(.ended, 236)))
    return events
  }

  private static func burst(from start: Double) -> [TimedEvent] {
    var events: [TimedEvent] = []
    for step in 0..<9 {
      let delta = 1.37 + Double(step) * 0.113
      events.append((start + Double(step) * 9.1, wheel(delta)))
    }
    return events
  }

  private static let notches: [TimedEvent] = [(103, wheel(1)), (140, wheel(1))]

  private static let keys: [TimedEvent] = [
    (103, .pointerMoved(Point(x: 300, y: 50))),
    (110, .keyDown(.right, modifiers: [], isRepeat: false)),
    (150, .keyDown(.right, modifiers: [], isRepeat: true)),
  ]

  private static let scripts: [(name: String, events: [TimedEvent])] = [
    ("notches", notches), ("a trackpad", burst(from: 103)),
    ("two swipes", swipe(from: 111) + swipe(from: 700)), ("the pointer and a key", keys),
  ]

  /// Returns the section's offset at each twelfth of a second, with frames at a fixed interval in milliseconds, or at
  /// random intervals for nil.
  private func offsets(_ behavior: OrthogonalScrollingBehavior, _ events: [TimedEvent], every interval: Double?)
    -> [Double]
  {
    let grid = NumberGrid([Array(0..<50), Array(100..<140)], layout: TestLayouts.orthogonal(behavior))
    let start = grid.harness.clock.now() + .milliseconds(100)
    var (offsets, next, frame, number) = ([Double](), 0, 0.0, 0)
    var random = SeededGenerator(seed: 5)
    for sample in 1...30 {
      let due = Double(sample) * 1_000 / 12
      while frame < due {
        number += 1
        frame = min(due, interval.map { $0 * Double(number) } ?? frame + .random(in: 2...50, using: &random))
        if due - frame < 0.001 { frame = due }
        while next < events.count, events[next].milliseconds <= frame {
          grid.harness.window.dispatch(
            InputEvent(time: start + .milliseconds(events[next].milliseconds), kind: events[next].kind))
          next += 1
        }
        grid.view.update(at: start + .milliseconds(frame))
      }
      offsets.append(grid.view.orthogonalController.motion(of: 0)?.scroll.offset(at: start + .milliseconds(due)) ?? 0)
    }
    grid.view.update(at: start + .seconds(20))
    // Its scroll bar fades out.
    grid.view.update(at: start + .seconds(22))
    #expect(grid.view.orthogonalController.isIdle, "it has stopped and is not updated any more")
    return offsets
  }

  @Test(
    "Offsets of all devices and scrolling behaviors are equal within 0.01 points",
    arguments: [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ] as [OrthogonalScrollingBehavior])
  func frameRates(behavior: OrthogonalScrollingBehavior) {
    for script in OrthogonalFrameRateTests.scripts {
      let samples = [1_000.0 / 60, 1_000.0 / 144, nil].map { offsets(behavior, script.events, every: $0) }
      #expect(Set(samples[0]).count > 2, "\(script.name) moves")
      for other in samples.dropFirst() {
        let error = zip(samples[0], other).map { ($0 - $1).magnitude }.max() ?? .infinity
        #expect(error < 0.01, "\(script.name): \(error)")
      }
    }
  }
}
