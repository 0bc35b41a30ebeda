import DecodingProtocol
import FramePacing
import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: failures that pass")
struct ImageSchedulerRetryTests {
  @Test("a request within the pause ends with the known failure and does not lengthen the pause")
  func pause() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.cannotOpen(EMFILE)))
    harness.collect()
    for milliseconds in [0.0, 500, 1_999] {
      harness.now = at(milliseconds)
      harness.ask(1, by: 0)
      #expect(harness.scheduler.running == 0)
      harness.collect()
    }
    #expect(harness.deliveries.count == 4)
    harness.now = at(2_000)
    #expect(harness.scheduler.canAttempt(key(1), at: harness.now))
    harness.ask(1, by: 0)
    #expect(harness.runningSources == [1])
  }

  @Test("while it is tried again the failure is known, and its picture makes it forgotten")
  func succeeds() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.decoderUnavailable))
    harness.collect()
    harness.now = at(5_000)
    harness.ask(1, by: 0)
    #expect(harness.scheduler.failure(for: key(1)) == .decoderUnavailable)
    harness.finish(0)
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    #expect(harness.scheduler.counts.delivered == 1)
  }

  @Test("the pause begins when the failure is taken, however long the loop rested before")
  func begins() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    harness.now = at(60_000)
    harness.collect()
    #expect(!harness.scheduler.canAttempt(key(1), at: at(61_999)))
    #expect(harness.scheduler.canAttempt(key(1), at: at(62_000)))
  }

  @Test("a failure that nobody waits for any more is learned all the same")
  func cancelled() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.cancel(key(1))
    harness.finish(0, .failure(.refused(.damaged)))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1)) == .refused(.damaged))
  }

  @Test("a file that ended its process gets one more process with each later try, and four in all")
  func deaths() {
    var harness = SchedulerHarness(workers: 1)
    var deaths = 0
    for minute in 0..<20 {
      harness.now = at(Double(minute) * 60_000)
      harness.ask(1, by: 0)
      while harness.jobs[0] != nil {
        deaths += 1
        harness.finish(0, .failure(.decoderCrashed))
      }
      harness.collect()
    }
    #expect(deaths == 4)
    #expect(harness.deliveries.count == 20)
  }

  @Test("a shortage leaves no item broken once it is over", arguments: 0..<8)
  func shortage(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 3)
    let end = Double.random(in: 0..<200_000, using: &random)
    var shown: Set<Int> = []
    // Long enough after its end for the longest pause.
    for moment in stride(from: 0, to: end + 70_000, by: 500) {
      harness.now = at(moment)
      for item in 0..<10 where !shown.contains(item) { harness.ask(item, by: 0) }
      while let worker = harness.jobs.firstIndex(where: { $0 != nil }) {
        let item = Int(harness.jobs[worker]?.request.key.source ?? 0)
        if moment >= end { shown.insert(item) }
        let failure = Bool.random(using: &random) ? ImageFailure.cannotOpen(EMFILE) : .decoderUnavailable
        harness.finish(worker, moment < end ? .failure(failure) : nil)
      }
      harness.collect()
    }
    #expect(shown == Set(0..<10))
  }
}
