import Testing
import VitrineFramePacing

@Suite("A cell that exceeds a frame's slack is prepared without a hitch if the next commit is short")
struct DeferredStepTests {
  /// A simulation of frames at 60 Hz on a virtual clock.
  ///
  /// Each frame has its own commit time. One cell is prepared in steps until a frame that needs it, whose commit
  /// prepares the remaining steps.
  struct Simulation {
    var pacer = FramePacer(kind: .virtual, interval: FrameDuration(nanoseconds: 16_666_667))
    var scheduler = SlackScheduler()
    let clock = SimulatedClock(kind: .virtual)
    var steps: [FrameDuration]
    let deadlineFrame: Int
    var hitches: [FrameDuration] = []
    var decisions: [SlackDecision] = []
    var causes: [String] = []

    init(steps: [Double], deadlineFrame: Int) {
      self.steps = steps.map { .milliseconds($0) }
      self.deadlineFrame = deadlineFrame
      clock.wait(until: FrameInstant(nanoseconds: 6 * 16_666_667))
    }

    mutating func frame(_ index: Int, commit: FrameDuration, next: FrameDuration) {
      let plan = pacer.beginFrame(at: clock.now())
      var record = FrameRecord()
      record.target = plan.target
      record.deadline = plan.deadline
      record.isTracked = true
      record.start = clock.now()
      clock.spend(commit)
      var isForced = false
      if index == deadlineFrame, !steps.isEmpty {
        isForced = true
        for step in steps { clock.spend(step) }
        steps = []
      }
      for phase in FramePhase.events.rawValue...FramePhase.raster.rawValue { record.phaseEnds[phase] = clock.now() }
      scheduler.beginFrame(
        SlackBudget(
          index: index, deadline: plan.deadline, presentedBy: clock.now(), nextDeadline: plan.deadline + pacer.interval,
          nextCommit: next, isPresentBlocking: false, isNextCommitShort: index + 1 != deadlineFrame || steps.isEmpty),
        at: clock.now())
      var deferred: FrameDuration?
      while let cost = steps.first, index < deadlineFrame, deferred == nil {
        let decision = scheduler.decide(SlackStep(cost: cost), at: clock.now())
        decisions.append(decision)
        if case .refused = decision { break }
        steps.removeFirst()
        if decision.isAfterPresent {
          deferred = cost
        } else {
          clock.spend(cost)
          scheduler.finishStep(at: clock.now())
        }
      }
      record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
      record.presentStart = clock.now()
      record.phaseEnds[FramePhase.present.rawValue] = clock.now()
      if let deferred {
        _ = scheduler.startStep(at: clock.now())
        clock.spend(deferred)
        scheduler.finishStep(at: clock.now())
      }
      pacer.endFrame(&record, slackLimit: plan.deadline)
      hitches.append(record.hitch)
      if isForced, record.hitch > .zero { causes.append(scheduler.forcedCause) }
      clock.wait(until: record.shown)
    }
  }

  @Test("A cell of 12 ms with 10 ms of slack and a short next commit is prepared after presenting, without a hitch")
  func talksExample() {
    var simulation = Simulation(steps: [12], deadlineFrame: 2)
    simulation.frame(0, commit: .milliseconds(6.667), next: .milliseconds(1))
    #expect(simulation.decisions == [.runAfterPresent] && simulation.steps.isEmpty)
    simulation.frame(1, commit: .milliseconds(1), next: .milliseconds(1))
    simulation.frame(2, commit: .milliseconds(1), next: .milliseconds(1))
    #expect(simulation.hitches == [.zero, .zero, .zero])
    #expect(simulation.scheduler.statistics.deferred == 1 && simulation.scheduler.statistics.overruns == 0)
    #expect(simulation.scheduler.statistics.used == .milliseconds(12))
  }

  @Test("Without deferral the same cell makes a frame with a long commit late")
  func withoutDeferral() {
    var simulation = Simulation(steps: [12], deadlineFrame: 0)
    simulation.frame(0, commit: .milliseconds(6.667), next: .milliseconds(1))
    #expect(simulation.hitches[0] > .zero)
    #expect(simulation.causes == ["forced prepare; no earlier refusal; the time was not sufficient"])
  }

  @Test("A step of 30 ms is refused in every frame and makes one frame late with that cause")
  func tooHeavy() {
    var simulation = Simulation(steps: [30], deadlineFrame: 3)
    for index in 0..<6 { simulation.frame(index, commit: .milliseconds(6.667), next: .milliseconds(1)) }
    #expect(simulation.decisions.count == 3)
    #expect(simulation.hitches.filter { $0 > .zero }.count == 1 && simulation.hitches[3] > .zero)
    #expect(simulation.causes == ["forced prepare; last slack refusal: cost 30.0 ms > 9.9 ms left"])
    #expect(
      simulation.scheduler.statistics.refusals == 3 && simulation.scheduler.statistics.overruns == 0
        && simulation.scheduler.statistics.steps == 0)
  }

  @Test("30 ms in steps are distributed over the slack of several frames without a hitch")
  func inSteps() {
    var simulation = Simulation(steps: [6, 6, 6, 6, 6], deadlineFrame: 4)
    for index in 0..<6 { simulation.frame(index, commit: .milliseconds(6.667), next: .milliseconds(6.667)) }
    #expect(simulation.hitches.allSatisfy { $0 == .zero } && simulation.steps.isEmpty && simulation.causes.isEmpty)
    #expect(simulation.scheduler.statistics.steps == 5 && simulation.scheduler.statistics.used == .milliseconds(30))
  }
}
