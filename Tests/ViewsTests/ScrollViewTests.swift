import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A scroll view moves by wheel, keys and thumb")
struct ScrollViewTests {
  static func stage(contentLength: Double = 10_000) -> (WindowHarness, ScrollView) {
    let view = ScrollView()
    let stage = WindowHarness(root: view, size: Size(width: 400, height: 300))
    view.setContentLength(contentLength)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    stage.run(frames: 1)
    return (stage, view)
  }

  func press(_ key: Key, _ modifiers: KeyModifiers = [], on stage: WindowHarness) {
    stage.events.append(.keyDown(key, modifiers: modifiers, isRepeat: false), at: stage.clock.now())
    stage.events.append(.keyUp(key, modifiers: modifiers), at: stage.clock.now())
  }

  @Test("A notch of the wheel goes its distance, in many frames, and comes to rest")
  func wheelNotch() {
    let (stage, view) = Self.stage()
    stage.events.append(
      .wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)), at: stage.clock.now())
    stage.run(frames: 2)
    let early = view.contentOffset
    #expect(early > 0 && early < view.notchDistance)
    stage.run(frames: 60)
    #expect(view.contentOffset == view.notchDistance)
    #expect(!view.scroll.isMoving(at: stage.clock.now()))
  }

  @Test("A motion that the program asks for after a rest begins when the coming frame is shown, whatever comes with it")
  func afterRest() {
    let (stage, view) = Self.stage()
    stage.run(milliseconds: 5_000)
    view.applyScrollEvent(.steady(velocity: 100))
    view.setContentLength(20_000, adjustingOffsetBy: 40)
    #expect(view.scroll.isMoving(at: view.lastInstant), "it is known at once")
    stage.run(frames: 1)
    #expect(view.contentOffset == 40, "as if it had not rested at all it would be at 540")
    stage.run(frames: 10)
    #expect(view.contentOffset == 56)
    view.applyScrollEvent(.stop)
    view.scroll(to: 400, animated: true)
    stage.run(frames: 120)
    #expect(view.contentOffset == 400)
    stage.run(milliseconds: 5_000)
    view.scroll(to: 8_000, animated: true)
    stage.run(frames: 2)
    #expect(view.contentOffset > 400 && view.contentOffset < 8_000, "its way is seen")
  }

  @Test("Space and Shift+Space go a page less a little down and up; End and Home reach the ends")
  func keys() {
    let (stage, view) = Self.stage()
    press(.space, on: stage)
    stage.run(frames: 120)
    #expect(view.contentOffset == 270)
    press(.space, .shift, on: stage)
    stage.run(frames: 120)
    #expect(view.contentOffset == 0)
    press(.end, on: stage)
    stage.run(frames: 120)
    #expect(view.contentOffset == 9_700)
    press(.home, on: stage)
    stage.run(frames: 120)
    #expect(view.contentOffset == 0)
  }

  @Test("The thumb follows the pointer and stays where it is let go")
  func thumb() {
    let (stage, view) = Self.stage()
    let now = stage.clock.now()
    stage.events.append(.pointerDown(Point(x: 392, y: 10), button: .primary, clicks: 1, modifiers: []), at: now)
    stage.events.append(.pointerMoved(Point(x: 392, y: 300)), at: now)
    stage.run(frames: 2)
    #expect(view.contentOffset == 9_700)
    stage.events.append(.pointerMoved(Point(x: 392, y: 10)), at: stage.clock.now())
    stage.events.append(.pointerUp(Point(x: 392, y: 10), button: .primary, modifiers: []), at: stage.clock.now())
    stage.run(frames: 2)
    #expect(view.contentOffset == 0)
  }

  @Test("Content that fits does not scroll and has no thumb")
  func fits() {
    let (stage, view) = Self.stage(contentLength: 200)
    press(.end, on: stage)
    stage.run(frames: 10)
    #expect(view.contentOffset == 0)
    #expect(stage.display.frames.last?.commands.isEmpty == true)
  }

  @Test("After scrolling the loop comes to rest: the thumb's fading ends")
  func restsAfterScrolling() {
    let (stage, _) = Self.stage()
    press(.down, on: stage)
    stage.run(milliseconds: 5_000)
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 5_000)
    #expect(stage.display.presentedFrames == frames)
  }
}
