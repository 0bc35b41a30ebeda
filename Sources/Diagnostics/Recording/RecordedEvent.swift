public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering

/// An event from the user or the window system in a recorded run.
public nonisolated struct RecordedEvent: Hashable, Sendable {
  /// The time of the event since the start of the run.
  public var time: FrameDuration
  /// The number of the frame before which the event was received, from 0.
  public var frame: Int
  /// The kind of the event.
  public var kind: InputEvent.Kind
  /// The window's size in points, if it may have changed.
  public var size: Size?

  /// Creates an event.
  public init(time: FrameDuration, frame: Int, kind: InputEvent.Kind, size: Size? = nil) {
    self.time = time
    self.frame = frame
    self.kind = kind
    self.size = size
  }
}

extension RecordedEvent: Codable {
  /// Decodes an event.
  ///
  /// - Throws: `DecodingError` if the event is invalid or has impossible values.
  public nonisolated init(from decoder: any Decoder) throws {
    let fields = try EventFields(from: decoder)
    guard let event = fields.event else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no event"))
    }
    self = event
  }

  /// Encodes an event.
  public nonisolated func encode(to encoder: any Encoder) throws { try EventFields(self).encode(to: encoder) }
}

// MARK: - JSON Fields

/// The JSON representation of an event: its name and the fields that apply to it.
nonisolated struct EventFields: Codable {
  /// The time since the start of the run in nanoseconds.
  var ns: Int64
  var frame: Int
  var kind: String
  var x, y, dx, dy, startX, startY, scale, width, height: Double?
  var button, phase, key, text: String?
  var clicks: Int?
  /// The caret in a composed text.
  var caret: Int?
  /// The modifiers as a bit set: Shift 1, Control 2, Alt 4.
  ///
  /// Omitted if empty.
  var modifiers: UInt8?
  var repeats: Bool?
  var finger: Int64?
  /// The dropped files in ``PercentEncoding``.
  var paths: [String]?

  /// The maximum magnitude of coordinates and deltas, in points or notches, so that computations with them are exact.
  static let maximumMagnitude = 1e6

  init(_ event: RecordedEvent) {
    ns = event.time.nanoseconds
    frame = event.frame
    kind = ""
    width = event.size.map { EventFields.clamped($0.width) }
    height = event.size.map { EventFields.clamped($0.height) }
    setEvent(event.kind)
  }

  private mutating func setEvent(_ event: InputEvent.Kind) {
    switch event {
    case .pointerMoved(let location): setPointer("pointerMoved", location)
    case .pointerDown(let location, let button, let clicks, let modifiers):
      setPointer("pointerDown", location, button, modifiers)
      self.clicks = clicks
    case .pointerUp(let location, let button, let modifiers): setPointer("pointerUp", location, button, modifiers)
    case .pointerLeft: kind = "pointerLeft"
    case .cancelled: kind = "cancelled"
    case .wheel(let wheel):
      setPointer("wheel", wheel.location, nil, wheel.modifiers)
      (dx, dy) = (EventFields.clamped(wheel.deltaX), EventFields.clamped(wheel.deltaY))
    case .touch(let touch):
      setPointer("touch", touch.location)
      (finger, phase) = (touch.finger, EventFields.name(of: touch.phase))
    case .pan(let pan):
      setPointer("pan", pan.location)
      phase = EventFields.name(of: pan.phase)
      (startX, startY) = (EventFields.clamped(pan.start.x), EventFields.clamped(pan.start.y))
      (dx, dy) = (EventFields.clamped(pan.translation.x), EventFields.clamped(pan.translation.y))
    case .pinch(let pinch):
      setPointer("pinch", pinch.location)
      (phase, scale) = (EventFields.name(of: pinch.phase), EventFields.clamped(pinch.scale))
    case .keyDown(let key, let modifiers, let isRepeat):
      setKey("keyDown", key, modifiers)
      repeats = isRepeat ? true : nil
    case .text(let typed): (kind, text) = ("text", typed)
    case .markedText(let composed, let position): (kind, text, caret) = ("markedText", composed, position)
    case .keyUp(let key, let modifiers): setKey("keyUp", key, modifiers)
    case .resized: kind = "resized"
    case .exposed: kind = "exposed"
    case .hidden: kind = "hidden"
    case .shown: kind = "shown"
    case .displayChanged: kind = "displayChanged"
    case .colorProfileChanged: kind = "colorProfileChanged"
    case .texturesLost: kind = "texturesLost"
    case .filesDropped(let files): (kind, paths) = ("filesDropped", files.map { PercentEncoding.text(of: $0) })
    case .quit: kind = "quit"
    }
  }

  private mutating func setPointer(
    _ name: String, _ location: Point, _ button: PointerButton? = nil, _ modifiers: KeyModifiers = []
  ) {
    kind = name
    (x, y) = (EventFields.clamped(location.x), EventFields.clamped(location.y))
    self.button = button.map(EventFields.name(of:))
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  private mutating func setKey(_ name: String, _ key: Key, _ modifiers: KeyModifiers) {
    kind = name
    self.key = KeyName.name(of: key)
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  /// Returns a number that is valid in a recording.
  static func clamped(_ number: Double) -> Double {
    number.isNaN ? 0 : max(-maximumMagnitude, min(maximumMagnitude, number))
  }

  static func name(of button: PointerButton) -> String {
    switch button {
    case .primary: "primary"
    case .middle: "middle"
    case .secondary: "secondary"
    }
  }

  static func name(of phase: TouchInput.Phase) -> String {
    switch phase {
    case .began: "began"
    case .moved: "moved"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }
}

// MARK: - Decoding

/// Decoding. A missing or invalid field makes the event invalid.
extension EventFields {
  /// The maximum duration of a run in nanoseconds: ten years.
  nonisolated static let longestDuration: Int64 = 315_360_000_000_000_000

  /// The event, or nil if the fields are invalid.
  nonisolated var event: RecordedEvent? {
    guard (0...EventFields.longestDuration).contains(ns), frame >= 0, let kind = inputKind else { return nil }
    var size: Size?
    if width != nil || height != nil {
      guard let width, let height, EventFields.sideRange.contains(width), EventFields.sideRange.contains(height) else {
        return nil
      }
      size = Size(width: width, height: height)
    }
    return RecordedEvent(time: FrameDuration(nanoseconds: ns), frame: frame, kind: kind, size: size)
  }

  /// The valid side lengths of a window in points.
  private nonisolated static let sideRange = 1.0...16_384.0

  private nonisolated var inputKind: InputEvent.Kind? {
    switch kind {
    case "pointerMoved": location.map(InputEvent.Kind.pointerMoved)
    case "pointerDown":
      if let location, let pointerButton, let clicks, (0...1_000).contains(clicks) {
        .pointerDown(location, button: pointerButton, clicks: clicks, modifiers: keyModifiers)
      } else {
        nil
      }
    case "pointerUp":
      if let location, let pointerButton {
        .pointerUp(location, button: pointerButton, modifiers: keyModifiers)
      } else {
        nil
      }
    case "pointerLeft": .pointerLeft
    case "cancelled": .cancelled
    case "wheel":
      if let location, let delta {
        .wheel(WheelInput(location: location, deltaX: delta.x, deltaY: delta.y, modifiers: keyModifiers))
      } else {
        nil
      }
    case "touch":
      if let location, let finger, let touchPhase {
        .touch(TouchInput(finger: finger, phase: touchPhase, location: location))
      } else {
        nil
      }
    case "pan":
      if let location, let delta, let touchPhase, let start = EventFields.point(startX, startY) {
        .pan(PanInput(phase: touchPhase, start: start, location: location, translation: delta))
      } else {
        nil
      }
    case "pinch":
      if let location, let touchPhase, let scale, scale > 0, scale <= EventFields.maximumMagnitude {
        .pinch(PinchInput(phase: touchPhase, location: location, scale: scale))
      } else {
        nil
      }
    case "keyDown": pressedKey.map { .keyDown($0, modifiers: keyModifiers, isRepeat: repeats ?? false) }
    case "text": text.map(InputEvent.Kind.text)
    case "markedText":
      if let text, let caret, (0...text.count).contains(caret) { .markedText(text, caret: caret) } else { nil }
    case "keyUp": pressedKey.map { .keyUp($0, modifiers: keyModifiers) }
    case "resized": .resized
    case "exposed": .exposed
    case "hidden": .hidden
    case "shown": .shown
    case "displayChanged": .displayChanged
    case "colorProfileChanged": .colorProfileChanged
    case "texturesLost": .texturesLost
    case "filesDropped": droppedPaths.map(InputEvent.Kind.filesDropped)
    case "quit": .quit
    default: nil
    }
  }

  private nonisolated var location: Point? { EventFields.point(x, y) }

  private nonisolated var delta: Point? { EventFields.point(dx, dy) }

  private nonisolated var keyModifiers: KeyModifiers { KeyModifiers(rawValue: modifiers ?? 0) }

  private nonisolated var pressedKey: Key? { key.flatMap(KeyName.key(named:)) }

  private nonisolated var pointerButton: PointerButton? {
    [.primary, .middle, .secondary].first { EventFields.name(of: $0) == button }
  }

  private nonisolated var touchPhase: TouchInput.Phase? {
    [.began, .moved, .ended, .cancelled].first { EventFields.name(of: $0) == phase }
  }

  private nonisolated var droppedPaths: [[UInt8]]? {
    guard let paths else { return nil }
    let bytes = paths.compactMap(PercentEncoding.bytes(of:))
    return bytes.count == paths.count && !bytes.contains { $0.contains(0) } ? bytes : nil
  }

  private nonisolated static func point(_ x: Double?, _ y: Double?) -> Point? {
    guard let x, let y, abs(x) <= maximumMagnitude, abs(y) <= maximumMagnitude else { return nil }
    return Point(x: x, y: y)
  }
}

// MARK: - Keys

/// The names of keys in recordings, such as `PageDown` and `F5`, and `=q` for a character key.
private nonisolated enum KeyName {
  /// Returns the name of a key.
  static func name(of key: Key) -> String {
    switch key {
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    case .home: "Home"
    case .end: "End"
    case .space: "Space"
    case .enter: "Enter"
    case .escape: "Escape"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .delete: "Delete"
    case .menu: "Menu"
    case .function(let number): "F\(number)"
    case .character(let character): "=\(character)"
    }
  }

  /// Returns the key with a name, or nil if there is none.
  static func key(named text: String) -> Key? {
    if let key = namedKeys.first(where: { KeyName.name(of: $0) == text }) { return key }
    // By scalars, because a combining mark forms one character with the equals sign.
    let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
    if text.unicodeScalars.first == "=" { return rest.count == 1 ? rest.first.map(Key.character) : nil }
    guard text.hasPrefix("F"), let number = Int(rest), (1...12).contains(number) else { return nil }
    return .function(number)
  }

  private static let namedKeys: [Key] = [
    .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .space, .enter, .escape, .tab, .backspace, .delete,
    .menu,
  ]
}
