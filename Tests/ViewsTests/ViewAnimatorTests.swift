import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("Timers, display links and animators")
struct ViewAnimatorTests {
  private func harness(_ views: View...) -> WindowHarness {
    let root = View()
    views.forEach(root.addSubview)
    let harness = WindowHarness(root: root)
    harness.runUntilIdle()
    return harness
  }

  @Test("A timer fires at its times, and the loop rests in between")
  func timer() {
    let harness = harness()
    var fired: [FrameInstant] = []
    let timer = FrameTimer(interval: .milliseconds(100)) { fired.append($0) }
    let start = harness.clock.now()
    let before = harness.display.presentedFrames
    timer.start(in: harness.window)
    timer.start(in: harness.window)
    harness.run(milliseconds: 1_050)
    #expect(fired.count == 10)
    for (index, instant) in fired.enumerated() {
      let due = start + .milliseconds(100 * Double(index + 1))
      #expect(instant >= due && instant < due + .milliseconds(40))
    }
    #expect(harness.display.presentedFrames - before <= 12, "a frame for each call")
    timer.invalidate()
    #expect(!timer.isValid && harness.runUntilIdle() == 0 && fired.count == 10)
  }

  @Test("A timer without repetition fires once, and can be started again by its handler")
  func singleTimer() {
    let harness = harness()
    var count = 0
    var timer: FrameTimer?
    timer = FrameTimer(interval: .milliseconds(50), repeats: false) { _ in
      count += 1
      if count < 3 { timer?.start(in: harness.window) }
    }
    timer?.start(in: harness.window)
    harness.runUntilIdle()
    #expect(count == 3 && timer?.isValid == false)
  }

  @Test("A display link is called in every frame until it is paused")
  func displayLink() {
    let harness = harness()
    var elapsed: [FrameDuration] = []
    let link = DisplayLink { elapsed.append($1) }
    link.start(in: harness.window)
    harness.run(milliseconds: 160)
    #expect(elapsed.count >= 9 && elapsed.first == .zero && elapsed.dropFirst().allSatisfy { $0 == .milliseconds(16) })
    link.isPaused = true
    let count = elapsed.count
    #expect(harness.runUntilIdle() <= 1 && elapsed.count == count)
    link.isPaused = false
    harness.run(milliseconds: 32)
    #expect(elapsed.count > count && elapsed[count] == .zero)
    link.invalidate()
    #expect(harness.runUntilIdle() <= 1)
  }

  @Test("Numbers that are not finite are reported, and the property keeps its value")
  func invalidNumbers() {
    let view = View(frame: Rect(x: 1, y: 2, width: 3, height: 4))
    let harness = harness(view)
    let animator = ViewAnimator(duration: .milliseconds(100))
    animator.animate(
      view, alpha: .nan, frame: Rect(x: .infinity, y: 0, width: 5, height: -5), transform: Transform(scaleX: .nan, y: 1)
    )
    animator.start()
    harness.runUntilIdle()
    #expect(view.frame == Rect(x: 1, y: 2, width: 3, height: 4) && view.alpha == 1 && view.transform == .identity)
    #expect(harness.window.misuse.sentences.count == 1)
    animator.animate(view, alpha: 0.5)
    animator.start()
    harness.runUntilIdle()
    #expect(view.alpha == 0.5)
  }

