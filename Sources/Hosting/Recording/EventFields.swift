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
  static let farthest = 1e6

  init(_ event: RecordedEvent) {
    ns = event.time.nanoseconds
    frame = event.frame
    kind = ""
    width = event.size.map { EventFields.bounded($0.width) }
    height = event.size.map { EventFields.bounded($0.height) }
    take(event.kind)
  }

  private mutating func take(_ event: InputEvent.Kind) {
    switch event {
    case .pointerMoved(let place): take("pointerMoved", place)
    case .pointerDown(let place, let button, let clicks, let modifiers):
      take("pointerDown", place, button, modifiers)
      self.clicks = clicks
    case .pointerUp(let place, let button, let modifiers): take("pointerUp", place, button, modifiers)
    case .pointerLeft: kind = "pointerLeft"
    case .cancelled: kind = "cancelled"
    case .wheel(let wheel):
      take("wheel", wheel.location, nil, wheel.modifiers)
      (dx, dy) = (EventFields.bounded(wheel.deltaX), EventFields.bounded(wheel.deltaY))
    case .touch(let touch):
      take("touch", touch.location)
      (finger, phase) = (touch.finger, EventFields.name(of: touch.phase))
    case .pan(let pan):
      take("pan", pan.location)
      phase = EventFields.name(of: pan.phase)
      (startX, startY) = (EventFields.bounded(pan.start.x), EventFields.bounded(pan.start.y))
      (dx, dy) = (EventFields.bounded(pan.translation.x), EventFields.bounded(pan.translation.y))
    case .pinch(let pinch):
      take("pinch", pinch.location)
      (phase, scale) = (EventFields.name(of: pinch.phase), EventFields.bounded(pinch.scale))
    case .keyDown(let key, let modifiers, let isRepeat):
      take("keyDown", key, modifiers)
      repeats = isRepeat ? true : nil
    case .text(let typed): (kind, text) = ("text", typed)
    case .keyUp(let key, let modifiers): take("keyUp", key, modifiers)
    case .resized: kind = "resized"
    case .exposed: kind = "exposed"
    case .hidden: kind = "hidden"
    case .shown: kind = "shown"
    case .displayChanged: kind = "displayChanged"
    case .texturesLost: kind = "texturesLost"
    case .filesDropped(let files): (kind, paths) = ("filesDropped", files.map { ByteText.text(of: $0) })
    case .quit: kind = "quit"
    }
  }

  private mutating func take(
    _ name: String, _ place: Point, _ button: PointerButton? = nil, _ modifiers: KeyModifiers = []
  ) {
    kind = name
    (x, y) = (EventFields.bounded(place.x), EventFields.bounded(place.y))
    self.button = button.map(EventFields.name(of:))
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  private mutating func take(_ name: String, _ key: Key, _ modifiers: KeyModifiers) {
    kind = name
    self.key = KeyText.text(of: key)
    self.modifiers = modifiers.isEmpty ? nil : modifiers.rawValue
  }

  /// A number as it may stand in a recording.
  static func bounded(_ number: Double) -> Double { number.isNaN ? 0 : max(-farthest, min(farthest, number)) }

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
