import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("ScrollView input: touches, autoscroll and held keys")
struct ScrollViewInputTests {
  // MARK: - Touches

  private func touch(
    _ phase: TouchInput.Phase, _ y: Double, x: Double = 100, finger: Int64 = 1, on harness: WindowHarness
  ) {
    harness.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
    harness.run(frames: 1)
  }

  /// Drags a finger up by a distance in points per frame and lifts it.
  private func swipe(from start: Double, by step: Double, frames: Int, on harness: WindowHarness) {
    touch(.began, start, on: harness)
    for frame in 1...frames { touch(.moved, start - step * Double(frame), on: harness) }
    touch(.ended, start - step * Double(frames), on: harness)
  }

  @Test("A finger drags the content one to one, and the content decelerates after the release")
  func drag() {
    let (harness, view) = ScrollViewTests.makeHarness()
    touch(.began, 200, on: harness)
    touch(.moved, 190, on: harness)
    touch(.moved, 150, on: harness)
    #expect(view.contentOffset == 40, "the ten points before the pan began do not count")
    touch(.moved, 100, on: harness)
    #expect(view.contentOffset == 90)
    touch(.ended, 100, on: harness)
    #expect(view.scroll.phase(at: harness.clock.now()) == .decelerating)
    harness.runUntilIdle()
    #expect(view.contentOffset > 500)
  }

  @Test("Beyond its start the content has resistance, a shorter thumb, and springs back")
  func overscroll() {
    let (harness, view) = ScrollViewTests.makeHarness()
    harness.runUntilIdle()
    let initialCommands = harness.lastFrameCommands
    touch(.began, 50, on: harness)
    for y in [60.0, 120, 180, 240] { touch(.moved, y, on: harness) }
    let band = RubberBand(viewportLength: 300)
    #expect((view.contentOffset + band.shown(pulled: 180)).magnitude <= 0.5 && view.contentOffset < -70)
    #expect(harness.lastFrameCommands != initialCommands)
    touch(.ended, 240, on: harness)
    harness.run(frames: 5)
    #expect(view.contentOffset < 0 && view.isTracked)
    harness.runUntilIdle()
    #expect(view.contentOffset == 0 && harness.lastFrameCommands == initialCommands)
  }

  @Test("Content does not overscroll if bouncing is disabled or the content fits")
  func disabledBouncing() {
    for length in [10_000.0, 200] {
      let (harness, view) = ScrollViewTests.makeHarness(contentLength: length)
      view.scrollTuning.bounces = false
      touch(.began, 50, on: harness)
      for y in [60.0, 120, 240] { touch(.moved, y, on: harness) }
      #expect(view.contentOffset == 0)
    }
  }

  @Test("A touch stops decelerating content at its displayed offset and is not a click")
  func touchStopsDeceleration() {
    let (harness, view) = ScrollViewTests.makeHarness()
    final class EventRecorder: View {
      var downs = 0
      override func handle(_ event: InputEvent) -> Bool {
        if case .pointerDown = event.kind { downs += 1 }
        return true
      }
    }
    let recorder = EventRecorder(frame: Rect(x: 0, y: 0, width: 300, height: 300))
    view.addSubview(recorder)
    recorder.isUserInteractionEnabled = false
    swipe(from: 250, by: 20, frames: 6, on: harness)
    harness.run(frames: 3)
    let stoppedOffset = view.contentOffset
    touch(.began, 100, on: harness)
    #expect(view.contentOffset == stoppedOffset)
    harness.run(frames: 10)
    #expect(view.contentOffset == stoppedOffset)
    touch(.ended, 100, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == stoppedOffset)
  }

