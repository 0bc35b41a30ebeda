import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Removed views and hidden windows end their interactions")
struct ViewRemovalTests {
  /// Two scroll views next to each other, the first within a container.
  private final class Fixture {
    let (root, container) = (View(), View(frame: Rect(x: 0, y: 0, width: 200, height: 300)))
    let (first, second) = (ScrollView(), ScrollView(frame: Rect(x: 200, y: 0, width: 200, height: 300)))
    let harness: WindowHarness

    init() {
      first.frame = container.bounds
      container.addSubview(first)
      root.addSubview(container)
      root.addSubview(second)
      harness = WindowHarness(root: root)
      for view in [first, second] {
        view.setContentLength(1e6)
        harness.window.addParticipant(view)
      }
      harness.run(frames: 1)
    }

    func pressPointer(_ x: Double, _ y: Double = 100, _ button: PointerButton = .primary) {
      harness.sendEvent(.pointerDown(Point(x: x, y: y), button: button, clicks: 1, modifiers: []))
      harness.run(frames: 1)
    }

    func movePointer(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
      harness.run(frames: 1)
    }

    func scrollWheel(_ x: Double) {
      harness.sendEvent(.wheel(WheelInput(location: Point(x: x, y: 100), deltaX: 0, deltaY: -1)))
      harness.runUntilIdle()
    }
  }

