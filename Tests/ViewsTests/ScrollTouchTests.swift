import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Fingers, a pressed wheel and held keys move a scroll view")
struct ScrollTouchTests {
  private func touch(
    _ phase: TouchInput.Phase, _ y: Double, x: Double = 100, finger: Int64 = 1, on stage: WindowHarness
  ) {
    stage.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
    stage.run(frames: 1)
  }

  /// Draws a finger up by so many points a frame and lifts it.
  private func swipe(from start: Double, by step: Double, frames: Int, on stage: WindowHarness) {
    touch(.began, start, on: stage)
    for frame in 1...frames { touch(.moved, start - step * Double(frame), on: stage) }
    touch(.ended, start - step * Double(frames), on: stage)
  }

  @Test("A finger drags content one to one, and lifted in movement the content runs on")
  func drag() {
    let (stage, view) = ScrollViewTests.stage()
    touch(.began, 200, on: stage)
    touch(.moved, 190, on: stage)
    touch(.moved, 150, on: stage)
    #expect(view.contentOffset == 40, "the ten points until it was a movement are left out")
    touch(.moved, 100, on: stage)
    #expect(view.contentOffset == 90)
    touch(.ended, 100, on: stage)
    #expect(view.scroll.phase(at: stage.clock.now()) == .decelerating)
    stage.runUntilIdle()
    #expect(view.contentOffset > 500)
  }

  @Test("At the beginning it is pulled out less and less and comes back; the thumb is shorter meanwhile")
  func bounce() {
    let (stage, view) = ScrollViewTests.stage()
    stage.runUntilIdle()
    let resting = stage.lastFrameCommands
    touch(.began, 50, on: stage)
    for y in [60.0, 120, 180, 240] { touch(.moved, y, on: stage) }
    let band = RubberBand(viewportLength: 300)
    #expect((view.contentOffset + band.shown(pulled: 180)).magnitude <= 0.5 && view.contentOffset < -70)
    #expect(stage.lastFrameCommands != resting)
    touch(.ended, 240, on: stage)
    stage.run(frames: 5)
    #expect(view.contentOffset < 0 && view.isTracked)
    stage.runUntilIdle()
    #expect(view.contentOffset == 0 && stage.lastFrameCommands == resting)
  }

  @Test("Hard ends stay hard where the content is told so, and where it fits")
  func hard() {
    for length in [10_000.0, 200] {
      let (stage, view) = ScrollViewTests.stage(contentLength: length)
      view.scrollTuning.bounces = false
      touch(.began, 50, on: stage)
      for y in [60.0, 120, 240] { touch(.moved, y, on: stage) }
      #expect(view.contentOffset == 0)
    }
  }

  @Test("A touch stops content that runs, where it is seen; lifted it stays, and the tap means nothing else")
  func catches() {
    let (stage, view) = ScrollViewTests.stage()
    final class Listener: View {
      var downs = 0
      override func handle(_ event: InputEvent) -> Bool {
        if case .pointerDown = event.kind { downs += 1 }
        return true
      }
    }
    let listener = Listener(frame: Rect(x: 0, y: 0, width: 300, height: 300))
    view.addSubview(listener)
    listener.isInteractive = false
    swipe(from: 250, by: 20, frames: 6, on: stage)
    stage.run(frames: 3)
    let seen = view.contentOffset
    touch(.began, 100, on: stage)
    #expect(view.contentOffset == seen)
    stage.run(frames: 10)
    #expect(view.contentOffset == seen)
    touch(.ended, 100, on: stage)
    stage.runUntilIdle()
    #expect(view.contentOffset == seen)
  }

  @Test("A tap is a click, and a finger that stays one with the other button")
  func clicks() {
    final class Listener: View {
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
    let view = Listener()
    let stage = WindowHarness(root: view)
    touch(.began, 50, x: 70, on: stage)
    touch(.ended, 50, x: 70, on: stage)
    #expect(view.lines == ["primary 1 at 70", "primary up", "left"])
    view.lines = []
    touch(.began, 50, x: 90, on: stage)
    touch(.ended, 50, x: 90, on: stage)
    #expect(view.lines.first == "primary 2 at 90")
    view.lines = []
    touch(.began, 50, x: 20, on: stage)
    stage.run(milliseconds: 600)
    #expect(view.lines == ["secondary 1 at 20", "secondary up", "left"])
    touch(.ended, 50, x: 20, on: stage)
    #expect(view.lines.count == 3)
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 2_000)
    #expect(stage.display.presentedFrames == frames, "nothing is awaited any more")
  }

