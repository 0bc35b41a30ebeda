import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Image scheduler: workers of two priorities")
struct ImageSchedulerPriorityTests {
  private func photo(_ source: Int) -> ImageRequest {
    ImageRequest(key: key(source), source: .generated(UInt64(source)), fileBytes: 3_000_000)
  }

  /// Returns a harness whose workers 0 and 1 decode images on screen, and 2 and 3 prefetch.
  private func harness(backlogLimit: Int = 64 << 20) -> SchedulerHarness {
    SchedulerHarness(workers: 4, screenWorkers: 0..<2, backlogLimit: backlogLimit)
  }

  /// Returns a harness whose worker 2 is starved while it decodes an image that has moved on screen.
  private func starvedHarness() -> SchedulerHarness {
    var harness = harness()
    harness.requestImage(photo(1), by: 50)
    harness.handle(.starved(worker: 2))
    harness.updateDeadline(of: key(1), to: -3)
    return harness
  }

  @Test("Images on screen go to the screen's workers, prefetched ones to the others")
  func workerKinds() {
    var harness = harness()
    for source in 1...3 { harness.requestImage(photo(source), by: Double(source)) }
    #expect(harness.runningSources == [nil, nil, 1, 2])
    for source in 4...6 { harness.requestImage(photo(source), by: -1) }
    #expect(harness.runningSources == [4, 5, 1, 2])
    #expect(harness.scheduler.hasWaitingImageOnScreen)
    harness.finish(2)
    // The next request is on screen, so the other workers do not take it.
    #expect(harness.runningSources == [4, 5, nil, 2])
    harness.finish(0)
    #expect(harness.runningSources == [6, 5, 3, 2])
    #expect(!harness.scheduler.hasWaitingImageOnScreen)
    #expect(harness.interrupted.isEmpty)
  }

  @Test("An image that moves on screen stays with its worker unless that is starved")
  func keepsWorker() {
    var harness = harness()
    harness.requestImage(photo(1), by: 50)
    harness.updateDeadline(of: key(1), to: -1)
    #expect(harness.runningSources == [nil, nil, 1, nil])
    harness.handle(.starved(worker: 2))
    #expect(harness.runningSources == [1, nil, 1, nil])
  }

  @Test("An image of a starved worker gets a second worker when it moves on screen")
  func waits() {
    var harness = harness()
    harness.requestImage(photo(1), by: 50)
    harness.handle(.starved(worker: 2))
    #expect(harness.runningSources == [nil, nil, 1, nil])
    harness.requestImage(photo(1), by: -1)
    #expect(harness.runningSources == [1, nil, 1, nil])
  }

  @Test("The most urgent image on screen goes first, whether it is starved or waiting")
  func order() {
    var harness = harness()
    for source in 1...2 { harness.requestImage(photo(source), by: -20) }
    harness.requestImage(photo(3), by: 50)
    harness.handle(.starved(worker: 2))
    harness.updateDeadline(of: key(3), to: -5)
    harness.requestImage(photo(4), by: -9)
    harness.requestImage(photo(5), by: -1)
    harness.finish(0)
    #expect(harness.runningSources == [4, 2, 3, nil])
    harness.finish(1)
    #expect(harness.runningSources == [4, 3, 3, nil])
    harness.finish(1)
    #expect(harness.interrupted == [3])
    #expect(harness.runningSources == [4, 5, 3, nil])
  }

  @Test("The first of two decodes counts, whichever it is", arguments: [0, 2])
  func fasterCounts(first: Int) {
    var harness = starvedHarness()
    #expect(harness.runningSources == [1, nil, 1, nil])
    harness.finish(first)
    #expect(harness.interrupted == [1])
    harness.finish(2 - first, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.count == 1)
    #expect(harness.scheduler.counts.decoded == 1)
    #expect(harness.scheduler.running == 0)
  }

  @Test("If one of two workers crashes, the other one delivers the image", arguments: [0, 2])
  func oneOfTwo(first: Int) {
    var harness = starvedHarness()
    harness.finish(first, .failure(.decoderCrashed))
    harness.finish(2 - first)
    harness.collect()
    #expect(harness.deliveries.count == 1)
    let failure = harness.scheduler.failure(for: key(1))
    #expect(failure == nil)
  }

  @Test("A file that crashes both processes has failed")
  func crashesBoth() {
    var harness = starvedHarness()
    harness.finish(2, .failure(.decoderCrashed))
    #expect(harness.runningSources == [1, nil, nil, nil])
    harness.finish(0, .failure(.decoderCrashed))
    harness.collect()
    #expect(harness.deliveries.count == 1)
    let failure = harness.scheduler.failure(for: key(1))
    #expect(failure == .decoderCrashed)
    #expect(harness.scheduler.running == 0)
  }

  @Test("Cancelling the last request interrupts both workers, and a new request decodes the image again")
  func cancels() {
    var harness = starvedHarness()
    harness.cancel(key(1))
    #expect(harness.interrupted == [1, 1])
    harness.requestImage(photo(1), by: -3)
    harness.finish(2, .failure(.interrupted))
    harness.finish(0, .failure(.interrupted))
    #expect(harness.runningSources.compactMap { $0 } == [1])
    for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
    harness.collect()
    #expect(harness.deliveries.count == 1)
  }

  @Test(
    "With random events every request ends once, and equal events have equal effects",
    arguments: TestScale.seeds(0..<30))
  func endsOnce(seed: Int) {
    let first = run(seed)
    #expect(first.pending.isEmpty)
    #expect(first.scheduler.running == 0)
    #expect(first.scheduler.counts.delivered + first.scheduler.counts.failed == first.deliveries.count { $0.isFinal })
    #expect(first.log.contains { $0.hasPrefix("start 0 ") } && first.log.contains { $0.hasPrefix("start 2 ") })
    #expect(run(seed).log == first.log)
  }

  private func run(_ seed: Int) -> SchedulerHarness {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = harness(backlogLimit: 40)
    for _ in 0..<1_500 {
      let source = Int.random(in: 0..<30, using: &random)
      let moment = Double.random(in: -50..<50, using: &random)
      let request = ImageRequest(
        key: key(source), source: .file(path: [1]), fileBytes: source * 200_000, hasPreview: source.isMultiple(of: 2))
      let busy = harness.jobs.indices.filter { harness.jobs[$0] != nil }
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<7: harness.requestImage(request, by: moment)
      case 7..<9: harness.cancel(key(source))
      case 9..<12: harness.updateDeadline(of: key(source), to: moment)
      case 12..<17:
        guard let worker = busy.randomElement(using: &random), let job = harness.jobs[worker] else { continue }
        let isInterrupted = harness.interruptedJobs.contains(job.number) && Bool.random(using: &random)
        let hasCrashed = Int.random(in: 0..<10, using: &random) == 0
        harness.finish(worker, isInterrupted ? .failure(.interrupted) : hasCrashed ? .failure(.decoderCrashed) : nil)
      case 17..<20:
        if let worker = busy.randomElement(using: &random) { harness.handle(.starved(worker: worker)) }
      default: harness.handle(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      }
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    return harness
  }
}