  @Test("An animation moves from where the view is, ends at its values, and the loop rests")
  func animation() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let harness = harness(view)
    let animator = ViewAnimator(duration: .milliseconds(160), curve: .linear)
    animator.animate(view, alpha: 0, frame: Rect(x: 100, y: 0, width: 20, height: 10))
    var ends: [Bool] = []
    animator.addCompletion { ends.append($0) }
    animator.start()
    var positions: [Double] = []
    for _ in 0..<5 {
      harness.run(frames: 1)
      positions.append(view.frame.minX)
      #expect((view.alpha - (1 - view.frame.minX / 100)).magnitude < 1e-9)
      #expect((view.frame.width - 10 - view.frame.minX / 10).magnitude < 1e-9)
    }
    #expect(positions == [0, 10, 20, 30, 40])
    #expect((animator.fractionComplete - 0.4).magnitude < 1e-9 && animator.isTracked)
    harness.runUntilIdle()
    #expect(view.frame == Rect(x: 100, y: 0, width: 20, height: 10) && view.alpha == 0)
    #expect(ends == [true] && animator.state == .ended && animator.fractionComplete == 1)
    #expect(harness.window.participants.isEmpty && harness.runUntilIdle() == 0)
  }

  @Test("Another animator takes over from where the view is, a spring with its velocity")
  func interruption() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let harness = harness(view)
    let first = ViewAnimator(duration: .milliseconds(320), curve: .linear)
    first.animate(view, alpha: 0.5, frame: Rect(x: 320, y: 0, width: 10, height: 10))
    first.start()
    harness.run(frames: 6)
    let (position, opacity) = (view.frame.minX, view.alpha)
    #expect(position == 80)
    let second = ViewAnimator(duration: .milliseconds(500), curve: .spring(dampingRatio: 1))
    second.animate(view, frame: Rect(x: 0, y: 0, width: 10, height: 10))
    second.start()
    harness.run(frames: 1)
    #expect(view.frame.minX == position)
    harness.run(frames: 1)
    #expect(view.frame.minX > position, "it continues before it turns")
    harness.runUntilIdle()
    #expect(view.frame.minX == 0 && view.alpha == 0.5 && opacity < 1, "the opacity was still animated")
    #expect(first.state == .ended && second.state == .ended)
  }

  @Test("A replaced, stopped or orphaned animation reports that it did not finish")
  func ends() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let harness = harness(view)
    func animator(to x: Double, _ ends: @escaping (Bool) -> Void) -> ViewAnimator {
      let animator = ViewAnimator(duration: .milliseconds(320), curve: .linear)
      animator.animate(view, transform: Transform(translationX: x, y: 0))
      animator.addCompletion(ends)
      animator.start()
      return animator
    }
    var ends: [String] = []
    let first = animator(to: 320) { ends.append("first \($0)") }
    harness.run(frames: 6)
    let second = animator(to: 80) { ends.append("second \($0)") }
    #expect(ends == ["first false"] && first.state == .ended && view.transform.tx == 80)
    second.stop(at: .start)
    #expect(ends.last == "second false" && view.transform.tx == 80)
    let third = animator(to: 400) { ends.append("third \($0)") }
    harness.run(frames: 3)
    third.pause()
    let paused = view.transform.tx
    #expect(paused > 80 && harness.runUntilIdle() <= 1 && view.transform.tx == paused)
    third.fractionComplete = 0.5
    #expect(view.transform.tx == 240)
    third.start()
    harness.run(frames: 2)
    #expect(view.transform.tx > 240 && view.transform.tx < 300)
    third.stop(at: .end)
    #expect(view.transform.tx == 400 && ends.last == "third false")
    let orphan = ViewAnimator(duration: .milliseconds(100))
    let outside = View()
    orphan.animate(outside, alpha: 0.3)
    orphan.addCompletion { ends.append("orphan \($0)") }
    orphan.start()
    #expect(outside.alpha == 0.3 && ends.last == "orphan true")
  }

  @Test("With reduced motion only the opacity is animated")
  func reducedMotion() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let harness = harness(view)
    harness.window.reducesMotion = true
    let animator = ViewAnimator(duration: .milliseconds(160), curve: .linear)
    animator.animate(view, alpha: 0, frame: Rect(x: 100, y: 0, width: 10, height: 10))
    animator.start()
    harness.run(frames: 3)
    #expect(view.frame.minX == 100 && view.alpha > 0.7 && view.alpha < 1)
    harness.runUntilIdle()
    #expect(view.alpha == 0)
  }

  @Test(
    "Curves begin and end at their values; springs overshoot only below a damping ratio of 1",
    arguments: [
      AnimationCurve.linear, .easeIn, .easeOut, .easeInOut, .spring(dampingRatio: 1), .spring(dampingRatio: 0.5),
    ])
  func curves(curve: AnimationCurve) {
    let number = AnimatedNumber(start: 10, end: 30)
    #expect(number.value(at: -1, of: 2, curve) == 10 && number.value(at: 0, of: 2, curve) == 10)
    #expect(number.value(at: 2, of: 2, curve) == 30 && number.value(at: 1, of: 0, curve) == 30)
    #expect((number.value(at: 1.9999, of: 2, curve) - 30).magnitude < 0.05)
    let values = (0...200).map { number.value(at: Double($0) / 100, of: 2, curve) }
    let overshoots = values.contains { $0 > 30.5 }
    #expect(overshoots == (curve == .spring(dampingRatio: 0.5)))
    #expect(zip(values, values.dropFirst()).allSatisfy { ($1 - $0).magnitude < 1.5 }, "no jumps")
    #expect((number.velocity(at: 1, of: 2, curve) - (values[101] - values[99]) * 50).magnitude < 0.5)
  }
}