  @Test("A finger on the thumb drags it")
  func thumb() {
    let (stage, view) = ScrollViewTests.stage()
    touch(.began, 10, x: 392, on: stage)
    touch(.moved, 300, x: 392, on: stage)
    #expect(view.contentOffset == 9_700)
    touch(.ended, 300, x: 392, on: stage)
    stage.runUntilIdle()
    #expect(view.contentOffset == 9_700)
  }

  @Test("Fingers across are not the content's; two fingers move it by their middle")
  func directions() {
    let (stage, view) = ScrollViewTests.stage()
    touch(.began, 100, on: stage)
    touch(.moved, 103, x: 130, on: stage)
    touch(.moved, 60, x: 160, on: stage)
    #expect(view.contentOffset == 0)
    touch(.ended, 60, x: 160, on: stage)
    touch(.began, 200, x: 100, finger: 1, on: stage)
    touch(.began, 200, x: 200, finger: 2, on: stage)
    touch(.moved, 160, x: 100, finger: 1, on: stage)
    #expect(view.contentOffset == 20)
    touch(.moved, 160, x: 200, finger: 2, on: stage)
    #expect(view.contentOffset == 40)
  }

  @Test("A window that is hidden holds no fingers")
  func hidden() {
    let (stage, view) = ScrollViewTests.stage()
    touch(.began, 100, on: stage)
    touch(.moved, 140, on: stage)
    touch(.moved, 240, on: stage)
    #expect(view.contentOffset < 0)
    stage.sendEvent(.hidden)
    stage.sendEvent(.shown)
    stage.runUntilIdle()
    #expect(view.contentOffset == 0)
    touch(.moved, 10, on: stage)
    #expect(view.contentOffset == 0)
  }

  @Test("Pages turn one at a time, and content that is hardly moved goes back", arguments: [(60.0, 300.0), (4, 0)])
  func pages(step: Double, expected: Double) {
    let (stage, view) = ScrollViewTests.stage()
    view.isPagingEnabled = true
    swipe(from: 280, by: step, frames: 4, on: stage)
    stage.runUntilIdle()
    #expect(view.contentOffset == expected)
  }

