import Testing
import VitrineFramePacing
import VitrineTestSupport

@Suite("SlackScheduler")
struct SlackSchedulerTests {
  static func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  /// Returns the budget of a frame of 16 ms that starts at zero.
  ///
  /// The predicted cost of the next commit is 1 ms.
  static func budget(
    presentedBy: Double = 6, isBlocking: Bool = false, isShort: Bool = true, isAtRest: Bool = false
  ) -> SlackBudget {
    SlackBudget(
      index: 7, deadline: at(16), presentedBy: at(presentedBy), nextDeadline: at(32), nextCommit: .milliseconds(1),
      isPresentBlocking: isBlocking, isNextCommitShort: isShort, isAtRest: isAtRest)
  }

  static func step(_ cost: Double, isNeeded: Bool = false) -> SlackStep {
    SlackStep(cost: .milliseconds(cost), isNeededNext: isNeeded)
  }

  /// Returns the decision about a step at 6 ms, with 10 ms left.
  static func decision(_ step: SlackStep, in frame: SlackBudget, pending: SlackBlockers = []) -> SlackDecision {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(frame, at: at(6))
    return scheduler.decide(step, at: at(6), pending: pending)
  }

  static func refusal(_ reason: SlackRefusal.Reason, _ cost: Double, left: Double) -> SlackDecision {
    .refused(SlackRefusal(reason: reason, cost: .milliseconds(cost), remaining: .milliseconds(left), frame: 7))
  }

  @Test("A step that fits before the deadline runs, to the last nanosecond")
  func fits() {
    #expect(Self.decision(Self.step(10), in: Self.budget()) == .run)
    #expect(Self.decision(Self.step(10, isNeeded: true), in: Self.budget(isBlocking: true)) == .run)
    #expect(Self.decision(SlackStep(cost: .milliseconds(-4)), in: Self.budget()) == .run)
    #expect(Self.decision(Self.step(10.001), in: Self.budget()) == .runAfterPresent)
  }

  @Test(
    "The reserve starts at its maximum and becomes 1.5 times the excess of actual over estimated costs")
  func reserve() {
    var scheduler = SlackScheduler()
    var frame = Self.budget(isBlocking: true)
    frame.longestReserve = .milliseconds(2)
    scheduler.beginFrame(frame, at: Self.at(6))
    #expect(scheduler.decide(Self.step(8.001), at: Self.at(6)) == Self.refusal(.cost, 8.001, left: 8))
    // Eight steps with an estimate of 0.1 ms take 0.5 ms, so the reserve is 0.6 ms.
    for _ in 0..<8 {
      #expect(scheduler.decide(Self.step(0.1), at: Self.at(6)) == .run)
      scheduler.finishStep(at: Self.at(6.5))
    }
    #expect(scheduler.decide(Self.step(9.401), at: Self.at(6)) == Self.refusal(.cost, 9.401, left: 9.4))
    #expect(scheduler.decide(Self.step(9.4), at: Self.at(6)) == .run)
    // A much longer step raises the reserve to its maximum.
    scheduler.finishStep(at: Self.at(20))
    #expect(scheduler.decide(Self.step(8.001), at: Self.at(6)) == Self.refusal(.cost, 8.001, left: 8))
    // The excess is forgotten after some hundred frames.
    for _ in 0..<138 { scheduler.beginFrame(frame, at: Self.at(6)) }
    #expect(scheduler.decide(Self.step(8.6), at: Self.at(6)) != .run, "half of 2 ms, times 1.5")
    scheduler.beginFrame(frame, at: Self.at(6))
    #expect(scheduler.decide(Self.step(8.45), at: Self.at(6)) == .run)
    scheduler.cancelStep()
    for _ in 0..<1_000 { scheduler.beginFrame(frame, at: Self.at(6)) }
    #expect(scheduler.decide(Self.step(9.9), at: Self.at(6)) == .run)
  }

  @Test("A step that fits the longest available time runs without the reserve, a longer urgent one is forced")
  func longestStep() {
    var frame = Self.budget(presentedBy: 16)
    frame.longestReserve = .milliseconds(1)
    #expect(Self.decision(Self.step(13.9), in: frame) == .runAfterPresent)
    #expect(Self.decision(SlackStep(cost: .milliseconds(14.5), isUrgent: true), in: frame) == .runAfterPresent)
    #expect(Self.decision(SlackStep(cost: .milliseconds(15.5), isUrgent: true), in: frame) == .forced)
  }

