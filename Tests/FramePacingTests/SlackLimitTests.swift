import FramePacing
import Testing

@Suite("A step that ends past its limit is known for what it is: an overrun, or other people's doing")
struct SlackLimitTests {
  @Test("A carried step that does not fit any more once the frame was presented is refused, and asks again")
  func latePresent() {
    var decider = SlackScheduler()
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    var starts = decider.startStep(at: SlackDeciderTests.at(11))
    #expect(starts)
    decider.finishStep(at: SlackDeciderTests.at(31))
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    starts = decider.startStep(at: SlackDeciderTests.at(11.5))
    #expect(!starts)
    #expect(decider.lastRefusal?.description == "last slack refusal: cost 20.0 ms > 19.5 ms left")
    #expect(!decider.hasDeferredStep && decider.statistics.refusals == 1 && decider.statistics.steps == 1)
    #expect(decider.statistics.overruns == 0)
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    starts = decider.startStep(at: SlackDeciderTests.at(8))
    #expect(starts)
  }

  @Test("A step that ends after its limit since others ran in its place is no overrun")
  func lostTime() {
    var decider = SlackScheduler()
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(2), at: SlackDeciderTests.at(6)) == .run)
    decider.finishStep(at: SlackDeciderTests.at(17), lost: .milliseconds(9))
    #expect(decider.statistics.overruns == 0)
    #expect(decider.decide(SlackDeciderTests.step(0), at: SlackDeciderTests.at(6)) == .run)
    decider.finishStep(at: SlackDeciderTests.at(17), lost: .milliseconds(0.5))
    #expect(decider.statistics.overruns == 1)
  }

  @Test("A step that ends after its limit is an overrun; a carried one makes the next late frame our own fault")
  func overruns() {
    var decider = SlackScheduler()
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(2), at: SlackDeciderTests.at(6)) == .run)
    decider.finishStep(at: SlackDeciderTests.at(17))
    #expect(decider.statistics.overruns == 1)
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(!decider.isDelayedByDeferredStep)
    #expect(decider.decide(SlackDeciderTests.step(12), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    _ = decider.startStep(at: SlackDeciderTests.at(6))
    decider.finishStep(at: SlackDeciderTests.at(31.5))
    #expect(decider.statistics.overruns == 2)
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.isDelayedByDeferredStep)
    #expect(decider.decide(SlackDeciderTests.step(90, needed: true), at: SlackDeciderTests.at(6)) == .forced)
    decider.finishStep(at: SlackDeciderTests.at(96))
    #expect(decider.statistics.overruns == 2 && decider.statistics.forced == 1 && decider.statistics.deferred == 2)
    decider.beginFrame(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(!decider.isDelayedByDeferredStep)
  }
}
