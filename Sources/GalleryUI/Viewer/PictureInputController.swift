import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// The owner of the viewer's input: what pointer, wheel, fingers and keys do with the picture.
///
/// An enlarged picture is moved; of another one, pages are turned.
final class PictureInputController {
  /// The viewer, which owns the controller.
  private unowned let viewer: PictureViewer
  private var wheel = ZoomWheel()
  private var wheelClassifier = WheelClassifier()
  /// The last location of a pressed pointer that moves the picture.
  private var dragLocation: Point?
  /// Whether a pressed pointer moves only the active one of several pictures.
  private var movesAlone = false
  /// Whether a finger holds or moves the picture.
  private var isHeldByFinger = false
  /// Whether the last key was held.
  private var isKeyHeld = false
  /// Whether the current pan has already turned the page.
  private var hasTurnedPage = false
  /// The distance of a notch of a wheel, in points, and the length that a trackpad reports as one.
  private static let notchDistance = 80.0
  private static let trackpadUnit = 10.0
  /// The number of notches that a trackpad reports for a movement that enlarges by a step.
  private static let trackpadNotchesPerStep = 4.0
  /// The horizontal distance of a pan that turns the page, in points.
  private static let pageTurnDistance = 48.0

  /// Creates the owner of a viewer's input.
  init(viewer: PictureViewer) { self.viewer = viewer }

