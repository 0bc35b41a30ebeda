import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("ZoomScrollView: input, drawing and delegate")
struct ZoomScrollViewTests {
  /// A drawing with a red square of 100 points at 200, 100, which draws itself at its scale.
  private final class Drawing: View, ZoomableContent {
    private(set) var scales: [Double] = []
    func zoomScaleDidChange(to scale: Double) { scales.append(scale) }
    override func draw(in context: DrawContext) {
      context.fill(bounds, .white)
      let scale = scales.last ?? 1
      context.fill(
        Rect(x: 200 * scale, y: 100 * scale, width: 100 * scale, height: 100 * scale), Color(hex: 0xFF0000))
    }
  }

  private final class Recorder: ZoomScrollViewDelegate {
    var calls: [String] = []
    func scrollViewDidScroll(_ view: ZoomScrollView) { calls.append("scroll") }
    func scrollViewDidZoom(_ view: ZoomScrollView) { calls.append("zoom") }
    func scrollViewDidEndZooming(_ view: ZoomScrollView, atScale scale: Double) { calls.append("end \(scale)") }
  }

  /// Creates a window of 400 by 300 that shows content of 1000 by 800.
  private func makeHarness(
    _ content: View = Drawing(), scale: Double = 1
  ) -> (harness: WindowHarness, view: ZoomScrollView) {
    let view = ZoomScrollView()
    view.contentView = content
    view.contentSize = Size(width: 1_000, height: 800)
    (view.minimumZoomScale, view.maximumZoomScale) = (0.25, 8)
    let harness = WindowHarness(root: view, scale: DisplayScale(pixelsPerPoint: scale))
    harness.window.addParticipant(view)
    harness.run(frames: 1)
    return (harness, view)
  }

  private func wheel(
    _ deltaX: Double, _ deltaY: Double, _ modifiers: KeyModifiers = [], at point: Point = Point(x: 100, y: 100),
    on harness: WindowHarness
  ) {
    harness.sendEvent(.wheel(WheelInput(location: point, deltaX: deltaX, deltaY: deltaY, modifiers: modifiers)))
  }

