import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("ZoomScrollView: changes by the program while the user or an animation moves the content")
struct ZoomChangeTests {
  private final class Recorder: ZoomScrollViewDelegate {
    var onZoom: (ZoomScrollView) -> Void = { _ in }
    var endCount = 0
    var scrollCount = 0
    func scrollViewDidScroll(_ view: ZoomScrollView) { scrollCount += 1 }
    func scrollViewDidZoom(_ view: ZoomScrollView) { onZoom(view) }
    func scrollViewDidEndZooming(_ view: ZoomScrollView, atScale scale: Double) { endCount += 1 }
  }

  private func makeHarness(
    content: Size = Size(width: 1_000, height: 800), limits: ClosedRange<Double> = 0.25...8
  ) -> (harness: WindowHarness, view: ZoomScrollView, recorder: Recorder) {
    let (view, recorder) = (ZoomScrollView(), Recorder())
    view.contentView = View()
    view.contentSize = content
    (view.minimumZoomScale, view.maximumZoomScale) = (limits.lowerBound, limits.upperBound)
    view.delegate = recorder
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.run(frames: 1)
    return (harness, view, recorder)
  }

  private func pinch(_ phase: TouchInput.Phase, _ scale: Double, on harness: WindowHarness) {
    harness.sendEvent(.pinch(PinchInput(phase: phase, location: Point(x: 200, y: 150), scale: scale)))
    harness.run(frames: 1)
  }

  @Test("A pinch ends although its limits have become equal, and the content can be scrolled again")
  func equalLimits() {
    let (harness, view, _) = makeHarness()
    pinch(.began, 1, on: harness)
    pinch(.moved, 2, on: harness)
    view.maximumZoomScale = 1
    view.minimumZoomScale = 1
    pinch(.ended, 2, on: harness)
    harness.runUntilIdle()
    #expect(view.zoomScale == 1 && !view.isZooming && !view.isTracked)
    view.contentOffset = Point(x: 30, y: 40)
    #expect(view.contentOffset == Point(x: 30, y: 40))
  }

  @Test("Scrolling may be turned on and off in each step of a pinch")
  func scrollingDuringPinch() {
    let (harness, view, recorder) = makeHarness()
    recorder.onZoom = { $0.isScrollEnabled = $0.zoomScale > 1 }
    pinch(.began, 1, on: harness)
    pinch(.moved, 0.8, on: harness)
    #expect(!view.isScrollEnabled && view.zoomScale == 0.8)
    pinch(.moved, 1.5, on: harness)
    #expect(view.isScrollEnabled && view.zoomScale == 1.5)
    pinch(.ended, 1.5, on: harness)
    harness.runUntilIdle()
    #expect(view.zoomScale == 1.5 && recorder.endCount == 1)
  }

  @Test("Insets and limits that change during an animation do not end it")
  func changedGeometry() {
    let (harness, view, recorder) = makeHarness()
    recorder.onZoom = { $0.contentInset.top = max(0, 300 - 100 * $0.zoomScale) }
    view.setZoomScale(2, animated: true)
    view.maximumZoomScale = 9
    harness.run(frames: 3)
    #expect(view.isZooming && view.zoomScale > 1 && view.zoomScale < 1.9)
    harness.runUntilIdle()
    #expect(view.zoomScale == 2)
    view.setZoomScale(6, animated: true)
    harness.run(frames: 3)
    let before = view.zoomScale
    view.maximumZoomScale = 4
    harness.run(frames: 1)
    #expect(view.isZooming && view.zoomScale > before && view.zoomScale < 4)
    harness.runUntilIdle()
    #expect(view.zoomScale == 4)
  }

  @Test("Input along an axis on which the content fits is left to other views")
  func fittingAxis() {
    let (harness, view, _) = makeHarness(content: Size(width: 1_000, height: 200), limits: 1...1)
    func isHandled(_ kind: InputEvent.Kind) -> Bool {
      view.handle(InputEvent(time: harness.clock.now(), kind: kind))
    }
    func pan(_ translation: Point) -> InputEvent.Kind {
      .pan(PanInput(phase: .began, start: .zero, location: translation, translation: translation))
    }
    #expect(!isHandled(.wheel(WheelInput(location: .zero, deltaX: 0, deltaY: -1))))
    #expect(isHandled(.wheel(WheelInput(location: .zero, deltaX: 1, deltaY: 0))))
    #expect(!isHandled(.keyDown(.down, modifiers: [], isRepeat: false)))
    #expect(isHandled(.keyDown(.right, modifiers: [], isRepeat: false)))
    harness.runUntilIdle()
    #expect(!isHandled(pan(Point(x: 0, y: 10))) && isHandled(pan(Point(x: 10, y: 0))))
  }

  @Test("What is asked for before the first layout is shown in it, and a view without a size keeps its place")
  func withoutSize() {
    let view = ZoomScrollView()
    view.contentSize = Size(width: 1_000, height: 800)
    view.maximumZoomScale = 8
    view.zoom(to: Rect(x: 200, y: 100, width: 100, height: 100), animated: false)
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.run(frames: 1)
    #expect(view.zoomScale == 3 && view.contentOffset == Point(x: 550, y: 300))
    harness.resize(to: Size(width: 400, height: 0))
    harness.run(frames: 2)
    harness.resize(to: Size(width: 400, height: 300))
    harness.runUntilIdle()
    #expect(view.zoomScale == 3 && view.contentOffset == Point(x: 550, y: 300))
  }

  @Test("A zoom by a trackpad ends once, and a double click takes the release of its button too")
  func trackpadAndClicks() {
    let (harness, view, recorder) = makeHarness()
    for _ in 0..<10 {
      harness.sendEvent(
        .wheel(WheelInput(location: Point(x: 200, y: 150), deltaX: 0, deltaY: 0.34, modifiers: .control)))
      harness.run(frames: 1)
    }
    harness.runUntilIdle()
    #expect(view.zoomScale > 1 && recorder.endCount == 1)
    func isHandled(_ kind: InputEvent.Kind) -> Bool {
      view.handle(InputEvent(time: harness.clock.now(), kind: kind))
    }
    let point = Point(x: 200, y: 150)
    #expect(isHandled(.pointerDown(point, button: .primary, clicks: 2, modifiers: [])))
    #expect(isHandled(.pointerMoved(Point(x: 300, y: 150))))
    #expect(isHandled(.pointerUp(point, button: .primary, modifiers: [])))
    harness.runUntilIdle()
    #expect(view.zoomScale == 0.25)
  }
}