  /// Handles an event of the viewer.
  ///
  /// - Returns: Whether the event was used.
  func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let point, .primary, let clicks, let modifiers):
      activatePane(at: point)
      press(at: point, clicks, alone: modifiers.contains(.shift), event.time)
    case .pointerDown(let point, .secondary, _, _):
      activatePane(at: point)
      viewer.onMenu(point)
    case .pointerMoved(let point): drag(to: point, at: event.time)
    case .pointerUp(_, .primary, _): endDrag(.release, at: event.time)
    case .cancelled:
      endDrag(.stop, at: event.time)
      return false
    case .touch(let touch): return handleTouch(touch, at: event.time)
    case .pan(let pan): handlePan(pan, at: event.time)
    case .pinch(var pinch):
      if pinch.phase == .began { activatePane(at: pinch.location) }
      pinch.location = viewer.picture.convertFromWindow(pinch.location)
      viewer.changeZoom(at: event.time) { $0.handle(pinch, at: $1) }
    case .wheel(let wheel): handleWheel(wheel, at: event.time)
    case .keyDown(let key, let modifiers, let isRepeat):
      isKeyHeld = isRepeat
      return handleKey(key, modifiers, isRepeat: isRepeat, at: event.time)
    case .keyUp:
      if isKeyHeld { viewer.onStepsEnd() }
      isKeyHeld = false
    case .pointerDown, .pointerUp, .pointerLeft: break
    default: return false
    }
    return true
  }

  /// Makes the picture at a point of the window the active one.
  private func activatePane(at point: Point) {
    guard viewer.isComparing, let index = viewer.paneIndex(at: viewer.convertFromWindow(point)),
      index != viewer.activeIndex
    else { return }
    viewer.onActivate(index)
  }

  private func press(at point: Point, _ clicks: Int, alone: Bool, _ time: FrameInstant) {
    movesAlone = alone
    if clicks == 2 {
      let anchor = viewer.picture.convertFromWindow(point)
      return viewer.changeZoom(at: time) { $0.toggle(around: anchor, at: $1) }
    }
    guard viewer.zoom.isZoomed, clicks < 2 else { return }
    dragLocation = point
    viewer.changeZoom(at: time, alone: alone) { $0.move(.hold, .hold, at: $1) }
  }

  private func drag(to point: Point, at time: FrameInstant) {
    guard let last = dragLocation else { return }
    dragLocation = point
    viewer.changeZoom(at: time, alone: movesAlone) {
      $0.move(.drag(by: last.x - point.x), .drag(by: last.y - point.y), at: $1)
    }
  }

  private func endDrag(_ event: ScrollEvent, at time: FrameInstant) {
    guard dragLocation != nil || isHeldByFinger else { return }
    dragLocation = nil
    isHeldByFinger = false
    viewer.changeZoom(at: time, alone: movesAlone) { $0.move(event, event, at: $1) }
  }

  private func handleWheel(_ wheel: WheelInput, at time: FrameInstant) {
    activatePane(at: wheel.location)
    let kind = wheelClassifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    if wheel.modifiers.contains(.control) {
      let point = viewer.picture.convertFromWindow(wheel.location)
      let steps = kind == .continuous ? wheel.deltaY / PictureInputController.trackpadNotchesPerStep : wheel.deltaY
      return viewer.changeZoom(at: time) { $0.zoom(bySteps: steps, around: point, at: $1) }
    }
    guard viewer.zoom.isZoomed else {
      let steps = self.wheel.steps(of: wheel.deltaY)
      if steps != 0 { viewer.onStep(-steps.signum()) }
      return
    }
    let unit = kind == .continuous ? PictureInputController.trackpadUnit : PictureInputController.notchDistance
    var (across, down) = (wheel.deltaX * unit, -wheel.deltaY * unit)
    if wheel.modifiers.contains(.shift), across == 0 { (across, down) = (down, 0) }
    viewer.changeZoom(at: time) {
      $0.move(
        across == 0 ? nil : .wheel(distance: across, kind: kind),
        down == 0 ? nil : .wheel(distance: down, kind: kind), at: $1)
    }
  }

  /// Holds a moving picture below a finger.
  private func handleTouch(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    if touch.phase == .began {
      movesAlone = false
      activatePane(at: touch.location)
    }
    switch touch.phase {
    case .began where viewer.isZooming && !isHeldByFinger:
      isHeldByFinger = true
      viewer.changeZoom(at: time) { $0.move(.hold, .hold, at: $1) }
      return true
    case .ended where isHeldByFinger:
      endDrag(.release, at: time)
      return true
    case .cancelled where isHeldByFinger:
      endDrag(.stop, at: time)
      return true
    default: return false
    }
  }

  private func moveWithFinger(_ pan: PanInput, at time: FrameInstant) {
    // No page is turned when the picture becomes whole during the pan.
    hasTurnedPage = true
    switch pan.phase {
    case .began, .moved:
      isHeldByFinger = true
      let translation = pan.translation
      viewer.changeZoom(at: time) { $0.move(.drag(by: -translation.x), .drag(by: -translation.y), at: $1) }
    case .ended: endDrag(.release, at: time)
    case .cancelled: endDrag(.stop, at: time)
    }
  }

  /// Turns the page once per pan, as soon as the finger has moved far enough to the left or the right.
  private func handlePan(_ pan: PanInput, at time: FrameInstant) {
    if pan.phase == .began { hasTurnedPage = false }
    if viewer.zoom.isZoomed || isHeldByFinger { return moveWithFinger(pan, at: time) }
    let translation = pan.location - pan.start
    guard !hasTurnedPage, translation.x.magnitude >= PictureInputController.pageTurnDistance,
      translation.x.magnitude > translation.y.magnitude
    else {
      return
    }
    hasTurnedPage = true
    viewer.onStep(translation.x < 0 ? 1 : -1)
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool, at time: FrameInstant) -> Bool {
    if modifiers == .control, let direction = key.direction {
      let distance = PictureZoom.keyDistance
      viewer.changeZoom(at: time) {
        $0.move(
          direction.x == 0 ? nil : .advance(by: direction.x * distance),
          direction.y == 0 ? nil : .advance(by: direction.y * distance), at: $1)
      }
      return true
    }
    guard modifiers.isDisjoint(with: [.control, .alt]) else { return false }
    switch key {
    case .right, .down, .pageDown: viewer.onStep(1)
    case .left, .up, .pageUp, .backspace: viewer.onStep(-1)
    case .space: viewer.onStep(modifiers.contains(.shift) ? -1 : 1)
    case .home: viewer.onEnd(false)
    case .end: viewer.onEnd(true)
    case .tab: viewer.onActivateNext(modifiers.contains(.shift) ? -1 : 1)
    case .escape: viewer.onEscape()
    case .enter: if !isRepeat { viewer.onClose() }
    case .menu: viewer.onMenu(Point(x: viewer.frameInWindow.midX, y: viewer.frameInWindow.midY))
    // These keys work as in the grid.
    case .function, .character: return false
    default: break
    }
    return true
  }
}

extension Key {
  /// The direction of an arrow key.
  fileprivate var direction: Point? {
    switch self {
    case .left: Point(x: -1, y: 0)
    case .right: Point(x: 1, y: 0)
    case .up: Point(x: 0, y: -1)
    case .down: Point(x: 0, y: 1)
    default: nil
    }
  }
}
