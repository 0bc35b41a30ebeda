public import VitrineFramePacing
public import VitrineGeometry

/// An event from the user or the window system.
public struct InputEvent: Hashable, Sendable {
  /// The time at which the event was read from the system, on the monotonic clock.
  public var time: FrameInstant
  /// The kind of the event.
  public var kind: Kind

  /// Creates an event.
  public init(time: FrameInstant, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// The pointer moved to a location.
    case pointerMoved(Point)
    /// A button was pressed.
    ///
    /// `clicks` is 2 for a double click.
    case pointerDown(Point, button: PointerButton, clicks: Int, modifiers: KeyModifiers)
    /// A button was released.
    case pointerUp(Point, button: PointerButton, modifiers: KeyModifiers)
    /// The pointer left the window.
    case pointerLeft
    /// All pressed buttons, keys and fingers are cancelled without being released, and must have no effect.
    ///
    /// The window system sends the event if the release goes to another window. The window sends it to views that track
    /// a press when they leave the window and when the window is hidden. Views do not consume it, so that their
    /// superviews receive it too.
    case cancelled
    /// A wheel was turned, or fingers moved on a trackpad.
    case wheel(WheelInput)
    /// A finger touched a screen, moved on it or left it.
    case touch(TouchInput)
    /// One or two fingers drag on a touch screen.
    ///
    /// The window recognises the gesture from touches.
    case pan(PanInput)
    /// Two fingers pinch on a touch screen.
    ///
    /// The window recognises the gesture from touches.
    case pinch(PinchInput)
    /// A key was pressed, or repeats.
    case keyDown(Key, modifiers: KeyModifiers, isRepeat: Bool)
    /// Text was typed, with the keyboard layout, Shift and AltGr applied.
    ///
    /// The event follows the key that typed the text, if it was one key. Shortcuts type no text.
    case text(String)
    /// An input method composes a text, which replaces the one composed so far; an empty text ends the composition.
    ///
    /// The caret is a position in the text, in characters. The result arrives as ``text(_:)``.
    case markedText(String, caret: Int)
    /// A key was released.
    case keyUp(Key, modifiers: KeyModifiers)
    /// The size or the scale of the window changed.
    ///
    /// Read the new values from the display.
    case resized
    /// The window's content must be drawn again.
    case exposed
    /// The window is covered, minimised or unmapped, so that drawing would not be seen.
    case hidden
    /// The window is visible again.
    case shown
    /// The window moved to another display, whose refresh rate and scale may differ.
    case displayChanged
    /// The desktop has set or removed the color profile of the window's display.
    ///
    /// Read the new one from the display.
    case colorProfileChanged
    /// The renderer lost the content of its textures.
    ///
    /// All must be uploaded again.
    case texturesLost
    /// The files and folders of one drop, as the bytes of their paths.
    ///
    /// Where the window system tells the place, the pointer is moved there before.
    case filesDropped([[UInt8]])
    /// The user asked to quit.
    case quit
  }
}

// MARK: - Pointer and wheel

/// A button of a pointing device.
public enum PointerButton: Hashable, Sendable {
  /// The main button, usually the left one.
  case primary
  /// The wheel's button.
  case middle
  /// The button for context menus, usually the right one.
  case secondary
}

/// A movement of a wheel or trackpad.
public struct WheelInput: Hashable, Sendable {
  /// The location of the pointer.
  public var location: Point
  /// The number of notches to the right, fractional on trackpads and high-resolution wheels.
  ///
  /// The content moves left.
  public var deltaX: Double
  /// The number of notches away from the user.
  ///
  /// Positive values show the content above.
  public var deltaY: Double
  /// The modifier keys that were pressed.
  public var modifiers: KeyModifiers

  /// Creates a movement.
  public init(location: Point, deltaX: Double, deltaY: Double, modifiers: KeyModifiers = []) {
    self.location = location
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.modifiers = modifiers
  }
}

// MARK: - Touch and gestures

/// An event of a finger on a touch screen.
public struct TouchInput: Hashable, Sendable {
  /// The phase of a touch.
  public enum Phase: Hashable, Sendable {
    /// The finger touched the screen.
    case began
    /// The finger moved.
    case moved
    /// The finger left the screen.
    case ended
    /// The system cancelled the touch, which must have no effect.
    case cancelled
  }

  /// The identifier of the finger, unique among the fingers on the screen.
  public var finger: Int64
  /// The phase of the touch.
  public var phase: Phase
  /// The location in points of the window.
  public var location: Point

  /// Creates a touch.
  public init(finger: Int64, phase: Phase, location: Point) {
    self.finger = finger
    self.phase = phase
    self.location = location
  }
}

/// A drag of one or two fingers on a touch screen.
public struct PanInput: Hashable, Sendable {
  /// The phase of the drag.
  ///
  /// It ends when the last finger is lifted.
  public var phase: TouchInput.Phase
  /// The location at which the drag began, in points of the window.
  public var start: Point
  /// The current location: that of the finger, or the midpoint of two.
  public var location: Point
  /// The translation since the previous event.
  ///
  /// In the first event, the translation up to the recognition of the drag.
  public var translation: Point

  /// Creates a drag.
  public init(phase: TouchInput.Phase, start: Point, location: Point, translation: Point) {
    self.phase = phase
    self.start = start
    self.location = location
    self.translation = translation
  }
}

/// A pinch of two fingers on a touch screen.
public struct PinchInput: Hashable, Sendable {
  /// The phase of the pinch.
  public var phase: TouchInput.Phase
  /// The midpoint of the two fingers, in points of the window.
  public var location: Point
  /// The distance of the fingers relative to the distance at the start, above 0.
  public var scale: Double

  /// Creates a pinch.
  public init(phase: TouchInput.Phase, location: Point, scale: Double) {
    self.phase = phase
    self.location = location
    self.scale = scale
  }
}

// MARK: - Keyboard

/// A key, identified by its meaning.
public enum Key: Hashable, Sendable {
  /// An arrow key.
  case up, down, left, right
  /// A paging key, or Home or End.
  case pageUp, pageDown, home, end
  /// A key for editing or confirming.
  case space, enter, escape, tab, backspace, delete
  /// The key that opens a context menu.
  case menu
  /// A function key, 1 to 12.
  case function(Int)
  /// A key identified by the lowercase character that it types without modifiers, for shortcuts.
  ///
  /// Typed text arrives as ``InputEvent/Kind/text(_:)``.
  case character(Character)
}

/// The modifier keys that are pressed during an event.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Control.
  public static let control = KeyModifiers(rawValue: 2)
  /// Alt.
  public static let alt = KeyModifiers(rawValue: 4)
}
