import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("A step that does not fit before presenting is deferred")
struct CommitLoopDeferredStepTests {
  /// A participant whose commits have a cost and whose slack steps have a constant cost.
  final class StepParticipant: FrameParticipant {
    let clock: SimulatedClock
    /// The cost of each commit, by the index of the frame.
    var commitCost: (Int) -> FrameDuration = { _ in .milliseconds(1) }
    var stepCost = FrameDuration.milliseconds(12)
    var remainingSteps = 0
    /// Whether the next commit needs the remaining steps.
    var isNeeded = false
    /// The steps that were performed: `slack` or `deferred`, and the index of the frame.
    private(set) var performedSteps: [String] = []
    private(set) var records: [FrameRecord] = []
    /// Whether the participant reports that it has deferred steps.
    var reportsDeferredSteps = true
    private var frame = -1

    init(clock: SimulatedClock) { self.clock = clock }

    var needsFrames: Bool { true }
    var isTracked = true

    func commit(_ record: inout FrameRecord) {
      frame += 1
      clock.spend(commitCost(frame))
    }

    func performSlackStep(_ budget: FrameBudget) -> Bool { step("slack", budget) }

    var hasDeferredSteps: Bool { reportsDeferredSteps && !isNeeded }

    func performDeferredStep(_ budget: FrameBudget) -> Bool { !isNeeded && step("deferred", budget) }

    func frameDidEnd(_ record: FrameRecord) { records.append(record) }

    private func step(_ kind: String, _ budget: FrameBudget) -> Bool {
      guard remainingSteps > 0, budget.allows(stepCost) else { return false }
      remainingSteps -= 1
      performedSteps.append("\(kind) \(frame)")
      clock.spend(stepCost)
      return true
    }
  }

  private func makeHarness() -> (WindowHarness, StepParticipant) {
    let harness = WindowHarness(root: View(frame: .zero))
    let participant = StepParticipant(clock: harness.clock)
    harness.window.addParticipant(participant)
    return (harness, participant)
  }

