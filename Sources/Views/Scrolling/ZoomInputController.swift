package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
import VitrineScrollPhysics

/// The content that a ``ZoomInputController`` moves and zooms.
package protocol ZoomInputHost: AnyObject {
  /// The position of the content.
  var inputState: ZoomState { get }
  /// Whether the user can scroll.
  var isScrollEnabled: Bool { get }
  /// The distance of a wheel notch and of an arrow key, in points.
  var lineDistance: Double { get }
  /// Whether a drag that begins along one axis moves the content along that axis only.
  var isDirectionalLockEnabled: Bool { get }

  /// Returns a point of the window in the view's coordinates.
  func localPoint(_ point: Point) -> Point
  /// Applies an event to the position.
  func applyInput(at time: FrameInstant, _ body: (inout ZoomState, FrameInstant) -> Void)
  /// Returns the time at which a touch catches content: not before the last frame, or the content would jump back.
  func shownInstant(_ time: FrameInstant) -> FrameInstant
}

/// The owner of the user's input to content that scrolls in two dimensions and is zoomed.
///
/// Input without effect is declined, so that a scroll view around the content receives it: a drag and a wheel over content
/// that fits into the view, and zooming if there is one scale.
///
/// Invariants:
/// - A drag is held by one finger or pointer, and its end is reported to the content once.
/// - A drag that is locked to an axis stays locked until it ends.
package final class ZoomInputController {
  /// The owner of the content, which owns the controller and outlives it.
  package weak var host: (any ZoomInputHost)?

  /// A press of the pointer.
  private struct Press {
    /// Where the button was pressed, and where the pointer was last, in points of the window.
    let start: Point
    var last: Point
    /// Whether the pointer has moved far enough to drag the content.
    var isDrag = false
    /// Whether the press had its effect, and does not drag.
    var isUsed = false
  }

  private var classifier = WheelClassifier()
  private var latch = AxisLatch()
  private var press: Press?
  /// Whether the last press of the pointer dragged the content.
  private var wasDragged = false
  /// Whether a finger or the pointer holds the content.
  package private(set) var isHolding = false
  /// The axis to which the current drag is locked, or nil.
  package private(set) var lockedAxis: Axis?

  /// The distance at which a pressed pointer starts to drag, in points.
  private static let pointerSlop = 3.0
  /// The trackpad distance that corresponds to one wheel notch, in points: libinput's unit on Wayland.
  private static let pointsPerContinuousNotch = 10.0
  /// The number of notches that a trackpad reports for a movement that zooms by a step.
  private static let continuousNotchesPerStep = 4.0

  package init() {}

  /// Handles an event, or declines it.
  ///
  /// A cancellation is declined, because every view must receive it.
  package func handle(_ event: InputEvent) -> Bool {
    guard let host else { return false }
    let time = event.time
    switch event.kind {
    case .pointerDown(let point, .primary, let clicks, _): return handlePress(at: point, clicks, host, time)
    case .pointerMoved(let point): return handleMove(to: point, host, time)
    case .pointerUp(_, .primary, _):
      guard let last = press else { return false }
      (press, wasDragged) = (nil, last.isDrag)
      endDrag(.release, host, time)
      return true
    case .touch(let touch): return handleTouch(touch, host, time)
    case .pan(let pan): return handlePan(pan, host, time)
    case .pinch(let pinch): return handlePinch(pinch, host, time)
    case .wheel(let wheel): return handleWheel(wheel, host, time)
    case .keyDown(let key, let modifiers, _): return handleKey(key, modifiers, host, time)
    case .cancelled:
      press = nil
      endDrag(.stop, host, time)
      host.applyInput(at: time) { $0.endPinch(at: $0.center, at: $1) }
      return false
    default: return false
    }
  }

  /// Ends a drag, but not a pinch.
  package func cancelDrag(at time: FrameInstant) {
    press = nil
    if let host { endDrag(.stop, host, time) }
  }

  private func canScroll(_ axis: Axis, _ host: any ZoomInputHost) -> Bool {
    host.isScrollEnabled && host.inputState.canScroll(axis)
  }

  private func canScroll(_ host: any ZoomInputHost) -> Bool {
    canScroll(.horizontal, host) || canScroll(.vertical, host)
  }

  // MARK: - Pointer

  private func handlePress(
    at point: Point, _ clicks: Int, _ host: any ZoomInputHost, _ time: FrameInstant
  ) -> Bool {
    // A second grab of moving content is not a double click.
    if clicks == 2, !wasDragged, host.inputState.canZoom {
      endDrag(.stop, host, time)
      let place = host.localPoint(point)
      host.applyInput(at: time) { $0.toggle(around: place, at: $1) }
      press = Press(start: point, last: point, isUsed: true)
      return true
    }
    guard canScroll(host) else { return false }
    press = Press(start: point, last: point)
    // Stops content that moves.
    if host.inputState.isMoving(at: host.shownInstant(time)) { hold(host, time) }
    return true
  }

  private func handleMove(to point: Point, _ host: any ZoomInputHost, _ time: FrameInstant) -> Bool {
    guard var press else { return false }
    guard !press.isUsed else { return true }
    let way = point - press.start
    if !press.isDrag {
      guard way.x * way.x + way.y * way.y >= ZoomInputController.pointerSlop * ZoomInputController.pointerSlop else {
        return true
      }
      press.isDrag = true
      lock(to: way, host)
      if !isHolding { hold(host, time) }
    }
    drag(by: point - press.last, host, time)
    press.last = point
    self.press = press
    return true
  }

  // MARK: - Fingers

  private func handleTouch(_ touch: TouchInput, _ host: any ZoomInputHost, _ time: FrameInstant) -> Bool {
    switch touch.phase {
    case .began:
      guard !isHolding, host.isScrollEnabled, host.inputState.isMoving(at: host.shownInstant(time)) else {
        return false
      }
      hold(host, time)
      return true
    case .moved: return isHolding
    case .ended, .cancelled:
      guard isHolding, press == nil else { return false }
      endDrag(touch.phase == .ended ? .release : .stop, host, time)
      return true
    }
  }

  private func handlePan(_ pan: PanInput, _ host: any ZoomInputHost, _ time: FrameInstant) -> Bool {
    switch pan.phase {
    case .began:
      let isAcross = pan.translation.x.magnitude > pan.translation.y.magnitude
      guard isHolding || canScroll(isAcross ? .horizontal : .vertical, host) else { return false }
      lock(to: pan.translation, host)
      if !isHolding { hold(host, time) }
    case .moved:
      guard isHolding else { return false }
      drag(by: pan.translation, host, time)
    case .ended, .cancelled:
      guard isHolding else { return false }
      endDrag(pan.phase == .ended ? .release : .stop, host, time)
    }
    return true
  }

  private func handlePinch(_ pinch: PinchInput, _ host: any ZoomInputHost, _ time: FrameInstant) -> Bool {
    // A pinch that has begun ends even if its limits have become equal.
    guard pinch.phase == .began ? host.inputState.canZoom : host.inputState.isPinching else { return false }
    let point = host.localPoint(pinch.location)
    switch pinch.phase {
    case .began: host.applyInput(at: host.shownInstant(time)) { $0.beginPinch(at: point, at: $1) }
    case .moved: host.applyInput(at: time) { $0.movePinch(by: pinch.scale, to: point, at: $1) }
    case .ended: host.applyInput(at: time) { $0.endPinch(at: point, at: $1) }
    case .cancelled: host.applyInput(at: time) { $0.endPinch(at: $0.center, at: $1) }
    }
    return true
  }

  // MARK: - Drags

  private func hold(_ host: any ZoomInputHost, _ time: FrameInstant) {
    isHolding = true
    host.applyInput(at: host.shownInstant(time)) { $0.scroll(.hold, .hold, at: $1) }
  }

  private func drag(by translation: Point, _ host: any ZoomInputHost, _ time: FrameInstant) {
    guard isHolding else { return }
    let (across, down) = (lockedAxis != .vertical, lockedAxis != .horizontal)
    host.applyInput(at: time) {
      $0.scroll(across ? .drag(by: -translation.x) : nil, down ? .drag(by: -translation.y) : nil, at: $1)
    }
  }

  private func endDrag(_ event: ScrollEvent, _ host: any ZoomInputHost, _ time: FrameInstant) {
    lockedAxis = nil
    guard isHolding else { return }
    isHolding = false
    host.applyInput(at: time) { $0.scroll(event, event, at: $1) }
  }

  /// Locks a drag to the axis along which it begins, unless it begins diagonally.
  private func lock(to way: Point, _ host: any ZoomInputHost) {
    lockedAxis = nil
    guard host.isDirectionalLockEnabled else { return }
    if way.y.magnitude * 2 <= way.x.magnitude { lockedAxis = .horizontal }
    if way.x.magnitude * 2 <= way.y.magnitude { lockedAxis = .vertical }
  }

  // MARK: - Wheels and keys

  private func handleWheel(_ wheel: WheelInput, _ host: any ZoomInputHost, _ time: FrameInstant) -> Bool {
    let kind = classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let isContinuous = kind == .continuous
    if wheel.modifiers.contains(.control) {
      guard host.inputState.canZoom else { return false }
      let steps = isContinuous ? wheel.deltaY / ZoomInputController.continuousNotchesPerStep : wheel.deltaY
      let point = host.localPoint(wheel.location)
      host.applyInput(at: time) { $0.zoom(bySteps: steps, around: point, animated: true, at: $1) }
      return true
    }
    guard canScroll(host) else { return false }
    let unit = isContinuous ? ZoomInputController.pointsPerContinuousNotch : host.lineDistance
    var (across, down) = (wheel.deltaX * unit, -wheel.deltaY * unit)
    if wheel.modifiers.contains(.shift), across == 0 { (across, down) = (down, 0) }
    if isContinuous, host.isDirectionalLockEnabled {
      let isAcross = latch.latchesCrossAxis(mainDelta: down, crossDelta: across, at: time)
      (across, down) = isAcross ? (across, 0) : (0, down)
    }
    if !canScroll(.horizontal, host) { across = 0 }
    if !canScroll(.vertical, host) { down = 0 }
    guard across != 0 || down != 0 else { return false }
    host.applyInput(at: time) {
      $0.scroll(
        across == 0 ? nil : .wheel(distance: across, kind: kind), down == 0 ? nil : .wheel(distance: down, kind: kind),
        at: $1)
    }
    return true
  }

  private func handleKey(
    _ key: Key, _ modifiers: KeyModifiers, _ host: any ZoomInputHost, _ time: FrameInstant
  ) -> Bool {
    guard !modifiers.contains(.alt) else { return false }
    func zoom(_ body: (inout ZoomState, FrameInstant) -> Void) -> Bool {
      guard host.inputState.canZoom else { return false }
      host.applyInput(at: time, body)
      return true
    }
    switch key {
    case .character("+"), .character("="): return zoom { $0.zoom(bySteps: 1, around: nil, animated: true, at: $1) }
    case .character("-"): return zoom { $0.zoom(bySteps: -1, around: nil, animated: true, at: $1) }
    case .character("0"): return zoom { $0.zoom(to: 1, around: nil, animated: true, at: $1) }
    default: break
    }
    guard modifiers.isSubset(of: .shift), let events = events(for: key, host),
      canScroll(events.across == nil ? .vertical : .horizontal, host)
    else { return false }
    host.applyInput(at: time) { $0.scroll(events.across, events.down, at: $1) }
    return true
  }

  /// Returns the events that a key causes, or nil if it does not scroll.
  private func events(for key: Key, _ host: any ZoomInputHost) -> (across: ScrollEvent?, down: ScrollEvent?)? {
    let distance = host.lineDistance
    let range = host.inputState.ranges(at: host.inputState.targetScale).vertical
    return switch key {
    case .left: (.advance(by: -distance), nil)
    case .right: (.advance(by: distance), nil)
    case .up: (nil, .advance(by: -distance))
    case .down: (nil, .advance(by: distance))
    case .pageUp: (nil, .page(by: -1))
    case .pageDown: (nil, .page(by: 1))
    case .home: (nil, .scrollTo(range.minimum, animated: true))
    case .end: (nil, .scrollTo(range.maximum, animated: true))
    default: nil
    }
  }
}
