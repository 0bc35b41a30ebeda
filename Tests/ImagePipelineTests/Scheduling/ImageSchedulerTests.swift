import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Image scheduler: order, coalescing, cancellation")
struct ImageSchedulerTests {
  @Test("The earliest deadline goes first, and the earlier request among equal ones")
  func earliestFirst() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: 0)
    for (source, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 5)] {
      harness.requestImage(source, by: Double(deadline))
    }
    var order: [UInt64?] = []
    for _ in 0..<6 {
      order.append(harness.runningSources[0])
      harness.finish(0)
    }
    #expect(order == [0, 5, 2, 4, 3, 1])
  }

  @Test("Changed deadlines determine the order", arguments: TestScale.seeds(0..<20))
  func changedDeadlines(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: 0)
    var deadlines: [Int: Int] = [:]
    for source in 1...100 {
      deadlines[source] = Int.random(in: 0..<50, using: &random)
      harness.requestImage(source, by: Double(deadlines[source] ?? 0))
    }
    for _ in 0..<200 {
      let source = Int.random(in: 1...100, using: &random)
      let deadline = Int.random(in: 0..<50, using: &random)
      deadlines[source] = deadline
      harness.updateDeadline(of: key(source), to: Double(deadline))
    }
    var order: [UInt64] = []
    for _ in 0...100 {
      harness.finish(0)
      if let source = harness.runningSources[0] { order.append(source) }
    }
    let expected = (1...100).sorted { (deadlines[$0] ?? 0, $0) < (deadlines[$1] ?? 0, $1) }
    #expect(order == expected.map { UInt64($0) })
  }

  @Test("Requests for one key share a job, a delivery and the earliest deadline")
  func coalesces() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: 0)
    harness.requestImage(1, by: 10)
    harness.requestImage(2, by: 20)
    harness.requestImage(2, by: 5)
    harness.requestImage(2, by: 30)
    harness.finish(0)
    #expect(harness.runningSources == [2])
    harness.requestImage(2, by: 1)
    harness.finish(0)
    harness.requestImage(2, by: 1)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [0, 2, 1])
    #expect(harness.scheduler.counts.coalesced == 4)
    #expect(harness.scheduler.counts.decoded == 3)
  }

  @Test("Keys that differ in size or fit are different")
  func otherKeys() {
    var harness = SchedulerHarness(workers: 3)
    harness.requestImage(1, by: 0)
    harness.requestImage(1, by: 0, side: 2)
    let fitting = ImageRequest(key: key(1, fit: .fit), source: .generated(1))
    harness.requestImage(fitting, by: 0)
    #expect(harness.scheduler.running == 3)
    #expect(harness.scheduler.counts.coalesced == 0)
  }

  @Test("A waiting request that is cancelled is never started")
  func cancelsWaiting() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: 0)
    harness.requestImage(1, by: 1)
    harness.requestImage(2, by: 2)
    harness.cancel(key(1))
    harness.finish(0)
    #expect(harness.runningSources == [2])
    harness.cancel(key(1))
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("A running job that is cancelled keeps its worker, and its image is cached but not delivered")
  func cancelsRunning() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.requestImage(2, by: 0)
    harness.cancel(key(1))
    #expect(harness.runningSources == [1])
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.cached == [key(1)])
    #expect(harness.runningSources == [2])
  }

  @Test("An arrival that is cancelled before it is collected is cached but not delivered")
  func cancelsArrived() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0)
    harness.cancel(key(1))
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.cached == [key(1)])
  }

  @Test("A request after a cancellation joins the running or finished job", arguments: [true, false])
  func joinsAgain(whileRunning: Bool) {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    if !whileRunning { harness.finish(0) }
    harness.cancel(key(1))
    harness.requestImage(1, by: 0)
    if whileRunning { harness.finish(0) }
    harness.collect()
    #expect(harness.deliveries.map(\.key) == [key(1)])
    #expect(harness.cached.isEmpty)
    #expect(harness.scheduler.counts.decoded == 1)
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("Workers that are not ready receive no job, and the lowest ready one comes first")
  func readiness() {
    var harness = SchedulerHarness(workers: 3, ready: false)
    harness.requestImage(1, by: 1)
    harness.requestImage(2, by: 2)
    #expect(harness.scheduler.running == 0)
    harness.handle(.workerIdle(2))
    #expect(harness.runningSources == [nil, nil, 1])
    harness.handle(.workerIdle(1))
    harness.handle(.workerIdle(0))
    #expect(harness.runningSources == [nil, 2, 1])
    harness.requestImage(3, by: 3)
    #expect(harness.runningSources == [3, 2, 1])
  }

  @Test("A result of another job than the worker's current one is ignored")
  func staleResult() {
    var scheduler = ImageScheduler(workers: 1)
    _ = scheduler.handle(.workerIdle(0))
    _ = scheduler.handle(.request(request(1), ImageTicket(number: 1), deadline: at(0), at: at(0)))
    let effects = scheduler.handle(.finished(worker: 0, job: 99, outcome: generatedImage(key(1)), duration: .zero))
    #expect(effects.isEmpty)
    #expect(scheduler.running == 1)
    #expect(scheduler.isPending(key(1)))
  }

  @Test("After a stop no job starts, and every request has ended")
  func stops() {
    var harness = SchedulerHarness(workers: 1)
    for source in 0..<5 { harness.requestImage(source, by: 0) }
    harness.finish(0)
    harness.handle(.stop)
    #expect(harness.scheduler.counts.cancelled == 5)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.scheduler.running == 0)
    let late = harness.scheduler.handle(
      .request(request(9), ImageTicket(number: 99), deadline: at(0), at: at(0)))
    #expect(late.isEmpty)
    #expect(!harness.scheduler.isPending(key(9)))
  }

  @Test("A collect stays within its limit of pixels, but always takes one arrival")
  func bounded() {
    var harness = SchedulerHarness(workers: 1)
    for source in 0..<6 { harness.requestImage(source, by: Double(source), side: 10) }
    for _ in 0..<6 { harness.finish(0) }
    harness.handle(.collect(atMost: 999, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1])
    harness.handle(.collect(atMost: 0, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1, 2])
    harness.handle(.collect(atMost: 1_200, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1, 2, 3, 4, 5])
  }

  @Test("No job starts while too many pixels wait to be collected")
  func backlog() {
    var harness = SchedulerHarness(workers: 1, backlogLimit: 1_000)
    for source in 0..<6 { harness.requestImage(source, by: Double(source), side: 10) }
    for _ in 0..<3 { harness.finish(0) }
    #expect(harness.scheduler.running == 0)
    #expect(harness.scheduler.waitingCount == 3)
    harness.handle(.collect(atMost: 400, at: at(0)))
    #expect(harness.runningSources == [3])
  }
}

