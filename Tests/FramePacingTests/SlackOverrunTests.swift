import FramePacing
import Testing

@Suite("What the accounts of slack call an overrun is a late frame, on every clock")
struct SlackOverrunTests {
  /// Frames with steps of work ahead that are expected to take 1 ms; in some frames the step takes another time.
  static func run(_ kind: ClockKind, steps: [Int: Double]) -> (overruns: Int, history: FrameHistory) {
    var pacer = FramePacer(kind: kind, interval: .milliseconds(16))
    var decider = SlackScheduler()
    let clock = SimulatedClock(kind: .virtual)
    let history = FrameHistory()
    for index in 0..<60 {
      let plan = pacer.beginFrame(at: clock.now())
      var record = FrameRecord()
      (record.index, record.target, record.deadline) = (plan.index, plan.target, plan.deadline)
      record.isTracked = true
      record.isFirstAfterIdle = plan.isFirstAfterIdle
      record.start = clock.now()
      clock.spend(.milliseconds(2))
      for phase in FramePhase.allCases.prefix(7) { record.phaseEnds[phase.rawValue] = clock.now() }
      decider.beginFrame(pacer.slackBudget(of: plan, at: clock.now()), at: clock.now())
      #expect(decider.decide(SlackStep(cost: .milliseconds(1)), at: clock.now()) == .run)
      clock.spend(.milliseconds(steps[index] ?? 1))
      decider.finishStep(at: clock.now())
      record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
      record.presentStart = clock.now()
      record.phaseEnds[FramePhase.present.rawValue] = clock.now()
      pacer.endFrame(&record, slackLimit: plan.deadline)
      history.append(record, interval: .milliseconds(16))
      clock.wait(until: record.shown)
    }
    return (decider.statistics.overruns, history)
  }

  @Test("Two steps that run past their limit are two late frames of that class", arguments: ClockKind.allCases)
  func two(kind: ClockKind) {
    let run = Self.run(kind, steps: [20: 25, 40: 30])
    #expect(run.overruns == 2 && run.history.hitchCount(of: .slackOverrun) == 2 && run.history.hitchCount == 2)
    #expect(run.history.worstHitches.map(\.index).sorted() == [20, 40])
    #expect(run.history.worstHitches.allSatisfy { $0.hitch > .zero && $0.cause?.hasPrefix("work ahead took ") == true })
  }

  @Test("Steps that keep to it are none", arguments: ClockKind.allCases)
  func none(kind: ClockKind) {
    let run = Self.run(kind, steps: [20: 9, 40: 12])
    #expect(run.overruns == 0 && run.history.hitchCount == 0)
  }
}
