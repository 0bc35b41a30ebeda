import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Image scheduler: preemption and tickets")
struct ImageSchedulerPreemptionTests {
  private func photo(_ source: Int, bytes: Int = 3_000_000) -> ImageRequest {
    ImageRequest(key: key(source), source: .generated(UInt64(source)), fileBytes: bytes)
  }

  @Test("An image on screen preempts the job with the latest deadline, once, which is decoded later")
  func preempts() {
    var harness = SchedulerHarness(workers: 2)
    harness.requestImage(photo(1), by: 100)
    harness.requestImage(photo(2), by: 300)
    harness.requestImage(photo(3), by: -5)
    harness.requestImage(photo(4), by: -4)
    #expect(harness.interrupted == [2])
    harness.finish(1, .failure(.interrupted))
    #expect(harness.runningSources == [1, 3])
    // One worker already decodes for the screen, so the other one is not preempted.
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

  @Test("A short job is not preempted")
  func shortJobs() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1, bytes: 500_000), by: 100)
    harness.requestImage(photo(2), by: -5)
    #expect(harness.interrupted.isEmpty)
  }

  @Test("A waiting request that moves on screen preempts a job too")
  func movesOnScreen() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: 100)
    harness.requestImage(photo(2), by: 200)
    harness.updateDeadline(of: key(2), to: -1)
    #expect(harness.interrupted == [1])
  }

  @Test("A job that finishes despite the interruption is delivered")
  func finishesBeforeInterruption() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: 100)
    harness.requestImage(photo(2), by: -5)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [1])
    #expect(harness.runningSources == [2])
  }

  @Test("A running job is interrupted when its last request is cancelled, not before")
  func lastCancellation() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.requestImage(1, by: 5)
    let tickets = harness.pending[key(1)] ?? []
    #expect(tickets.count == 2)
    harness.handle(.cancel(tickets[0]))
    #expect(harness.interrupted.isEmpty)
    harness.handle(.cancel(tickets[1]))
    #expect(harness.interrupted == [1])
    harness.finish(0, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    #expect(harness.scheduler.counts.cancelled == 1)
  }

  @Test("A job that was interrupted and is requested again is decoded again")
  func requestedAgain() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.cancel(key(1))
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.interrupted))
    #expect(harness.runningSources == [1])
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [1])
  }

  @Test("When the most urgent request is cancelled, the deadline of the others applies")
  func deadlineOfTheRest() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: 0)
    harness.requestImage(1, by: 5)
    harness.requestImage(1, by: 50)
    harness.requestImage(2, by: 20)
    if let first = harness.pending[key(1)]?.first { harness.handle(.cancel(first)) }
    harness.finish(0)
    #expect(harness.runningSources == [2])
  }

  @Test("Tickets of finished requests have no effect")
  func finishedTickets() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    let finished = harness.pending[key(1)] ?? []
    harness.finish(0)
    harness.collect()
    harness.requestImage(1, by: 7)
    for ticket in finished {
      harness.handle(.updateDeadline(ticket, at(-9)))
      harness.handle(.cancel(ticket))
    }
    #expect(harness.runningSources == [1])
    #expect(harness.interrupted.isEmpty)
  }

  @Test("With random requests on and off screen every request ends once", arguments: TestScale.seeds(0..<30))
  func endsOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 1 + seed % 3, backlogLimit: 40)
    for _ in 0..<1_500 {
      let source = Int.random(in: 0..<30, using: &random)
      let moment = Double.random(in: -50..<100, using: &random)
      let request = ImageRequest(
        key: key(source), source: .file(path: [1]), fileBytes: source * 200_000, hasPreview: source.isMultiple(of: 2))
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<7: harness.requestImage(request, by: moment)
      case 7..<9: harness.cancel(key(source))
      case 9..<12: harness.updateDeadline(of: key(source), to: moment)
      case 12..<17:
        let busy = harness.jobs.indices.filter { harness.jobs[$0] != nil }
        guard let worker = busy.randomElement(using: &random), let job = harness.jobs[worker] else { continue }
        let isInterrupted = harness.interrupted.contains(job.request.key.source) && Bool.random(using: &random)
        harness.finish(worker, isInterrupted ? .failure(.interrupted) : nil)
      default: harness.handle(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      }
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    #expect(harness.pending.isEmpty)
    #expect(harness.scheduler.counts.previews > 0)
    #expect(harness.scheduler.counts.interrupted > 0)
    #expect(harness.scheduler.counts.cancelled > 0)
  }
}
