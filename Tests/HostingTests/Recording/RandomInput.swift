import FramePacing
import Geometry
import Rendering
import TestSupport

@testable import Hosting

/// Makes input of all kinds by lot.
nonisolated struct RandomInput {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// How many kinds of input there are.
  static let kinds = 20

  mutating func event() -> RecordedEvent {
    let kind = kind(Int.random(in: 0..<Self.kinds, using: &random))
    let size = random.chance(oneIn: 4) ? Size(width: Double.random(in: 16...9_000, using: &random), height: 480.5) : nil
    return RecordedEvent(
      time: FrameDuration(nanoseconds: Int64.random(in: 0...EventFields.longestDuration, using: &random)),
      frame: Int.random(in: 0...1_000_000, using: &random), kind: kind, size: size)
  }

  mutating func kind(_ number: Int) -> InputEvent.Kind {
    switch number {
    case 0: .pointerMoved(point())
    case 1: .pointerDown(point(), button: button(), clicks: Int.random(in: 0...3, using: &random), modifiers: held())
    case 2: .pointerUp(point(), button: button(), modifiers: held())
    case 3: .pointerLeft
    case 4: .cancelled
    case 5: .wheel(WheelInput(location: point(), deltaX: distance(), deltaY: distance(), modifiers: held()))
    case 6:
      .touch(TouchInput(finger: Int64.random(in: .min ... .max, using: &random), phase: phase(), location: point()))
    case 7: .pan(PanInput(phase: phase(), start: point(), location: point(), translation: point()))
    case 8:
      .pinch(PinchInput(phase: phase(), location: point(), scale: Double.random(in: 0.001...50, using: &random)))
    case 9: .keyDown(key(), modifiers: held(), isRepeat: Bool.random(using: &random))
    case 10: .text(text())
    case 11: .keyUp(key(), modifiers: held())
    case 12: .resized
    case 13: .exposed
    case 14: .hidden
    case 15: .shown
    case 16: .displayChanged
    case 17: .texturesLost
    case 18: .filesDropped((0..<Int.random(in: 0...3, using: &random)).map { _ in path() })
    default: .quit
    }
  }

  private mutating func distance() -> Double {
    random.chance(oneIn: 5)
      ? 0 : Double.random(in: -EventFields.maximumMagnitude...EventFields.maximumMagnitude, using: &random)
  }

  private mutating func point() -> Point { Point(x: distance(), y: distance()) }

  private mutating func held() -> KeyModifiers { KeyModifiers(rawValue: UInt8.random(in: 0...255, using: &random)) }

  private mutating func button() -> PointerButton {
    [PointerButton.primary, .middle, .secondary][Int.random(in: 0...2, using: &random)]
  }

  private mutating func phase() -> TouchInput.Phase {
    [TouchInput.Phase.began, .moved, .ended, .cancelled][Int.random(in: 0...3, using: &random)]
  }

  private mutating func key() -> Key {
    let keys: [Key] = [
      .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .space, .enter, .escape, .tab, .backspace, .delete,
      .menu,
    ]
    switch Int.random(in: 0...2, using: &random) {
    case 0: return keys[Int.random(in: 0..<keys.count, using: &random)]
    case 1: return .function(Int.random(in: 1...12, using: &random))
    default:
      // A mark that combines, a character of three scalars, and the sign that names characters.
      let characters: [Character] = ["q", "=", "\"", "é", "\u{301}", "👩‍🚀", "F", "ß", "\u{0}"]
      return .character(characters[Int.random(in: 0..<characters.count, using: &random)])
    }
  }

  private mutating func text() -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  /// Any bytes but zero.
  private mutating func path() -> [UInt8] {
    (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
  }
}