  @Test("The delegate says where content rests that a hand let go, a trackpad's too")
  func targets() {
    final class Rests: ScrollViewDelegate {
      var asked: [Double] = []
      func scrollViewWillEndDragging(
        _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
      ) {
        asked.append(targetContentOffset)
        targetContentOffset = (targetContentOffset / 500).rounded() * 500
      }
    }
    let (stage, view) = ScrollViewTests.stage()
    let rests = Rests()
    view.scrollDelegate = rests
    swipe(from: 280, by: 30, frames: 5, on: stage)
    stage.runUntilIdle()
    #expect(rests.asked.count == 1 && view.contentOffset >= 500)
    #expect(view.contentOffset.truncatingRemainder(dividingBy: 500) == 0)
    for _ in 0..<12 {
      stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0.03, deltaY: -3.37)))
      stage.run(frames: 1)
    }
    stage.runUntilIdle()
    #expect(rests.asked.count == 2 && view.contentOffset.truncatingRemainder(dividingBy: 500) == 0)
  }

  // MARK: The pressed wheel

  @Test("Pressed and held, the wheel moves content as fast as the pointer is far, until it is let go")
  func autoscroll() {
    let (stage, view) = ScrollViewTests.stage(contentLength: 1e6)
    let plain = stage.lastFrameCommands.count
    stage.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
    stage.run(frames: 2)
    #expect(stage.lastFrameCommands.count > plain, "a mark is seen")
    stage.sendEvent(.pointerMoved(Point(x: 100, y: 105)))
    stage.run(frames: 10)
    #expect(view.contentOffset == 0, "near the origin nothing moves")
    stage.sendEvent(.pointerMoved(Point(x: 900, y: 200)))
    stage.run(frames: 60)
    let speed = view.scroll.velocity(at: stage.clock.now())
    #expect((speed - Autoscroll.velocity(at: 100)).magnitude < 1 && view.contentOffset > 1_000)
    stage.sendEvent(.pointerMoved(Point(x: 100, y: 60)))
    stage.run(frames: 60)
    #expect(view.scroll.velocity(at: stage.clock.now()) < -100)
    stage.sendEvent(.pointerUp(Point(x: 100, y: 60), button: .middle, modifiers: []))
    stage.runUntilIdle()
    #expect(view.scroll.velocity(at: stage.clock.now()) == 0)
    #expect(stage.window.grabber == nil)
  }

  @Test("Clicked, it goes on until the next press, key or wheel, and that press means nothing else")
  func autoscrollClick() {
    let ends: [InputEvent.Kind] = [
      .pointerDown(Point(x: 392, y: 290), button: .primary, clicks: 1, modifiers: []),
      .pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []),
      .keyDown(.escape, modifiers: [], isRepeat: false), .hidden,
      .touch(TouchInput(finger: 1, phase: .began, location: Point(x: 5, y: 5))),
    ]
    for end in ends {
      let (stage, view) = ScrollViewTests.stage(contentLength: 1e6)
      stage.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
      stage.sendEvent(.pointerUp(Point(x: 100, y: 100), button: .middle, modifiers: []))
      stage.sendEvent(.pointerMoved(Point(x: 100, y: 250)))
      stage.run(frames: 30)
      #expect(view.scroll.velocity(at: stage.clock.now()) > 500)
      stage.sendEvent(end)
      stage.sendEvent(.shown)
      stage.run(frames: 2)
      let offset = view.contentOffset
      stage.run(frames: 60)
      #expect(view.contentOffset == offset && offset > 100, "\(end)")
      #expect(stage.window.grabber == nil && view.subviews.count == 1, "\(end)")
    }
  }

  @Test("Where there is nowhere to scroll to, the wheel is pressed in vain")
  func autoscrollOfShort() {
    let (stage, view) = ScrollViewTests.stage(contentLength: 200)
    stage.sendEvent(.pointerDown(Point(x: 100, y: 100), button: .middle, clicks: 1, modifiers: []))
    stage.run(frames: 2)
    #expect(stage.window.grabber == nil && view.subviews.count == 1)
  }

  @Test("Its speed grows with the square of the way, evenly both ways, up to a limit")
  func autoscrollSpeed() {
    #expect(Autoscroll.velocity(at: 10) == 0 && Autoscroll.velocity(at: -9) == 0)
    #expect(Autoscroll.velocity(at: 30) == 180 && Autoscroll.velocity(at: -30) == -180)
    #expect(Autoscroll.velocity(at: 1e9) == 40_000 && Autoscroll.velocity(at: .nan) == 0)
  }

  // MARK: Held keys

  @Test("A key that is held goes a row, and from 300 ms on twelve rows a second, however often it repeats")
  func heldKey() {
    let (stage, view) = ScrollViewTests.stage(contentLength: 1e6)
    stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    stage.run(frames: 18)
    #expect(view.contentOffset > 70 && view.contentOffset <= 80)
    for _ in 0..<60 {
      stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
      stage.run(frames: 1)
    }
    #expect((view.scroll.velocity(at: stage.clock.now()) - 960).magnitude < 1)
    let offset = view.contentOffset
    stage.sendEvent(.keyUp(.down, modifiers: []))
    stage.runUntilIdle()
    #expect(view.contentOffset > offset && view.contentOffset < offset + 80, "it comes softly to rest")
  }

  @Test("Another key, a wheel and a press take over from it, and it is let go wherever the keys are by then")
  func heldKeyEnds() {
    let (stage, view) = ScrollViewTests.stage(contentLength: 1e6)
    stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    stage.run(frames: 60)
    #expect(view.scroll.velocity(at: stage.clock.now()) > 900)
    let other = View()
    view.addSubview(other)
    stage.window.firstResponder = other
    stage.sendEvent(.keyUp(.down, modifiers: []))
    stage.runUntilIdle()
    #expect(view.scroll.velocity(at: stage.clock.now()) == 0)
    stage.window.firstResponder = view
    stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    stage.run(frames: 60)
    stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: 1)))
    stage.runUntilIdle()
    #expect(view.scroll.velocity(at: stage.clock.now()) == 0, "the wheel's notch is its end")
  }

  @Test("With reduced motion keys and notches are there at once")
  func reducedMotion() {
    let (stage, view) = ScrollViewTests.stage()
    view.scrollTuning.reducesMotion = true
    stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    stage.run(frames: 1)
    #expect(view.contentOffset == 80 && !view.isTracked)
    stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    stage.run(frames: 1)
    #expect(view.contentOffset == 9_700)
  }
}
