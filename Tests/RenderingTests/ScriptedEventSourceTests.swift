import FramePacing
import Rendering
import Testing

@Suite("Scripted events come in when their clock has got there")
@MainActor
struct ScriptedEventSourceTests {
  private final class Clock {
    var now = FrameInstant.zero
  }

  @Test("Events come in order and not before their time")
  func eventsComeInTime() {
    let clock = Clock()
    let source = ScriptedEventSource(now: { clock.now })
    for milliseconds in [5, 10, 10, 30] {
      source.append(.keyDown(.function(milliseconds), modifiers: [], isRepeat: false), at: at(milliseconds))
    }
    var seen: [Int] = []
    for milliseconds in 0...40 {
      clock.now = at(milliseconds)
      let hadPending = source.hasPendingEvents
      var events: [InputEvent] = []
      source.poll(into: &events)
      #expect(hadPending == !events.isEmpty)
      #expect(events.allSatisfy { $0.time <= clock.now })
      seen += events.map { Int($0.time.nanoseconds / 1_000_000) }
    }
    #expect(seen == [5, 10, 10, 30])
    #expect(source.nextEventTime == nil)
  }

  @Test("Polling appends to what is there already")
  func pollingAppends() {
    let source = ScriptedEventSource()
    var events = [InputEvent(time: .zero, kind: .exposed)]
    source.append(.quit)
    source.poll(into: &events)
    #expect(events.map(\.kind) == [.exposed, .quit])
  }

  @Test("A rest is told to the owner, and skipped when there is something to do")
  func resting() {
    let clock = Clock()
    var rests = 0
    let source = ScriptedEventSource(now: { clock.now }, onWait: { _ in rests += 1 })
    source.append(.quit, at: at(1))
    source.wait(atMost: .milliseconds(3))
    #expect(rests == 1)
    clock.now = at(1)
    source.wait(atMost: nil)
    #expect(rests == 1)
    var events: [InputEvent] = []
    source.poll(into: &events)
    source.waker.wake()
    source.wait(atMost: nil)
    #expect(rests == 1 && source.wakeCount == 1)
    source.poll(into: &events)
    source.wait(atMost: nil)
    #expect(rests == 2)
    #expect(source.waits == [.milliseconds(3), nil, nil, nil])
  }

  private func at(_ milliseconds: Int) -> FrameInstant { .zero + .milliseconds(Double(milliseconds)) }
}
