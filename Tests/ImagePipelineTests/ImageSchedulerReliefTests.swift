import DecodingProtocol
import FramePacing
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: workers of two priorities")
struct ImageSchedulerReliefTests {
  private func photo(_ source: Int) -> ImageRequest {
    ImageRequest(key: key(source), source: .generated(UInt64(source)), fileBytes: 3_000_000)
  }

  /// Workers 0 and 1 decode what is on screen, 2 and 3 what comes ahead.
  private func harness(backlogLimit: Int = 64 << 20) -> SchedulerHarness {
    SchedulerHarness(workers: 4, screenWorkers: 0..<2, backlogLimit: backlogLimit)
  }

  /// A harness whose worker 2 decodes a picture that has come on screen since and gets no processor.
  private func heldUp() -> SchedulerHarness {
    var harness = harness()
    harness.ask(photo(1), by: 50)
    harness.tell(.starved(worker: 2))
    harness.move(key(1), to: -3)
    return harness
  }

  @Test("What is on screen goes to the screen's workers, what comes ahead to the others")
  func kinds() {
    var harness = harness()
    for source in 1...3 { harness.ask(photo(source), by: Double(source)) }
    #expect(harness.runningSources == [nil, nil, 1, 2])
    for source in 4...6 { harness.ask(photo(source), by: -1) }
    #expect(harness.runningSources == [4, 5, 1, 2])
    harness.finish(2)
    // The next in line is on screen: none of the others' business.
    #expect(harness.runningSources == [4, 5, nil, 2])
    harness.finish(0)
    #expect(harness.runningSources == [6, 5, 3, 2])
    #expect(harness.interrupted.isEmpty)
  }

  @Test("A picture that comes on screen stays with its worker while that gets a processor")
  func stays() {
    var harness = harness()
    harness.ask(photo(1), by: 50)
    harness.move(key(1), to: -1)
    #expect(harness.runningSources == [nil, nil, 1, nil])
    harness.tell(.starved(worker: 2))
    #expect(harness.runningSources == [1, nil, 1, nil])
  }

  @Test("A picture ahead whose process gets no processor waits until it is on screen")
  func waits() {
    var harness = harness()
    harness.ask(photo(1), by: 50)
    harness.tell(.starved(worker: 2))
    #expect(harness.runningSources == [nil, nil, 1, nil])
    harness.ask(photo(1), by: -1)
    #expect(harness.runningSources == [1, nil, 1, nil])
  }

  @Test("The most urgent picture on screen goes first, held up or waiting")
  func order() {
    var harness = harness()
    for source in 1...2 { harness.ask(photo(source), by: -20) }
    harness.ask(photo(3), by: 50)
    harness.tell(.starved(worker: 2))
    harness.move(key(3), to: -5)
    harness.ask(photo(4), by: -9)
    harness.ask(photo(5), by: -1)
    harness.finish(0)
    #expect(harness.runningSources == [4, 2, 3, nil])
    harness.finish(1)
    #expect(harness.runningSources == [4, 3, 3, nil])
    harness.finish(1)
    #expect(harness.interrupted == [3])
    #expect(harness.runningSources == [4, 5, 3, nil])
  }

  @Test("The faster of two is the one that counts, whichever it is", arguments: [0, 2])
  func fasterCounts(first: Int) {
    var harness = heldUp()
    #expect(harness.runningSources == [1, nil, 1, nil])
    harness.finish(first)
    #expect(harness.interrupted == [1])
    harness.finish(2 - first, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.count == 1)
    #expect(harness.scheduler.counts.decoded == 1)
    #expect(harness.scheduler.running == 0)
  }

  @Test("One of two that dies leaves the picture to the other", arguments: [0, 2])
  func oneOfTwo(first: Int) {
    var harness = heldUp()
    harness.finish(first, .failure(.decoderCrashed))
    harness.finish(2 - first)
    harness.collect()
    #expect(harness.deliveries.count == 1)
    let failure = harness.scheduler.failure(for: key(1))
    #expect(failure == nil)
  }

  @Test("A file that ends both processes has failed")
  func endsBoth() {
    var harness = heldUp()
    harness.finish(2, .failure(.decoderCrashed))
    #expect(harness.runningSources == [1, nil, nil, nil])
    harness.finish(0, .failure(.decoderCrashed))
    harness.collect()
    #expect(harness.deliveries.count == 1)
    let failure = harness.scheduler.failure(for: key(1))
    #expect(failure == .decoderCrashed)
    #expect(harness.scheduler.running == 0)
  }

  @Test("When the last requester leaves, both stop; wanted again meanwhile, it is decoded again")
  func cancels() {
    var harness = heldUp()
    harness.cancel(key(1))
    #expect(harness.interrupted == [1, 1])
    harness.ask(photo(1), by: -3)
    harness.finish(2, .failure(.interrupted))
    harness.finish(0, .failure(.interrupted))
    #expect(harness.runningSources.compactMap { $0 } == [1])
    for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
    harness.collect()
    #expect(harness.deliveries.count == 1)
  }

  @Test("with random events every request ends once, and the same events have the same effects", arguments: 0..<30)
  func endsOnce(seed: Int) {
    let first = run(seed)
    #expect(first.wanted.isEmpty)
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
      case 0..<7: harness.ask(request, by: moment)
      case 7..<9: harness.cancel(key(source))
      case 9..<12: harness.move(key(source), to: moment)
      case 12..<17:
        guard let worker = busy.randomElement(using: &random), let job = harness.jobs[worker] else { continue }
        let isStopped = harness.stopped.contains(job.number) && Bool.random(using: &random)
        let isDead = Int.random(in: 0..<10, using: &random) == 0
        harness.finish(worker, isStopped ? .failure(.interrupted) : isDead ? .failure(.decoderCrashed) : nil)
      case 17..<20:
        if let worker = busy.randomElement(using: &random) { harness.tell(.starved(worker: worker)) }
      default: harness.tell(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      }
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    return harness
  }
}
