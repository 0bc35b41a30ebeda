import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Image scheduler: permanent failures")
struct ImageSchedulerFailureTests {
  @Test("A file that failed is not retried at any size, and fails immediately")
  func cachesFailure() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.refused(.damaged)))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1, side: 7)) == .refused(.damaged))
    harness.requestImage(1, by: 0, side: 7)
    #expect(harness.scheduler.running == 0)
    harness.collect()
    #expect(harness.deliveries.map(\.summary) == ["1@1 damaged picture", "1@7 damaged picture"])
    #expect(harness.scheduler.counts.failed == 2)
  }

  @Test("Another version of a file is decoded")
  func otherVersion() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    harness.requestImage(2, by: 0)
    #expect(harness.runningSources == [2])
  }

  @Test(
    "A failure that depends on the size does not prevent other sizes",
    arguments: [
      ImageFailure.outOfMemory, .refused(.slotTooSmall), .refused(.outOfMemory),
    ])
  func otherSize(failure: ImageFailure) {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0, side: 9)
    harness.finish(0, .failure(failure))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1, side: 9)) == failure)
    harness.requestImage(1, by: 0, side: 2)
    #expect(harness.runningSources == [1])
  }

  @Test("An interrupted request is delivered as interrupted and not remembered")
  func interrupted() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.map(\.summary) == ["1@1 interrupted"])
    #expect(harness.scheduler.failure(for: key(1)) == nil)
  }

  @Test(
    "A file that crashes its process is retried once immediately, and then only after its pause",
    arguments: [
      ImageFailure.decoderCrashed, .invalidDecoderReply,
    ])
  func deaths(failure: ImageFailure) {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 5)
    harness.requestImage(2, by: 0)
    let first = harness.jobs[0]
    harness.finish(0, .failure(failure))
    #expect(harness.jobs[0] == first, "the same job is retried")
    #expect(harness.deliveries.isEmpty)
    harness.finish(0, .failure(failure))
    #expect(harness.runningSources == [2])
    harness.collect()
    #expect(harness.deliveries.map(\.summary) == ["1@1 \(failure)"])
    harness.finish(0)
    harness.requestImage(1, by: 0)
    #expect(harness.scheduler.running == 0)
  }

  @Test("A file that crashed its process once may succeed at the second attempt")
  func succeedsOnRetry() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.decoderCrashed))
    harness.finish(0)
    harness.collect()
    #expect(harness.scheduler.counts.delivered == 1)
    #expect(harness.scheduler.failure(for: key(1)) == nil)
  }

  @Test("A timeout is not retried immediately")
  func hangs() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    #expect(harness.scheduler.running == 0)
  }

  @Test("Every refusal has the description of its status", arguments: DecodingStatus.allCases)
  func descriptions(status: DecodingStatus) {
    #expect(ImageFailure.refused(status).description == status.description)
    #expect(!status.description.isEmpty)
  }
}

// MARK: - Image scheduler: transient failures

@Suite("Image scheduler: transient failures")
struct ImageSchedulerRetryTests {
  @Test("A request within the pause fails with the known failure and does not extend the pause")
  func pause() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.cannotOpen(EMFILE)))
    harness.collect()
    for milliseconds in [0.0, 200, 499] {
      harness.now = at(milliseconds)
      harness.requestImage(1, by: 0)
      #expect(harness.scheduler.running == 0)
      harness.collect()
    }
    #expect(harness.deliveries.count == 4)
    harness.now = at(500)
    #expect(harness.scheduler.canAttempt(key(1), at: harness.now))
    harness.requestImage(1, by: 0)
    #expect(harness.runningSources == [1])
  }

  @Test("The failure is known during a retry, and a success clears it")
  func succeeds() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.decoderUnavailable))
    harness.collect()
    harness.now = at(5_000)
    harness.requestImage(1, by: 0)
    #expect(harness.scheduler.failure(for: key(1)) == .decoderUnavailable)
    harness.finish(0)
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    #expect(harness.scheduler.counts.delivered == 1)
  }

  @Test("The pause starts when the failure is collected")
  func pauseStart() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    harness.now = at(60_000)
    harness.collect()
    #expect(!harness.scheduler.canAttempt(key(1), at: at(61_999)))
    #expect(harness.scheduler.canAttempt(key(1), at: at(62_000)))
  }

  @Test("A failure is remembered even if its request was cancelled")
  func cancelled() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.cancel(key(1))
    harness.finish(0, .failure(.refused(.damaged)))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1)) == .refused(.damaged))
  }

  @Test("A file that crashed its process gets one process per later attempt, and four in all")
  func deaths() {
    var harness = SchedulerHarness(workers: 1)
    var deaths = 0
    for minute in 0..<20 {
      harness.now = at(Double(minute) * 60_000)
      harness.requestImage(1, by: 0)
      while harness.jobs[0] != nil {
        deaths += 1
        harness.finish(0, .failure(.decoderCrashed))
      }
      harness.collect()
    }
    #expect(deaths == 4)
    #expect(harness.deliveries.count == 20)
  }

  @Test("After a shortage of resources every image succeeds", arguments: 0..<8)
  func shortage(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: 3)
    let end = Double.random(in: 0..<200_000, using: &random)
    var decoded: Set<Int> = []
    // The loop continues long enough for the longest pause.
    for moment in stride(from: 0, to: end + 70_000, by: 500) {
      harness.now = at(moment)
      for item in 0..<10 where !decoded.contains(item) { harness.requestImage(item, by: 0) }
      while let worker = harness.jobs.firstIndex(where: { $0 != nil }) {
        let item = Int(harness.jobs[worker]?.request.key.source ?? 0)
        if moment >= end { decoded.insert(item) }
        let failure = Bool.random(using: &random) ? ImageFailure.cannotOpen(EMFILE) : .decoderUnavailable
        harness.finish(worker, moment < end ? .failure(failure) : nil)
      }
      harness.collect()
    }
    #expect(decoded == Set(0..<10))
  }
}
