public import FramePacing
import Geometry
public import Rendering
public import Views

/// A window on a recording display and a timer clock that is moved by hand: what a loop does in real time, without any.
@MainActor
public final class TimerWindowHarness {
  /// Keeps the last frames that were drawn.
  public let display: RecordingDisplay
  /// Moves when the loop waits or rests, and when somebody spends time.
  public let clock: ManualClock
  /// Gives the window what a test writes into it, as the clock gets there.
  public let events: ScriptedEventSource
  /// The window over the root view.
  public let window: Window
  /// Makes the frames, 16 ms apart unless told.
  public let loop: CommitLoop

  /// Puts a root view on the stage.
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
        // As the window system does, a rest ends with the next event.
        let end = min(limit, script.events?.nextEventTime ?? limit)
        if end < .distantFuture { clock.wait(until: end) }
      })
    window = Window(root: root, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: pacing ?? LoopPacing(kind: kind, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    window.resize(to: size)
    script.events = events
  }

  /// Makes so many frames, whether anything changes or not.
  public func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// The script that the stage's rests look into.
  private final class EventSourceReference {
    weak var events: ScriptedEventSource?
  }
}
