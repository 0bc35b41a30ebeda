import CSDL2
import Geometry
import Rendering

extension InputEvent.Kind {
  /// What one of SDL's events means, or nothing where it means nothing here: the one switch over those that mean something
  /// each by itself.
  ///
  /// - Parameters:
  ///   - event: as SDL queued it.
  ///   - held: the modifiers now, for events that carry none.
  ///   - isPressed: whether a button is held now, wherever the pointer is.
  ///   - windowSize: the size in points of a window by its number, which places of fingers are shares of.
  nonisolated init?(
    _ event: SDL_Event, held: SDL_Keymod, isPressed: () -> Bool, windowSize: (UInt32) -> Size?
  ) {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_MOUSEMOTION: self = .pointerMoved(Point(x: Double(event.motion.x), y: Double(event.motion.y)))
    case SDL_MOUSEBUTTONDOWN:
      guard let button = PointerButton(number: event.button.button) else { return nil }
      self = .pointerDown(
        event.button.location, button: button, clicks: Int(event.button.clicks), modifiers: KeyModifiers(held))
    case SDL_MOUSEBUTTONUP:
      guard let button = PointerButton(number: event.button.button) else { return nil }
      self = .pointerUp(event.button.location, button: button, modifiers: KeyModifiers(held))
    case SDL_FINGERDOWN, SDL_FINGERMOTION:
      guard let size = windowSize(event.tfinger.windowID), let touch = TouchInput(event.tfinger, in: size) else {
        return nil
      }
      self = .touch(touch)
    case SDL_FINGERUP:
      // An end is told wherever it is, or the finger would stay for ever.
      let touch = windowSize(event.tfinger.windowID).flatMap { TouchInput(event.tfinger, in: $0) }
      self = .touch(touch ?? TouchInput(finger: event.tfinger.fingerId, phase: .cancelled, location: .zero))
    // What is dragged out of the window goes on; what was let go where the window is not told is held no more.
    case SDL_WINDOWEVENT where event.window.event == UInt8(SDL_WINDOWEVENT_FOCUS_LOST.rawValue):
      guard !isPressed() else { return nil }
      self = .cancelled
    case SDL_MOUSEWHEEL: self = .wheel(WheelInput(event.wheel, modifiers: KeyModifiers(held)))
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
    // "Resized" follows "size changed" where the user did it: one of them is enough.
    case SDL_WINDOWEVENT_SIZE_CHANGED: self = .resized
    case SDL_WINDOWEVENT_EXPOSED: self = .exposed
    case SDL_WINDOWEVENT_HIDDEN, SDL_WINDOWEVENT_MINIMIZED: self = .hidden
    case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED: self = .shown
    case SDL_WINDOWEVENT_LEAVE: self = .pointerLeft
    case SDL_WINDOWEVENT_DISPLAY_CHANGED: self = .displayChanged
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
  /// A finger's event; nothing where its place is no number.
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
  /// The wheel's movement, the way that the system says: where its user has turned it round, content goes round too.
  fileprivate nonisolated init(_ event: SDL_MouseWheelEvent, modifiers: KeyModifiers) {
    self.init(
      location: Point(x: Double(event.mouseX), y: Double(event.mouseY)), deltaX: Double(event.preciseX),
      deltaY: Double(event.preciseY), modifiers: modifiers)
  }
}
