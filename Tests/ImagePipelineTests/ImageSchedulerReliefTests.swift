import DecodingProtocol
import FramePacing
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: the screen's worker where others want all cores")
struct ImageSchedulerReliefTests {
  private func photo(_ source: Int) -> ImageRequest {
    ImageRequest(key: key(source), source: .painted(UInt64(source)), fileBytes: 3_000_000)
  }

  /// Two workers whose processes take what is left, and the screen's.
  private func harness(backlogLimit: Int = 64 << 20) -> SchedulerHarness {
    SchedulerHarness(workers: 3, screenWorker: 2, backlogLimit: backlogLimit)
  }

  @Test("the screen's worker rests while the others' processes come through")
  func rests() {
    var harness = harness()
    for source in 1...4 { harness.ask(photo(source), by: -1) }
    #expect(harness.runningSources == [1, 2, nil])
    harness.finish(0)
    harness.finish(1)
    #expect(harness.runningSources == [3, 4, nil])
  }

  @Test("once a process gets no core, the screen's worker does what is most urgent there, begun or not")
  func relieves() {
    var harness = harness()
    for source in 1...4 { harness.ask(photo(source), by: Double(source) - 10) }
    harness.tell(.starved(worker: 0))
    #expect(harness.runningSources == [1, 2, 1])
    harness.finish(2)
    // The slower one is told to stop; what it holds is nobody's any more.
    #expect(harness.interrupted == [1])
    #expect(harness.runningSources == [1, 2, 2])
    harness.finish(2)
    harness.finish(2)
    harness.finish(2)
    harness.collect()
    #expect(harness.deliveries.map(\.key.source) == [1, 2, 3, 4])
    harness.finish(0, .failure(.interrupted))
    harness.finish(1, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.count == 4)
    #expect(harness.scheduler.running == 0)
    #expect(harness.scheduler.counts.decoded == 4)
  }

  @Test("it does nothing that is not on screen")
  func screenOnly() {
    var harness = harness()
    for source in 1...3 { harness.ask(photo(source), by: Double(source)) }
    harness.tell(.starved(worker: 0))
    #expect(harness.runningSources == [1, 2, nil])
    harness.move(key(2), to: -1)
    #expect(harness.runningSources == [1, 2, 2])
  }

  @Test("a picture that somebody on screen joins while it is being done comes into its hands too")
  func joins() {
    var harness = harness()
    harness.ask(photo(1), by: 50)
    harness.tell(.starved(worker: 0))
    #expect(harness.runningSources == [1, nil, nil])
    harness.ask(photo(1), by: -1)
    #expect(harness.runningSources == [1, nil, 1])
  }

  @Test("a picture that was on disk says nothing of cores: whoever is starved is still relieved")
  func storedMeanwhile() throws {
    var harness = harness()
    for source in 1...2 { harness.ask(photo(source), by: Double(source) - 10) }
    harness.tell(.starved(worker: 0))
    #expect(harness.runningSources == [1, 2, 1])
    let stored = DecodedImage(StoredPicture(bitmap: try .square(1, .white)))
    harness.finish(1, .success(stored))
    harness.ask(photo(3), by: -20)
    harness.ask(photo(4), by: -19)
    harness.finish(2)
    #expect(harness.runningSources[2] != nil)
  }

  @Test("it rests again when another worker's process has come through")
  func clears() {
    var harness = harness()
    harness.ask(photo(1), by: -3)
    harness.ask(photo(2), by: -2)
    harness.tell(.starved(worker: 0))
    harness.finish(1)
    harness.finish(0, .failure(.refused(.damaged)))
    harness.finish(2, .failure(.refused(.damaged)))
    harness.collect()
    harness.ask(photo(3), by: -1)
    #expect(harness.runningSources == [3, nil, nil])
  }

  @Test("it goes on helping while those that came through had stood in line")
  func staysCrowded() {
    var harness = harness()
    harness.ask(photo(1), by: -3)
    harness.tell(.starved(worker: 0))
    harness.finish(0)
    harness.finish(2)
    harness.collect()
    harness.ask(photo(2), by: -1)
    #expect(harness.runningSources == [nil, nil, 2])
    #expect(harness.deliveries.count == 1)
  }

  @Test("the faster of two is the one that counts, whichever it is")
  func fasterCounts() {
    var harness = harness()
    harness.ask(photo(1), by: -3)
    harness.tell(.starved(worker: 0))
    harness.finish(0)
    #expect(harness.interrupted == [1])
    harness.finish(2)
    harness.collect()
    #expect(harness.deliveries.count == 1)
    #expect(harness.scheduler.counts.decoded == 1)
  }

  @Test("one of two that dies or is stopped leaves the picture to the other")
  func oneOfTwo() {
    for first in [0, 2] {
      var harness = harness()
      harness.ask(photo(1), by: -3)
      harness.tell(.starved(worker: 0))
      harness.finish(first, .failure(.decoderDied))
      // The screen's worker tries again at once.
      #expect(harness.runningSources == [first == 0 ? nil : 1, nil, 1])
      harness.finish(2 - first)
      harness.collect()
      #expect(harness.deliveries.count == 1)
      let failure = harness.scheduler.failure(for: key(1))
      #expect(failure == nil)
    }
  }

  @Test("a file that ends both processes has failed")
  func endsBoth() {
    var harness = harness()
    harness.ask(photo(1), by: -3)
    harness.tell(.starved(worker: 0))
    harness.finish(0, .failure(.decoderDied))
    harness.finish(2, .failure(.decoderDied))
    harness.collect()
    #expect(harness.deliveries.count == 1)
    let failure = harness.scheduler.failure(for: key(1))
    #expect(failure == .decoderDied)
    #expect(harness.scheduler.running == 0)
  }

  @Test("when the last who waits leaves, both stop; wanted again meanwhile, it is done again")
  func cancels() {
    var harness = harness()
    harness.ask(photo(1), by: -3)
    harness.tell(.starved(worker: 0))
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
    #expect(first.log.contains { $0.hasPrefix("start 2 ") })
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
        harness.finish(worker, isStopped ? .failure(.interrupted) : isDead ? .failure(.decoderDied) : nil)
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