  private func touch(
    _ phase: TouchInput.Phase, _ x: Double, _ y: Double, finger: Int64 = 1, on harness: WindowHarness
  ) {
    harness.sendEvent(.touch(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))))
    harness.run(frames: 1)
  }

  // MARK: - Drawing

  @Test("Content is displayed at its offset and scale, and clipped to the view", arguments: [1.0, 2])
  func commands(scale: Double) {
    let (harness, view) = makeHarness(scale: scale)
    func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PixelRect {
      .at(Int32(x * scale), Int32(y * scale), Int32(width * scale), Int32(height * scale))
    }
    func rects() -> [PixelRect] {
      (harness.display.frames.last?.commands ?? []).filter { $0.kind == .fill }.map(\.destination)
    }
    #expect(rects() == [rect(0, 0, 1_000, 800), rect(200, 100, 100, 100)])
    view.contentOffset = Point(x: 50, y: 25)
    harness.run(frames: 1)
    #expect(rects() == [rect(-50, -25, 1_000, 800), rect(150, 75, 100, 100)])
    view.zoom(to: Rect(x: 200, y: 100, width: 100, height: 100), animated: false)
    harness.run(frames: 1)
    #expect(view.zoomScale == 3 && view.contentOffset == Point(x: 550, y: 300))
    #expect(rects() == [rect(-550, -300, 3_000, 2_400), rect(50, 0, 300, 300)])
    #expect(view.visibleContentRect == Rect(x: 550.0 / 3, y: 100, width: 400.0 / 3, height: 100))
    view.zoomScale = 0.25
    harness.run(frames: 1)
    #expect(rects() == [rect(75, 50, 250, 200), rect(125, 75, 25, 25)], "smaller content is centered")
  }

  @Test("A view that does not draw at a scale is stretched to the same place")
  func stretched() throws {
    let content = View()
    content.backgroundColor = .white
    let box = View(frame: Rect(x: 200, y: 100, width: 100, height: 100))
    box.backgroundColor = Color(hex: 0xFF0000)
    content.addSubview(box)
    let (harness, view) = makeHarness(content)
    view.zoom(to: Rect(x: 200, y: 100, width: 100, height: 100), animated: false)
    harness.run(frames: 1)
    let image = try harness.display.readPixels()
    #expect(image.color(49, 150) == .white && image.color(50, 0) == Color(hex: 0xFF0000))
    #expect(image.color(349, 299) == Color(hex: 0xFF0000) && image.color(350, 150) == .white)
    #expect(view.hitTest(Point(x: 60, y: 10)) === box && view.hitTest(Point(x: 40, y: 10)) === content)
    #expect(box.convertFromWindow(Point(x: 200, y: 150)) == Point(x: 50, y: 50))
  }

  @Test("Content that draws at a scale is stretched while zooming, and drawn at its scale afterwards")
  func redrawing() throws {
    let content = Drawing()
    let (harness, view) = makeHarness(content)
    wheel(0, 3, .control, on: harness)
    harness.run(frames: 4)
    #expect(content.scales == [1] && view.isZooming && view.zoomScale > 1.2)
    let square = (harness.display.frames.last?.commands ?? []).filter { $0.kind == .fill }[1].destination
    #expect((Double(square.width) - 100 * view.zoomScale).magnitude <= 1, "stretched")
    harness.runUntilIdle()
    #expect(content.scales == [1, 1.25 * 1.25 * 1.25] && content.transform == .identity)
    #expect(content.frame.size == Size(width: 1_000 * view.zoomScale, height: 800 * view.zoomScale))
    view.redrawsWhileZooming = true
    wheel(0, -3, .control, on: harness)
    harness.run(frames: 4)
    #expect(content.scales.count >= 4)
  }

  // MARK: - Input

  @Test("Control and the wheel zoom around the pointer, and the window rests afterwards")
  func zoomWheel() throws {
    let (harness, view) = makeHarness()
    let point = Point(x: 250, y: 150)
    for _ in 0..<3 { wheel(0, 1, .control, at: point, on: harness) }
    for _ in 0..<12 {
      harness.run(frames: 1)
      let content = Point(
        x: (view.contentOffset.x + point.x) / view.zoomScale, y: (view.contentOffset.y + point.y) / view.zoomScale)
      #expect((content.x - 250).magnitude <= 1 && (content.y - 150).magnitude <= 1, "to whole pixels")
      #expect(try harness.display.readPixels().color(250, 150) == Color(hex: 0xFF0000))
    }
    #expect(harness.runUntilIdle() < 60)
    #expect(view.zoomScale == 1.25 * 1.25 * 1.25 && !view.needsFrames && !view.isTracked)
    #expect(harness.runUntilIdle() == 0)
  }

  @Test("A wheel scrolls vertically, with Shift horizontally, and a trackpad in both directions")
  func wheels() {
    let (harness, view) = makeHarness()
    wheel(0, -1, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == Point(x: 0, y: 80))
    wheel(0, -1, .shift, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == Point(x: 80, y: 80))
    wheel(1.23, -2.34, on: harness)
    harness.run(frames: 1)
    #expect(view.contentOffset == Point(x: 92, y: 103))
  }

  @Test("A pressed pointer drags the content along both axes, and flings it")
  func pointerDrag() {
    let (harness, view) = makeHarness()
    harness.sendEvent(.pointerDown(Point(x: 300, y: 200), button: .primary, clicks: 1, modifiers: []))
    harness.run(frames: 1)
    for step in 1...4 {
      harness.sendEvent(.pointerMoved(Point(x: 300 - 10 * Double(step), y: 200 - 20 * Double(step))))
      harness.run(frames: 1)
    }
    #expect(view.contentOffset == Point(x: 40, y: 80))
    harness.sendEvent(.pointerUp(Point(x: 260, y: 120), button: .primary, modifiers: []))
    harness.runUntilIdle()
    #expect(view.contentOffset.x > 100 && view.contentOffset.y == 500)
    #expect(harness.window.firstResponder === view)
  }

  @Test("A drag that begins along an axis is locked to it, and a diagonal one is not", arguments: [true, false])
  func directionalLock(isDiagonal: Bool) {
    let (harness, view) = makeHarness()
    view.isDirectionalLockEnabled = true
    touch(.began, 200, 200, on: harness)
    touch(.moved, 188, isDiagonal ? 188 : 198, on: harness)
    for step in 1...4 { touch(.moved, 188 - 10 * Double(step), 190 - 10 * Double(step), on: harness) }
    #expect(view.contentOffset.x == 40)
    #expect(isDiagonal ? view.contentOffset.y > 30 : view.contentOffset.y == 0)
    touch(.ended, 148, 150, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset.x > 60 && (view.contentOffset.y > 60) == isDiagonal)
  }

  @Test("Beyond its edges content has resistance, and springs back")
  func rubberBand() {
    let (harness, view) = makeHarness()
    touch(.began, 100, 100, on: harness)
    touch(.moved, 112, 112, on: harness)
    touch(.moved, 212, 212, on: harness)
    #expect(view.contentOffset.x < -30 && view.contentOffset.x > -100 && view.contentOffset.y < -30)
    touch(.ended, 212, 212, on: harness)
    harness.runUntilIdle()
    #expect(view.contentOffset == .zero)
  }

  @Test("Two fingers zoom around the point between them, beyond the limits with resistance")
  func pinch() {
    let (harness, view) = makeHarness()
    touch(.began, 150, 150, on: harness)
    touch(.began, 250, 150, finger: 2, on: harness)
    touch(.moved, 230, 150, finger: 2, on: harness)
    touch(.moved, 310, 150, finger: 2, on: harness)
    #expect((view.zoomScale - 2).magnitude < 1e-9 && view.isZooming)
    touch(.moved, 160, 150, finger: 2, on: harness)
    #expect(view.zoomScale > 0.15 && view.zoomScale < 0.25)
    touch(.ended, 160, 150, finger: 2, on: harness)
    touch(.ended, 150, 150, on: harness)
    #expect(view.isZooming && view.zoomScale < 0.25)
    harness.runUntilIdle()
    #expect(view.zoomScale == 0.25 && view.contentOffset == Point(x: -75, y: -50) && !view.isZooming)
  }

  @Test("A double click enlarges, and shows the whole again")
  func doubleClick() {
    let (harness, view) = makeHarness()
    view.zoomScale = 0.25
    for scale in [1.0, 0.25] {
      let point = Point(x: 200, y: 150)
      harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
      harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
      harness.sendEvent(.pointerDown(point, button: .primary, clicks: 2, modifiers: []))
      harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
      harness.runUntilIdle()
      #expect(view.zoomScale == scale)
    }
  }

  @Test("Keys scroll and zoom")
  func keys() {
    let (harness, view) = makeHarness()
    harness.window.firstResponder = view
    func press(_ key: Key, _ modifiers: KeyModifiers = []) {
      harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
      harness.sendEvent(.keyUp(key, modifiers: modifiers))
      harness.runUntilIdle()
    }
    press(.right)
    press(.down)
    #expect(view.contentOffset == Point(x: 80, y: 80))
    press(.left)
    press(.end)
    #expect(view.contentOffset == Point(x: 0, y: 500))
    press(.character("+"))
    #expect(view.zoomScale == 1.25)
    press(.character("-"), .control)
    press(.character("-"))
    #expect((view.zoomScale - 0.8).magnitude < 1e-9)
    press(.character("0"))
    #expect(view.zoomScale == 1)
  }

  @Test("Input without effect is left to other views")
  func declinedInput() {
    let (harness, view) = makeHarness()
    let time = harness.clock.now()
    func isHandled(_ kind: InputEvent.Kind) -> Bool { view.handle(InputEvent(time: time, kind: kind)) }
    func wheel(_ modifiers: KeyModifiers) -> InputEvent.Kind {
      .wheel(WheelInput(location: .zero, deltaX: 0, deltaY: -1, modifiers: modifiers))
    }
    #expect(isHandled(wheel([])) && isHandled(wheel(.control)))
    view.isScrollEnabled = false
    #expect(!isHandled(wheel([])) && isHandled(wheel(.control)))
    view.isScrollEnabled = true
    view.contentSize = Size(width: 100, height: 100)
    (view.minimumZoomScale, view.maximumZoomScale) = (1, 1)
    #expect(!isHandled(wheel([])) && !isHandled(wheel(.control)))
    #expect(!isHandled(.pointerDown(.zero, button: .primary, clicks: 1, modifiers: [])))
    #expect(!isHandled(.keyDown(.down, modifiers: [], isRepeat: false)))
    #expect(harness.window.firstResponder == nil, "a declined press does not move the keyboard focus")
  }

  @Test("Late input moves the content in the same frame, but does not change its scale")
  func lateInput() {
    let (harness, view) = makeHarness()
    let target = view.lastInstant
    func send(_ kind: InputEvent.Kind) { _ = view.handle(InputEvent(time: target, kind: kind)) }
    send(.wheel(WheelInput(location: .zero, deltaX: 1.23, deltaY: -2.34, modifiers: [])))
    #expect(view.contentOffset == .zero)
    #expect(view.resampleInput(at: target) && view.contentOffset == Point(x: 12, y: 23))
    send(.pinch(PinchInput(phase: .began, location: .zero, scale: 1)))
    send(.pinch(PinchInput(phase: .moved, location: .zero, scale: 1.5)))
    #expect(!view.resampleInput(at: target) && view.zoomScale == 1)
    harness.run(frames: 1)
    #expect(view.zoomScale == 1.5)
  }

  // MARK: - Program

  @Test("Animated changes take several frames and can be interrupted where they are")
  func animation() {
    let (harness, view) = makeHarness()
    harness.run(milliseconds: 5_000)
    view.setZoomScale(4, animated: true)
    harness.run(frames: 1)
    #expect(view.zoomScale == 1)
    harness.run(frames: 5)
    let scale = view.zoomScale
    #expect(scale > 1.1 && scale < 4)
    touch(.began, 100, 100, on: harness)
    harness.run(frames: 3)
    #expect((view.zoomScale / scale - 1).magnitude < 0.3 && !view.isZooming)
    let held = view.zoomScale
    touch(.ended, 100, 100, on: harness)
    harness.runUntilIdle()
    #expect(view.zoomScale == held)
    view.setContentOffset(Point(x: 10, y: 700), animated: true)
    harness.runUntilIdle()
    #expect(view.contentOffset == Point(x: 10, y: 700))
  }

  @Test("With reduced motion changes are immediate")
  func reducedMotion() {
    let (harness, view) = makeHarness()
    harness.window.reducesMotion = true
    view.setZoomScale(4, animated: true)
    #expect(view.zoomScale == 4 && view.needsFrames, "for the delegate")
    harness.run(frames: 1)
    #expect(view.zoomScale == 4 && !view.needsFrames)
    wheel(0, -1, on: harness)
    harness.run(frames: 1)
    #expect(!view.needsFrames)
  }

  @Test("The delegate is notified of scrolling, zooming and its end")
  func delegate() {
    let (harness, view) = makeHarness()
    let recorder = Recorder()
    harness.runUntilIdle()
    view.delegate = recorder
    view.contentOffset = Point(x: 5, y: 5)
    harness.runUntilIdle()
    #expect(recorder.calls == ["scroll"])
    view.setZoomScale(2, animated: true)
    harness.runUntilIdle()
    #expect(recorder.calls.last == "end 2.0" && recorder.calls.filter { $0.hasPrefix("end") }.count == 1)
    #expect(recorder.calls.filter { $0 == "zoom" }.count > 5)
    let count = recorder.calls.count
    harness.run(frames: 3)
    #expect(recorder.calls.count == count)
  }

  @Test("The center stays when the window is resized, and the start stays the start")
  func resizing() {
    let (harness, view) = makeHarness()
    harness.resize(to: Size(width: 500, height: 300))
    harness.run(frames: 1)
    #expect(view.contentOffset == .zero)
    view.contentOffset = Point(x: 200, y: 200)
    harness.resize(to: Size(width: 400, height: 200))
    harness.run(frames: 1)
    #expect(view.contentOffset == Point(x: 250, y: 250))
    view.contentInset = Insets(top: 20, left: 0, bottom: 0, right: 0)
    view.contentOffset = Point(x: -50, y: -50)
    harness.run(frames: 1)
    #expect(view.contentOffset == Point(x: 0, y: -20))
  }

  @Test("A view that takes part in no frames is reported")
  func misuse() {
    let harness = WindowHarness(root: ZoomScrollView())
    harness.run(frames: 1)
    #expect(harness.window.misuse.sentences.contains { $0.contains("addParticipant") })
  }
}
