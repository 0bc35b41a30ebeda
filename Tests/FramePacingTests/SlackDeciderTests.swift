import FramePacing
import TestSupport
import Testing

@Suite("Work ahead runs where it fits, and what it costs is kept in the books")
struct SlackDeciderTests {
  static func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  /// A frame of 16 ms that begins at zero: the commit of the next one is predicted to take 1 ms.
  static func frame(
    presentedBy: Double = 6, blocking: Bool = false, short: Bool = true, rest: Bool = false
  ) -> SlackBudget {
    SlackBudget(
      index: 7, deadline: at(16), presentedBy: at(presentedBy), nextDeadline: at(32), nextCommit: .milliseconds(1),
      isPresentBlocking: blocking, isNextCommitShort: short, isAtRest: rest)
  }

  static func step(_ cost: Double, needed: Bool = false) -> SlackStep {
    SlackStep(cost: .milliseconds(cost), isNeededNext: needed)
  }

  /// What a step is told at 6 ms, when 10 ms are left.
  static func verdict(_ step: SlackStep, in frame: SlackBudget, pending: SlackBlockers = []) -> SlackDecision {
    var decider = SlackScheduler()
    decider.beginFrame(frame, at: at(6))
    return decider.decide(step, at: at(6), pending: pending)
  }

  static func refusal(_ reason: SlackRefusal.Reason, _ cost: Double, left: Double) -> SlackDecision {
    .refused(SlackRefusal(reason: reason, cost: .milliseconds(cost), remaining: .milliseconds(left), frame: 7))
  }

  @Test("A step that fits before the deadline runs, to the last nanosecond of it")
  func fits() {
    #expect(Self.verdict(Self.step(10), in: Self.frame()) == .run)
    #expect(Self.verdict(Self.step(10, needed: true), in: Self.frame(blocking: true)) == .run)
    #expect(Self.verdict(SlackStep(cost: .milliseconds(-4)), in: Self.frame()) == .run)
    #expect(Self.verdict(Self.step(10.001), in: Self.frame()) == .runAfterPresent)
  }

  @Test("A limit is kept with a reserve: the most at first, then half as much again as steps took beyond expectation")
  func reserve() {
    var decider = SlackScheduler()
    var frame = Self.frame(blocking: true)
    frame.longestReserve = .milliseconds(2)
    decider.beginFrame(frame, at: Self.at(6))
    #expect(decider.decide(Self.step(8.001), at: Self.at(6)) == Self.refusal(.cost, 8.001, left: 8))
    // Eight steps of 0.1 ms take 0.5: the reserve is 0.6 ms.
    for _ in 0..<8 {
      #expect(decider.decide(Self.step(0.1), at: Self.at(6)) == .run)
      decider.finishStep(at: Self.at(6.5))
    }
    #expect(decider.decide(Self.step(9.401), at: Self.at(6)) == Self.refusal(.cost, 9.401, left: 9.4))
    #expect(decider.decide(Self.step(9.4), at: Self.at(6)) == .run)
    // One that took far longer widens it to the most, and no further.
    decider.finishStep(at: Self.at(20))
    #expect(decider.decide(Self.step(8.001), at: Self.at(6)) == Self.refusal(.cost, 8.001, left: 8))
    // It is remembered for some hundred frames, and then forgotten.
    for _ in 0..<138 { decider.beginFrame(frame, at: Self.at(6)) }
    #expect(decider.decide(Self.step(8.6), at: Self.at(6)) != .run, "half of 2 ms, and half as much again: 1.5 ms")
    decider.beginFrame(frame, at: Self.at(6))
    #expect(decider.decide(Self.step(8.45), at: Self.at(6)) == .run)
    decider.cancelStep()
    for _ in 0..<1_000 { decider.beginFrame(frame, at: Self.at(6)) }
    #expect(decider.decide(Self.step(9.9), at: Self.at(6)) == .run)
  }

  @Test("A step that fits into the longest time there is runs without the reserve, and is not forced; a longer one is")
  func longest() {
    var frame = Self.frame(presentedBy: 16)
    frame.longestReserve = .milliseconds(1)
    #expect(Self.verdict(Self.step(13.9), in: frame) == .runAfterPresent)
    #expect(Self.verdict(SlackStep(cost: .milliseconds(14.5), isUrgent: true), in: frame) == .runAfterPresent)
    #expect(Self.verdict(SlackStep(cost: .milliseconds(15.5), isUrgent: true), in: frame) == .forced)
  }

