import Testing
import VitrineFramePacing

@Suite("HitchCause")
struct HitchCauseTests {
  static func record(_ hitchClass: HitchClass) -> FrameRecord {
    var record = FrameRecord()
    record.index = 100
    record.hitchClass = hitchClass
    record.hitch = .milliseconds(5)
    record.preparesAhead = true
    record.phaseEnds[FramePhase.raster.rawValue] = .zero + .milliseconds(22.04)
    record.phaseEnds[FramePhase.slack.rawValue] = .zero + .milliseconds(30)
    record.presentStart = .zero + .milliseconds(30)
    record.phaseEnds[FramePhase.present.rawValue] = .zero + .milliseconds(41)
    record.wakeLateness = .milliseconds(1.26)
    return record
  }

  static func refusal(_ frame: Int) -> SlackRefusal {
    SlackRefusal(reason: .cost, cost: .milliseconds(7), remaining: .milliseconds(3.9), frame: frame)
  }

  @Test("The cause of a forced preparation includes the last refusal unless it is too old")
  func forced() {
    var record = Self.record(.commitLate)
    #expect(record.cause == "the commit took 22.0 ms; no cell was prepared in it")
    record.cellsForced = 2
    #expect(record.cause == "forced prepare; no earlier refusal; the time was not sufficient")
    record.lastRefusal = Self.refusal(40)
    #expect(record.cause == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
    record.lastRefusal = Self.refusal(39)
    #expect(record.cause == "forced prepare; no earlier refusal; the time was not sufficient")
    record.preparesAhead = false
    #expect(record.cause == "forced prepare; cells are not prepared ahead")
    var deferred = Self.record(.commitLate)
    deferred.isDeferredStepForced = true
    #expect(deferred.cause == "the commit took 22.0 ms; no cell was prepared in it")
    deferred.deferredStepDelay = .milliseconds(9)
    #expect(deferred.cause == "forced prepare; no earlier refusal; the time was not sufficient")
  }

  @Test("Each hitch class has a description, and a frame in time has none")
  func classes() {
    #expect(Self.record(.none).cause == nil)
    #expect(Self.record(.presentLate).cause == "presenting took 11.0 ms")
    #expect(Self.record(.wakeLate).cause == "woken 1.3 ms late")
    #expect(Self.record(.slackOverrun).cause == "slack work took 8.0 ms")
    #expect(Self.record(.external).cause == "the refresh changed")
    var waiting = Self.record(.ownWorkers)
    waiting.contention = ProcessorContention(waited: .milliseconds(3.1), ownWork: .milliseconds(5.26))
    #expect(waiting.cause == "waited 3.1 ms for a processor; own workers ran 5.3 ms")
    var record = Self.record(.slackOverrun)
    record.deferredStepDelay = .milliseconds(3)
    #expect(record.cause == "a deferred slack step delayed the frame by 3.0 ms")
    record = Self.record(.external)
    record.preempted = .milliseconds(12)
    #expect(record.cause == "others ran for 12.0 ms")
    record.inheritsLateness = true
    record.start = record.deadline - .milliseconds(0.4)
    #expect(record.cause == "the frame before was late and left 0.4 ms")
  }
}

@Suite("A slack overrun makes a frame late on every clock")
struct SlackOverrunTests {
  /// Runs frames with steps of work ahead that have an estimated cost of 1 ms.
  ///
  /// - Parameter steps: The actual cost in milliseconds by the index of the frame. Default: 1 ms.
  static func run(_ kind: ClockKind, steps: [Int: Double]) -> (overruns: Int, history: FrameHistory) {
    var pacer = FramePacer(kind: kind, interval: .milliseconds(16))
    var scheduler = SlackScheduler()
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
      scheduler.beginFrame(pacer.slackBudget(of: plan, at: clock.now()), at: clock.now())
      #expect(scheduler.decide(SlackStep(cost: .milliseconds(1)), at: clock.now()) == .run)
      clock.spend(.milliseconds(steps[index] ?? 1))
      scheduler.finishStep(at: clock.now())
      record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
      record.presentStart = clock.now()
      record.phaseEnds[FramePhase.present.rawValue] = clock.now()
      pacer.endFrame(&record, slackLimit: plan.deadline)
      history.append(record, interval: .milliseconds(16))
      clock.wait(until: record.shown)
    }
    return (scheduler.statistics.overruns, history)
  }

  @Test("Two steps that exceed their limits make two frames late with that class", arguments: ClockKind.allCases)
  func overruns(kind: ClockKind) {
    let run = Self.run(kind, steps: [20: 25, 40: 30])
    #expect(run.overruns == 2 && run.history.hitchCount(of: .slackOverrun) == 2 && run.history.hitchCount == 2)
    #expect(run.history.worstHitches.map(\.index).sorted() == [20, 40])
    #expect(run.history.worstHitches.allSatisfy { $0.hitch > .zero && $0.cause?.hasPrefix("slack work took ") == true })
  }

  @Test("Steps within their limits make no frame late", arguments: ClockKind.allCases)
  func noOverruns(kind: ClockKind) {
    let run = Self.run(kind, steps: [20: 9, 40: 12])
    #expect(run.overruns == 0 && run.history.hitchCount == 0)
  }
}
