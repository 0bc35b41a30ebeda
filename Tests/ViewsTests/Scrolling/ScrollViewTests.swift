import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("ScrollView")
struct ScrollViewTests {
  static func makeHarness(contentLength: Double = 10_000) -> (WindowHarness, ScrollView) {
    let view = ScrollView()
    let harness = WindowHarness(root: view, size: Size(width: 400, height: 300))
    view.setContentLength(contentLength)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    harness.run(frames: 1)
    return (harness, view)
  }

  func press(_ key: Key, _ modifiers: KeyModifiers = [], on harness: WindowHarness) {
    harness.events.append(.keyDown(key, modifiers: modifiers, isRepeat: false), at: harness.clock.now())
    harness.events.append(.keyUp(key, modifiers: modifiers), at: harness.clock.now())
  }

  @Test("A wheel notch scrolls its distance over several frames")
  func wheelNotch() {
    let (harness, view) = Self.makeHarness()
    harness.events.append(
      .wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)), at: harness.clock.now())
    harness.run(frames: 2)
    let early = view.contentOffset
    #expect(early > 0 && early < view.notchDistance)
    harness.run(frames: 60)
    #expect(view.contentOffset == view.notchDistance)
    #expect(!view.scroll.isMoving(at: harness.clock.now()))
  }

  @Test("A programmatic scroll after idle starts when the next frame is shown, also with other changes")
  func motionAfterIdle() {
    let (harness, view) = Self.makeHarness()
    harness.run(milliseconds: 5_000)
    view.applyScrollEvent(.steady(velocity: 100))
    view.setContentLength(20_000, adjustingOffsetBy: 40)
    #expect(view.scroll.isMoving(at: view.lastInstant), "the motion is known immediately")
    harness.run(frames: 1)
    #expect(view.contentOffset == 40, "with the time at rest included it would be at 540")
    harness.run(frames: 10)
    #expect(view.contentOffset == 56)
    view.applyScrollEvent(.stop)
    view.scroll(to: 400, animated: true)
    harness.run(frames: 120)
    #expect(view.contentOffset == 400)
    harness.run(milliseconds: 5_000)
    view.scroll(to: 8_000, animated: true)
    harness.run(frames: 2)
    #expect(view.contentOffset > 400 && view.contentOffset < 8_000, "the animation is visible")
  }

  @Test("Space and Shift-Space scroll by a page, End and Home to the edges")
  func keys() {
    let (harness, view) = Self.makeHarness()
    press(.space, on: harness)
    harness.run(frames: 120)
    #expect(view.contentOffset == 270)
    press(.space, .shift, on: harness)
    harness.run(frames: 120)
    #expect(view.contentOffset == 0)
    press(.end, on: harness)
    harness.run(frames: 120)
    #expect(view.contentOffset == 9_700)
    press(.home, on: harness)
    harness.run(frames: 120)
    #expect(view.contentOffset == 0)
  }

  @Test("The thumb follows the pointer and stays where it is released")
  func thumb() {
    let (harness, view) = Self.makeHarness()
    let now = harness.clock.now()
    harness.events.append(.pointerDown(Point(x: 392, y: 10), button: .primary, clicks: 1, modifiers: []), at: now)
    harness.events.append(.pointerMoved(Point(x: 392, y: 300)), at: now)
    harness.run(frames: 2)
    #expect(view.contentOffset == 9_700)
    harness.events.append(.pointerMoved(Point(x: 392, y: 10)), at: harness.clock.now())
    harness.events.append(.pointerUp(Point(x: 392, y: 10), button: .primary, modifiers: []), at: harness.clock.now())
    harness.run(frames: 2)
    #expect(view.contentOffset == 0)
  }

  @Test("Content that fits does not scroll and has no thumb")
  func fits() {
    let (harness, view) = Self.makeHarness(contentLength: 200)
    press(.end, on: harness)
    harness.run(frames: 10)
    #expect(view.contentOffset == 0)
    #expect(harness.display.frames.last?.commands.isEmpty == true)
  }

  @Test("The loop is idle after the thumb has faded")
  func idleAfterScrolling() {
    let (harness, _) = Self.makeHarness()
    press(.down, on: harness)
    harness.run(milliseconds: 5_000)
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 5_000)
    #expect(harness.display.presentedFrames == frames)
  }
}

// MARK: - Content insets

