import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// An event source that records the events of another source.
///
/// Recording appends to an array. Nothing is written before the end of the run.
final class RecordingEventSource: EventSource {
  /// The events so far.
  private(set) var recordedEvents: [RecordedEvent] = []
  /// Returns the number of frames so far.
  var frameCount: () -> Int = { 0 }

  private let source: any EventSource
  private let clock: any FrameClock
  private let start: FrameInstant
  private let size: () -> Size

  /// Creates an event source.
  ///
  /// - Parameters:
  ///   - source: The source of the events.
  ///   - clock: The run's clock.
  ///   - start: The start of the run on the clock.
  ///   - size: Returns the window's current size in points.
  init(_ source: any EventSource, clock: any FrameClock, from start: FrameInstant, size: @escaping () -> Size) {
    self.source = source
    self.clock = clock
    self.start = start
    self.size = size
    recordedEvents.reserveCapacity(1_024)
  }

  func poll(into events: inout [InputEvent]) {
    let first = events.count
    source.poll(into: &events)
    guard events.count > first else { return }
    let (now, frame) = (clock.now(), frameCount())
    for event in events[first...] {
      // On a simulated clock, real input cannot arrive later than now.
      let time = clock.kind.isSimulated ? min(event.time, now) : event.time
      recordedEvents.append(
        RecordedEvent(
          time: max(.zero, time - start), frame: frame, kind: event.kind,
          size: event.kind.changesSize ? size() : nil))
    }
  }

  func wait(atMost duration: FrameDuration?) { source.wait(atMost: duration) }

  var hasPendingEvents: Bool { source.hasPendingEvents }

  func hasPendingEvents(by instant: FrameInstant) -> Bool { source.hasPendingEvents(by: instant) }

  var nextScheduledEvent: FrameInstant? { source.nextScheduledEvent }

  var waker: any LoopWaker { source.waker }
}

extension InputEvent.Kind {
  /// Whether the window's size may have changed.
  fileprivate var changesSize: Bool {
    switch self {
    case .resized, .displayChanged: true
    default: false
    }
  }
}

/// An event source that replays recorded input at its times.
///
/// Events of the machine are discarded, but its wake-ups still end waits.
final class ReplayEventSource: EventSource {
  private let events: [RecordedEvent]
  private let source: any EventSource
  private let clock: any FrameClock
  private let start: FrameInstant
  private let resize: (Size) -> Void
  private var nextEventIndex = 0
  private var discardedEvents: [InputEvent] = []

  /// Creates an event source.
  ///
  /// - Parameters:
  ///   - events: The recorded events in order.
  ///   - source: The source that wakes the loop.
  ///   - clock: The run's clock. An event is due when the clock reaches its time.
  ///   - start: The start of the run on the clock.
  ///   - resize: Resizes the window to a size in points, before the event is delivered.
  init(
    _ events: [RecordedEvent], wrapping source: any EventSource, clock: any FrameClock, from start: FrameInstant,
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
