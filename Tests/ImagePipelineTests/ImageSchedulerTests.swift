import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: order, coalescing, cancellation")
struct ImageSchedulerTests {
  @Test("the earliest deadline goes first, of equal ones the one asked for first")
  func earliestFirst() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: 0)
    for (source, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 5)] { harness.ask(source, by: Double(deadline)) }
    var order: [UInt64?] = []
    for _ in 0..<6 {
      order.append(harness.runningSources[0])
      harness.finish(0)
    }
    #expect(order == [0, 5, 2, 4, 3, 1])
  }

  @Test("with changed deadlines the order is that of the last ones", arguments: 0..<20)
  func changedDeadlines(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: 0)
    var deadlines: [Int: Int] = [:]
    for source in 1...100 {
      deadlines[source] = Int.random(in: 0..<50, using: &random)
      harness.ask(source, by: Double(deadlines[source] ?? 0))
    }
    for _ in 0..<200 {
      let source = Int.random(in: 1...100, using: &random)
      let deadline = Int.random(in: 0..<50, using: &random)
      deadlines[source] = deadline
      harness.move(key(source), to: Double(deadline))
    }
    var order: [UInt64] = []
    for _ in 0...100 {
      harness.finish(0)
      if let source = harness.runningSources[0] { order.append(source) }
    }
    let expected = (1...100).sorted { (deadlines[$0] ?? 0, $0) < (deadlines[$1] ?? 0, $1) }
    #expect(order == expected.map { UInt64($0) })
  }

  @Test("requests for one key are one: one job, one delivery, the earliest deadline")
  func coalesces() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: 0)
    harness.ask(1, by: 10)
    harness.ask(2, by: 20)
    harness.ask(2, by: 5)
    harness.ask(2, by: 30)
    harness.finish(0)
    #expect(harness.runningSources == [2])
    harness.ask(2, by: 1)
    harness.finish(0)
    harness.ask(2, by: 1)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [0, 2, 1])
    #expect(harness.scheduler.counts.coalesced == 4)
    #expect(harness.scheduler.counts.decoded == 3)
  }

  @Test("keys of another size or fit are others")
  func otherKeys() {
    var harness = SchedulerHarness(workers: 3)
    harness.ask(1, by: 0)
    harness.ask(1, by: 0, side: 2)
    let fitting = ImageRequest(key: key(1, fit: .fit), source: .generated(1))
    harness.ask(fitting, by: 0)
    #expect(harness.scheduler.running == 3)
    #expect(harness.scheduler.counts.coalesced == 0)
  }

  @Test("a waiting request that is cancelled is never started")
  func cancelsWaiting() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: 0)
    harness.ask(1, by: 1)
    harness.ask(2, by: 2)
    harness.cancel(key(1))
    harness.finish(0)
    #expect(harness.runningSources == [2])
    harness.cancel(key(1))
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("a running job that is cancelled keeps its worker; its picture is kept and not delivered")
  func cancelsRunning() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.ask(2, by: 0)
    harness.cancel(key(1))
    #expect(harness.runningSources == [1])
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.kept == [key(1)])
    #expect(harness.runningSources == [2])
  }

  @Test("what has arrived and is cancelled before it is collected is kept and not delivered")
  func cancelsArrived() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0)
    harness.cancel(key(1))
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.kept == [key(1)])
  }

  @Test("a running job that is cancelled and asked for again is joined, not repeated", arguments: [true, false])
  func joinsAgain(whileRunning: Bool) {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    if !whileRunning { harness.finish(0) }
    harness.cancel(key(1))
    harness.ask(1, by: 0)
    if whileRunning { harness.finish(0) }
    harness.collect()
    #expect(harness.deliveries.map(\.key) == [key(1)])
    #expect(harness.kept.isEmpty)
    #expect(harness.scheduler.counts.decoded == 1)
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("workers that are not ready get nothing, and the lowest ready one goes first")
  func readiness() {
    var harness = SchedulerHarness(workers: 3, ready: false)
    harness.ask(1, by: 1)
    harness.ask(2, by: 2)
    #expect(harness.scheduler.running == 0)
    harness.tell(.workerIdle(2))
    #expect(harness.runningSources == [nil, nil, 1])
    harness.tell(.workerIdle(1))
    harness.tell(.workerIdle(0))
    #expect(harness.runningSources == [nil, 2, 1])
    harness.ask(3, by: 3)
    #expect(harness.runningSources == [3, 2, 1])
  }

  @Test("a result of another job than the worker's is ignored")
  func staleResult() {
    var scheduler = ImageScheduler(workers: 1)
    _ = scheduler.handle(.workerIdle(0))
    _ = scheduler.handle(.request(request(1), ImageTicket(number: 1), deadline: at(0), at: at(0)))
    let effects = scheduler.handle(.finished(worker: 0, job: 99, outcome: picture(key(1)), took: .zero))
    #expect(effects.isEmpty)
    #expect(scheduler.running == 1)
    #expect(scheduler.isPending(key(1)))
  }

  @Test("after a stop nothing starts, and every request has ended")
  func stops() {
    var harness = SchedulerHarness(workers: 1)
    for source in 0..<5 { harness.ask(source, by: 0) }
    harness.finish(0)
    harness.tell(.stop)
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

  @Test("the collected pixels stay within the bound, but one arrival is always taken")
  func bounded() {
    var harness = SchedulerHarness(workers: 1)
    for source in 0..<6 { harness.ask(source, by: Double(source), side: 10) }
    for _ in 0..<6 { harness.finish(0) }
    harness.tell(.collect(atMost: 999, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1])
    harness.tell(.collect(atMost: 0, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1, 2])
    harness.tell(.collect(atMost: 1_200, at: at(0)))
    #expect(harness.deliveries.map(\.key.source) == [0, 1, 2, 3, 4, 5])
  }

  @Test("no job starts while too many pixels wait to be collected")
  func backlog() {
    var harness = SchedulerHarness(workers: 1, backlogLimit: 1_000)
    for source in 0..<6 { harness.ask(source, by: Double(source), side: 10) }
    for _ in 0..<3 { harness.finish(0) }
    #expect(harness.scheduler.running == 0)
    #expect(harness.scheduler.waitingCount == 3)
    harness.tell(.collect(atMost: 400, at: at(0)))
    #expect(harness.runningSources == [3])
  }
}
