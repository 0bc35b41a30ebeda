import FramePacing
import Geometry
import Rendering

/// Reading: whatever is not there, or is out of all bounds, makes it no event.
extension EventFields {
  /// The longest run that is believed, in nanoseconds: ten years.
  nonisolated static let longestRun: Int64 = 315_360_000_000_000_000

  /// The event; nothing where the fields are those of none.
  nonisolated var event: RecordedEvent? {
    guard (0...EventFields.longestRun).contains(ns), frame >= 0, let kind = input else { return nil }
    var size: Size?
    if width != nil || height != nil {
      guard let width, let height, EventFields.sides.contains(width), EventFields.sides.contains(height) else {
        return nil
      }
      size = Size(width: width, height: height)
    }
    return RecordedEvent(time: FrameDuration(nanoseconds: ns), frame: frame, kind: kind, size: size)
  }

  /// The sides that a window may have, in points.
  private nonisolated static let sides = 1.0...16_384.0

  private nonisolated var input: InputEvent.Kind? {
    switch kind {
    case "pointerMoved": place.map(InputEvent.Kind.pointerMoved)
    case "pointerDown":
      if let place, let pressed, let clicks, (0...1_000).contains(clicks) {
        .pointerDown(place, button: pressed, clicks: clicks, modifiers: held)
      } else {
        nil
      }
    case "pointerUp":
      if let place, let pressed { .pointerUp(place, button: pressed, modifiers: held) } else { nil }
    case "pointerLeft": .pointerLeft
    case "cancelled": .cancelled
    case "wheel":
      if let place, let way {
        .wheel(WheelInput(location: place, deltaX: way.x, deltaY: way.y, modifiers: held))
      } else {
        nil
      }
    case "touch":
      if let place, let finger, let course {
        .touch(TouchInput(finger: finger, phase: course, location: place))
      } else {
        nil
      }
    case "pan":
      if let place, let way, let course, let start = EventFields.point(startX, startY) {
        .pan(PanInput(phase: course, start: start, location: place, translation: way))
      } else {
        nil
      }
    case "pinch":
      if let place, let course, let scale, scale > 0, scale <= EventFields.farthest {
        .pinch(PinchInput(phase: course, location: place, scale: scale))
      } else {
        nil
      }
    case "keyDown": pushed.map { .keyDown($0, modifiers: held, isRepeat: repeats ?? false) }
    case "text": text.map(InputEvent.Kind.text)
    case "keyUp": pushed.map { .keyUp($0, modifiers: held) }
    case "resized": .resized
    case "exposed": .exposed
    case "hidden": .hidden
    case "shown": .shown
    case "displayChanged": .displayChanged
    case "texturesLost": .texturesLost
    case "filesDropped": dropped.map(InputEvent.Kind.filesDropped)
    case "quit": .quit
    default: nil
    }
  }

  private nonisolated var place: Point? { EventFields.point(x, y) }

  private nonisolated var way: Point? { EventFields.point(dx, dy) }

  private nonisolated var held: KeyModifiers { KeyModifiers(rawValue: modifiers ?? 0) }

  private nonisolated var pushed: Key? { key.flatMap(KeyText.key(of:)) }

  private nonisolated var pressed: PointerButton? {
    [.primary, .middle, .secondary].first { EventFields.name(of: $0) == button }
  }

  private nonisolated var course: TouchInput.Phase? {
    [.began, .moved, .ended, .cancelled].first { EventFields.name(of: $0) == phase }
  }

  private nonisolated var dropped: [[UInt8]]? {
    guard let paths else { return nil }
    let bytes = paths.compactMap(ByteText.bytes(of:))
    return bytes.count == paths.count && !bytes.contains { $0.contains(0) } ? bytes : nil
  }

  private nonisolated static func point(_ x: Double?, _ y: Double?) -> Point? {
    guard let x, let y, abs(x) <= farthest, abs(y) <= farthest else { return nil }
    return Point(x: x, y: y)
  }
}
