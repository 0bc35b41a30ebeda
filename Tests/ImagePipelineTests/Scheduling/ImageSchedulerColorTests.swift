import Testing
import VitrineFramePacing
import VitrineTestSupport

@testable import VitrineImagePipeline

@Suite("Image scheduler: images in the colors of an earlier profile")
struct ImageSchedulerColorTests {
  /// Returns the generated image of a key, converted for a revision of the profile.
  private func image(_ key: ImageKey, _ revision: UInt32) -> ImageOutcome {
    generatedImage(key).map { $0.converted($0.bitmap, colorRevision: revision) }
  }

  private func revision(_ arrival: ImageArrival) -> UInt32? { (try? arrival.outcome.get())?.colorRevision }

  @Test("An outdated result is made again, whether it was finished before the change or after it")
  func outdated() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, image(key(1), 0))
    harness.handle(.setColorRevision(1))
    #expect(harness.runningSources == [1])
    harness.finish(0, image(key(1), 0))
    #expect(harness.runningSources == [1])
    harness.finish(0, image(key(1), 1))
    harness.collect()
    #expect(harness.deliveries.map(revision) == [1])
    #expect(harness.scheduler.counts.delivered == 1 && harness.runningSources == [nil])
  }

  @Test("A result that no request needs any more is not made again")
  func unwanted() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(1, by: 0)
    harness.finish(0, image(key(1), 0))
    harness.cancel(key(1))
    harness.handle(.setColorRevision(1))
    harness.collect()
    #expect(harness.runningSources == [nil] && harness.cached.isEmpty && harness.deliveries.isEmpty)
  }

  @Test("A failure and an image that was made for the new profile arrive")
  func upToDate() {
    var harness = SchedulerHarness(workers: 2)
    harness.requestImage(1, by: 0)
    harness.requestImage(2, by: 1)
    harness.finish(0, .failure(.notAFile))
    // The worker may know the profile before the scheduler does.
    harness.finish(1, image(key(2), 1))
    harness.handle(.setColorRevision(1))
    harness.collect()
    #expect(harness.deliveries.count == 2 && harness.deliveries.compactMap(revision) == [1])
  }

  @Test("Every request ends once, with the newest colors", arguments: TestScale.seeds(0..<60))
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var harness = SchedulerHarness(workers: 2)
    var newest: UInt32 = 0
    var checked = 0
    func checkDeliveries() {
      for arrival in harness.deliveries[checked...] { #expect(revision(arrival).map { $0 == newest } ?? true) }
      checked = harness.deliveries.count
    }
    func finish(_ worker: Int) {
      guard let job = harness.jobs[worker] else { return }
      let revision = UInt32.random(in: max(1, newest) - 1...newest, using: &random)
      let isFailure = random.chance(oneIn: 6)
      harness.finish(worker, isFailure ? .failure(.interrupted) : image(job.request.key, revision))
    }
    for _ in 0..<150 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        harness.requestImage(Int.random(in: 0..<6, using: &random), by: Double.random(in: -5...5, using: &random))
      case 3: harness.cancel(key(Int.random(in: 0..<6, using: &random)))
      case 4:
        newest += 1
        harness.handle(.setColorRevision(newest))
      case 5:
        harness.collect()
        checkDeliveries()
      default: finish(Int.random(in: 0..<2, using: &random))
      }
    }
    // Whatever is pending ends when no further change comes.
    for _ in 0..<50 where !harness.pending.isEmpty {
      for worker in 0..<2 {
        if let job = harness.jobs[worker] { harness.finish(worker, image(job.request.key, newest)) }
      }
      harness.collect()
      checkDeliveries()
    }
    #expect(harness.pending.isEmpty)
  }
}
