import FramePacing
import Geometry
import ScrollPhysics
import Testing

@testable import Views

@Suite("What a step of the time line is held against")
struct ScrubberCostTests {
  /// Stands until it is told to go on, with or without the thread.
  private final class HandClock: FrameClock {
    private(set) var instant = FrameInstant.zero
    private var processor = FrameInstant.zero
    let kind = ClockKind.timer

    func now() -> FrameInstant { instant }
    func workTimestamp() -> WorkTimestamp { WorkTimestamp(at: instant, processor: processor, blockings: 0) }
    func spend(_ cost: FrameDuration) {
      instant = instant + cost
      processor = processor + cost
    }
    func lose(_ time: FrameDuration) { instant = instant + time }
    func wait(until instant: FrameInstant) { self.instant = max(self.instant, instant) }
    func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
  }

  /// Takes a time to answer, once.
  private final class SlowTimeline: ScrubberDataSource {
    var hold: (() -> Void)?
    let numberOfSegments = 4_000
    func offset(ofSegment stretch: Int) -> Double {
      hold?()
      hold = nil
      return Double(stretch) * 500
    }
    func title(ofSegment stretch: Int) -> ScrubberTitle {
      ScrubberTitle(name: "\(stretch)", label: "\(stretch)", group: "\(stretch / 12)")
    }
  }

  @Test("A step that others held up, or one that was far dearer than others, does not keep the line from being made")
  func heldUp() {
    for isLost in [true, false] {
      let (clock, timeline, view) = (HandClock(), SlowTimeline(), ScrubberView())
      view.dataSource = timeline
      let situation = ScrubberView.State(
        thumb: Rect(x: 0, y: 0, width: 9, height: 36), ends: 18..<582, offset: 0,
        range: ScrollRange(contentLength: 2_000_000, viewportLength: 600), availableWidth: 700, isTimelineVisible: true,
        isThumbHeld: false,
        gain: .whole)
      // Half a frame at 60 Hz each time.
      func step() -> Bool {
        let limit = clock.now() + .milliseconds(8)
        return view.performSlackStep(FrameBudget(clock: clock, limit: limit, target: limit), situation)
      }
      timeline.hold = { isLost ? clock.lose(.milliseconds(30)) : clock.spend(.milliseconds(30)) }
      #expect(step())
      #expect(timeline.hold == nil)
      #expect(step(), "\(isLost)")
      // One that always takes as long is left for a rest.
      if !isLost {
        for _ in 0..<8 {
          timeline.hold = { clock.spend(.milliseconds(30)) }
          _ = step()
        }
        #expect(!step())
      }
    }
  }
}
