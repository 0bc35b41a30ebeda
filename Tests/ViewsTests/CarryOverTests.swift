import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("A step that does not fit before presenting may hold the next frame up")
struct CarryOverTests {
  /// Spends so much in each commit, and has work ahead in steps of one cost.
  final class Worker: FrameParticipant {
    let clock: SimulatedClock
    /// The cost of a commit, by the number of the frame.
    var commitCost: (Int) -> FrameDuration = { _ in .milliseconds(1) }
    var stepCost = FrameDuration.milliseconds(12)
    var stepsLeft = 0
    /// Whether the next commit needs something that is not prepared.
    var isNeeded = false
    /// Steps that were taken, by where: `slack` or `over` and the frame.
    private(set) var taken: [String] = []
    private(set) var records: [FrameRecord] = []
    /// Whether it says that it may have such a step.
    var says = true
    private var frame = -1

    init(clock: SimulatedClock) { self.clock = clock }

    var needsFrames: Bool { true }
    var isTracked = true

    func commit(_ record: inout FrameRecord) {
      frame += 1
      clock.spend(commitCost(frame))
    }

    func performSlackStep(_ budget: FrameBudget) -> Bool { step("slack", budget) }

    var hasDeferredSteps: Bool { says && !isNeeded }

    func performDeferredStep(_ budget: FrameBudget) -> Bool { !isNeeded && step("over", budget) }

    func frameDidEnd(_ record: FrameRecord) { records.append(record) }

    private func step(_ place: String, _ budget: FrameBudget) -> Bool {
      guard stepsLeft > 0, budget.allows(stepCost) else { return false }
      stepsLeft -= 1
      taken.append("\(place) \(frame)")
      clock.spend(stepCost)
      return true
    }
  }

  private func worker() -> (WindowHarness, Worker) {
    let stage = WindowHarness(root: View(frame: .zero))
    let worker = Worker(clock: stage.clock)
    stage.window.addParticipant(worker)
    return (stage, worker)
  }

  @Test("Slack of 10 ms and a cell of 12 ms: prepared after presenting, and no frame is late")
  func talk() {
    let (stage, worker) = worker()
    // A commit of 6 ms leaves 10 of 16; the one after it is short.
    worker.commitCost = { $0 == 10 ? .milliseconds(6) : .milliseconds(1) }
    stage.run(frames: 10)
    worker.stepsLeft = 1
    stage.run(frames: 4)
    #expect(worker.taken == ["over 10"])
    #expect(worker.records.allSatisfy { $0.hitch == .zero })
    #expect(worker.records[11].deferredStepDelay == .milliseconds(2), "ten of the twelve were done by the refresh")
    #expect(worker.records[11].overrun < .zero && worker.records[12].deferredStepDelay == .zero)
  }

  @Test("While something moves nobody is asked who has no such step; at rest everybody is")
  func saysNo() {
    let (stage, worker) = worker()
    worker.says = false
    worker.commitCost = { $0 == 10 ? .milliseconds(6) : .milliseconds(1) }
    stage.run(frames: 10)
    worker.stepsLeft = 1
    stage.run(frames: 1)
    #expect(worker.taken.isEmpty)
    worker.isTracked = false
    worker.stepCost = .milliseconds(30)
    stage.run(frames: 1)
    #expect(worker.taken == ["over 11"])
  }

  @Test("What fits before presenting is not carried over")
  func fits() {
    let (stage, worker) = worker()
    stage.run(frames: 10)
    worker.stepCost = .milliseconds(4)
    worker.stepsLeft = 6
    stage.run(frames: 3)
    #expect(worker.taken == ["slack 10", "slack 10", "slack 10", "over 10", "slack 11", "slack 11"])
    #expect(worker.records.allSatisfy { $0.hitch == .zero })
  }

