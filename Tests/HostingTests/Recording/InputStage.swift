import FramePacing
import Geometry
import Rendering
import Testing
import Views

@testable import Hosting

/// A scroll view on a virtual clock, under input that is recorded, or under input of a recording.
final class InputStage {
  /// Where content stood in a frame.
  struct Shown: Hashable {
    var target: FrameInstant
    var offset: Double
  }

  let scrollView = ScrollView()
  let clock = SimulatedClock(kind: .virtual)
  let display = RecordingDisplay(size: Size(width: 400, height: 300), frameLimit: 1)
  /// What a test writes into it.
  let hand: ScriptedEventSource
  private(set) var shown: [Shown] = []
  private let recorder: RecordingEventSource
  private let loop: CommitLoop

  /// Makes a stage.
  ///
  /// - Parameters:
  ///   - replaying: input that takes the hand's place.
  ///   - milliseconds: from one refresh to the next.
  init(replaying events: [RecordedEvent]? = nil, interval milliseconds: Double = 10) {
    let clock = clock
    let display = display
    let hand = ScriptedEventSource(now: { clock.now() })
    self.hand = hand
    let replay = events.map {
      ReplayEventSource($0, beside: hand, clock: clock, from: clock.now()) { display.resize(to: $0) }
    }
    recorder = RecordingEventSource(replay ?? hand, clock: clock, from: clock.now()) { display.info.size }
    let window = Window(
      root: scrollView, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: recorder, clock: clock,
      pacing: LoopPacing(
        kind: .virtual, interval: .milliseconds(milliseconds), isMeasured: false, reason: "test"))
    recorder.frameCount = { [weak loop] in loop?.history.count ?? 0 }
    window.resize(to: display.info.size)
    scrollView.layoutIfNeeded()
    scrollView.setContentLength(20_000)
    window.addParticipant(scrollView)
    window.addParticipant(self)
  }

  var recorded: [RecordedEvent] { recorder.recordedEvents }
  var digest: String { loop.frameDigest.text }
  var frames: Int { loop.history.count }

  /// Lets a time pass; frames are made where something changes.
  func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }
}

extension InputStage: FrameParticipant {
  func frameDidEnd(_ record: FrameRecord) {
    shown.append(Shown(target: record.target, offset: scrollView.contentOffset))
  }
}
