import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Image scheduler: embedded previews")
struct ImageSchedulerRepresentationTests {
  /// Returns a request for a file with an embedded preview that takes 25 ms to decode at the default of 3 MB.
  private func photo(_ source: Int, bytes: Int = 3_000_000, hasPreview: Bool = true) -> ImageRequest {
    ImageRequest(
      key: key(source), source: .file(path: [1]), fileBytes: bytes, hasPreview: hasPreview)
  }

  private func representations(_ harness: SchedulerHarness) -> [ImageRepresentation?] {
    harness.jobs.map { $0?.request.representation }
  }

  @Test("On screen the embedded preview is delivered first, and the request stays pending")
  func previewFirst() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: -10)
    #expect(representations(harness) == [.embedded])
    harness.finish(0)
    #expect(representations(harness) == [.full])
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.embedded])
    #expect(harness.deliveries.map(\.isFinal) == [false])
    #expect(harness.scheduler.isPending(key(1)))
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.embedded, .full])
    #expect(harness.scheduler.counts.previews == 1)
    #expect(harness.scheduler.counts.delivered == 1)
    #expect(harness.scheduler.counts.decoded == 1)
  }

  @Test("A stored image is final even if the preview was requested, and is not counted as a decode")
  func storedPicture() throws {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: -10)
    #expect(representations(harness) == [.embedded])
    let stored = DecodedImage(StoredThumbnail(bitmap: try .square(1, .white), origin: nil))
    var embedded = photo(1)
    embedded.representation = .embedded
    harness.finish(0, .success(stored.adapted(to: embedded)))
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full] && harness.pending.isEmpty)
    let counts = harness.scheduler.counts
    #expect(counts.stored == 1 && counts.decoded == 0 && counts.previews == 0 && counts.delivered == 1)
    #expect(harness.scheduler.durations.count == 0)
  }

  @Test("All images on screen get a preview before the first one is decoded, and both come before prefetching")
  func order() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(0, by: -99)
    for source in 1...3 { harness.requestImage(photo(source), by: -10 + Double(source)) }
    harness.requestImage(photo(4), by: 5)
    harness.requestImage(5, by: 1_000)
    var started: [String] = []
    for _ in 0..<20 {
      guard let job = harness.jobs[0] else { break }
      started.append("\(job.request.key.source) \(job.request.representation)")
      harness.finish(0)
    }
    #expect(
      started == [
        "0 full", "1 embedded", "2 embedded", "3 embedded", "1 full", "2 full", "3 full", "4 embedded", "4 full",
        "5 full",
      ])
  }

  @Test("Images that are in time, small or without a preview are decoded directly")
  func noPreview() {
    for (request, deadline) in [
      (photo(1), 500), (photo(1, bytes: 100_000), -1), (photo(1, hasPreview: false), -1),
    ] {
      var harness = SchedulerHarness(workers: 1)
      harness.requestImage(request, by: Double(deadline))
      #expect(representations(harness) == [.full])
    }
  }

  @Test("If the file has no preview or crashes, the full image is decoded", arguments: [0, 1])
  func missingPreview(deaths: Int) {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: -10)
    harness.finish(0, .failure(deaths == 0 ? .refused(.noPreview) : .decoderCrashed))
    #expect(representations(harness) == [.full])
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full])
    #expect(harness.scheduler.counts.delivered == 1)
  }

  @Test("A preview is not delivered after its full image has arrived")
  func outdatedPreview() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: -10)
    harness.finish(0)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full])
  }

  @Test("A preview of a cancelled request is not delivered to a later one")
  func previewOfCancelledTask() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: -10)
    harness.finish(0)
    harness.cancel(key(1))
    harness.finish(0, .failure(.interrupted))
    harness.requestImage(photo(1), by: 1_000)
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(representations(harness) == [.full])
  }

  @Test(
    "A request that stops at its preview waits until the image itself is requested, which does not make another one")
  func stopsAtPreview() {
    var harness = SchedulerHarness(workers: 1)
    var passing = photo(1)
    passing.stopsAtPreview = true
    // Also if the image would be in time.
    harness.requestImage(passing, by: 1_000)
    harness.requestImage(photo(2, hasPreview: false), by: 2_000)
    #expect(representations(harness) == [.embedded])
    harness.finish(0)
    #expect(harness.runningSources == [2], "the worker is free for another image")
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.embedded] && harness.scheduler.isPending(key(1)))
    harness.updateDeadline(of: key(1), to: -10)
    harness.finish(0)
    harness.collect()
    #expect(harness.runningSources == [nil] && harness.scheduler.isPending(key(1)))
    harness.requestImage(photo(1), by: -10)
    #expect(representations(harness) == [.full] && harness.scheduler.counts.previews == 1)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.last?.representation == .full && !harness.scheduler.isPending(key(1)))
  }

  @Test("Without a preview, or if it is cancelled, a request that stops there is like any other")
  func stopsAtPreviewWithoutOne() {
    var harness = SchedulerHarness(workers: 1)
    var passing = photo(1)
    passing.stopsAtPreview = true
    harness.requestImage(passing, by: -10)
    harness.finish(0, .failure(.refused(.noPreview)))
    #expect(representations(harness) == [.full])
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full])
    passing = photo(2)
    passing.stopsAtPreview = true
    harness.requestImage(passing, by: -10)
    harness.finish(0)
    harness.collect()
    harness.cancel(key(2))
    #expect(!harness.scheduler.isPending(key(2)) && harness.scheduler.waitingCount == 0)
  }

  @Test("An image that is being made when it begins to be passed is stopped, and only its preview is made")
  func stopsAtPreviewWhileRunning() {
    var harness = SchedulerHarness(workers: 1)
    harness.requestImage(photo(1), by: 1_000)
    #expect(representations(harness) == [.full])
    harness.cancel(key(1))
    var passing = photo(1)
    passing.stopsAtPreview = true
    harness.requestImage(passing, by: -10)
    harness.finish(0, .failure(.interrupted))
    #expect(representations(harness) == [.embedded])
    harness.finish(0)
    harness.collect()
    #expect(representations(harness) == [nil] && harness.deliveries.map(\.representation) == [.embedded])
    harness.requestImage(photo(1), by: -10)
    #expect(representations(harness) == [.full])
  }

  @Test("Slow decodes raise the estimate, so that later images get a preview")
  func estimates() {
    var harness = SchedulerHarness(workers: 1)
    for source in 1...30 {
      harness.requestImage(photo(source, hasPreview: false), by: 0)
      guard let job = harness.jobs[0] else { return }
      harness.handle(
        .finished(worker: 0, job: job.number, outcome: generatedImage(job.request.key), duration: .milliseconds(250)))
    }
    harness.requestImage(photo(40), by: 100)
    #expect(representations(harness) == [.embedded])
  }
}