  @Test("A step that does not fit is deferred if presenting does not block and the next commit is short")
  func deferredSteps() {
    #expect(Self.decision(Self.step(12), in: Self.budget()) == .runAfterPresent)
    #expect(Self.decision(Self.step(25), in: Self.budget()) == .runAfterPresent)
    #expect(Self.decision(Self.step(25.5), in: Self.budget()) == Self.refusal(.cost, 25.5, left: 25))
    #expect(Self.decision(Self.step(12), in: Self.budget(presentedBy: 16)) == .runAfterPresent)
    #expect(Self.decision(Self.step(16), in: Self.budget(presentedBy: 16)) == Self.refusal(.cost, 16, left: 15))
    #expect(Self.decision(Self.step(12), in: Self.budget(isBlocking: true)) == Self.refusal(.cost, 12, left: 10))
    #expect(Self.decision(Self.step(12), in: Self.budget(isShort: false)) == Self.refusal(.cost, 12, left: 10))
  }

  @Test("A step that the next commit needs is forced after presenting, never before")
  func forced() {
    #expect(Self.decision(Self.step(12, isNeeded: true), in: Self.budget(isShort: false)) == .forced)
    #expect(Self.decision(Self.step(90, isNeeded: true), in: Self.budget()) == .forced)
    #expect(
      Self.decision(Self.step(12, isNeeded: true), in: Self.budget(isBlocking: true))
        == Self.refusal(.cost, 12, left: 10))
  }

  @Test("At rest a step of any cost runs after presenting, also if presenting blocks")
  func idle() {
    #expect(Self.decision(Self.step(3), in: Self.budget(isAtRest: true)) == .run)
    #expect(
      Self.decision(Self.step(90), in: Self.budget(isBlocking: true, isShort: false, isAtRest: true))
        == .runAfterPresent)
  }

  @Test("At rest only urgent steps follow the first one, for 250 ms")
  func idleRun() {
    func decision(_ isUrgent: Bool, after milliseconds: Double, isAtRest: Bool = true) -> SlackDecision {
      var scheduler = SlackScheduler()
      scheduler.beginFrame(Self.budget(isAtRest: isAtRest), at: Self.at(6))
      #expect(scheduler.decide(Self.step(12), at: Self.at(6)).isAfterPresent)
      _ = scheduler.startStep(at: Self.at(16))
      scheduler.finishStep(at: Self.at(16 + milliseconds))
      return scheduler.decide(
        SlackStep(cost: .milliseconds(90), isUrgent: isUrgent), at: Self.at(16 + milliseconds))
    }
    #expect(decision(true, after: 12) == .runAfterPresent && decision(true, after: 249) == .runAfterPresent)
    guard case .refused(let ended) = decision(true, after: 250) else {
      Issue.record("the run did not end")
      return
    }
    #expect(ended.description == "last slack refusal: steps had followed each other for 250.0 ms before it")
    for refused in [decision(false, after: 12), decision(true, after: 250), decision(true, after: 12, isAtRest: false)]
    {
      guard case .refused = refused else {
        Issue.record("a step that had to wait ran: \(refused)")
        return
      }
    }
  }

  @Test("An urgent step that is too long for every frame is forced, one that fits another frame waits for it")
  func longerThanEveryFrame() {
    func decision(_ cost: Double, presentedBy: Double = -100) -> SlackDecision {
      Self.decision(SlackStep(cost: .milliseconds(cost), isUrgent: true), in: Self.budget(presentedBy: presentedBy))
    }
    // 25 ms are left until the next frame must commit, and 31 ms after a commit of no cost.
    #expect(decision(25) == .runAfterPresent && decision(31) == Self.refusal(.cost, 31, left: 25))
    #expect(decision(31.1) == Self.refusal(.cost, 31.1, left: 25), "an earlier frame has time for a longer step")
    var early = SlackScheduler()
    early.beginFrame(Self.budget(presentedBy: -100), at: Self.at(3))
    #expect(early.decide(SlackStep(cost: .milliseconds(31.1)), at: Self.at(3)) == Self.refusal(.cost, 31.1, left: 28))
    #expect(early.decide(SlackStep(cost: .milliseconds(31.1), isUrgent: true), at: Self.at(3)) == .forced)
    // On a real clock no step runs before the frame is shown.
    #expect(decision(15, presentedBy: 16) == .runAfterPresent && decision(15.1, presentedBy: 16) == .forced)
    var scheduler = SlackScheduler()
    scheduler.beginFrame(Self.budget(), at: Self.at(6))
    _ = scheduler.decide(SlackStep(cost: .milliseconds(40), isUrgent: true), at: Self.at(6))
    _ = scheduler.startStep(at: Self.at(6))
    scheduler.finishStep(at: Self.at(46))
    #expect(scheduler.isLastStepForced && scheduler.statistics.overruns == 0 && scheduler.statistics.forced == 1)
  }

  @Test("An urgent step that does not fit even after the shortest commit is forced where it fits best")
  func longerThanAnyCommitLeaves() {
    func decision(_ cost: Double, least: Double) -> SlackDecision {
      var frame = Self.budget(presentedBy: -100)
      frame.leastCommit = .milliseconds(least)
      var scheduler = SlackScheduler()
      scheduler.beginFrame(frame, at: Self.at(1))
      return scheduler.decide(SlackStep(cost: .milliseconds(cost), isUrgent: true), at: Self.at(1))
    }
    // From the end of the commit at 1 ms to 31 ms.
    #expect(decision(30, least: 1) == .runAfterPresent && decision(30.5, least: 1) == .forced)
    #expect(decision(30.5, least: 0) == Self.refusal(.cost, 30.5, left: 30), "a later commit may be shorter")
  }

  @Test(
    "The policy withinFrame runs steps before the deadline only and forces those that the next frame needs")
  func withinFrame() {
    func decision(_ step: SlackStep, _ frame: SlackBudget = Self.budget(), at now: Double = 6) -> SlackDecision {
      var scheduler = SlackScheduler()
      scheduler.policy = .withinFrame
      scheduler.beginFrame(frame, at: Self.at(6))
      return scheduler.decide(step, at: Self.at(now))
    }
    #expect(decision(Self.step(10)) == .run && decision(Self.step(10.5)) == Self.refusal(.cost, 10.5, left: 10))
    #expect(decision(Self.step(10.5, isNeeded: true)) == .forced)
    #expect(decision(Self.step(90, isNeeded: true), Self.budget(isBlocking: true)) == Self.refusal(.cost, 90, left: 10))
    #expect(decision(Self.step(90), Self.budget(isAtRest: true)) == Self.refusal(.cost, 90, left: 10))
    #expect(decision(Self.step(0), at: 20) == .run, "an unknown cost counts as zero")
    var scheduler = SlackScheduler()
    scheduler.policy = .withinFrame
    scheduler.beginFrame(Self.budget(), at: Self.at(6))
    #expect(scheduler.decide(Self.step(12, isNeeded: true), at: Self.at(6)) == .forced)
    scheduler.finishStep(at: Self.at(18))
    #expect(scheduler.decide(Self.step(1, isNeeded: true), at: Self.at(18)) == Self.refusal(.cost, 1, left: 0))
  }

  @Test("Pending input and pending snapshots block every step and do not count as refusals for cost")
  func pending() {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(Self.budget(isAtRest: true), at: Self.at(6))
    #expect(
      scheduler.decide(Self.step(1), at: Self.at(6), pending: .input) == Self.refusal(.inputPending, 1, left: 10))
    #expect(scheduler.forcedCause == "forced prepare; last slack refusal: input was waiting")
    #expect(
      scheduler.decide(Self.step(1, isNeeded: true), at: Self.at(6), pending: [.input, .snapshot])
        == Self.refusal(.snapshotPending, 1, left: 10))
    #expect(scheduler.forcedCause == "forced prepare; last slack refusal: a snapshot was waiting")
    #expect(scheduler.statistics.refusals == 0 && scheduler.statistics.steps == 0)
  }

  @Test("One step per frame runs after presenting, and none after it until the next frame")
  func oncePerFrame() {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(Self.budget(), at: Self.at(6))
    #expect(scheduler.decide(Self.step(12), at: Self.at(6)) == .runAfterPresent)
    #expect(scheduler.hasDeferredStep)
    _ = scheduler.startStep(at: Self.at(7))
    #expect(scheduler.finishStep(at: Self.at(14)) == .milliseconds(7))
    for cost in [0.5, 12] {
      guard case .refused = scheduler.decide(Self.step(cost, isNeeded: true), at: Self.at(14)) else {
        Issue.record("a second step ran after presenting")
        return
      }
    }
    scheduler.beginFrame(Self.budget(), at: Self.at(6))
    #expect(!scheduler.hasDeferredStep && scheduler.decide(Self.step(12), at: Self.at(6)) == .runAfterPresent)
    scheduler.cancelStep()
    #expect(scheduler.decide(Self.step(1), at: Self.at(6)) == .run)
  }

  @Test("The cause of a forced preparation is the last refusal, with rounding that does not hide the difference")
  func cause() {
    var scheduler = SlackScheduler()
    #expect(scheduler.forcedCause == "forced prepare; no earlier refusal; the time was not sufficient")
    var frame = Self.budget(isBlocking: true)
    frame.deadline = Self.at(9.9)
    scheduler.beginFrame(frame, at: Self.at(6))
    _ = scheduler.decide(Self.step(7), at: Self.at(6))
    #expect(scheduler.forcedCause == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
    #expect(scheduler.lastRefusal?.frame == 7)
    _ = scheduler.decide(Self.step(3.93), at: Self.at(6))
    #expect(scheduler.lastRefusal?.description == "last slack refusal: cost 4.0 ms > 3.9 ms left")
    frame.deadline = Self.at(2)
    scheduler.beginFrame(frame, at: Self.at(6))
    _ = scheduler.decide(Self.step(0.2), at: Self.at(6))
    #expect(scheduler.lastRefusal?.description == "last slack refusal: cost 0.2 ms > 0.0 ms left")
  }

  @Test(
    "Random steps fit their limits, one step per frame is deferred, and the statistics are the sums", arguments: 0..<10)
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var scheduler = SlackScheduler()
    var now = FrameInstant.zero
    var expected = (available: Int64(0), used: Int64(0), steps: 0, refusals: 0, overruns: 0)
    for index in 0..<300 {
      func randomDuration(_ maximum: Int64) -> FrameDuration {
        FrameDuration(nanoseconds: .random(in: 0...maximum, using: &generator))
      }
      let deadline = now + randomDuration(16) - randomDuration(3)
      let frame = SlackBudget(
        index: index, deadline: deadline, presentedBy: now + randomDuration(16),
        nextDeadline: deadline + randomDuration(16),
        nextCommit: randomDuration(6), isPresentBlocking: generator.chance(oneIn: 3),
        isNextCommitShort: !generator.chance(oneIn: 3),
        isAtRest: generator.chance(oneIn: 6))
      scheduler.beginFrame(frame, at: now)
      expected.available += max(0, (deadline - now).nanoseconds)
      var deferred = 0
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        let step = SlackStep(cost: randomDuration(20), isNeededNext: generator.chance(oneIn: 4))
        let pending: SlackBlockers = generator.chance(oneIn: 9) ? .input : []
        let decision = scheduler.decide(step, at: now, pending: pending)
        var limit = FrameInstant.distantFuture
        switch decision {
        case .run:
          #expect(now + step.cost <= frame.deadline && deferred == 0)
          limit = frame.deadline
        case .runAfterPresent:
          deferred += 1
          if !frame.isAtRest {
            #expect(!frame.isPresentBlocking && frame.isNextCommitShort)
            #expect(max(now, frame.presentedBy) + step.cost <= frame.nextDeadline - frame.nextCommit)
            limit = frame.deferredStepLimit
          }
        case .forced:
          deferred += 1
          #expect(step.isNeededNext && !frame.isPresentBlocking && !frame.isAtRest)
        case .refused(let refusal):
          #expect(scheduler.lastRefusal == refusal && refusal.frame == index && refusal.cost == step.cost)
          #expect((refusal.reason == .cost) == pending.isEmpty)
          if refusal.reason == .cost {
            expected.refusals += 1
            #expect(refusal.remaining < step.cost || step.cost == .zero)
            #expect(frame.deadline - now < step.cost || deferred > 0)
          }
          continue
        }
        #expect(pending.isEmpty)
        if decision.isAfterPresent {
          now = max(now, frame.presentedBy)
          _ = scheduler.startStep(at: now)
        }
        let duration = generator.chance(oneIn: 5) ? randomDuration(40) : step.cost
        now = now + duration
        scheduler.finishStep(at: now)
        expected.used += duration.nanoseconds
        expected.steps += 1
        if now > limit { expected.overruns += 1 }
      }
      #expect(deferred <= 1)
      now = now + randomDuration(10)
    }
    let statistics = scheduler.statistics
    #expect(statistics.available.nanoseconds == expected.available && statistics.used.nanoseconds == expected.used)
    #expect(
      statistics.steps == expected.steps && statistics.refusals == expected.refusals
        && statistics.overruns == expected.overruns)
    #expect(statistics.forced <= statistics.deferred && statistics.deferred <= statistics.steps)
    #expect(
      statistics.usedMs == statistics.used.milliseconds && statistics.availableMs == statistics.available.milliseconds)
  }

  @Test("Deciding before a frame or during a step, and finishing a step that was not started, trap")
  func preconditions() async throws {
    let early = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var scheduler = SlackScheduler()
      _ = scheduler.decide(SlackStep(cost: .zero), at: .zero)
    }
    #expect(
      String(decoding: try #require(early).standardErrorContent, as: UTF8.self)
        .contains("A slack step was requested before a frame began."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var scheduler = SlackScheduler()
      scheduler.beginFrame(
        SlackBudget(
          index: 0, deadline: .distantFuture, presentedBy: .zero, nextDeadline: .distantFuture, nextCommit: .zero,
          isPresentBlocking: false, isNextCommitShort: true), at: .zero)
      _ = scheduler.decide(SlackStep(cost: .zero), at: .zero)
      _ = scheduler.decide(SlackStep(cost: .zero), at: .zero)
    }
    #expect(
      String(decoding: try #require(twice).standardErrorContent, as: UTF8.self)
        .contains("A slack step was requested while another one was running."))
    let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var scheduler = SlackScheduler()
      scheduler.finishStep(at: .zero)
    }
    #expect(
      String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
        .contains("A step of work ahead ended that had not been let run."))
  }
}

