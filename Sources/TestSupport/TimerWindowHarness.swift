public import VitrineFramePacing
import VitrineGeometry
public import VitrineRendering
public import VitrineViews

/// A window on a recording display and a timer clock that is advanced manually.
///
/// It tests the behavior of a real-time loop without taking real time.
@MainActor
public final class TimerWindowHarness {
  /// The display, which records the last frames.
  public let display: RecordingDisplay
  /// The clock, which advances when the loop waits or a test spends time.
  public let clock: ManualClock
  /// The source of the events that a test sends, at the times of the clock.
  public let events: ScriptedEventSource
  /// The window of the root view.
  public let window: Window
  /// The frame loop, by default with frames 16 ms apart.
  public let loop: CommitLoop

  /// Creates a window with a root view.
  public init(root: View, kind: ClockKind = .timer, pacing: LoopPacing? = nil) {
    let size = Size(width: 400, height: 300)
    display = RecordingDisplay(size: size, scale: .one, frameLimit: 1_000)
    let clock = ManualClock(kind: kind)
    self.clock = clock
    let script = EventSourceReference()
    events = ScriptedEventSource(
      now: { clock.now() },
      onWait: { duration in
        let limit = duration.map { clock.now() + $0 } ?? .distantFuture
        // Like the window system, a wait ends at the next event.
        let end = min(limit, script.events?.nextEventTime ?? limit)
        if end < .distantFuture { clock.wait(until: end) }
      })
    window = Window(rootView: root, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: pacing ?? LoopPacing(kind: kind, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    window.resize(to: size)
    script.events = events
  }

  /// Runs a number of frames, whether anything changes or not.
  public func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// A reference to the event source, for its own wait handler.
  private final class EventSourceReference {
    weak var events: ScriptedEventSource?
  }
}

/// A clock that stands still until it is advanced.
///
/// It simulates real time. Waiting advances it immediately.
public final class ManualClock: FrameClock {
  /// The kind of clock that it simulates.
  public private(set) var kind: ClockKind
  /// The delay of the end of the next wait, as if the system woke the thread late.
  public var oversleep = FrameDuration.zero
  private var currentInstant = FrameInstant(nanoseconds: 1_000_000_000)
  private var stalledTime = FrameDuration.zero

  /// Creates a clock with a time of one second.
  public init(kind: ClockKind) { self.kind = kind }

  /// Changes the kind without changing the time.
  public func setKind(_ kind: ClockKind) { self.kind = kind }

  /// Returns the current time.
  public func now() -> FrameInstant { currentInstant }

  /// Advances the time by the cost of some work.
  public func spend(_ cost: FrameDuration) { currentInstant = currentInstant + cost }

  /// Advances the time as if the thread did not run, for instance because the process was stopped or the processor was
  /// busy.
  public func stall(for duration: FrameDuration) {
    currentInstant = currentInstant + duration
    stalledTime += duration
  }

  /// Returns the current time, and the processor time, which excludes stalls.
  public func workTimestamp() -> WorkTimestamp {
    WorkTimestamp(
      at: currentInstant, processor: FrameInstant(nanoseconds: (currentInstant - stalledTime).nanoseconds), waitCount: 0
    )
  }

  /// Advances to an instant, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > self.currentInstant else { return }
    self.currentInstant = instant + oversleep
    oversleep = .zero
  }

  /// Runs a closure whose time is counted.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