@Suite("Duration histogram")
struct DurationHistogramTests {
  @Test("Quantiles are those of the sorted durations, at most 3 % longer", arguments: 0..<10)
  func quantiles(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var histogram = DurationHistogram()
    var durations: [Int64] = []
    for _ in 0..<1_000 {
      let duration = Int64(
        Double.random(in: 0..<1, using: &random) * Double(1 << Int.random(in: 0..<40, using: &random)))
      durations.append(duration)
      histogram.add(FrameDuration(nanoseconds: duration))
    }
    durations.sort()
    for (share, rank) in [(0.001, 1), (0.5, 500), (0.99, 990), (1.0, 1_000)] {
      let exact = durations[rank - 1]
      let found = histogram.quantile(share).nanoseconds
      #expect(found >= exact)
      #expect(found <= exact + exact / 32 + 1)
    }
  }

  @Test("An empty histogram has a quantile of zero, and extreme and negative durations are accepted")
  func edges() {
    var histogram = DurationHistogram()
    #expect(histogram.quantile(0.5) == .zero)
    histogram.add(FrameDuration(nanoseconds: -5))
    #expect(histogram.quantile(1) == .zero)
    histogram.add(FrameDuration(nanoseconds: .max))
    #expect(histogram.quantile(1).nanoseconds == .max)
    #expect(histogram.count == 2)
  }
}
