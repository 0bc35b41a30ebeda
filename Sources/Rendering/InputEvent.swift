public import FramePacing
public import Geometry

/// What came in from the user or the window system, in the order in which it came.
public struct InputEvent: Hashable, Sendable {
  /// When it was read from the system, on the monotonic clock.
  public var time: FrameInstant
  /// What it is.
  public var kind: Kind

  /// Makes an event.
  public init(time: FrameInstant, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// The kinds of input.
  public enum Kind: Hashable, Sendable {
    /// The pointer moved to a place.
    case pointerMoved(Point)
    /// A button went down; `clicks` counts double clicks.
    case pointerDown(Point, button: PointerButton, clicks: Int, modifiers: KeyModifiers)
    /// A button went up.
    case pointerUp(Point, button: PointerButton, modifiers: KeyModifiers)
    /// The pointer left the window.
    case pointerLeft
    /// What is held is held no more though nobody let go of it: buttons, keys and fingers. Nothing comes of it.
    ///
    /// From the window system where a release went elsewhere. The window tells it to views that hold something when they
    /// leave it, and when nothing of it can be seen any more; they decline it, so that those above are told as well.
    case cancelled
    /// A wheel turned or fingers moved on a trackpad.
    case wheel(WheelInput)
    /// A finger touched a screen, moved on it or left it.
    case touch(TouchInput)
    /// Fingers are drawn over a screen: made of touches by the window.
    case pan(PanInput)
    /// Two fingers go apart or together: made of touches by the window.
    case pinch(PinchInput)
    /// A key went down, or repeats.
    case keyDown(Key, modifiers: KeyModifiers, isRepeat: Bool)
    /// Text was typed, as the layout of the keyboard, Shift and AltGr make it; it follows the key that typed it, where one
    /// key did. Shortcuts type none.
    case text(String)
    /// A key went up.
    case keyUp(Key, modifiers: KeyModifiers)
    /// The window has another size or scale: ask the display.
    case resized
    /// The window's content must be drawn again.
    case exposed
    /// The window is covered, minimised or unmapped: nothing drawn would be seen.
    case hidden
    /// The window can be seen again.
    case shown
    /// The window moved to another display: rate and scale may differ.
    case displayChanged
    /// The renderer lost the content of its textures: upload all again.
    case texturesLost
    /// Files or folders were dropped on the window, by the bytes of their paths, those of one drop together.
    case filesDropped([[UInt8]])
    /// The user asked to leave.
    case quit
  }
}
