import FramePacing
import Geometry
import Rendering

/// An event source that keeps what comes through it from another one.
///
/// Keeping an event is an append; nothing is written before the run's end.
final class RecordingEventSource: EventSource {
  /// What came so far.
  private(set) var recordedEvents: [RecordedEvent] = []
  /// How many frames there were so far.
  var frameCount: () -> Int = { 0 }

  private let source: any EventSource
  private let clock: any FrameClock
  private let start: FrameInstant
  private let size: () -> Size

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - source: where events come from.
  ///   - clock: the run's clock.
  ///   - start: the run's start on it.
  ///   - size: the window's size in points, at this moment.
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
      // Input of a real hand has no place on a simulated line but now.
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
  /// Whether the window may have another size with it.
  fileprivate var changesSize: Bool {
    switch self {
    case .resized, .displayChanged: true
    default: false
    }
  }
}
