import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: a worker for the screen, and tickets")
struct ImageSchedulerScreenTests {
  private func photo(_ source: Int, bytes: Int = 3_000_000) -> ImageRequest {
    ImageRequest(key: key(source), source: .generated(UInt64(source)), fileBytes: bytes)
  }

  @Test("what is on screen takes the worker of what is needed last, once, and that goes on later")
  func makesRoom() {
    var harness = SchedulerHarness(workers: 2)
    harness.ask(photo(1), by: 100)
    harness.ask(photo(2), by: 300)
    harness.ask(photo(3), by: -5)
    harness.ask(photo(4), by: -4)
    #expect(harness.interrupted == [2])
    harness.finish(1, .failure(.interrupted))
    #expect(harness.runningSources == [1, 3])
    // One worker works for the screen: the other is left alone.
    #expect(harness.interrupted == [2])
    harness.finish(1)
    #expect(harness.runningSources == [1, 4])
    harness.finish(1)
    #expect(harness.runningSources == [1, 2])
    harness.finish(0)
    harness.finish(1)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [3, 4, 1, 2])
    #expect(harness.scheduler.counts.interrupted == 1)
    #expect(harness.scheduler.counts.failed == 0)
  }

  @Test("a job that is done in a moment is not stopped for the screen")
  func shortJobs() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1, bytes: 500_000), by: 100)
    harness.ask(photo(2), by: -5)
    #expect(harness.interrupted.isEmpty)
  }

  @Test("a request that comes on screen while it waits takes a worker too")
  func movesOnScreen() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: 100)
    harness.ask(photo(2), by: 200)
    harness.move(key(2), to: -1)
    #expect(harness.interrupted == [1])
  }

  @Test("a job that could not be stopped any more is delivered")
  func tooLate() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: 100)
    harness.ask(photo(2), by: -5)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [1])
    #expect(harness.runningSources == [2])
  }

  @Test("a running job is told to stop when the last who wait for it leave, and not before")
  func lastLeaves() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.ask(1, by: 5)
    let tickets = harness.wanted[key(1)] ?? []
    #expect(tickets.count == 2)
    harness.tell(.cancel(tickets[0]))
    #expect(harness.interrupted.isEmpty)
    harness.tell(.cancel(tickets[1]))
    #expect(harness.interrupted == [1])
    harness.finish(0, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("a job that was stopped and is wanted again is done again")
  func wantedAgain() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.cancel(key(1))
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.interrupted))
    #expect(harness.runningSources == [1])
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [1])
  }

  @Test("when the most urgent of those who wait leaves, the others' deadline holds")
  func deadlineOfTheRest() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: 0)
    harness.ask(1, by: 5)
    harness.ask(1, by: 50)
    harness.ask(2, by: 20)
    if let first = harness.wanted[key(1)]?.first { harness.tell(.cancel(first)) }
    harness.finish(0)
    #expect(harness.runningSources == [2])
  }

  @Test("a ticket is used once: of what has ended it moves and cancels nothing")
  func spentTickets() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    let spent = harness.wanted[key(1)] ?? []
    harness.finish(0)
    harness.collect()
    harness.ask(1, by: 7)
    for ticket in spent {
      harness.tell(.updateDeadline(ticket, at(-9)))
      harness.tell(.cancel(ticket))
    }
    #expect(harness.runningSources == [1])
    #expect(harness.interrupted.isEmpty)
  }

  @Test("with random events on and off the screen every request ends once", arguments: 0..<30)
  func endsOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 1 + seed % 3, backlogLimit: 40)
    for _ in 0..<1_500 {
      let source = Int.random(in: 0..<30, using: &random)
      let moment = Double.random(in: -50..<100, using: &random)
      let request = ImageRequest(
        key: key(source), source: .file(path: [1]), fileBytes: source * 200_000, hasPreview: source.isMultiple(of: 2))
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<7: harness.ask(request, by: moment)
      case 7..<9: harness.cancel(key(source))
      case 9..<12: harness.move(key(source), to: moment)
      case 12..<17:
        let busy = harness.jobs.indices.filter { harness.jobs[$0] != nil }
        guard let worker = busy.randomElement(using: &random), let job = harness.jobs[worker] else { continue }
        let isStopped = harness.interrupted.contains(job.request.key.source) && Bool.random(using: &random)
        harness.finish(worker, isStopped ? .failure(.interrupted) : nil)
      default: harness.tell(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      }
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    #expect(harness.wanted.isEmpty)
    #expect(harness.scheduler.counts.previews > 0)
    #expect(harness.scheduler.counts.interrupted > 0)
    #expect(harness.scheduler.counts.cancelled > 0)
  }
}
