import FramePacing
import Testing

@Suite("The pacer keeps V(k), S(k) and hitches by their definition")
struct FramePacerTests {
  static let interval = FrameDuration.milliseconds(16)

  /// Runs one frame whose commit and present take some milliseconds on a simulated clock.
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

  @Test("Frames in time stand exactly one refresh apart and have no hitch")
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

  @Test("A commit of a frame and a half is late by half a frame, and the next frame is due at the next refresh")
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

  @Test("The first frame after rest and frames in which nothing moves are no hitches")
  func uncounted() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .zero)
    #expect(Self.frame(&pacer, clock, commit: 40, isTracked: false).hitch == .zero)
    pacer.enterIdle()
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .zero)
    // Shown at 120 ms, so the next is due at 128 and shown at 160.
    #expect(Self.frame(&pacer, clock, commit: 40).hitch == .milliseconds(32))
  }

  @Test("Slack that runs past the deadline is our own fault and named so")
  func slackOverrun() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    let late = Self.frame(&pacer, clock, commit: 2, slack: 20)
    #expect(late.hitch > .zero)
    #expect(late.hitchClass == .slackOverrun)
  }

  @Test("On a simulated clock slack before presenting is part of its frame", arguments: [ClockKind.virtual, .cpu])
  func simulatedSlack(kind: ClockKind) {
    var pacer = FramePacer(kind: kind, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    #expect(Self.frame(&pacer, clock, commit: 2, slack: 13, present: 1).hitch == .zero)
    let late = Self.frame(&pacer, clock, commit: 2, slack: 20, present: 1)
    #expect(late.hitch == .milliseconds(7) && late.hitchClass == .slackOverrun)
    #expect(late.cause == "work ahead took 20.0 ms" && late.overrun < .zero)
    // What is done after presenting is the next frame's, as before.
    clock.spend(.milliseconds(20))
    pacer.recordDeferredStep(.milliseconds(20))
    let delayed = Self.frame(&pacer, clock, commit: 1)
    #expect(delayed.hitchClass == .slackOverrun && delayed.deferredStepDelay == .milliseconds(20))
    #expect(Self.frame(&pacer, clock, commit: 1).hitch == .zero)
  }

  @Test("Only the virtual clock, on which equal work takes equal time, leaves no margin")
  func margins() {
    let margins = ClockKind.allCases.map { FramePacer(kind: $0, interval: Self.interval).margin.nanoseconds }
    #expect(margins == [300_000, 300_000, 0, 300_000])
  }

  @Test("A commit that ends after its deadline and is shown at its target is an overrun and no hitch")
  func overrunWithoutHitch() {
    var pacer = FramePacer(kind: .timer, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    let record = Self.frame(&pacer, clock, commit: 15.9)
    #expect(record.overrun > .zero)
    #expect(record.hitch == .zero)
  }

  @Test("Work ahead keeps to the deadline of the frame that follows, after a late one to that of the refresh behind it")
  func slackFrames() {
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
    // Ten commits of 5 ms, three of 1 and one of 9: the three may be chance.
    for commit in [5, 5, 5, 1, 5, 5, 9, 5, 1, 5, 5, 5, 1, 5.0] { _ = Self.frame(&pacer, clock, commit: commit) }
    let usual = pacer.slackBudget(of: pacer.beginFrame(at: clock.now()), at: clock.now())
    #expect(usual.leastCommit == .milliseconds(5) && usual.nextCommit == .milliseconds(5))
  }

  @Test("A step that had to be done makes a frame late for its cost; any other is our own fault")
  func carriedClass() {
    for isForced in [false, true] {
      var record = FrameRecord()
      record.deadline = .zero + .milliseconds(16)
      record.deferredStepDelay = .milliseconds(20)
      record.isDeferredStepForced = isForced
      record.hitch = .milliseconds(6)
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = .zero + .milliseconds(22) }
      let found = HitchClassifier.classify(
        record, slackLimit: record.deadline, interval: Self.interval, refreshChanged: false)
      #expect(found == (isForced ? .commitLate : .slackOverrun))
    }
  }

  @Test("A carried step that others interrupted makes the frame behind it late for them, and not for us")
  func interruptedCarry() {
    for (lost, expected) in [(0.0, HitchClass.slackOverrun), (18, .external)] {
      var pacer = FramePacer(kind: .virtual, interval: Self.interval)
      let clock = SimulatedClock(kind: .virtual)
      _ = Self.frame(&pacer, clock, commit: 1)
      clock.spend(.milliseconds(20))
      pacer.recordDeferredStep(.milliseconds(20), lost: .milliseconds(lost))
      let late = Self.frame(&pacer, clock, commit: 1)
      #expect(late.hitch == .milliseconds(5) && late.hitchClass == expected)
      #expect(late.deferredStepDelay == .milliseconds(20) && late.preempted == .milliseconds(lost))
      #expect(Self.frame(&pacer, clock, commit: 1).preempted == .zero)
    }
  }

  @Test("What others took in a commit is not expected of the next one")
  func busyMachine() {
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

  @Test("What went past its end by a little did not make a frame late by much")
  func smallPart() {
    func found(overrun: Double, slack: Double = 0, lost: Double = 0, carried: Double = 0, hitch: Double) -> HitchClass {
      var record = FrameRecord()
      record.deadline = .zero + .milliseconds(16)
      record.hitch = .milliseconds(hitch)
      record.deferredStepDelay = .milliseconds(carried)
      record.slackPreempted = .milliseconds(lost)
      record.preempted = .milliseconds(lost)
      let committed = record.deadline + .milliseconds(overrun)
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = committed }
      record.phaseEnds[FramePhase.slack.rawValue] = committed + .milliseconds(slack)
      return HitchClassifier.classify(
        record, slackLimit: max(record.deadline, committed), interval: Self.interval, refreshChanged: false)
    }
    #expect(found(overrun: 0.1, hitch: 18) == .presentLate && found(overrun: 9, hitch: 18) == .commitLate)
    #expect(found(overrun: 0.1, carried: 0.2, hitch: 18) == .presentLate)
    #expect(found(overrun: 9, carried: 12, hitch: 18) == .slackOverrun)
    #expect(found(overrun: -4, slack: 6, hitch: 16) == .presentLate)
    #expect(found(overrun: -4, slack: 13, hitch: 16) == .slackOverrun)
    #expect(found(overrun: -4, slack: 13, lost: 5, hitch: 16) == .presentLate)
    #expect(
      found(overrun: 0.1, slack: 3, hitch: 4) == .slackOverrun && found(overrun: 3, slack: 3, hitch: 4) == .commitLate)
  }

  @Test("On vsync a frame is shown by whole refreshes")
  func vsync() {
    var pacer = FramePacer(kind: .vsync, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1, present: 15)
    let late = Self.frame(&pacer, clock, commit: 30, present: 2)
    #expect(late.hitch == Self.interval)
  }

  @Test("Stretches of lateness are measured against each frame's own refresh, not against the frame before")
  func noCoordinatedOmission() {
    var pacer = FramePacer(kind: .virtual, interval: Self.interval)
    let clock = SimulatedClock(kind: .virtual)
    _ = Self.frame(&pacer, clock, commit: 1)
    var total = FrameDuration.zero
    for _ in 0..<10 { total += Self.frame(&pacer, clock, commit: 20).hitch }
    // Each takes 20 ms from its start; targets follow the refresh after the last showing.
    #expect(total > .zero)
    let history = FrameHistory()
    history.append(Self.frame(&pacer, clock, commit: 20), interval: Self.interval)
    #expect(history.hitchCount == 1)
  }

  @Test("However long presenting was measured to take, the deadline lies after the frame's beginning")
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
