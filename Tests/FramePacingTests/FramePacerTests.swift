import Testing
import VitrineFramePacing

@Suite("FramePacer")
struct FramePacerTests {
  static let interval = FrameDuration.milliseconds(16)

  /// Runs one frame on a simulated clock.
  ///
  /// All times are in milliseconds.
  static func frame(
    _ pacer: inout FramePacer, _ clock: SimulatedClock, commit: Double, slack: Double = 0, present: Double = 0,
    isTracked: Bool = true
  ) -> FrameRecord {
    let plan = pacer.beginFrame(at: clock.now())
    var record = FrameRecord()
    record.index = plan.index
    record.target = plan.target
    record.deadline = plan.deadline
    record.isFirstAfterIdle = plan.isFirstAfterIdle
    record.isTracked = isTracked
    record.start = clock.now()
    clock.spend(.milliseconds(commit))
    for phase in FramePhase.allCases.prefix(7) { record.phaseEnds[phase.rawValue] = clock.now() }
    let slackLimit = max(plan.deadline, clock.now())
    clock.spend(.milliseconds(slack))
    record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
    record.presentStart = clock.now()
    clock.spend(.milliseconds(present))
    record.phaseEnds[FramePhase.present.rawValue] = clock.now()
    pacer.endFrame(&record, slackLimit: slackLimit)
    clock.wait(until: record.shown)
    return record
  }

  @Test("Frames in time are exactly one refresh interval apart and have no hitch")
  func inTime() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    var last: FrameInstant?
    for _ in 0..<100 {
      let record = Self.frame(&pacer, clock, commit: 5, present: 1)
      #expect(record.hitch == .zero)
      #expect(record.shown == record.target)
      if let last { #expect(record.target - last == Self.interval) }
      last = record.target
    }
  }

