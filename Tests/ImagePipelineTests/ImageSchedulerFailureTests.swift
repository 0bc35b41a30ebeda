import DecodingProtocol
import FramePacing
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: failures")
struct ImageSchedulerFailureTests {
  @Test("a file that failed is not tried again at any size, and says so at once")
  func remembers() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.refused(.damaged)))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1, side: 7)) == .refused(.damaged))
    harness.ask(1, by: 0, side: 7)
    #expect(harness.scheduler.running == 0)
    harness.collect()
    #expect(harness.deliveries.map(\.note) == ["1@1 damaged picture", "1@7 damaged picture"])
    #expect(harness.scheduler.counts.failed == 2)
  }

  @Test("another version of the file is tried")
  func otherVersion() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    harness.ask(2, by: 0)
    #expect(harness.runningSources == [2])
  }

  @Test(
    "a failure of one size leaves the others their try",
    arguments: [
      ImageFailure.outOfMemory, .refused(.slotTooSmall), .refused(.outOfMemory),
    ])
  func otherSize(failure: ImageFailure) {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0, side: 9)
    harness.finish(0, .failure(failure))
    harness.collect()
    #expect(harness.scheduler.failure(for: key(1, side: 9)) == failure)
    harness.ask(1, by: 0, side: 2)
    #expect(harness.runningSources == [1])
  }

  @Test("a request that was interrupted is delivered as such and not remembered")
  func interrupted() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.interrupted))
    harness.collect()
    #expect(harness.deliveries.map(\.note) == ["1@1 interrupted"])
    #expect(harness.scheduler.failure(for: key(1)) == nil)
  }

  @Test(
    "a file that ends its process is tried once more at once, and then not before its pause",
    arguments: [
      ImageFailure.decoderCrashed, .invalidDecoderReply,
    ])
  func deaths(failure: ImageFailure) {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 5)
    harness.ask(2, by: 0)
    let first = harness.jobs[0]
    harness.finish(0, .failure(failure))
    #expect(harness.jobs[0] == first, "the same job goes on")
    #expect(harness.deliveries.isEmpty)
    harness.finish(0, .failure(failure))
    #expect(harness.runningSources == [2])
    harness.collect()
    #expect(harness.deliveries.map(\.note) == ["1@1 \(failure)"])
    harness.finish(0)
    harness.ask(1, by: 0)
    #expect(harness.scheduler.running == 0)
  }

  @Test("a file that ended its process once may succeed the second time")
  func innocent() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.decoderCrashed))
    harness.finish(0)
    harness.collect()
    #expect(harness.scheduler.counts.delivered == 1)
    #expect(harness.scheduler.failure(for: key(1)) == nil)
  }

  @Test("a hang is not tried again: it has had its time")
  func hangs() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(1, by: 0)
    harness.finish(0, .failure(.decoderTimedOut))
    #expect(harness.scheduler.running == 0)
  }

  @Test("every failure has a few words, and each its own", arguments: DecodingStatus.allCases)
  func words(status: DecodingStatus) {
    #expect(ImageFailure.refused(status).description == status.description)
    #expect(!status.description.isEmpty)
  }
}
