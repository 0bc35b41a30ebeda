import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Content that a hand lets go is seen to where it comes to rest, whatever frames there were meanwhile")
struct HandBetweenFramesTests {
  /// Writes down what it is told, and lets content rest at multiples of 500 points.
  private final class Rests: ScrollViewDelegate {
    var lines: [String] = []
    func scrollViewWillBeginDragging(_ view: ScrollView) { lines.append("begin") }
    func scrollViewWillEndDragging(
      _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
    ) {
      lines.append("will end")
      targetContentOffset = (targetContentOffset / 500).rounded() * 500
    }
    func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool) { lines.append("end") }
  }

  private func swipe(on stage: WindowHarness, by step: Double = 40) {
    let start = stage.clock.now() - .milliseconds(60)
    func touch(_ phase: TouchInput.Phase, _ moment: Double) {
      let place = Point(x: 100, y: 250 - step * moment)
      stage.events.append(
        .touch(TouchInput(finger: 1, phase: phase, location: place)), at: start + .milliseconds(8 * moment))
    }
    touch(.began, 0)
    for moment in 1...4 { touch(.moved, Double(moment)) }
    touch(.ended, 5)
  }

  private func burst(_ deltas: [Double], every milliseconds: Double, on stage: WindowHarness) {
    let start = stage.clock.now() - .milliseconds(200)
    for (index, delta) in deltas.enumerated() {
      stage.events.append(
        .wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -delta)),
        at: start + .milliseconds(Double(index) * milliseconds))
    }
  }

  @Test("Drawn and let go between two frames, pages turn and the delegate is asked and told", arguments: [true, false])
  func wholeWay(isFinger: Bool) {
    for isPaging in [true, false] {
      let (stage, view) = ScrollViewTests.stage()
      let rests = Rests()
      stage.run(milliseconds: 500)
      if isPaging { view.isPagingEnabled = true } else { view.scrollDelegate = rests }
      if isFinger { swipe(on: stage) } else { burst([3.37, 3.37, 3.37, 3.37, 3.37], every: 8, on: stage) }
      stage.runUntilIdle()
      if isPaging {
        #expect(view.contentOffset == 300)
      } else {
        #expect(view.contentOffset > 0 && view.contentOffset.truncatingRemainder(dividingBy: 500) == 0)
        #expect(rests.lines == ["begin", "will end", "end"])
      }
    }
  }

  @Test("A trackpad that stops slowly between two pages is seen to one, though nothing else makes a frame")
  func slowEnd() {
    for hasDelegate in [true, false] {
      let (stage, view) = ScrollViewTests.stage()
      let rests = Rests()
      if hasDelegate { view.scrollDelegate = rests } else { view.isPagingEnabled = true }
      // Over the thumb it does not fade.
      stage.sendEvent(.pointerMoved(Point(x: 395, y: 150)))
      stage.run(frames: 1)
      for _ in 0..<40 {
        stage.sendEvent(.wheel(WheelInput(location: Point(x: 395, y: 150), deltaX: 0, deltaY: -0.637)))
        stage.run(frames: 1)
      }
      for delta in [0.031, -0.013, 0.011] {
        stage.sendEvent(.wheel(WheelInput(location: Point(x: 395, y: 150), deltaX: 0, deltaY: -delta)))
        stage.run(frames: 1)
      }
      stage.runUntilIdle()
      #expect(!view.isTracked)
      #expect(view.contentOffset == (hasDelegate ? 500 : 300))
      if hasDelegate { #expect(rests.lines == ["begin", "will end", "end"]) }
    }
  }

  @Test("What the page declined is not its own later: fingers that it did not take move nothing")
  func declined() {
    let (stage, view) = ScrollViewTests.stage()
    let (start, place) = (Point(x: 100, y: 100), Point(x: 160, y: 110))
    func pan(_ phase: TouchInput.Phase, _ way: Point) -> Bool {
      view.handle(
        InputEvent(
          time: stage.clock.now(),
          kind: .pan(PanInput(phase: phase, start: start, location: place, translation: way))))
    }
    #expect(!pan(.began, Point(x: 60, y: 10)))
    #expect(!pan(.moved, Point(x: 0, y: -80)) && !pan(.ended, .zero))
    stage.runUntilIdle()
    #expect(view.contentOffset == 0 && !view.isTracked)
  }

  // MARK: What waits for a frame

  @Test("A motion that no frame shows is at its end however often the content changes meanwhile")
  func unshown() {
    let (stage, view) = ScrollViewTests.stage(contentLength: 100_000)
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 100)
    view.scroll(to: 400, animated: true)
    for length in 0..<10_000 { view.setContentLength(100_000 + Double(length), adjustingOffsetBy: 1) }
    #expect(view.scroll.projectedOffset == 10_400)
    stage.run(milliseconds: 2_000)
    stage.sendEvent(.shown)
    stage.run(frames: 1)
    #expect(view.contentOffset == 10_400, "it is not begun anew by what was remembered of it")
  }

  // MARK: Keys

  @Test("A key that leads nowhere stops content that runs on, and a scrolling one takes it along")
  func anyKey() {
    for (key, isCaught) in [(Key.character("x"), true), (.enter, true), (.down, false)] {
      let (stage, view) = ScrollViewTests.stage(contentLength: 1e6)
      stage.run(milliseconds: 500)
      swipe(on: stage)
      stage.run(frames: 10)
      let seen = view.contentOffset
      #expect(view.scroll.phase(at: view.lastInstant) == .decelerating)
      stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      stage.sendEvent(.keyUp(key, modifiers: []))
      stage.runUntilIdle()
      #expect((view.contentOffset - seen).magnitude <= 1 ? isCaught : !isCaught)
    }
  }

  // MARK: Frames

  @Test("After a notch frames are made while something moves or fades, and none in between")
  func framesOfNotch() {
    let (stage, view) = ScrollViewTests.stage()
    stage.runUntilIdle()
    let faded = stage.lastFrameCommands
    let before = stage.display.presentedFrames
    stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    stage.run(milliseconds: 900)
    let moving = stage.display.presentedFrames - before
    // The spring's 5 %-time is 0.15 s: it is within a tenth of a point after twice that.
    #expect(moving > 10 && moving <= 24 && view.contentOffset == view.notchDistance)
    let strong = stage.lastFrameCommands
    stage.run(milliseconds: 10_000)
    let fading = stage.display.presentedFrames - before - moving
    #expect(fading > 10 && fading <= 20, "a quarter of a second")
    #expect(stage.lastFrameCommands != strong && stage.lastFrameCommands != faded && strong.count == faded.count)
    let rested = stage.display.presentedFrames
    stage.run(milliseconds: 10_000)
    #expect(stage.display.presentedFrames == rested)
  }

  @Test("A finger that stays and a key that is held make no frames until they mean something")
  func framesOfWaiting() {
    let stage = WindowHarness(root: View())
    stage.run(frames: 2)
    stage.sendEvent(.touch(TouchInput(finger: 1, phase: .began, location: Point(x: 50, y: 50))))
    let before = stage.display.presentedFrames
    stage.run(milliseconds: 2_000)
    #expect(stage.display.presentedFrames - before <= 3)
    let (other, view) = ScrollViewTests.stage(contentLength: 1e6)
    view.scrollTuning.reducesMotion = true
    other.run(milliseconds: 5_000)
    let rested = other.display.presentedFrames
    other.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    other.run(milliseconds: 280)
    #expect(other.display.presentedFrames - rested <= 3 && view.contentOffset == 80)
    other.run(milliseconds: 500)
    #expect(view.contentOffset > 300, "it goes on when the key was held for long")
  }
}
