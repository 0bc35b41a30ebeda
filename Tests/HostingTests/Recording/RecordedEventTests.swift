import FramePacing
import Foundation
import Geometry
import Rendering
import Testing

@testable import Hosting

@Suite("Input is written and read back as it was")
struct RecordedEventTests {
  private func there(_ event: RecordedEvent) throws -> RecordedEvent {
    try JSONDecoder().decode(RecordedEvent.self, from: JSONEncoder().encode(event))
  }

  @Test("Every kind of input, by lot", arguments: 1...8 as ClosedRange<UInt64>)
  func identity(seed: UInt64) throws {
    var input = RandomInput(seed: seed)
    for number in 0..<400 {
      var event = input.event()
      event.kind = input.kind(number % RandomInput.kinds)
      #expect(try there(event) == event)
    }
  }

  @Test("Numbers that no window gives are brought within bounds, so that a recording of them can be read")
  func bounds() throws {
    for wild in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let wheel = WheelInput(location: Point(x: wild, y: 3), deltaX: 0, deltaY: wild)
      guard case .wheel(let read) = try there(RecordedEvent(time: .zero, frame: 0, kind: .wheel(wheel))).kind else {
        Issue.record("no wheel")
        continue
      }
      #expect(abs(read.location.x) <= EventFields.maximumMagnitude && abs(read.deltaY) <= EventFields.maximumMagnitude)
      #expect(read.location.y == 3)
    }
  }

  nonisolated static let refused = [
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

  @Test("What no hand and no window could have done is no event", arguments: refused)
  func refusal(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(RecordedEvent.self, from: Data(text.utf8)) }
  }
}