  @Test("A cell of 30 ms fits nowhere, and nothing that the next commit needs is put off")
  func tooLong() {
    let (stage, worker) = worker()
    stage.run(frames: 10)
    worker.stepCost = .milliseconds(30)
    worker.stepsLeft = 1
    stage.run(frames: 20)
    #expect(worker.taken.isEmpty)
    worker.stepCost = .milliseconds(15)
    worker.isNeeded = true
    worker.commitCost = { _ in .milliseconds(3) }
    stage.run(frames: 20)
    #expect(worker.taken.isEmpty && worker.records.allSatisfy { $0.hitch == .zero })
  }

  @Test("A frame that is late for a step carried over is our own fault, and says so")
  func overrun() {
    let (stage, worker) = worker()
    stage.run(frames: 10)
    worker.stepCost = .milliseconds(20)
    worker.commitCost = { $0 == 10 || $0 == 11 ? .milliseconds(9) : .milliseconds(1) }
    worker.stepsLeft = 1
    stage.run(frames: 3)
    #expect(worker.taken == ["over 10"])
    #expect(worker.records[11].hitchClass == .slackOverrun)
    #expect(worker.records[11].hitch == .milliseconds(6))
  }

  @Test("While nothing moves steps follow each other until there is input, and the frame after them is one after rest")
  func atRest() {
    let (stage, worker) = worker()
    worker.isTracked = false
    stage.run(frames: 10)
    worker.stepCost = .milliseconds(30)
    worker.stepsLeft = 5
    stage.run(frames: 1)
    #expect(worker.taken == Array(repeating: "over 10", count: 5))
    worker.isTracked = true
    stage.run(frames: 1)
    #expect(worker.records[11].isFirstAfterIdle && worker.records[11].hitch == .zero)
    #expect(worker.records[11].target > worker.records[10].target + .milliseconds(130))
    #expect(worker.records[11].deferredStepDelay == .zero)
  }

  /// Awaits things on the virtual clock, and notes when it takes them.
  final class Reader: FrameParticipant {
    let clock: SimulatedClock
    var dues: [FrameInstant] = []
    private(set) var taken: [FrameInstant] = []
    init(clock: SimulatedClock) { self.clock = clock }
    var nextArrival: FrameInstant? { dues.first }
    func collect(_ budget: FrameBudget) {
      while let due = dues.first, due <= clock.now() {
        dues.removeFirst()
        taken.append(clock.now())
      }
    }
  }

  /// A stage at rest whose worker has eight steps of 30 ms to do, and a reader of what arrives.
  private func resting() -> (stage: WindowHarness, worker: Worker, reader: Reader) {
    let (stage, worker) = worker()
    let reader = Reader(clock: stage.clock)
    stage.window.addParticipant(reader)
    worker.isTracked = false
    stage.run(frames: 10)
    worker.stepCost = .milliseconds(30)
    worker.stepsLeft = 8
    return (stage, worker, reader)
  }

  @Test("What arrives as steps begin to follow each other waits for a tenth of a second at most")
  func patience() throws {
    let (stage, worker, reader) = resting()
    let start = stage.clock.now()
    reader.dues = [start + .milliseconds(20)]
    stage.run(frames: 1)
    #expect(worker.stepsLeft == 4, "four steps take longer than a tenth of a second, three do not")
    stage.run(frames: 1)
    let taken = try #require(reader.taken.first)
    #expect(taken - start >= .milliseconds(100) && taken - start < .milliseconds(100 + 30 + 16))
  }

  @Test("What arrives while steps follow each other is seen after the step that is done by then")
  func arrivals() throws {
    func run() -> (steps: Int, taken: [FrameInstant], start: FrameInstant, digest: String) {
      let (stage, worker, reader) = resting()
      let start = stage.clock.now()
      reader.dues = [start + .milliseconds(100), start + .milliseconds(101)]
      stage.run(frames: 2)
      return (8 - worker.stepsLeft, reader.taken, start, stage.loop.frameDigest.text)
    }
    let first = run()
    #expect(first.steps == 8)
    #expect(first.taken.count == 2)
    let latest = try #require(first.taken.last)
    #expect(latest - first.start < .milliseconds(100 + 30 + 16), "not behind all eight")
    let second = run()
    #expect(second.taken == first.taken && second.digest == first.digest)
  }
}
