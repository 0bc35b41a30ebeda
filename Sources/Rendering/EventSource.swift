import Synchronization
public import VitrineFramePacing

/// The interface to user input.
///
/// All members are used on the main actor, except ``waker``, which may be used on any thread.
@MainActor
public protocol EventSource: AnyObject {
  /// Appends the events that have arrived, without waiting.
  func poll(into events: inout [InputEvent])

  /// Blocks until an event arrives, the loop is woken or the time is up, without using the processor.
  ///
  /// May return early. If the duration is nil, there is no time limit.
  func wait(atMost duration: FrameDuration?)

  /// Whether there are events that ``poll(into:)`` would return.
  ///
  /// Cheap enough to be read before each step of idle work.
  var hasPendingEvents: Bool { get }

  /// Whether events will have arrived by an instant, as far as that is known.
  ///
  /// A script knows its future events.
  func hasPendingEvents(by instant: FrameInstant) -> Bool

  /// The time of the next event, if it is known in advance.
  ///
  /// A simulated clock that is idle advances to it.
  var nextScheduledEvent: FrameInstant? { get }

  /// The object that ends ``wait(atMost:)`` from any thread.
  var waker: any LoopWaker { get }
}

extension EventSource {
  /// Whether events have arrived already.
  ///
  /// The user's future input is not known.
  public func hasPendingEvents(by instant: FrameInstant) -> Bool { hasPendingEvents }

  /// Always nil, because the user's future input is not known.
  public var nextScheduledEvent: FrameInstant? { nil }
}

/// An event source that delivers scripted events when its clock reaches their times.
///
/// It never blocks. A wait is reported to the owner, which may advance a manual clock.
@MainActor
public final class ScriptedEventSource: EventSource {
  /// The requested waits, oldest first.
  ///
  /// A wait without a time limit is nil.
  public private(set) var waits: [FrameDuration?] = []
  private let flag = WakeFlag()
  private let now: @MainActor () -> FrameInstant
  private let onWait: @MainActor (FrameDuration?) -> Void
  private var pending: [InputEvent] = []
  private var next = 0

  /// Creates an event source.
  ///
  /// - Parameters:
  ///   - now: Returns the current time. An event arrives when its time is not later. Default: all events have arrived.
  ///   - onWait: Called for each wait that would block.
  public init(
    now: @escaping @MainActor () -> FrameInstant = { .distantFuture },
    onWait: @escaping @MainActor (FrameDuration?) -> Void = { _ in }
  ) {
    self.now = now
    self.onWait = onWait
  }

  /// Appends an event.
  ///
  /// It is delivered after the previous one, even if its time is earlier.
  public func append(_ event: InputEvent) { pending.append(event) }

  /// Appends an event of a kind at a time.
  public func append(_ kind: InputEvent.Kind, at time: FrameInstant = .zero) {
    append(InputEvent(time: time, kind: kind))
  }

  /// The time of the next event, or nil if all have been delivered.
  public var nextEventTime: FrameInstant? { next < pending.count ? pending[next].time : nil }

  /// The number of wake-ups requested since the source was created.
  public var wakeCount: Int { flag.count.load(ordering: .relaxed) }

  /// Appends the events whose time has come.
  public func poll(into events: inout [InputEvent]) {
    flag.isRaised.store(false, ordering: .relaxed)
    let time = now()
    while next < pending.count, pending[next].time <= time {
      events.append(pending[next])
      next += 1
    }
    if next == pending.count {
      pending.removeAll(keepingCapacity: true)
      next = 0
    }
  }

  /// Records the wait, and calls `onWait` if there is nothing to do.
  public func wait(atMost duration: FrameDuration?) {
    waits.append(duration)
    guard !hasPendingEvents, !flag.isRaised.load(ordering: .relaxed) else { return }
    onWait(duration)
  }

  /// Whether the time of an event has come.
  public var hasPendingEvents: Bool { next < pending.count && pending[next].time <= now() }

  /// Whether an event arrives by an instant.
  public func hasPendingEvents(by instant: FrameInstant) -> Bool { nextEventTime.map { $0 <= instant } ?? false }

  /// The object that sets a flag, on any thread, which prevents the next wait.
  public var waker: any LoopWaker { flag }

  private final class WakeFlag: LoopWaker {
    let isRaised = Atomic<Bool>(false)
    let count = Atomic<Int>(0)

    func wake() {
      count.wrappingAdd(1, ordering: .relaxed)
      isRaised.store(true, ordering: .relaxed)
    }
  }
}
