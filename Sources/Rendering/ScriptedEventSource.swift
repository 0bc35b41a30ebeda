public import FramePacing
import Synchronization

/// An event source whose input is written beforehand and comes in when its clock has got there.
///
/// It never blocks: a rest is told to the owner, who may move a clock by hand.
@MainActor
public final class ScriptedEventSource: EventSource {
  /// The waits asked for, oldest first; nothing stands for one without a limit.
  public private(set) var waits: [FrameDuration?] = []
  private let flag = WakeFlag()
  private let now: @MainActor () -> FrameInstant
  private let onWait: @MainActor (FrameDuration?) -> Void
  private var pending: [InputEvent] = []
  private var next = 0

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - now: the clock; an event comes in once its time is not after it. Unless told, all events come in at once.
  ///   - rest: called for each wait that would block.
  public init(
    now: @escaping @MainActor () -> FrameInstant = { .distantFuture },
    onWait: @escaping @MainActor (FrameDuration?) -> Void = { _ in }
  ) {
    self.now = now
    self.onWait = onWait
  }

  /// Adds an event; its time should not be before that of the event added last, which it follows in any case.
  public func append(_ event: InputEvent) { pending.append(event) }

  /// Adds an event of a kind at a moment.
  public func append(_ kind: InputEvent.Kind, at time: FrameInstant = .zero) {
    append(InputEvent(time: time, kind: kind))
  }

  /// When the next event comes in, or nothing when the script is over.
  public var nextEventTime: FrameInstant? { next < pending.count ? pending[next].time : nil }

  /// How often somebody asked for a wake-up since the source was made.
  public var wakeCount: Int { flag.count.load(ordering: .relaxed) }

  /// Appends the events whose time has come.
  public func poll(into events: inout [InputEvent]) {
    flag.isRaised.store(false, ordering: .relaxed)
    let moment = now()
    while next < pending.count, pending[next].time <= moment {
      events.append(pending[next])
      next += 1
    }
    if next == pending.count {
      pending.removeAll(keepingCapacity: true)
      next = 0
    }
  }

  /// Notes the wait and tells the owner, unless there is something to do already.
  public func wait(atMost duration: FrameDuration?) {
    waits.append(duration)
    guard !hasPendingEvents, !flag.isRaised.load(ordering: .relaxed) else { return }
    onWait(duration)
  }

  /// Whether an event's time has come.
  public var hasPendingEvents: Bool { next < pending.count && pending[next].time <= now() }

  /// Whether an event comes in by an instant.
  public func hasPendingEvents(by instant: FrameInstant) -> Bool { nextEventTime.map { $0 <= instant } ?? false }

  /// Raises a flag that the next wait heeds; any thread.
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