// MARK: - Limits

@Suite("Steps that end after their limit")
struct SlackLimitTests {
  @Test("A deferred step that no longer fits after presenting is refused and decided again in the next frame")
  func latePresent() {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.decide(SlackSchedulerTests.step(20), at: SlackSchedulerTests.at(6)) == .runAfterPresent)
    var starts = scheduler.startStep(at: SlackSchedulerTests.at(11))
    #expect(starts)
    scheduler.finishStep(at: SlackSchedulerTests.at(31))
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.decide(SlackSchedulerTests.step(20), at: SlackSchedulerTests.at(6)) == .runAfterPresent)
    starts = scheduler.startStep(at: SlackSchedulerTests.at(11.5))
    #expect(!starts)
    #expect(scheduler.lastRefusal?.description == "last slack refusal: cost 20.0 ms > 19.5 ms left")
    #expect(!scheduler.hasDeferredStep && scheduler.statistics.refusals == 1 && scheduler.statistics.steps == 1)
    #expect(scheduler.statistics.overruns == 0)
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.decide(SlackSchedulerTests.step(20), at: SlackSchedulerTests.at(6)) == .runAfterPresent)
    starts = scheduler.startStep(at: SlackSchedulerTests.at(8))
    #expect(starts)
  }

  @Test("A step that ends after its limit because it was preempted is not an overrun")
  func preemptedStep() {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.decide(SlackSchedulerTests.step(2), at: SlackSchedulerTests.at(6)) == .run)
    scheduler.finishStep(at: SlackSchedulerTests.at(17), lost: .milliseconds(9))
    #expect(scheduler.statistics.overruns == 0)
    #expect(scheduler.decide(SlackSchedulerTests.step(0), at: SlackSchedulerTests.at(6)) == .run)
    scheduler.finishStep(at: SlackSchedulerTests.at(17), lost: .milliseconds(0.5))
    #expect(scheduler.statistics.overruns == 1)
  }

  @Test("A step that ends after its limit is an overrun, and a deferred one marks the next frame as delayed")
  func overruns() {
    var scheduler = SlackScheduler()
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.decide(SlackSchedulerTests.step(2), at: SlackSchedulerTests.at(6)) == .run)
    scheduler.finishStep(at: SlackSchedulerTests.at(17))
    #expect(scheduler.statistics.overruns == 1)
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(!scheduler.isDelayedByDeferredStep)
    #expect(scheduler.decide(SlackSchedulerTests.step(12), at: SlackSchedulerTests.at(6)) == .runAfterPresent)
    _ = scheduler.startStep(at: SlackSchedulerTests.at(6))
    scheduler.finishStep(at: SlackSchedulerTests.at(31.5))
    #expect(scheduler.statistics.overruns == 2)
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(scheduler.isDelayedByDeferredStep)
    #expect(scheduler.decide(SlackSchedulerTests.step(90, isNeeded: true), at: SlackSchedulerTests.at(6)) == .forced)
    scheduler.finishStep(at: SlackSchedulerTests.at(96))
    #expect(
      scheduler.statistics.overruns == 2 && scheduler.statistics.forced == 1 && scheduler.statistics.deferred == 2)
    scheduler.beginFrame(SlackSchedulerTests.budget(), at: SlackSchedulerTests.at(6))
    #expect(!scheduler.isDelayedByDeferredStep)
  }
}