// MARK: - Image scheduler: invariants under random events

@Suite("Image scheduler: invariants under random events")
struct ImageSchedulerPropertyTests {
  /// Runs random events, which the harness checks one by one, and then finishes and collects everything.
  private func run(seed: Int, workers: Int) -> SchedulerHarness {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: workers, backlogLimit: 40)
    for _ in 0..<1_500 {
      let source = Int.random(in: 0..<40, using: &random)
      let moment = Double.random(in: 0..<100, using: &random)
      let busy = harness.jobs.indices.filter { harness.jobs[$0] != nil }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8: harness.requestImage(source, by: moment)
      case 8..<10: harness.cancel(key(source))
      case 10..<12: harness.updateDeadline(of: key(source), to: moment)
      case 12..<17:
        if let worker = busy.randomElement(using: &random) { harness.finish(worker, outcome(&random)) }
      case 17..<19: harness.handle(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      default: harness.now = harness.now + .seconds(1)
      }
      let mayStart = harness.scheduler.waitingCount > 0 && harness.scheduler.arrivedCount == 0
      #expect(!mayStart || harness.scheduler.running == workers, "a worker is idle while requests wait")
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    return harness
  }

  private func outcome(_ random: inout SeededGenerator) -> ImageOutcome? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .failure(.refused(.damaged))
    case 1: .failure(.decoderCrashed)
    case 2: .failure(.interrupted)
    default: nil
    }
  }

  @Test("Every request ends exactly once, and no cancelled one is delivered", arguments: TestScale.seeds(0..<30))
  func endsOnce(seed: Int) {
    let harness = run(seed: seed, workers: 1 + seed % 4)
    #expect(harness.pending.isEmpty)
    #expect(harness.scheduler.counts.delivered + harness.scheduler.counts.failed == harness.deliveries.count)
    #expect(harness.scheduler.counts.requested > 300)
    #expect(harness.scheduler.counts.cancelled > 0)
    #expect(harness.scheduler.counts.coalesced > 0)
  }

  @Test("Equal events have equal effects", arguments: TestScale.seeds(0..<10))
  func isDeterministic(seed: Int) {
    let first = run(seed: seed, workers: 3)
    let second = run(seed: seed, workers: 3)
    #expect(first.log == second.log)
    #expect(first.scheduler.counts == second.scheduler.counts)
    #expect(first.log.count > 500)
  }
}
