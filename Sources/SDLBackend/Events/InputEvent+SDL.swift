import CVitrineSDL2
import VitrineGeometry
import VitrineRendering

extension InputEvent.Kind {
  /// Converts an SDL event, or returns nil if it is irrelevant.
  ///
  /// Handles the events that need no state.
  ///
  /// - Parameters:
  ///   - event: The event from SDL's queue.
  ///   - modifiers: The current modifiers, for events without modifiers.
  ///   - isButtonPressed: Whether a mouse button is currently pressed, wherever the pointer is.
  ///   - windowSize: Returns the size of a window, which touch locations are fractions of, in SDL's units.
  nonisolated init?(
    _ event: SDL_Event, modifiers: SDL_Keymod, isButtonPressed: () -> Bool, windowSize: (UInt32) -> Size?
  ) {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_MOUSEMOTION: self = .pointerMoved(Point(x: Double(event.motion.x), y: Double(event.motion.y)))
    case SDL_MOUSEBUTTONDOWN:
      guard let button = PointerButton(number: event.button.button) else { return nil }
      self = .pointerDown(
        event.button.location, button: button, clicks: Int(event.button.clicks), modifiers: KeyModifiers(modifiers))
    case SDL_MOUSEBUTTONUP:
      guard let button = PointerButton(number: event.button.button) else { return nil }
      self = .pointerUp(event.button.location, button: button, modifiers: KeyModifiers(modifiers))
    case SDL_FINGERDOWN, SDL_FINGERMOTION:
      guard let size = windowSize(event.tfinger.windowID), let touch = TouchInput(event.tfinger, in: size) else {
        return nil
      }
      self = .touch(touch)
    case SDL_FINGERUP:
      // The end of a touch is always delivered, otherwise the finger would never end.
      let touch = windowSize(event.tfinger.windowID).flatMap { TouchInput(event.tfinger, in: $0) }
      self = .touch(touch ?? TouchInput(finger: event.tfinger.fingerId, phase: .cancelled, location: .zero))
    // A drag continues outside the window. But a button whose release was not delivered to this window is no longer
    // pressed.
    case SDL_WINDOWEVENT where event.window.event == UInt8(SDL_WINDOWEVENT_FOCUS_LOST.rawValue):
      guard !isButtonPressed() else { return nil }
      self = .cancelled
    case SDL_MOUSEWHEEL: self = .wheel(WheelInput(event.wheel, modifiers: KeyModifiers(modifiers)))
    case SDL_KEYDOWN:
      let modifiers = SDL_Keymod(rawValue: UInt32(event.key.keysym.mod))
      guard let key = Key(keysym: event.key.keysym, modifiers: modifiers) else { return nil }
      self = .keyDown(key, modifiers: KeyModifiers(modifiers), isRepeat: event.key.repeat != 0)
    case SDL_KEYUP:
      let modifiers = SDL_Keymod(rawValue: UInt32(event.key.keysym.mod))
      guard let key = Key(keysym: event.key.keysym, modifiers: modifiers) else { return nil }
      self = .keyUp(key, modifiers: KeyModifiers(modifiers))
    case SDL_WINDOWEVENT: self.init(window: SDL_WindowEventID(rawValue: UInt32(event.window.event)))
    case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET: self = .texturesLost
    case SDL_QUIT, SDL_APP_TERMINATING: self = .quit
    default: return nil
    }
  }

  private nonisolated init?(window event: SDL_WindowEventID) {
    switch event {
    // "Resized" follows "size changed" if the user resizes the window. One event is enough.
    case SDL_WINDOWEVENT_SIZE_CHANGED: self = .resized
    case SDL_WINDOWEVENT_EXPOSED: self = .exposed
    case SDL_WINDOWEVENT_HIDDEN, SDL_WINDOWEVENT_MINIMIZED: self = .hidden
    case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED: self = .shown
    case SDL_WINDOWEVENT_LEAVE: self = .pointerLeft
    case SDL_WINDOWEVENT_DISPLAY_CHANGED: self = .displayChanged
    case SDL_WINDOWEVENT_ICCPROF_CHANGED: self = .colorProfileChanged
    case SDL_WINDOWEVENT_CLOSE: self = .quit
    default: return nil
    }
  }
}

extension SDL_MouseButtonEvent {
  fileprivate nonisolated var location: Point { Point(x: Double(x), y: Double(y)) }
}

extension PointerButton {
  fileprivate nonisolated init?(number: UInt8) {
    switch Int32(number) {
    case SDL_BUTTON_LEFT: self = .primary
    case SDL_BUTTON_MIDDLE: self = .middle
    case SDL_BUTTON_RIGHT: self = .secondary
    default: return nil
    }
  }
}

extension Key {
  fileprivate nonisolated init?(keysym: SDL_Keysym, modifiers: SDL_Keymod) {
    self.init(
      symbol: SDL_KeyCode(rawValue: UInt32(bitPattern: keysym.sym)), scancode: keysym.scancode, modifiers: modifiers)
  }
}

extension TouchInput {
  /// Converts a finger event, or returns nil if its location is not finite.
  fileprivate nonisolated init?(_ event: SDL_TouchFingerEvent, in size: Size) {
    guard event.x.isFinite, event.y.isFinite else { return nil }
    let phase: Phase =
      switch SDL_EventType(rawValue: event.type) {
      case SDL_FINGERDOWN: .began
      case SDL_FINGERUP: .ended
      default: .moved
      }
    self.init(
      finger: event.fingerId, phase: phase,
      location: Point(x: Double(event.x) * size.width, y: Double(event.y) * size.height))
  }
}

extension WheelInput {
  /// Converts a wheel event in the direction that the system reports, so that the user's natural scrolling setting
  /// applies.
  fileprivate nonisolated init(_ event: SDL_MouseWheelEvent, modifiers: KeyModifiers) {
    self.init(
      location: Point(x: Double(event.mouseX), y: Double(event.mouseY)), deltaX: Double(event.preciseX),
      deltaY: Double(event.preciseY), modifiers: modifiers)
  }
}

extension InputEvent.Kind {
  /// Returns the event with its location converted from SDL's units to points.
  ///
  /// On X the units are pixels.
  nonisolated func convertedToPoints(unitsPerPoint units: Double) -> InputEvent.Kind {
    func points(_ location: Point) -> Point { Point(x: location.x / units, y: location.y / units) }
    switch self {
    case .pointerMoved(let location): return .pointerMoved(points(location))
    case .pointerDown(let location, let button, let clicks, let modifiers):
      return .pointerDown(points(location), button: button, clicks: clicks, modifiers: modifiers)
    case .pointerUp(let location, let button, let modifiers):
      return .pointerUp(points(location), button: button, modifiers: modifiers)
    case .wheel(var wheel):
      wheel.location = points(wheel.location)
      return .wheel(wheel)
    case .touch(var touch):
      touch.location = points(touch.location)
      return .touch(touch)
    default: return self
    }
  }
}
