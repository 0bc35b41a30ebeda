import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("Recorded input decodes to the input that was encoded")
struct RecordedEventTests {
  private func roundTrip(_ event: RecordedEvent) throws -> RecordedEvent {
    try JSONDecoder().decode(RecordedEvent.self, from: JSONEncoder().encode(event))
  }

  @Test("Random input of every kind survives a round trip", arguments: 1...8 as ClosedRange<UInt64>)
  func roundTrips(seed: UInt64) throws {
    var input = RandomInput(seed: seed)
    for number in 0..<400 {
      var event = input.event()
      event.kind = input.kind(number % RandomInput.kindCount)
      #expect(try roundTrip(event) == event)
    }
  }

  @Test("Numbers that no window reports are clamped, so that a recording of them can be read")
  func bounds() throws {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let wheel = WheelInput(location: Point(x: value, y: 3), deltaX: 0, deltaY: value)
      guard case .wheel(let read) = try roundTrip(RecordedEvent(time: .zero, frame: 0, kind: .wheel(wheel))).kind else {
        Issue.record("The event is not a wheel event.")
        continue
      }
      #expect(abs(read.location.x) <= EventFields.maximumMagnitude && abs(read.deltaY) <= EventFields.maximumMagnitude)
      #expect(read.location.y == 3)
    }
  }

  nonisolated static let invalidEvents = [
    #"{"ns":-1,"frame":0,"kind":"quit"}"#, #"{"ns":1,"frame":-1,"kind":"quit"}"#, #"{"ns":1,"frame":0,"kind":"fly"}"#,
    #"{"ns":1,"frame":0}"#, #"{"ns":1,"frame":0,"kind":"pointerMoved","x":1}"#,
    #"{"ns":1,"frame":0,"kind":"pointerMoved","x":1,"y":1e9}"#, #"{"ns":9223372036854775807,"frame":0,"kind":"quit"}"#,
    #"{"ns":1,"frame":0,"kind":"keyDown","key":"F13"}"#, #"{"ns":1,"frame":0,"kind":"keyDown","key":"=ab"}"#,
    #"{"ns":1,"frame":0,"kind":"pinch","x":1,"y":1,"phase":"moved","scale":0}"#,
    #"{"ns":1,"frame":0,"kind":"filesDropped","paths":["%0"]}"#,
    #"{"ns":1,"frame":0,"kind":"filesDropped","paths":["a%00b"]}"#,
    #"{"ns":1,"frame":0,"kind":"resized","width":1e9,"height":4}"#,
    #"{"ns":1,"frame":0,"kind":"pointerDown","x":1,"y":1,"button":"fourth","clicks":1}"#,
    #"{"ns":1,"frame":0,"kind":"pointerDown","x":1,"y":1,"button":"primary","clicks":-1}"#,
  ]

  @Test("Input that no device and no window could have produced is rejected", arguments: invalidEvents)
  func rejectsInvalidEvents(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(RecordedEvent.self, from: Data(text.utf8)) }
  }
}

/// A generator of random input of all kinds.
nonisolated struct RandomInput {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The number of kinds of input.
  static let kindCount = 22

  mutating func event() -> RecordedEvent {
    let kind = kind(Int.random(in: 0..<Self.kindCount, using: &random))
    let size = random.chance(oneIn: 4) ? Size(width: Double.random(in: 16...9_000, using: &random), height: 480.5) : nil
    return RecordedEvent(
      time: FrameDuration(nanoseconds: Int64.random(in: 0...EventFields.longestDuration, using: &random)),
      frame: Int.random(in: 0...1_000_000, using: &random), kind: kind, size: size)
  }

  mutating func kind(_ number: Int) -> InputEvent.Kind {
    switch number {
    case 0: .pointerMoved(point())
    case 1:
      .pointerDown(point(), button: button(), clicks: Int.random(in: 0...3, using: &random), modifiers: modifiers())
    case 2: .pointerUp(point(), button: button(), modifiers: modifiers())
    case 3: .pointerLeft
    case 4: .cancelled
    case 5: .wheel(WheelInput(location: point(), deltaX: distance(), deltaY: distance(), modifiers: modifiers()))
    case 6:
      .touch(TouchInput(finger: Int64.random(in: .min ... .max, using: &random), phase: phase(), location: point()))
    case 7: .pan(PanInput(phase: phase(), start: point(), location: point(), translation: point()))
    case 8:
      .pinch(PinchInput(phase: phase(), location: point(), scale: Double.random(in: 0.001...50, using: &random)))
    case 9: .keyDown(key(), modifiers: modifiers(), isRepeat: Bool.random(using: &random))
    case 10: .text(text())
    case 11: .keyUp(key(), modifiers: modifiers())
    case 12: .resized
    case 13: .exposed
    case 14: .hidden
    case 15: .shown
    case 16: .displayChanged
    case 17: .texturesLost
    case 18: .colorProfileChanged
    case 19: .filesDropped((0..<Int.random(in: 0...3, using: &random)).map { _ in path() })
    case 20: markedText()
    default: .quit
    }
  }

  private mutating func markedText() -> InputEvent.Kind {
    let composed = text()
    return .markedText(composed, caret: Int.random(in: 0...composed.count, using: &random))
  }

  private mutating func distance() -> Double {
    random.chance(oneIn: 5)
      ? 0 : Double.random(in: -EventFields.maximumMagnitude...EventFields.maximumMagnitude, using: &random)
  }

  private mutating func point() -> Point { Point(x: distance(), y: distance()) }

  private mutating func modifiers() -> KeyModifiers {
    KeyModifiers(rawValue: UInt8.random(in: 0...255, using: &random))
  }

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
      // Includes a combining mark, a character of three scalars, and the equals sign, which is the prefix of
      // characters.
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

  /// Returns random bytes other than zero.
  private mutating func path() -> [UInt8] {
    (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
  }
}
