import FramePacing
import Geometry
import Rendering

/// An event source that gives recorded input at its times, and nothing else.
///
/// What comes from the machine it runs on is let go, but for wake-ups of those who work for the run.
final class ReplayEventSource: EventSource {
  private let events: [RecordedEvent]
  private let source: any EventSource
  private let clock: any FrameClock
  private let start: FrameInstant
  private let resize: (Size) -> Void
  private var nextEventIndex = 0
  private var discardedEvents: [InputEvent] = []

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - events: what was recorded, in its order.
  ///   - source: what wakes the loop.
  ///   - clock: the run's clock: an event comes once its time is not after it.
  ///   - start: the run's start on it.
  ///   - resize: gives the window a size in points, before it is told of it.
  init(
    _ events: [RecordedEvent], beside source: any EventSource, clock: any FrameClock, from start: FrameInstant,
    resize: @escaping (Size) -> Void
  ) {
    self.events = events
    self.source = source
    self.clock = clock
    self.start = start
    self.resize = resize
  }

  func poll(into events: inout [InputEvent]) {
    source.poll(into: &discardedEvents)
    discardedEvents.removeAll(keepingCapacity: true)
    while hasPendingEvents {
      let event = self.events[nextEventIndex]
      nextEventIndex += 1
      if let size = event.size { resize(size) }
      events.append(InputEvent(time: start + event.time, kind: event.kind))
    }
  }

  func wait(atMost duration: FrameDuration?) { source.wait(atMost: duration) }

  var hasPendingEvents: Bool { hasPendingEvents(by: clock.now()) }

  func hasPendingEvents(by instant: FrameInstant) -> Bool { nextScheduledEvent.map { $0 <= instant } ?? false }

  var nextScheduledEvent: FrameInstant? { nextEventIndex < events.count ? start + events[nextEventIndex].time : nil }

  var waker: any LoopWaker { source.waker }
}
