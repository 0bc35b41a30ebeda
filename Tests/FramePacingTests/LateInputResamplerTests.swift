import Testing
import VitrineFramePacing

@Suite("LateInputResampler")
struct LateInputResamplerTests {
  /// Returns a pacer after frames with the given commit cost, and the plan of its next frame.
  private static func paced(_ kind: ClockKind, commit: FrameDuration) -> (FramePacer, FramePlan) {
    var pacer = FramePacer(kind: kind, interval: .milliseconds(16))
    var now = FrameInstant.zero
    for _ in 0..<10 {
      let plan = pacer.beginFrame(at: now)
      var record = FrameRecord()
      (record.target, record.deadline, record.start) = (plan.target, plan.deadline, now)
      record.isTracked = true
      for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = now + commit }
      record.presentStart = now + commit
      record.phaseEnds[FramePhase.present.rawValue] = plan.target
      pacer.endFrame(&record, slackLimit: plan.deadline)
      now = max(plan.target, record.shown)
    }
    return (pacer, pacer.beginFrame(at: now))
  }

  @Test(
    "The resampling instant precedes the deadline by the commit cost while input arrives",
    arguments: [ClockKind.timer, .cpu, .virtual, .vsync])
  func instant(kind: ClockKind) {
    let (pacer, plan) = Self.paced(kind, commit: .milliseconds(2))
    var resampler = LateInputResampler()
    let now = plan.deadline - .milliseconds(10)
    #expect(resampler.resamplingInstant(of: plan, in: pacer, at: now) == nil, "no input was recorded")
    resampler.recordInput(at: now - .milliseconds(100))
    resampler.recordInput(at: now - .milliseconds(400))
    let instant = resampler.resamplingInstant(of: plan, in: pacer, at: now)
    switch kind {
    case .cpu, .timer: #expect(instant == plan.deadline - .milliseconds(2.2))
    case .virtual, .vsync: #expect(instant == nil)
    }
    #expect(
      resampler.resamplingInstant(of: plan, in: pacer, at: now + .milliseconds(401)) == nil, "the input has stopped")
    #expect(
      resampler.resamplingInstant(of: plan, in: pacer, at: plan.deadline - .milliseconds(2.2)) == nil,
      "there is no time left")
  }

  @Test("The cost of resampling counts, and a cost over the limit disables it")
  func costs() {
    let (pacer, plan) = Self.paced(.cpu, commit: .milliseconds(1))
    var resampler = LateInputResampler()
    let now = plan.deadline - .milliseconds(12)
    resampler.recordInput(at: now)
    for _ in 0..<8 { resampler.recordCost(.milliseconds(3)) }
    #expect(resampler.resamplingInstant(of: plan, in: pacer, at: now) == plan.deadline - .milliseconds(3.2))
    for _ in 0..<8 { resampler.recordCost(.milliseconds(3.9)) }
    #expect(resampler.resamplingInstant(of: plan, in: pacer, at: now) == nil, "more than a quarter of 16 ms")
    let (slow, slowPlan) = Self.paced(.cpu, commit: .milliseconds(5))
    var other = LateInputResampler()
    other.recordInput(at: slowPlan.deadline - .milliseconds(10))
    #expect(other.resamplingInstant(of: slowPlan, in: slow, at: slowPlan.deadline - .milliseconds(10)) == nil)
  }

  @Test("A frame that is late because of resampling has that cause")
  func cause() {
    var record = FrameRecord()
    record.target = .zero + .milliseconds(16)
    record.deadline = .zero + .milliseconds(15)
    for phase in FramePhase.allCases { record.phaseEnds[phase.rawValue] = .zero + .milliseconds(4) }
    (record.resamplingStart, record.resamplingEnd) = (.zero + .milliseconds(13), .zero + .milliseconds(18))
    record.hitch = .milliseconds(2)
    record.hitchClass = HitchClassifier.classify(
      record, slackLimit: record.deadline, interval: .milliseconds(16), refreshChanged: false)
    #expect(record.hitchClass == .commitLate)
    #expect(record.hitchCause == .inputResampling(.milliseconds(5)))
    #expect(record.cause?.contains("late input resampling") == true)
    #expect(record.overrun == .milliseconds(-11), "the commit itself ended long before")
  }
}
