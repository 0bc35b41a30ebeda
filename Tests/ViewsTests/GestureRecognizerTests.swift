import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Gesture recognizers of views")
struct GestureRecognizerTests {
  /// A view that records the presses that it receives.
  private final class Pad: View {
    var events: [String] = []
    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .pointerDown(_, let button, _, _): events.append("down \(button)")
      case .pointerUp: events.append("up")
      case .pointerMoved: events.append("moved")
      case .cancelled: events.append("cancelled")
      default: return false
      }
      return true
    }
  }

  private final class Delegate: GestureRecognizerDelegate {
    var permits = true
    func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { permits }
  }

  private final class Fixture {
    let root = View()
    let pad = Pad(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    let inner = View(frame: Rect(x: 50, y: 50, width: 100, height: 100))
    let harness: WindowHarness
    var log: [String] = []

    init() {
      root.addSubview(pad)
      pad.addSubview(inner)
      harness = WindowHarness(root: root)
      harness.runUntilIdle()
    }

    func click(_ x: Double, _ y: Double, clicks: Int = 1) {
      press(x, y, clicks: clicks)
      release(x, y)
    }

    func press(_ x: Double, _ y: Double, clicks: Int = 1) {
      harness.sendEvent(.pointerDown(Point(x: x, y: y), button: .primary, clicks: clicks, modifiers: []))
      harness.run(frames: 1)
    }

    func move(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
      harness.run(frames: 1)
    }

    func release(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
      harness.run(frames: 1)
    }

    func touch(_ phase: TouchInput.Phase, _ x: Double, _ y: Double, finger: Int64 = 1) {
      harness.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
      harness.run(frames: 1)
    }
  }

  @Test("A tap on a subview does not reach the views, and one beside it does")
  func tap() {
    let fixture = Fixture()
    fixture.inner.addGestureRecognizer(
      TapGestureRecognizer { fixture.log.append("tap \($0.location(in: fixture.inner))") })
    fixture.click(70, 80)
    #expect(fixture.log == ["tap \(Point(x: 20, y: 30))"] && fixture.pad.events.isEmpty)
    fixture.click(20, 20)
    #expect(fixture.pad.events == ["down primary", "up"] && fixture.log.count == 1)
    fixture.touch(.began, 70, 80)
    fixture.touch(.ended, 70, 80)
    #expect(fixture.log.count == 2 && fixture.pad.events.count == 2)
    fixture.touch(.began, 20, 20)
    fixture.touch(.ended, 20, 20)
    #expect(fixture.pad.events.suffix(2) == ["down primary", "up"])
  }

  @Test("A press that is no gesture reaches the views with all its events")
  func failedTap() {
    let fixture = Fixture()
    fixture.inner.addGestureRecognizer(TapGestureRecognizer { _ in fixture.log.append("tap") })
    fixture.press(70, 80)
    #expect(fixture.pad.events.isEmpty)
    fixture.move(72, 80)
    fixture.move(100, 80)
    #expect(fixture.pad.events == ["down primary", "moved", "moved"])
    fixture.release(100, 80)
    #expect(fixture.pad.events.last == "up" && fixture.log.isEmpty)
  }

  @Test("A recognizer that needs two fingers does not hold back the pointer")
  func twoFingers() {
    let fixture = Fixture()
    fixture.pad.addGestureRecognizer(PinchGestureRecognizer { _ in })
    fixture.press(60, 60)
    fixture.move(80, 80)
    #expect(fixture.pad.events == ["down primary", "moved"])
    fixture.release(80, 80)
    #expect(fixture.pad.events == ["down primary", "moved", "up"])
  }

  @Test("A recognizer that does not cancel touches lets the views receive the click too")
  func passingTap() {
    let fixture = Fixture()
    let tap = TapGestureRecognizer { _ in fixture.log.append("tap") }
    tap.cancelsTouchesInView = false
    fixture.inner.addGestureRecognizer(tap)
    fixture.click(70, 80)
    #expect(fixture.log == ["tap"] && fixture.pad.events == ["down primary", "up"])
  }

  @Test("The innermost of several taps is recognized; a disabled or removed one, and a refused one, are not")
  func nestedTaps() {
    let fixture = Fixture()
    let outer = TapGestureRecognizer { _ in fixture.log.append("outer") }
    let inner = TapGestureRecognizer { _ in fixture.log.append("inner") }
    let delegate = Delegate()
    inner.delegate = delegate
    fixture.pad.addGestureRecognizer(outer)
    fixture.inner.addGestureRecognizer(inner)
    fixture.click(70, 80)
    delegate.permits = false
    fixture.click(70, 80)
    delegate.permits = true
    inner.isEnabled = false
    fixture.click(70, 80)
    inner.isEnabled = true
    fixture.inner.removeGestureRecognizer(inner)
    fixture.click(70, 80)
    #expect(fixture.log == ["inner", "outer", "outer", "outer"] && fixture.inner.gestureRecognizers.isEmpty)
  }

  @Test("A tap that requires a double tap to fail waits for it, and the click reaches the views only if both fail")
  func requirement() {
    let fixture = Fixture()
    let double = TapGestureRecognizer { _ in fixture.log.append("double") }
    double.numberOfTapsRequired = 2
    let single = TapGestureRecognizer { _ in fixture.log.append("single") }
    single.require(toFail: double)
    fixture.inner.addGestureRecognizer(double)
    fixture.inner.addGestureRecognizer(single)
    fixture.click(70, 80)
    #expect(fixture.log.isEmpty)
    fixture.harness.runUntilIdle()
    #expect(fixture.log == ["single"])
    fixture.click(70, 80)
    fixture.click(70, 80, clicks: 2)
    fixture.harness.runUntilIdle()
    #expect(fixture.log == ["single", "double"] && fixture.pad.events.isEmpty)
    fixture.inner.removeGestureRecognizer(single)
    fixture.touch(.began, 70, 80)
    fixture.touch(.ended, 70, 80)
    fixture.harness.runUntilIdle()
    #expect(fixture.pad.events == ["down primary", "up"], "the finger's click, not a long press")
  }

  @Test("A long press begins while the finger rests, and prevents the secondary click")
  func longPress() {
    let fixture = Fixture()
    fixture.inner.addGestureRecognizer(LongPressGestureRecognizer { fixture.log.append("\($0.state)") })
    fixture.touch(.began, 70, 80)
    fixture.harness.run(milliseconds: 700)
    #expect(fixture.log == ["began"])
    fixture.touch(.moved, 90, 80)
    fixture.touch(.ended, 90, 80)
    #expect(fixture.log == ["began", "changed", "ended"] && fixture.pad.events.isEmpty)
    fixture.touch(.began, 20, 80)
    fixture.harness.run(milliseconds: 700)
    #expect(fixture.pad.events.first == "down secondary")
  }

  @Test("A long press of the views ends an undecided tap")
  func windowLongPress() {
    let fixture = Fixture()
    fixture.inner.addGestureRecognizer(TapGestureRecognizer { _ in fixture.log.append("tap") })
    fixture.touch(.began, 70, 80)
    fixture.harness.run(milliseconds: 700)
    fixture.touch(.ended, 70, 80)
    #expect(fixture.log.isEmpty && fixture.pad.events.first == "down secondary")
  }

  @Test("A pan takes the finger from a scroll view, unless it moves along it and the recognizer is outside")
  func scrollViews() {
    for isInside in [true, false] {
      let root = View()
      let scrollView = ScrollView(frame: Rect(x: 0, y: 0, width: 400, height: 300))
      let content = View(frame: Rect(x: 0, y: 0, width: 400, height: 300))
      root.addSubview(scrollView)
      scrollView.addSubview(content)
      let harness = WindowHarness(root: root)
      scrollView.setContentLength(5_000)
      harness.window.addParticipant(scrollView)
      harness.runUntilIdle()
      var log: [String] = []
      let pan = PanGestureRecognizer { log.append("\($0.state)") }
      (isInside ? content : root).addGestureRecognizer(pan)
      func drag(_ x: Double, _ y: Double) {
        for (phase, step) in [(TouchInput.Phase.began, 0.0), (.moved, 1), (.moved, 2), (.ended, 2)] {
          harness.sendEvent(
            .touch(TouchInput(finger: 1, phase: phase, location: Point(x: 200 + x * step, y: 200 + y * step))))
          harness.run(frames: 1)
        }
      }
      drag(0, -40)
      #expect(isInside ? scrollView.contentOffset == 0 : scrollView.contentOffset > 20)
      #expect(log == (isInside ? ["began", "changed", "ended"] : []))
      harness.runUntilIdle()
      let offset = scrollView.contentOffset
      log = []
      drag(-40, 0)
      #expect(log == ["began", "changed", "ended"] && scrollView.contentOffset == offset)
    }
  }

  @Test("Fingers, a trackpad and the wheel with Control pinch")
  func pinch() {
    let fixture = Fixture()
    fixture.inner.addGestureRecognizer(
      PinchGestureRecognizer { fixture.log.append("\($0.state) \(($0.scale * 100).rounded())") })
    fixture.touch(.began, 60, 100)
    fixture.touch(.began, 100, 100, finger: 2)
    fixture.touch(.moved, 120, 100, finger: 2)
    fixture.touch(.moved, 150, 100, finger: 2)
    fixture.touch(.ended, 150, 100, finger: 2)
    fixture.touch(.ended, 60, 100)
    #expect(fixture.log == ["began 100.0", "changed 150.0", "ended 150.0"])
    fixture.log = []
    for (phase, scale) in [(TouchInput.Phase.began, 1.0), (.moved, 1.2), (.ended, 1.2)] {
      fixture.harness.sendEvent(.pinch(PinchInput(phase: phase, location: Point(x: 80, y: 80), scale: scale)))
    }
    fixture.harness.run(frames: 1)
    #expect(fixture.log == ["began 100.0", "changed 120.0", "ended 120.0"])
    fixture.log = []
    fixture.harness.sendEvent(
      .wheel(WheelInput(location: Point(x: 80, y: 80), deltaX: 0, deltaY: 1, modifiers: .control)))
    fixture.harness.run(frames: 1)
    #expect(fixture.log == ["began 100.0", "changed 110.0", "ended 110.0"])
  }

  @Test("A gesture is cancelled when its view leaves, when it is disabled, and when the window loses its input")
  func cancellation() {
    for way in 0..<3 {
      let fixture = Fixture()
      let pan = PanGestureRecognizer { fixture.log.append("\($0.state) \($0.translation.x)") }
      fixture.inner.addGestureRecognizer(pan)
      fixture.press(70, 80)
      fixture.move(90, 80)
      switch way {
      case 0: fixture.inner.removeFromSuperview()
      case 1: pan.isEnabled = false
      default: fixture.harness.sendEvent(.cancelled)
      }
      fixture.move(95, 80)
      fixture.release(95, 80)
      #expect(fixture.log == ["began 20.0", "cancelled 20.0"], "\(way)")
      #expect(!fixture.pad.events.contains("down primary"))
    }
  }
}
