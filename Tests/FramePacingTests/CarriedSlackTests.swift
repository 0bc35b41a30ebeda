import FramePacing
import Testing

@Suite("A cell heavier than the slack of a frame is prepared without a late frame where the next commit is short")
struct CarriedSlackTests {
  /// A run of frames on a simulated line at 60 Hz.
  ///
  /// Each commit takes a time of its own; one cell is prepared in steps by a certain frame, else that frame's commit
  /// prepares what is left of it.
  struct Run {
    var pacer = FramePacer(kind: .virtual, interval: FrameDuration(nanoseconds: 16_666_667))
    var decider = SlackScheduler()
    let clock = SimulatedClock(kind: .virtual)
    var steps: [FrameDuration]
    let neededIn: Int
    var hitches: [FrameDuration] = []
    var verdicts: [SlackDecision] = []
    var causes: [String] = []

    init(steps: [Double], neededIn: Int) {
      self.steps = steps.map { .milliseconds($0) }
      self.neededIn = neededIn
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
      if index == neededIn, !steps.isEmpty {
        isForced = true
        for step in steps { clock.spend(step) }
        steps = []
      }
      for phase in FramePhase.events.rawValue...FramePhase.raster.rawValue { record.phaseEnds[phase] = clock.now() }
      decider.beginFrame(
        SlackBudget(
          index: index, deadline: plan.deadline, presentedBy: clock.now(), nextDeadline: plan.deadline + pacer.interval,
          nextCommit: next, isPresentBlocking: false, isNextCommitShort: index + 1 != neededIn || steps.isEmpty),
        at: clock.now())
      var carried: FrameDuration?
      while let cost = steps.first, index < neededIn, carried == nil {
        let verdict = decider.decide(SlackStep(cost: cost), at: clock.now())
        verdicts.append(verdict)
        if case .refused = verdict { break }
        steps.removeFirst()
        if verdict.isAfterPresent {
          carried = cost
        } else {
          clock.spend(cost)
          decider.finishStep(at: clock.now())
        }
      }
      record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
      record.presentStart = clock.now()
      record.phaseEnds[FramePhase.present.rawValue] = clock.now()
      if let carried {
        _ = decider.startStep(at: clock.now())
        clock.spend(carried)
        decider.finishStep(at: clock.now())
      }
      pacer.endFrame(&record, slackLimit: plan.deadline)
      hitches.append(record.hitch)
      if isForced, record.hitch > .zero { causes.append(decider.forcedCause) }
      clock.wait(until: record.shown)
    }
  }

  @Test("Slack 10 ms, cell 12 ms, next commit short: it is prepared after presenting, and no frame is late")
  func talksExample() {
    var run = Run(steps: [12], neededIn: 2)
    run.frame(0, commit: .milliseconds(6.667), next: .milliseconds(1))
    #expect(run.verdicts == [.runAfterPresent] && run.steps.isEmpty)
    run.frame(1, commit: .milliseconds(1), next: .milliseconds(1))
    run.frame(2, commit: .milliseconds(1), next: .milliseconds(1))
    #expect(run.hitches == [.zero, .zero, .zero])
    #expect(run.decider.statistics.deferred == 1 && run.decider.statistics.overruns == 0)
    #expect(run.decider.statistics.used == .milliseconds(12))
  }

  @Test("Without carrying over, the same cell makes a frame late where its commit is long")
  func control() {
    var run = Run(steps: [12], neededIn: 0)
    run.frame(0, commit: .milliseconds(6.667), next: .milliseconds(1))
    #expect(run.hitches[0] > .zero)
    #expect(run.causes == ["forced prepare; nothing was refused before, and there was not time enough"])
  }

  @Test("30 ms at once are refused in every frame, and make one late frame that says so")
  func tooHeavy() {
    var run = Run(steps: [30], neededIn: 3)
    for index in 0..<6 { run.frame(index, commit: .milliseconds(6.667), next: .milliseconds(1)) }
    #expect(run.verdicts.count == 3)
    #expect(run.hitches.filter { $0 > .zero }.count == 1 && run.hitches[3] > .zero)
    #expect(run.causes == ["forced prepare; last slack refusal: cost 30.0 ms > 9.9 ms left"])
    #expect(
      run.decider.statistics.refusals == 3 && run.decider.statistics.overruns == 0 && run.decider.statistics.steps == 0)
  }

  @Test("30 ms in steps are spread over the slack of the frames, and none is late")
  func inSteps() {
    var run = Run(steps: [6, 6, 6, 6, 6], neededIn: 4)
    for index in 0..<6 { run.frame(index, commit: .milliseconds(6.667), next: .milliseconds(6.667)) }
    #expect(run.hitches.allSatisfy { $0 == .zero } && run.steps.isEmpty && run.causes.isEmpty)
    #expect(run.decider.statistics.steps == 5 && run.decider.statistics.used == .milliseconds(30))
  }
}
