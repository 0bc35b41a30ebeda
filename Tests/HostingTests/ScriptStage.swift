import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Testing
import Views

@testable import Hosting

/// A scroll view in a window on a recording display and a virtual clock, scrolled by a script.
///
/// A refresh takes 10 ms, so that offsets of round speeds are round.
final class ScriptStage {
  /// What a frame showed.
  struct Shown: Hashable {
    /// When it was due, in milliseconds from the first frame that scrolled.
    var milliseconds: Double
    /// The offset in it.
    var offset: Double
    /// The velocity of the content at its target, in points a second.
    var velocity: Double
    /// Whether it counts as scrolling.
    var isTracked: Bool
  }

  static let viewport = 300.0
  let scrollView = ScrollView()
  let clock = SimulatedClock(kind: .virtual)
  let display = RecordingDisplay(size: Size(width: 400, height: ScriptStage.viewport), frameLimit: 1)
  private(set) var shown: [Shown] = []
  private let loop: CommitLoop
  private var start: FrameInstant?

  init(_ script: ScrollScript, seed: UInt64 = 1, scrollable: Double = 0) {
    let clock = clock
    let window = Window(
      root: scrollView, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: ScriptedEventSource(now: { clock.now() }), clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(10), isMeasured: false, reason: "test"))
    window.resize(to: display.info.size)
    scrollView.layoutIfNeeded()
    setScrollable(scrollable)
    window.addFirstParticipant(ScrollScriptDriver(script, scrollView: scrollView, seed: seed))
    window.addParticipant(scrollView)
    window.addParticipant(self)
  }

  /// Makes the content so much longer than what is seen of it.
  func setScrollable(_ points: Double) { scrollView.setContentLength(points + Self.viewport) }

  /// Runs on for so many frames.
  func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// Runs on without asking for frames: only what needs them gets them.
  func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }
}

extension ScriptStage: FrameParticipant {
  func frameDidEnd(_ record: FrameRecord) {
    if start == nil, record.isTracked { start = record.target }
    shown.append(
      Shown(
        milliseconds: (record.target - (start ?? record.target)).milliseconds, offset: scrollView.contentOffset,
        velocity: scrollView.scroll.velocity(at: record.target), isTracked: record.isTracked))
  }
}