  @Test("A step of 12 ms with 10 ms of slack is performed after presenting, without a hitch")
  func talksExample() {
    let (harness, participant) = makeHarness()
    // A commit of 6 ms leaves 10 of 16 ms. The next commit is short.
    participant.commitCost = { $0 == 10 ? .milliseconds(6) : .milliseconds(1) }
    harness.run(frames: 10)
    participant.remainingSteps = 1
    harness.run(frames: 4)
    #expect(participant.performedSteps == ["deferred 10"])
    #expect(participant.records.allSatisfy { $0.hitch == .zero })
    #expect(
      participant.records[11].deferredStepDelay == .milliseconds(2),
      "ten of the twelve milliseconds passed before the refresh")
    #expect(participant.records[11].overrun < .zero && participant.records[12].deferredStepDelay == .zero)
  }

  @Test("During motion only participants that report deferred steps are called, at rest all are")
  func withoutDeferredSteps() {
    let (harness, participant) = makeHarness()
    participant.reportsDeferredSteps = false
    participant.commitCost = { $0 == 10 ? .milliseconds(6) : .milliseconds(1) }
    harness.run(frames: 10)
    participant.remainingSteps = 1
    harness.run(frames: 1)
    #expect(participant.performedSteps.isEmpty)
    participant.isTracked = false
    participant.stepCost = .milliseconds(30)
    harness.run(frames: 1)
    #expect(participant.performedSteps == ["deferred 11"])
  }

  @Test("A step that fits before presenting is not deferred")
  func fits() {
    let (harness, participant) = makeHarness()
    harness.run(frames: 10)
    participant.stepCost = .milliseconds(4)
    participant.remainingSteps = 6
    harness.run(frames: 3)
    #expect(participant.performedSteps == ["slack 10", "slack 10", "slack 10", "deferred 10", "slack 11", "slack 11"])
    #expect(participant.records.allSatisfy { $0.hitch == .zero })
  }

  @Test("A step of 30 ms never fits during motion, and a step that the next commit needs is not deferred")
  func longSteps() {
    let (harness, participant) = makeHarness()
    harness.run(frames: 10)
    participant.stepCost = .milliseconds(30)
    participant.remainingSteps = 1
    harness.run(frames: 20)
    #expect(participant.performedSteps.isEmpty)
    participant.stepCost = .milliseconds(15)
    participant.isNeeded = true
    participant.commitCost = { _ in .milliseconds(3) }
    harness.run(frames: 20)
    #expect(participant.performedSteps.isEmpty && participant.records.allSatisfy { $0.hitch == .zero })
  }

  @Test("A hitch because of a deferred step is a slack overrun")
  func overrun() {
    let (harness, participant) = makeHarness()
    harness.run(frames: 10)
    participant.stepCost = .milliseconds(20)
    participant.commitCost = { $0 == 10 || $0 == 11 ? .milliseconds(9) : .milliseconds(1) }
    participant.remainingSteps = 1
    harness.run(frames: 3)
    #expect(participant.performedSteps == ["deferred 10"])
    #expect(participant.records[11].hitchClass == .slackOverrun)
    #expect(participant.records[11].hitch == .milliseconds(6))
  }

  @Test("At rest steps run consecutively until input arrives, and the next frame is the first after idle")
  func atRest() {
    let (harness, participant) = makeHarness()
    participant.isTracked = false
    harness.run(frames: 10)
    participant.stepCost = .milliseconds(30)
    participant.remainingSteps = 5
    harness.run(frames: 1)
    #expect(participant.performedSteps == Array(repeating: "deferred 10", count: 5))
    participant.isTracked = true
    harness.run(frames: 1)
    #expect(participant.records[11].isFirstAfterIdle && participant.records[11].hitch == .zero)
    #expect(participant.records[11].target > participant.records[10].target + .milliseconds(130))
    #expect(participant.records[11].deferredStepDelay == .zero)
  }

  /// A participant that collects arrivals on the virtual clock and records when.
  final class ArrivalRecorder: FrameParticipant {
    let clock: SimulatedClock
    var pendingArrivals: [FrameInstant] = []
    private(set) var instants: [FrameInstant] = []
    init(clock: SimulatedClock) { self.clock = clock }
    var nextArrival: FrameInstant? { pendingArrivals.first }
    func collect(_ budget: FrameBudget) {
      while let due = pendingArrivals.first, due <= clock.now() {
        pendingArrivals.removeFirst()
        instants.append(clock.now())
      }
    }
  }

  /// Returns an idle harness with a participant that has eight steps of 30 ms, and a recorder of arrivals.
  private func makeIdleHarness() -> (harness: WindowHarness, participant: StepParticipant, recorder: ArrivalRecorder) {
    let (harness, participant) = makeHarness()
    let recorder = ArrivalRecorder(clock: harness.clock)
    harness.window.addParticipant(recorder)
    participant.isTracked = false
    harness.run(frames: 10)
    participant.stepCost = .milliseconds(30)
    participant.remainingSteps = 8
    return (harness, participant, recorder)
  }

  @Test("An arrival at the start of consecutive steps waits for 100 ms at most")
  func arrivalBeforeSteps() throws {
    let (harness, participant, recorder) = makeIdleHarness()
    let start = harness.clock.now()
    recorder.pendingArrivals = [start + .milliseconds(20)]
    harness.run(frames: 1)
    #expect(participant.remainingSteps == 4, "four steps take longer than 100 ms, three do not")
    harness.run(frames: 1)
    let instants = try #require(recorder.instants.first)
    #expect(instants - start >= .milliseconds(100) && instants - start < .milliseconds(100 + 30 + 16))
  }

  @Test("An arrival during consecutive steps is collected after the current step")
  func arrivalDuringSteps() throws {
    func run() -> (steps: Int, instants: [FrameInstant], start: FrameInstant, digest: String) {
      let (harness, participant, recorder) = makeIdleHarness()
      let start = harness.clock.now()
      recorder.pendingArrivals = [start + .milliseconds(100), start + .milliseconds(101)]
      harness.run(frames: 2)
      return (8 - participant.remainingSteps, recorder.instants, start, harness.loop.frameDigest.text)
    }
    let first = run()
    #expect(first.steps == 8)
    #expect(first.instants.count == 2)
    let latest = try #require(first.instants.last)
    #expect(latest - first.start < .milliseconds(100 + 30 + 16), "not after all eight steps")
    let second = run()
    #expect(second.instants == first.instants && second.digest == first.digest)
  }
}
