import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What is held is let go where nobody can say so: views that leave, windows that are hidden")
struct LeavingViewTests {
  /// Two scroll views beside each other, the first within a container.
  private final class Pair {
    let (root, container) = (View(), View(frame: Rect(x: 0, y: 0, width: 200, height: 300)))
    let (first, second) = (ScrollView(), ScrollView(frame: Rect(x: 200, y: 0, width: 200, height: 300)))
    let stage: WindowHarness

    init() {
      first.frame = container.bounds
      container.addSubview(first)
      root.addSubview(container)
      root.addSubview(second)
      stage = WindowHarness(root: root)
      for view in [first, second] {
        view.setContentLength(1e6)
        stage.window.addParticipant(view)
      }
      stage.run(frames: 1)
    }

    func down(_ x: Double, _ y: Double = 100, _ button: PointerButton = .primary) {
      stage.sendEvent(.pointerDown(Point(x: x, y: y), button: button, clicks: 1, modifiers: []))
      stage.run(frames: 1)
    }

    func move(_ x: Double, _ y: Double) {
      stage.sendEvent(.pointerMoved(Point(x: x, y: y)))
      stage.run(frames: 1)
    }

    func turn(_ x: Double) {
      stage.sendEvent(.wheel(WheelInput(location: Point(x: x, y: 100), deltaX: 0, deltaY: -1)))
      stage.runUntilIdle()
    }
  }

  @Test("A view that goes by how far the pointer is has the window no longer once it left, alone or with what holds it")
  func autoscroll() {
    for leavesAlone in [true, false] {
      let pair = Pair()
      pair.down(100, 100, .middle)
      pair.stage.sendEvent(.pointerUp(Point(x: 100, y: 100), button: .middle, modifiers: []))
      pair.move(100, 200)
      pair.stage.run(frames: 20)
      #expect(pair.first.contentOffset > 100 && pair.stage.window.grabber === pair.first)
      if leavesAlone { pair.first.removeFromSuperview() } else { pair.container.removeFromSuperview() }
      #expect(pair.stage.window.grabber == nil)
      pair.turn(300)
      #expect(pair.second.contentOffset == pair.second.notchDistance)
      // It comes back without what was under way.
      if leavesAlone { pair.container.addSubview(pair.first) } else { pair.root.addSubview(pair.container) }
      let offset = pair.first.contentOffset
      pair.stage.runUntilIdle()
      #expect(pair.first.contentOffset == offset && pair.first.subviews.count == 1, "no mark, no movement")
    }
  }

  @Test("A thumb that is held where the window is hidden, or that left with its view, is not dragged afterwards")
  func thumb() {
    for isHidden in [true, false] {
      let pair = Pair()
      pair.down(192, 10)
      pair.move(192, 60)
      let offset = pair.first.contentOffset
      #expect(offset > 0 && pair.first.scroll.isThumbHeld(at: pair.stage.clock.now()))
      if isHidden {
        pair.stage.sendEvent(.hidden)
        pair.stage.sendEvent(.shown)
      } else {
        pair.container.removeFromSuperview()
        pair.root.addSubview(pair.container)
      }
      pair.stage.run(frames: 1)
      #expect(!pair.first.scroll.isThumbHeld(at: pair.stage.clock.now()))
      pair.move(192, 200)
      pair.move(300, 250)
      pair.stage.runUntilIdle()
      #expect(pair.first.contentOffset == offset)
      pair.turn(300)
      #expect(pair.second.contentOffset == pair.second.notchDistance)
    }
  }

  @Test("A key that is held where the window is hidden moves nothing any more")
  func key() {
    let pair = Pair()
    pair.stage.window.firstResponder = pair.first
    pair.stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    pair.stage.run(frames: 40)
    #expect(pair.first.scroll.velocity(at: pair.stage.clock.now()) > 500)
    pair.stage.sendEvent(.hidden)
    pair.stage.sendEvent(.shown)
    pair.stage.runUntilIdle()
    #expect(pair.first.scroll.velocity(at: pair.stage.clock.now()) == 0)
  }

  @Test("Fingers that are drawn over a view do nothing to it once it left")
  func fingers() {
    let pair = Pair()
    func touch(_ phase: TouchInput.Phase, _ y: Double) {
      pair.stage.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
      pair.stage.run(frames: 1)
    }
    touch(.began, 250)
    touch(.moved, 230)
    touch(.moved, 200)
    let offset = pair.first.contentOffset
    #expect(offset > 0)
    pair.container.removeFromSuperview()
    touch(.moved, 100)
    touch(.ended, 50)
    pair.root.addSubview(pair.container)
    pair.stage.runUntilIdle()
    #expect(pair.first.contentOffset == offset && !pair.first.isTracked)
  }

  @Test("A finger on the thumb whose end was lost keeps no other one from anything")
  func lostThumb() {
    let pair = Pair()
    func touch(_ finger: Int64, _ phase: TouchInput.Phase, _ x: Double, _ y: Double) {
      pair.stage.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
      pair.stage.run(frames: 1)
    }
    touch(1, .began, 192, 10)
    touch(1, .moved, 192, 100)
    #expect(pair.first.contentOffset > 0)
    pair.stage.run(milliseconds: 2_500)
    touch(2, .began, 300, 200)
    touch(2, .moved, 300, 190)
    touch(2, .moved, 300, 150)
    #expect(pair.second.contentOffset == 40)
  }

  /// Uses presses, and writes down what becomes of them.
  private final class Button: View {
    var lines: [String] = []
    var onPress: (() -> Void)?
    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .pointerDown:
        lines.append("down")
        onPress?()
      case .pointerUp: lines.append("up")
      case .cancelled:
        lines.append("cancelled")
        return false
      default: return false
      }
      return true
    }
  }

  @Test("A press that nobody let go of ends once, in every view that holds something, and its release is nobody's")
  func press() {
    let pair = Pair()
    let button = Button(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    pair.root.addSubview(button)
    pair.down(50, 50)
    pair.stage.sendEvent(.cancelled)
    pair.stage.sendEvent(.cancelled)
    pair.stage.run(frames: 1)
    #expect(button.lines == ["down", "cancelled"])
    pair.down(50, 50)
    button.removeFromSuperview()
    pair.stage.sendEvent(.pointerUp(Point(x: 50, y: 50), button: .primary, modifiers: []))
    pair.stage.run(frames: 1)
    #expect(button.lines == ["down", "cancelled", "down", "cancelled"])
  }

  @Test("A view that leaves because it was pressed has the pointer no longer")
  func pressToLeave() {
    let pair = Pair()
    let button = Button(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    button.onPress = { [weak button] in button?.removeFromSuperview() }
    pair.root.addSubview(button)
    pair.down(50, 50)
    pair.stage.sendEvent(.pointerUp(Point(x: 50, y: 50), button: .primary, modifiers: []))
    pair.stage.run(frames: 1)
    #expect(button.lines == ["down"])
  }
}