  @Test("Autoscroll ends when its view or an ancestor is removed")
  func autoscroll() {
    for removesViewOnly in [true, false] {
      let fixture = Fixture()
      fixture.pressPointer(100, 100, .middle)
      fixture.harness.sendEvent(.pointerUp(Point(x: 100, y: 100), button: .middle, modifiers: []))
      fixture.movePointer(100, 200)
      fixture.harness.run(frames: 20)
      #expect(fixture.first.contentOffset > 100 && fixture.harness.window.grabber === fixture.first)
      if removesViewOnly { fixture.first.removeFromSuperview() } else { fixture.container.removeFromSuperview() }
      #expect(fixture.harness.window.grabber == nil)
      fixture.scrollWheel(300)
      #expect(fixture.second.contentOffset == fixture.second.notchDistance)
      // Autoscroll does not resume when the view returns.
      if removesViewOnly {
        fixture.container.addSubview(fixture.first)
      } else {
        fixture.root.addSubview(fixture.container)
      }
      let offset = fixture.first.contentOffset
      fixture.harness.runUntilIdle()
      #expect(
        fixture.first.contentOffset == offset && fixture.first.subviews.count == 1, "no indicator and no movement")
    }
  }

  @Test("A dragged thumb is released when the window is hidden or its view is removed")
  func heldThumb() {
    for isHidden in [true, false] {
      let fixture = Fixture()
      fixture.pressPointer(192, 10)
      fixture.movePointer(192, 60)
      let offset = fixture.first.contentOffset
      #expect(offset > 0 && fixture.first.scroll.isThumbHeld(at: fixture.harness.clock.now()))
      if isHidden {
        fixture.harness.sendEvent(.hidden)
        fixture.harness.sendEvent(.shown)
      } else {
        fixture.container.removeFromSuperview()
        fixture.root.addSubview(fixture.container)
      }
      fixture.harness.run(frames: 1)
      #expect(!fixture.first.scroll.isThumbHeld(at: fixture.harness.clock.now()))
      fixture.movePointer(192, 200)
      fixture.movePointer(300, 250)
      fixture.harness.runUntilIdle()
      #expect(fixture.first.contentOffset == offset)
      fixture.scrollWheel(300)
      #expect(fixture.second.contentOffset == fixture.second.notchDistance)
    }
  }

  @Test("A held key stops scrolling when the window is hidden")
  func heldKey() {
    let fixture = Fixture()
    fixture.harness.window.firstResponder = fixture.first
    fixture.harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
    fixture.harness.run(frames: 40)
    #expect(fixture.first.scroll.velocity(at: fixture.harness.clock.now()) > 500)
    fixture.harness.sendEvent(.hidden)
    fixture.harness.sendEvent(.shown)
    fixture.harness.runUntilIdle()
    #expect(fixture.first.scroll.velocity(at: fixture.harness.clock.now()) == 0)
  }

  @Test("A pan has no effect on a removed view")
  func fingers() {
    let fixture = Fixture()
    func touch(_ phase: TouchInput.Phase, _ y: Double) {
      fixture.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
      fixture.harness.run(frames: 1)
    }
    touch(.began, 250)
    touch(.moved, 230)
    touch(.moved, 200)
    let offset = fixture.first.contentOffset
    #expect(offset > 0)
    fixture.container.removeFromSuperview()
    touch(.moved, 100)
    touch(.ended, 50)
    fixture.root.addSubview(fixture.container)
    fixture.harness.runUntilIdle()
    #expect(fixture.first.contentOffset == offset && !fixture.first.isTracked)
  }

  @Test("A finger on the thumb without an end event does not block other fingers")
  func lostThumbFinger() {
    let fixture = Fixture()
    func touch(_ finger: Int64, _ phase: TouchInput.Phase, _ x: Double, _ y: Double) {
      fixture.harness.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
      fixture.harness.run(frames: 1)
    }
    touch(1, .began, 192, 10)
    touch(1, .moved, 192, 100)
    #expect(fixture.first.contentOffset > 0)
    fixture.harness.run(milliseconds: 2_500)
    touch(2, .began, 300, 200)
    touch(2, .moved, 300, 190)
    touch(2, .moved, 300, 150)
    #expect(fixture.second.contentOffset == 40)
  }

  /// A view that handles presses and records them.
  private final class PressRecorder: View {
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

  @Test("A cancelled press ends once, and its release reaches no view")
  func cancelledPress() {
    let fixture = Fixture()
    let button = PressRecorder(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    fixture.root.addSubview(button)
    fixture.pressPointer(50, 50)
    fixture.harness.sendEvent(.cancelled)
    fixture.harness.sendEvent(.cancelled)
    fixture.harness.run(frames: 1)
    #expect(button.lines == ["down", "cancelled"])
    fixture.pressPointer(50, 50)
    button.removeFromSuperview()
    fixture.harness.sendEvent(.pointerUp(Point(x: 50, y: 50), button: .primary, modifiers: []))
    fixture.harness.run(frames: 1)
    #expect(button.lines == ["down", "cancelled", "down", "cancelled"])
  }

  @Test("A view that is removed during a press receives no release")
  func removalDuringPress() {
    let fixture = Fixture()
    let button = PressRecorder(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    button.onPress = { [weak button] in button?.removeFromSuperview() }
    fixture.root.addSubview(button)
    fixture.pressPointer(50, 50)
    fixture.harness.sendEvent(.pointerUp(Point(x: 50, y: 50), button: .primary, modifiers: []))
    fixture.harness.run(frames: 1)
    #expect(button.lines == ["down"])
  }
}

// MARK: - Text input

@Suite("Text input")
struct TextInputTests {
  private final class TextResponder: View {
    var usesKeys = false
    var usesText = true
    var texts: [String] = []
    /// Called for each key-down event.
    var onKey: () -> Void = {}

    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .keyDown:
        onKey()
        return usesKeys
      case .text(let text):
        texts.append(text)
        return usesText
      default: return false
      }
    }
  }

  private func typeKey(_ harness: WindowHarness) {
    harness.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    harness.sendEvent(.text("x"))
    harness.sendEvent(.keyUp(.character("x"), modifiers: []))
    harness.run(frames: 1)
  }

  @Test("Text goes to the first responder and then to its ancestors, or to the view that handled the key")
  func routing() {
    let (root, field) = (TextResponder(), TextResponder())
    let harness = WindowHarness(root: root)
    root.addSubview(field)
    harness.window.firstResponder = field
    typeKey(harness)
    #expect(field.texts == ["x"] && root.texts.isEmpty)
    field.usesText = false
    typeKey(harness)
    #expect(field.texts == ["x", "x"] && root.texts == ["x"])
    (field.usesKeys, field.usesText) = (true, true)
    typeKey(harness)
    #expect(field.texts.count == 3 && root.texts == ["x"])
    root.usesKeys = true
    field.usesKeys = false
    typeKey(harness)
    #expect(field.texts.count == 3 && root.texts == ["x", "x"], "an ancestor handled the key")
    harness.sendEvent(.text("写"))
    harness.run(frames: 1)
    #expect(field.texts.last == "写", "text without a key goes to the first responder")
  }

  @Test("A key that removes its view types no text, and the text of a grabbed key goes to the grabber")
  func handledKeys() {
    let root = TextResponder()
    let harness = WindowHarness(root: root)
    var sheet: TextResponder? = TextResponder()
    sheet?.usesKeys = true
    sheet?.onKey = {
      sheet?.removeFromSuperview()
      sheet = nil
    }
    if let sheet { root.addSubview(sheet) }
    harness.window.firstResponder = sheet
    typeKey(harness)
    #expect(root.texts.isEmpty && sheet == nil)
    typeKey(harness)
    #expect(root.texts == ["x"])
    let grabber = TextResponder()
    grabber.usesKeys = true
    grabber.onKey = { harness.window.grabber = nil }
    root.addSubview(grabber)
    harness.window.grabber = grabber
    typeKey(harness)
    #expect(root.texts == ["x"] && grabber.texts == ["x"])
  }
}