@Suite("ScrollView.contentInset")
struct ContentInsetTests {
  private final class RejectionCounter: ScrollView {
    var rejectedCount = 0
    override func didRejectInvalidNumber() { rejectedCount += 1 }
  }

  private func makeHarness(contentLength: Double = 10_000, _ inset: Insets) -> (WindowHarness, RejectionCounter) {
    let view = RejectionCounter()
    let harness = WindowHarness(root: view, size: Size(width: 400, height: 300))
    view.setContentLength(contentLength)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    view.contentInset = inset
    harness.run(frames: 1)
    return (harness, view)
  }

  private func press(_ key: Key, on harness: WindowHarness) {
    harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    harness.runUntilIdle()
  }

  @Test("The edges include the insets, and a page is the unobscured length")
  func keys() {
    let (harness, view) = makeHarness(Insets(top: 40, left: 7, bottom: 60, right: 9))
    #expect(view.contentOffset == -40 && view.unobscuredLength == 200)
    press(.space, on: harness)
    #expect(view.contentOffset == 140)
    press(.end, on: harness)
    #expect(view.contentOffset == 9_760)
    press(.pageUp, on: harness)
    #expect(view.contentOffset == 9_580)
    press(.home, on: harness)
    #expect(view.contentOffset == -40)
  }

  @Test("An inset change keeps content at its start there and other content in place as far as possible")
  func insetChange() {
    let (harness, view) = makeHarness(.zero)
    view.contentInset.top = 30
    harness.run(frames: 1)
    #expect(view.contentOffset == -30)
    view.contentInset.top = 0
    #expect(view.contentOffset == 0)
    view.contentOffset = 500
    view.contentInset = Insets(top: 50, bottom: 100)
    harness.run(frames: 1)
    #expect(view.contentOffset == 500)
    view.contentOffset = 20_000
    #expect(view.contentOffset == 9_800)
    view.contentInset.bottom = 0
    harness.run(frames: 1)
    #expect(view.contentOffset == 9_700)
  }

  @Test("Content that fits rests at its start, below the inset")
  func fits() {
    let (_, view) = makeHarness(contentLength: 100, Insets(top: 40, bottom: 40))
    view.contentOffset = 80
    #expect(view.contentOffset == -40)
  }

  @Test("The thumb moves between the insets and reaches both edges")
  func thumb() throws {
    let (harness, view) = makeHarness(Insets(top: 50, bottom: 50))
    #expect(view.scrollIndicator.frame == Rect(x: 382, y: 50, width: 18, height: 200))
    harness.sendEvent(.pointerDown(Point(x: 392, y: 60), button: .primary, clicks: 1, modifiers: []))
    harness.sendEvent(.pointerMoved(Point(x: 392, y: 290)))
    harness.run(frames: 2)
    #expect(view.contentOffset == 9_750)
    harness.sendEvent(.pointerMoved(Point(x: 392, y: 0)))
    harness.run(frames: 2)
    #expect(view.contentOffset == -50)
  }

  @Test("Horizontal content has its insets at the left and right")
  func horizontal() {
    let (harness, view) = makeHarness(Insets(top: 5, left: 20, bottom: 5, right: 30))
    view.scrollAxis = .horizontal
    view.setContentLength(1_000)
    harness.run(frames: 1)
    press(.end, on: harness)
    #expect(view.contentOffset == 630)
    press(.home, on: harness)
    #expect(view.contentOffset == -20)
    #expect(view.scrollIndicator.frame == Rect(x: 20, y: 282, width: 350, height: 18))
  }

  @Test("Invalid insets and offsets are rejected")
  func invalidNumbers() {
    for number in EdgeCaseNumbers.doubles {
      let (_, view) = makeHarness(.zero)
      view.contentInset = Insets(top: number, left: 0, bottom: number, right: 0)
      #expect(view.rejectedCount == (number.isFinite && number >= 0 ? 0 : 1), "\(number)")
      view.contentOffset = number
      view.setContentOffset(number, animated: true)
      #expect(view.contentOffset.isFinite && view.scroll.range.contains(view.contentOffset), "\(number)")
    }
    let (_, view) = makeHarness(.zero)
    view.contentOffset = 100
    view.contentOffset = .nan
    #expect(view.contentOffset == 100 && view.rejectedCount == 1)
    view.contentOffset = .infinity
    #expect(view.contentOffset == 9_700 && view.rejectedCount == 2)
  }
}
