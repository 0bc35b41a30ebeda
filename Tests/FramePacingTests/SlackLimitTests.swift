import FramePacing
import Testing

@Suite("A step that ends past its limit is known for what it is: an overrun, or other people's doing")
struct SlackLimitTests {
  @Test("A carried step that does not fit any more once the frame was presented is refused, and asks again")
  func latePresent() {
    var decider = SlackDecider()
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    var starts = decider.start(at: SlackDeciderTests.at(11))
    #expect(starts)
    decider.finish(at: SlackDeciderTests.at(31))
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    starts = decider.start(at: SlackDeciderTests.at(11.5))
    #expect(!starts)
    #expect(decider.lastRefusal?.sentence == "last slack refusal: cost 20.0 ms > 19.5 ms left")
    #expect(!decider.hasCarried && decider.ledger.refusals == 1 && decider.ledger.steps == 1)
    #expect(decider.ledger.overruns == 0)
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(20), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    starts = decider.start(at: SlackDeciderTests.at(8))
    #expect(starts)
  }

  @Test("A step that ends after its limit since others ran in its place is no overrun")
  func lostTime() {
    var decider = SlackDecider()
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(2), at: SlackDeciderTests.at(6)) == .run)
    decider.finish(at: SlackDeciderTests.at(17), lost: .milliseconds(9))
    #expect(decider.ledger.overruns == 0)
    #expect(decider.decide(SlackDeciderTests.step(0), at: SlackDeciderTests.at(6)) == .run)
    decider.finish(at: SlackDeciderTests.at(17), lost: .milliseconds(0.5))
    #expect(decider.ledger.overruns == 1)
  }

  @Test("A step that ends after its limit is an overrun; a carried one makes the next late frame our own fault")
  func overruns() {
    var decider = SlackDecider()
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.decide(SlackDeciderTests.step(2), at: SlackDeciderTests.at(6)) == .run)
    decider.finish(at: SlackDeciderTests.at(17))
    #expect(decider.ledger.overruns == 1)
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(!decider.isDelayedByCarry)
    #expect(decider.decide(SlackDeciderTests.step(12), at: SlackDeciderTests.at(6)) == .runAfterPresent)
    _ = decider.start(at: SlackDeciderTests.at(6))
    decider.finish(at: SlackDeciderTests.at(31.5))
    #expect(decider.ledger.overruns == 2)
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(decider.isDelayedByCarry)
    #expect(decider.decide(SlackDeciderTests.step(90, needed: true), at: SlackDeciderTests.at(6)) == .forced)
    decider.finish(at: SlackDeciderTests.at(96))
    #expect(decider.ledger.overruns == 2 && decider.ledger.forced == 1 && decider.ledger.carried == 2)
    decider.begin(SlackDeciderTests.frame(), at: SlackDeciderTests.at(6))
    #expect(!decider.isDelayedByCarry)
  }
}
