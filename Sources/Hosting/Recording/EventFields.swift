import FramePacing
import Geometry
import Rendering

/// An event as a line of a recording has it: its name and what belongs to that, all else left out.
nonisolated struct EventFields: Codable {
  /// Nanoseconds from the run's start.
  var ns: Int64
  var frame: Int
  var kind: String
  var x, y, dx, dy, startX, startY, scale, width, height: Double?
  var button, phase, key, text: String?
  var clicks: Int?
  /// Shift 1, Control 2, Alt 4; left out where none is held.
  var modifiers: UInt8?
  var repeats: Bool?
  var finger: Int64?
  /// By ``ByteText``.
  var paths: [String]?

  /// No place and no way is farther, in points or notches; what a program does with it is whole then.
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
    case .pointerMoved(let place): setPointer("pointerMoved", place)
    case .pointerDown(let place, let button, let clicks, let modifiers):
      setPointer("pointerDown", place, button, modifiers)
      self.clicks = clicks
    case .pointerUp(let place, let button, let modifiers): setPointer("pointerUp", place, button, modifiers)
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
    case .keyUp(let key, let modifiers): setKey("keyUp", key, modifiers)
    case .resized: kind = "resized"
    case .exposed: kind = "exposed"
    case .hidden: kind = "hidden"
    case .shown: kind = "shown"
    case .displayChanged: kind = "displayChanged"
    case .texturesLost: kind = "texturesLost"
    case .filesDropped(let files): (kind, paths) = ("filesDropped", files.map { PercentEncoding.text(of: $0) })
    case .quit: kind = "quit"
    }
  }

  private mutating func setPointer(
    _ name: String, _ place: Point, _ button: PointerButton? = nil, _ modifiers: KeyModifiers = []
  ) {
    kind = name
    (x, y) = (EventFields.clamped(place.x), EventFields.clamped(place.y))
    self.button = button.map(EventFields.name(of:))
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  private mutating func setKey(_ name: String, _ key: Key, _ modifiers: KeyModifiers) {
    kind = name
    self.key = KeyName.name(of: key)
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  /// A number as it may stand in a recording.
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
