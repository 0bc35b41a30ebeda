import Testing
import VitrineFramePacing
import VitrineRendering

@Suite("Scripted events are delivered when the clock has reached their time")
@MainActor
struct ScriptedEventSourceTests {
  private final class Clock {
    var now = FrameInstant.zero
  }

  @Test("Events are delivered in order and not before their time")
  func eventsComeInTime() {
    let clock = Clock()
    let source = ScriptedEventSource(now: { clock.now })
    for milliseconds in [5, 10, 10, 30] {
      source.append(.keyDown(.function(milliseconds), modifiers: [], isRepeat: false), at: at(milliseconds))
    }
    var received: [Int] = []
    for milliseconds in 0...40 {
      clock.now = at(milliseconds)
      let hadPending = source.hasPendingEvents
      var events: [InputEvent] = []
      source.poll(into: &events)
      #expect(hadPending == !events.isEmpty)
      #expect(events.allSatisfy { $0.time <= clock.now })
      received += events.map { Int($0.time.nanoseconds / 1_000_000) }
    }
    #expect(received == [5, 10, 10, 30])
    #expect(source.nextEventTime == nil)
  }

  @Test("Polling appends to the existing events")
  func pollingAppends() {
    let source = ScriptedEventSource()
    var events = [InputEvent(time: .zero, kind: .exposed)]
    source.append(.quit)
    source.poll(into: &events)
    #expect(events.map(\.kind) == [.exposed, .quit])
  }

  @Test("A wait is reported to the owner, and skipped while events are pending or after a wake-up")
  func waits() {
    let clock = Clock()
    var waitCount = 0
    let source = ScriptedEventSource(now: { clock.now }, onWait: { _ in waitCount += 1 })
    source.append(.quit, at: at(1))
    source.wait(atMost: .milliseconds(3))
    #expect(waitCount == 1)
    clock.now = at(1)
    source.wait(atMost: nil)
    #expect(waitCount == 1)
    var events: [InputEvent] = []
    source.poll(into: &events)
    source.waker.wake()
    source.wait(atMost: nil)
    #expect(waitCount == 1 && source.wakeCount == 1)
    source.poll(into: &events)
    source.wait(atMost: nil)
    #expect(waitCount == 2)
    #expect(source.waits == [.milliseconds(3), nil, nil, nil])
  }

  private func at(_ milliseconds: Int) -> FrameInstant { .zero + .milliseconds(Double(milliseconds)) }
}