  @Test("A tap is a click, and a long press is a click of the secondary button")
  func clicks() {
    final class EventRecorder: View {
      var lines: [String] = []
      override func handle(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .pointerDown(let point, let button, let clicks, _): lines.append("\(button) \(clicks) at \(Int(point.x))")
        case .pointerUp(_, let button, _): lines.append("\(button) up")
        case .pointerLeft: lines.append("left")
        default: return false
        }
        return true
      }
    }
    let view = EventRecorder()
    let harness = WindowHarness(root: view)
    touch(.began, 50, x: 70, on: harness)
    touch(.ended, 50, x: 70, on: harness)
    #expect(view.lines == ["primary 1 at 70", "primary up", "left"])
    view.lines = []
    touch(.began, 50, x: 90, on: harness)
    touch(.ended, 50, x: 90, on: harness)
    #expect(view.lines.first == "primary 2 at 90")
    view.lines = []
    touch(.began, 50, x: 20, on: harness)
    harness.run(milliseconds: 600)
    #expect(view.lines == ["secondary 1 at 20", "secondary up", "left"])
    touch(.ended, 50, x: 20, on: harness)
    #expect(view.lines.count == 3)
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 2_000)
    #expect(harness.display.presentedFrames == frames, "no frame is pending")
  }

  @Test("A finger drags the thumb")
  func thumb() {
    let (harness, view) = ScrollViewTests.makeHarness()
    touch(.began, 10, x: 392, on: harness)
    touch(.moved, 300, x: 392, on: harness)
    #expect(view.contentOffset == 9_700)
    touch(.ended, 300, x: 392, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == 9_700)
  }

  @Test("Fingers along the cross axis do not scroll, and two fingers scroll by their midpoint")
  func crossAxisAndTwoFingers() {
    let (harness, view) = ScrollViewTests.makeHarness()
    touch(.began, 100, on: harness)
    touch(.moved, 103, x: 130, on: harness)
    touch(.moved, 60, x: 160, on: harness)
    #expect(view.contentOffset == 0)
    touch(.ended, 60, x: 160, on: harness)
    touch(.began, 200, x: 100, finger: 1, on: harness)
    touch(.began, 200, x: 200, finger: 2, on: harness)
    touch(.moved, 160, x: 100, finger: 1, on: harness)
    #expect(view.contentOffset == 20)
    touch(.moved, 160, x: 200, finger: 2, on: harness)
    #expect(view.contentOffset == 40)
  }

  @Test("Hiding the window ends the drag of a finger")
  func hiddenWindow() {
    let (harness, view) = ScrollViewTests.makeHarness()
    touch(.began, 100, on: harness)
    touch(.moved, 140, on: harness)
    touch(.moved, 240, on: harness)
    #expect(view.contentOffset < 0)
    harness.sendEvent(.hidden)
    harness.sendEvent(.shown)
    harness.runUntilIdle()
    #expect(view.contentOffset == 0)
    touch(.moved, 10, on: harness)
    #expect(view.contentOffset == 0)
  }

  @Test("A swipe turns one page, and a short drag returns to the current page", arguments: [(60.0, 300.0), (4, 0)])
  func pages(step: Double, expected: Double) {
    let (harness, view) = ScrollViewTests.makeHarness()
    view.isPagingEnabled = true
    swipe(from: 280, by: step, frames: 4, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == expected)
  }

  @Test("The delegate sets the target offset after drags by fingers and trackpads")
  func targetOffsets() {
    final class SnappingDelegate: ScrollViewDelegate {
      var targets: [Double] = []
      func scrollViewWillEndDragging(
        _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
      ) {
        targets.append(targetContentOffset)
        targetContentOffset = (targetContentOffset / 500).rounded() * 500
      }
    }
    let (harness, view) = ScrollViewTests.makeHarness()
    let delegate = SnappingDelegate()
    view.scrollDelegate = delegate
    swipe(from: 280, by: 30, frames: 5, on: harness)
    harness.runUntilIdle()
    #expect(delegate.targets.count == 1 && view.contentOffset >= 500)
    #expect(view.contentOffset.truncatingRemainder(dividingBy: 500) == 0)
    for _ in 0..<12 {
      harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0.03, deltaY: -3.37)))
      harness.run(frames: 1)
    }
    harness.runUntilIdle()
    #expect(delegate.targets.count == 2 && view.contentOffset.truncatingRemainder(dividingBy: 500) == 0)
  }

  // MARK: - Autoscroll

  @Test("While the wheel is pressed, the content scrolls at a speed that depends on the pointer's distance")
  func autoscroll() {
    let (harness, view) = ScrollViewTests.makeHarness(contentLength: 1e6)
    let initialCount = harness.lastFrameCommands.count
    harness.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
    harness.run(frames: 2)
    #expect(harness.lastFrameCommands.count > initialCount, "the autoscroll indicator is visible")
    harness.sendEvent(.pointerMoved(Point(x: 100, y: 105)))
    harness.run(frames: 10)
    #expect(view.contentOffset == 0, "the content does not move within the dead zone")
    harness.sendEvent(.pointerMoved(Point(x: 900, y: 200)))
    harness.run(frames: 60)
    let speed = view.scroll.velocity(at: harness.clock.now())
    #expect((speed - Autoscroll.velocity(at: 100)).magnitude < 1 && view.contentOffset > 1_000)
    harness.sendEvent(.pointerMoved(Point(x: 100, y: 60)))
    harness.run(frames: 60)
    #expect(view.scroll.velocity(at: harness.clock.now()) < -100)
    harness.sendEvent(.pointerUp(Point(x: 100, y: 60), button: .middle, modifiers: []))
    harness.runUntilIdle()
    #expect(view.scroll.velocity(at: harness.clock.now()) == 0)
    #expect(harness.window.grabber == nil)
  }

  @Test(
    "After a click of the wheel, autoscroll continues until the next press, key or touch, which has no other effect")
  func autoscrollClick() {
    let ends: [InputEvent.Kind] = [
      .pointerDown(Point(x: 392, y: 290), button: .primary, clicks: 1, modifiers: []),
      .pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []),
      .keyDown(.escape, modifiers: [], isRepeat: false), .hidden,
      .touch(TouchInput(finger: 1, phase: .began, location: Point(x: 5, y: 5))),
    ]
    for end in ends {
      let (harness, view) = ScrollViewTests.makeHarness(contentLength: 1e6)
      harness.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
      harness.sendEvent(.pointerUp(Point(x: 100, y: 100), button: .middle, modifiers: []))
      harness.sendEvent(.pointerMoved(Point(x: 100, y: 250)))
      harness.run(frames: 30)
      #expect(view.scroll.velocity(at: harness.clock.now()) > 500)
      harness.sendEvent(end)
      harness.sendEvent(.shown)
      harness.run(frames: 2)
      let offset = view.contentOffset
      harness.run(frames: 60)
      #expect(view.contentOffset == offset && offset > 100, "\(end)")
      #expect(harness.window.grabber == nil && view.subviews.count == 1, "\(end)")
    }
  }

  @Test("Autoscroll does not start if the content cannot scroll")
  func autoscrollWithoutRange() {
    let (harness, view) = ScrollViewTests.makeHarness(contentLength: 200)
    harness.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
    harness.run(frames: 2)
    #expect(harness.window.grabber == nil && view.subviews.count == 1)
  }

  @Test("The speed grows with the square of the distance, symmetrically, up to a maximum")
  func autoscrollSpeed() {
    #expect(Autoscroll.velocity(at: 10) == 0 && Autoscroll.velocity(at: -9) == 0)
    #expect(Autoscroll.velocity(at: 30) == 180 && Autoscroll.velocity(at: -30) == -180)
    #expect(Autoscroll.velocity(at: 1e9) == 40_000 && Autoscroll.velocity(at: .nan) == 0)
  }

  // MARK: - Held keys

  @Test("A held key scrolls one row and from 300 ms twelve rows per second, independent of key repeats")
  func heldKey() {
    let (harness, view) = ScrollViewTests.makeHarness(contentLength: 1e6)
    harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    harness.run(frames: 18)
    #expect(view.contentOffset > 70 && view.contentOffset <= 80)
    for _ in 0..<60 {
      harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
      harness.run(frames: 1)
    }
    #expect((view.scroll.velocity(at: harness.clock.now()) - 960).magnitude < 1)
    let offset = view.contentOffset
    harness.sendEvent(.keyUp(.down, modifiers: []))
    harness.runUntilIdle()
    #expect(view.contentOffset > offset && view.contentOffset < offset + 80, "the content stops smoothly")
  }

  @Test("The wheel ends a held key, and its release ends it under any first responder")
  func heldKeyEnds() {
    let (harness, view) = ScrollViewTests.makeHarness(contentLength: 1e6)
    harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    harness.run(frames: 60)
    #expect(view.scroll.velocity(at: harness.clock.now()) > 900)
    let other = View()
    view.addSubview(other)
    harness.window.firstResponder = other
    harness.sendEvent(.keyUp(.down, modifiers: []))
    harness.runUntilIdle()
    #expect(view.scroll.velocity(at: harness.clock.now()) == 0)
    harness.window.firstResponder = view
    harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    harness.run(frames: 60)
    harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: 1)))
    harness.runUntilIdle()
    #expect(view.scroll.velocity(at: harness.clock.now()) == 0, "the notch ends the scrolling")
  }

  @Test("With reduced motion keys and notches take effect immediately")
  func reducedMotion() {
    let (harness, view) = ScrollViewTests.makeHarness()
    view.scrollTuning.reducesMotion = true
    harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    harness.run(frames: 1)
    #expect(view.contentOffset == 80 && !view.isTracked)
    harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    harness.run(frames: 1)
    #expect(view.contentOffset == 9_700)
  }
}