  @Test("A step that does not fit may run after presenting, if that returns at once and the next commit is short")
  func carried() {
    #expect(Self.verdict(Self.step(12), in: Self.frame()) == .runAfterPresent)
    #expect(Self.verdict(Self.step(25), in: Self.frame()) == .runAfterPresent)
    #expect(Self.verdict(Self.step(25.5), in: Self.frame()) == Self.refusal(.cost, 25.5, left: 25))
    #expect(Self.verdict(Self.step(12), in: Self.frame(presentedBy: 16)) == .runAfterPresent)
    #expect(Self.verdict(Self.step(16), in: Self.frame(presentedBy: 16)) == Self.refusal(.cost, 16, left: 15))
    #expect(Self.verdict(Self.step(12), in: Self.frame(blocking: true)) == Self.refusal(.cost, 12, left: 10))
    #expect(Self.verdict(Self.step(12), in: Self.frame(short: false)) == Self.refusal(.cost, 12, left: 10))
  }

  @Test("A step that the next commit would do anyway is forced after presenting, and never before it")
  func forced() {
    #expect(Self.verdict(Self.step(12, needed: true), in: Self.frame(short: false)) == .forced)
    #expect(Self.verdict(Self.step(90, needed: true), in: Self.frame()) == .forced)
    #expect(
      Self.verdict(Self.step(12, needed: true), in: Self.frame(blocking: true)) == Self.refusal(.cost, 12, left: 10))
  }

  @Test("At rest a step of any cost runs once the frame is presented, whatever presenting does")
  func rest() {
    #expect(Self.verdict(Self.step(3), in: Self.frame(rest: true)) == .run)
    #expect(Self.verdict(Self.step(90), in: Self.frame(blocking: true, short: false, rest: true)) == .runAfterPresent)
  }

  @Test("At rest urgent steps follow the first for a quarter of a second, others do not")
  func restRun() {
    func verdict(_ isUrgent: Bool, after milliseconds: Double, rest: Bool = true) -> SlackDecision {
      var decider = SlackScheduler()
      decider.beginFrame(Self.frame(rest: rest), at: Self.at(6))
      #expect(decider.decide(Self.step(12), at: Self.at(6)).isAfterPresent)
      _ = decider.startStep(at: Self.at(16))
      decider.finishStep(at: Self.at(16 + milliseconds))
      return decider.decide(
        SlackStep(cost: .milliseconds(90), isUrgent: isUrgent), at: Self.at(16 + milliseconds))
    }
    #expect(verdict(true, after: 12) == .runAfterPresent && verdict(true, after: 249) == .runAfterPresent)
    guard case .refused(let ended) = verdict(true, after: 250) else {
      Issue.record("the run went on")
      return
    }
    #expect(ended.description == "last slack refusal: steps had followed each other for 250.0 ms before it")
    for refused in [verdict(false, after: 12), verdict(true, after: 250), verdict(true, after: 12, rest: false)] {
      guard case .refused = refused else {
        Issue.record("a step ran that had to wait: \(refused)")
        return
      }
    }
  }

  @Test("An urgent step that is longer than any frame can bear is forced; one that another frame can bear waits for it")
  func longerThanAnyFrame() {
    func verdict(_ cost: Double, presentedBy: Double = -100) -> SlackDecision {
      Self.verdict(SlackStep(cost: .milliseconds(cost), isUrgent: true), in: Self.frame(presentedBy: presentedBy))
    }
    // 25 ms are left until the next frame has to commit, and 31 after a commit that takes no time.
    #expect(verdict(25) == .runAfterPresent && verdict(31) == Self.refusal(.cost, 31, left: 25))
    #expect(verdict(31.1) == Self.refusal(.cost, 31.1, left: 25), "a frame that begins earlier bears more of it")
    var early = SlackScheduler()
    early.beginFrame(Self.frame(presentedBy: -100), at: Self.at(3))
    #expect(early.decide(SlackStep(cost: .milliseconds(31.1)), at: Self.at(3)) == Self.refusal(.cost, 31.1, left: 28))
    #expect(early.decide(SlackStep(cost: .milliseconds(31.1), isUrgent: true), at: Self.at(3)) == .forced)
    // On a real clock nothing runs before the frame is shown.
    #expect(verdict(15, presentedBy: 16) == .runAfterPresent && verdict(15.1, presentedBy: 16) == .forced)
    var decider = SlackScheduler()
    decider.beginFrame(Self.frame(), at: Self.at(6))
    _ = decider.decide(SlackStep(cost: .milliseconds(40), isUrgent: true), at: Self.at(6))
    _ = decider.startStep(at: Self.at(6))
    decider.finishStep(at: Self.at(46))
    #expect(decider.isLastStepForced && decider.statistics.overruns == 0 && decider.statistics.forced == 1)
  }

  @Test("A step that no frame can bear which commits as short as the shortest is forced where it fits best")
  func longerThanAnyCommitLeaves() {
    func verdict(_ cost: Double, least: Double) -> SlackDecision {
      var frame = Self.frame(presentedBy: -100)
      frame.leastCommit = .milliseconds(least)
      var decider = SlackScheduler()
      decider.beginFrame(frame, at: Self.at(1))
      return decider.decide(SlackStep(cost: .milliseconds(cost), isUrgent: true), at: Self.at(1))
    }
    // From 1 ms, where the commit ended, to 31.
    #expect(verdict(30, least: 1) == .runAfterPresent && verdict(30.5, least: 1) == .forced)
    #expect(verdict(30.5, least: 0) == Self.refusal(.cost, 30.5, left: 30), "a shorter commit may come")
  }

  @Test(
    "Kept within the frame, a step fits before the deadline or waits, unless the next frame needs it; nothing is free")
  func withinFrame() {
    func verdict(_ step: SlackStep, _ frame: SlackBudget = Self.frame(), at now: Double = 6) -> SlackDecision {
      var decider = SlackScheduler()
      decider.policy = .withinFrame
      decider.beginFrame(frame, at: Self.at(6))
      return decider.decide(step, at: Self.at(now))
    }
    #expect(verdict(Self.step(10)) == .run && verdict(Self.step(10.5)) == Self.refusal(.cost, 10.5, left: 10))
    #expect(verdict(Self.step(10.5, needed: true)) == .forced)
    #expect(verdict(Self.step(90, needed: true), Self.frame(blocking: true)) == Self.refusal(.cost, 90, left: 10))
    #expect(verdict(Self.step(90), Self.frame(rest: true)) == Self.refusal(.cost, 90, left: 10))
    #expect(verdict(Self.step(0), at: 20) == .run, "what is not known counts as nothing")
    var decider = SlackScheduler()
    decider.policy = .withinFrame
    decider.beginFrame(Self.frame(), at: Self.at(6))
    #expect(decider.decide(Self.step(12, needed: true), at: Self.at(6)) == .forced)
    decider.finishStep(at: Self.at(18))
    #expect(decider.decide(Self.step(1, needed: true), at: Self.at(18)) == Self.refusal(.cost, 1, left: 0))
  }

  @Test("Waiting input and a waiting snapshot forbid every step, and are not counted as too little time")
  func pending() {
    var decider = SlackScheduler()
    decider.beginFrame(Self.frame(rest: true), at: Self.at(6))
    #expect(
      decider.decide(Self.step(1), at: Self.at(6), pending: .input) == Self.refusal(.inputPending, 1, left: 10))
    #expect(decider.forcedCause == "forced prepare; last slack refusal: input was waiting")
    #expect(
      decider.decide(Self.step(1, needed: true), at: Self.at(6), pending: [.input, .snapshot])
        == Self.refusal(.snapshotPending, 1, left: 10))
    #expect(decider.forcedCause == "forced prepare; last slack refusal: a snapshot was waiting")
    #expect(decider.statistics.refusals == 0 && decider.statistics.steps == 0)
  }

  @Test("One step a frame runs after presenting, and nothing runs after it; the next frame has its own")
  func onceAFrame() {
    var decider = SlackScheduler()
    decider.beginFrame(Self.frame(), at: Self.at(6))
    #expect(decider.decide(Self.step(12), at: Self.at(6)) == .runAfterPresent)
    #expect(decider.hasDeferredStep)
    _ = decider.startStep(at: Self.at(7))
    #expect(decider.finishStep(at: Self.at(14)) == .milliseconds(7))
    for cost in [0.5, 12] {
      guard case .refused = decider.decide(Self.step(cost, needed: true), at: Self.at(14)) else {
        Issue.record("a second step ran after presenting")
        return
      }
    }
    decider.beginFrame(Self.frame(), at: Self.at(6))
    #expect(!decider.hasDeferredStep && decider.decide(Self.step(12), at: Self.at(6)) == .runAfterPresent)
    decider.cancelStep()
    #expect(decider.decide(Self.step(1), at: Self.at(6)) == .run)
  }

  @Test("A hitch's cause names the last refusal, rounded so that it reads as one")
  func cause() {
    var decider = SlackScheduler()
    #expect(decider.forcedCause == "forced prepare; nothing was refused before, and there was not time enough")
    var frame = Self.frame(blocking: true)
    frame.deadline = Self.at(9.9)
    decider.beginFrame(frame, at: Self.at(6))
    _ = decider.decide(Self.step(7), at: Self.at(6))
    #expect(decider.forcedCause == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
    #expect(decider.lastRefusal?.frame == 7)
    _ = decider.decide(Self.step(3.93), at: Self.at(6))
    #expect(decider.lastRefusal?.description == "last slack refusal: cost 4.0 ms > 3.9 ms left")
    frame.deadline = Self.at(2)
    decider.beginFrame(frame, at: Self.at(6))
    _ = decider.decide(Self.step(0.2), at: Self.at(6))
    #expect(decider.lastRefusal?.description == "last slack refusal: cost 0.2 ms > 0.0 ms left")
  }

  @Test("Whatever asks, what runs fits, one step a frame is carried, and the books are the sums", arguments: 0..<10)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var decider = SlackScheduler()
    var now = FrameInstant.zero
    var books = (available: Int64(0), used: Int64(0), steps: 0, refusals: 0, overruns: 0)
    for index in 0..<300 {
      func some(_ most: Int64) -> FrameDuration { FrameDuration(nanoseconds: .random(in: 0...most, using: &generator)) }
      let deadline = now + some(16) - some(3)
      let frame = SlackBudget(
        index: index, deadline: deadline, presentedBy: now + some(16), nextDeadline: deadline + some(16),
        nextCommit: some(6), isPresentBlocking: generator.chance(oneIn: 3),
        isNextCommitShort: !generator.chance(oneIn: 3),
        isAtRest: generator.chance(oneIn: 6))
      decider.beginFrame(frame, at: now)
      books.available += max(0, (deadline - now).nanoseconds)
      var carried = 0
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        let step = SlackStep(cost: some(20), isNeededNext: generator.chance(oneIn: 4))
        let pending: SlackBlockers = generator.chance(oneIn: 9) ? .input : []
        let verdict = decider.decide(step, at: now, pending: pending)
        var limit = FrameInstant.distantFuture
        switch verdict {
        case .run:
          #expect(now + step.cost <= frame.deadline && carried == 0)
          limit = frame.deadline
        case .runAfterPresent:
          carried += 1
          if !frame.isAtRest {
            #expect(!frame.isPresentBlocking && frame.isNextCommitShort)
            #expect(max(now, frame.presentedBy) + step.cost <= frame.nextDeadline - frame.nextCommit)
            limit = frame.deferredStepLimit
          }
        case .forced:
          carried += 1
          #expect(step.isNeededNext && !frame.isPresentBlocking && !frame.isAtRest)
        case .refused(let refusal):
          #expect(decider.lastRefusal == refusal && refusal.frame == index && refusal.cost == step.cost)
          #expect((refusal.reason == .cost) == pending.isEmpty)
          if refusal.reason == .cost {
            books.refusals += 1
            #expect(refusal.remaining < step.cost || step.cost == .zero)
            #expect(frame.deadline - now < step.cost || carried > 0)
          }
          continue
        }
        #expect(pending.isEmpty)
        if verdict.isAfterPresent {
          now = max(now, frame.presentedBy)
          _ = decider.startStep(at: now)
        }
        let took = generator.chance(oneIn: 5) ? some(40) : step.cost
        now = now + took
        decider.finishStep(at: now)
        books.used += took.nanoseconds
        books.steps += 1
        if now > limit { books.overruns += 1 }
      }
      #expect(carried <= 1)
      now = now + some(10)
    }
    let ledger = decider.statistics
    #expect(ledger.available.nanoseconds == books.available && ledger.used.nanoseconds == books.used)
    #expect(ledger.steps == books.steps && ledger.refusals == books.refusals && ledger.overruns == books.overruns)
    #expect(ledger.forced <= ledger.deferred && ledger.deferred <= ledger.steps)
    #expect(ledger.usedMs == ledger.used.milliseconds && ledger.availableMs == ledger.available.milliseconds)
  }

  @Test("Asking before a frame or during a step, and ending what was not let run, are the caller's mistakes")
  func misuse() async throws {
    let early = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var decider = SlackScheduler()
      _ = decider.decide(SlackStep(cost: .zero), at: .zero)
    }
    #expect(
      String(decoding: try #require(early).standardErrorContent, as: UTF8.self)
        .contains("A step of work ahead asked to run before any frame had begun."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var decider = SlackScheduler()
      decider.beginFrame(
        SlackBudget(
          index: 0, deadline: .distantFuture, presentedBy: .zero, nextDeadline: .distantFuture, nextCommit: .zero,
          isPresentBlocking: false, isNextCommitShort: true), at: .zero)
      _ = decider.decide(SlackStep(cost: .zero), at: .zero)
      _ = decider.decide(SlackStep(cost: .zero), at: .zero)
    }
    #expect(
      String(decoding: try #require(twice).standardErrorContent, as: UTF8.self)
        .contains("A step of work ahead asked to run while another one was running."))
    let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var decider = SlackScheduler()
      decider.finishStep(at: .zero)
    }
    #expect(
      String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
        .contains("A step of work ahead ended that had not been let run."))
  }
}
