import FramePacing
import Geometry
import Rendering

/// Reading: whatever is not there, or is out of all bounds, makes it no event.
extension EventFields {
  /// The longest run that is believed, in nanoseconds: ten years.
  nonisolated static let longestDuration: Int64 = 315_360_000_000_000_000

  /// The event; nothing where the fields are those of none.
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

  /// The sides that a window may have, in points.
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
    case "keyUp": pressedKey.map { .keyUp($0, modifiers: keyModifiers) }
    case "resized": .resized
    case "exposed": .exposed
    case "hidden": .hidden
    case "shown": .shown
    case "displayChanged": .displayChanged
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