  @Test("A commit of one and a half intervals is late by half an interval, and the next frame targets the next refresh")
  func oneLateFrame() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    let late = Self.frame(&pacer, clock, commit: 24)
    #expect(late.hitch == .milliseconds(8))
    #expect(late.hitchClass == .commitLate)
    let next = Self.frame(&pacer, clock, commit: 1)
    #expect(next.target == late.target + Self.interval)
    #expect(next.hitch == .zero)
  }

  @Test("The first frame after idle and untracked frames have no hitch")
  func uncounted() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .zero)
    #expect(Self.frame(&pacer, clock, commit: 40, isTracked: false).hitch == .zero)
    pacer.enterIdle()
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .zero)
    // Shown at 120 ms, so the next frame is due at 128 ms and shown at 160 ms.
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .milliseconds(32))
  }

  @Test("Slack that exceeds the deadline is classified as a slack overrun")
  func slackOverrun() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    let late = Self.frame(&pacer, clock, commit: 2, slack: 20)
    #expect(late.hitch > .zero)
    #expect(late.hitchClass == .slackOverrun)
  }

  @Test("On a simulated clock, slack before presenting is part of its frame", arguments: [ClockKind.virtual, .cpu])
  func simulatedSlack(kind: ClockKind) {
    var pacer = FramePacer(kind: kind, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    #expect(Self.frame(&pacer, clock, commit: 2, slack: 13, present: 1).hitch == .zero)
    let late = Self.frame(&pacer, clock, commit: 2, slack: 20, present: 1)
    #expect(late.hitch == .milliseconds(7) && late.hitchClass == .slackOverrun)
    #expect(late.cause == "slack work took 20.0 ms" && late.overrun < .zero)
    // Work after presenting counts for the next frame.
    clock.spend(.milliseconds(20))
    pacer.recordDeferredStep(.milliseconds(20))
    let delayed = Self.frame(&pacer, clock, commit: 1)
    #expect(delayed.hitchClass == .slackOverrun && delayed.deferredStepDelay == .milliseconds(20))
    #expect(Self.frame(&pacer, clock, commit: 1).hitch == .zero)
  }

  @Test("Only the virtual clock, on which equal work takes equal time, has no margin")
  func margins() {
    let margins = ClockKind.allCases.map { FramePacer(kind: $0, interval: Self.interval).margin.nanoseconds }
    #expect(margins == [300_000, 300_000, 0, 300_000])
  }

  @Test("A commit that ends after its deadline but is shown at its target is an overrun without a hitch")
  func overrunWithoutHitch() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    let record = Self.frame(&pacer, clock, commit: 15.9)
    #expect(record.overrun > .zero)
    #expect(record.hitch == .zero)
  }

  @Test("The slack budget ends at the deadline of the next frame, after a late frame at that of the following refresh")
  func slackBudgets() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let plan = pacer.beginFrame(at: .zero)
    let frame = pacer.slackBudget(of: plan, at: .zero + .milliseconds(3))
    #expect(frame.deadline == .zero + .milliseconds(16) && frame.nextDeadline == .zero + .milliseconds(32))
    #expect(frame.nextTarget == .zero + .milliseconds(32) && !frame.isAtRest)
    let late = pacer.slackBudget(of: plan, at: .zero + .milliseconds(100), isAtRest: true)
    #expect(late.deadline == .zero + .milliseconds(16) && late.nextDeadline == .zero + .milliseconds(112))
    #expect(late.isAtRest && late.leastCommit == .zero)
    let clock = SimulatedClock(kind: .virtual)
    var other = FramePacer(kind: .virtual, interval: Self.interval)
    _ = Self.frame(&other, clock, commit: 100)
    #expect(other.nextTarget == .zero + .milliseconds(112) && clock.now() == .zero + .milliseconds(100))
    #expect(other.deferredStepLimit <= other.nextTarget)
    #expect(other.beginFrame(at: clock.now()).target == .zero + .milliseconds(112))
    // Ten commits of 5 ms, three of 1 ms and one of 9 ms: the three short ones may be chance.
    for commit in [5, 5, 5, 1, 5, 5, 9, 5, 1, 5, 5, 5, 1, 5.0] { _ = Self.frame(&pacer, clock, commit: commit) }
    let typical = pacer.slackBudget(of: pacer.beginFrame(at: clock.now()), at: clock.now())
    #expect(typical.leastCommit == .milliseconds(5) && typical.nextCommit == .milliseconds(5))
  }

  @Test("A forced deferred step makes its frame commit late, any other a slack overrun")
  func deferredStepClass() {
    for isForced in [false, true] {
      var record = FrameRecord()
      record.deadline = .zero + .milliseconds(16)
      record.deferredStepDelay = .milliseconds(20)
      record.isDeferredStepForced = isForced
      record.hitch = .milliseconds(6)
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = .zero + .milliseconds(22) }
      let hitchClass = HitchClassifier.classify(
        record, slackLimit: record.deadline, interval: Self.interval, refreshChanged: false)
      #expect(hitchClass == (isForced ? .commitLate : .slackOverrun))
    }
  }

  @Test("A hitch after a preempted deferred step has an external cause")
  func preemptedDeferredStep() {
    for (preempted, expected) in [(0.0, HitchClass.slackOverrun), (18, .external)] {
      var pacer = FramePacer(kind: .virtual, interval: Self.interval)
      let clock = SimulatedClock(kind: .virtual)
      _ = Self.frame(&pacer, clock, commit: 1)
      clock.spend(.milliseconds(20))
      pacer.recordDeferredStep(.milliseconds(20), lost: .milliseconds(preempted))
      let late = Self.frame(&pacer, clock, commit: 1)
      #expect(late.hitch == .milliseconds(5) && late.hitchClass == expected)
      #expect(late.deferredStepDelay == .milliseconds(20) && late.preempted == .milliseconds(preempted))
      #expect(Self.frame(&pacer, clock, commit: 1).preempted == .zero)
    }
  }

  @Test("Time in which a commit was preempted does not count in the predicted cost")
  func preemptedCommit() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    var predictions: [FrameDuration] = []
    for _ in 0..<40 {
      let plan = pacer.beginFrame(at: .zero)
      var record = FrameRecord()
      record.target = plan.target
      record.deadline = plan.deadline
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = record.start + .milliseconds(9) }
      record.presentStart = record.start + .milliseconds(9)
      record.commitPreempted = .milliseconds(7)
      pacer.endFrame(&record, slackLimit: plan.deadline)
      predictions.append(pacer.predictedCommitCost)
    }
    #expect(predictions.last == .milliseconds(2))
  }

  @Test("A small overrun does not explain a large hitch")
  func smallOverruns() {
    func hitchClass(overrun: Double, slack: Double = 0, preempted: Double = 0, deferred: Double = 0, hitch: Double)
      -> HitchClass
    {
      var record = FrameRecord()
      record.deadline = .zero + .milliseconds(16)
      record.hitch = .milliseconds(hitch)
      record.deferredStepDelay = .milliseconds(deferred)
      record.slackPreempted = .milliseconds(preempted)
      record.preempted = .milliseconds(preempted)
      let committed = record.deadline + .milliseconds(overrun)
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = committed }
      record.phaseEnds[FramePhase.slack.rawValue] = committed + .milliseconds(slack)
      return HitchClassifier.classify(
        record, slackLimit: max(record.deadline, committed), interval: Self.interval, refreshChanged: false)
    }
    #expect(hitchClass(overrun: 0.1, hitch: 18) == .presentLate && hitchClass(overrun: 9, hitch: 18) == .commitLate)
    #expect(hitchClass(overrun: 0.1, deferred: 0.2, hitch: 18) == .presentLate)
    #expect(hitchClass(overrun: 9, deferred: 12, hitch: 18) == .slackOverrun)
    #expect(hitchClass(overrun: -4, slack: 6, hitch: 16) == .presentLate)
    #expect(hitchClass(overrun: -4, slack: 13, hitch: 16) == .slackOverrun)
    #expect(hitchClass(overrun: -4, slack: 13, preempted: 5, hitch: 16) == .presentLate)
    #expect(
      hitchClass(overrun: 0.1, slack: 3, hitch: 4) == .slackOverrun
        && hitchClass(overrun: 3, slack: 3, hitch: 4) == .commitLate)
  }

  @Test("On vsync a late frame is shown after a whole number of refreshes")
  func vsync() {
    var pacer = FramePacer(kind: .vsync, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1, present: 15)
    let late = Self.frame(&pacer, clock, commit: 30, present: 2)
    #expect(late.hitch == Self.interval)
  }

  @Test("Consecutive late frames are measured against their own refreshes, without coordinated omission")
  func noCoordinatedOmission() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    var total = FrameDuration.zero
    for _ in 0..<10 { total += Self.frame(&pacer, clock, commit: 20).hitch }
    // Each frame takes 20 ms from its start; its target follows the refresh after the previous frame was shown.
    #expect(total > .zero)
    let history = FrameHistory()
    history.append(Self.frame(&pacer, clock, commit: 20), interval: Self.interval)
    #expect(history.hitchCount == 1)
  }

  @Test("The deadline is after the start of the frame, however long presenting takes")
  func slowPresenting() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    for _ in 0..<80 { _ = Self.frame(&pacer, clock, commit: 1, present: 40) }
    let now = clock.now()
    let plan = pacer.beginFrame(at: now)
    #expect(plan.deadline >= plan.target - Self.interval * 0.7)
    #expect(plan.presentNotBefore < plan.target)
  }
}
