import DecodingProtocol
import FramePacing
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: what a file has of itself comes first where the picture would be late")
struct ImageSchedulerRungTests {
  /// A photograph of three megabytes, which takes 25 ms, with a small picture of itself.
  private func photo(_ source: Int, bytes: Int = 3_000_000, hasPreview: Bool = true) -> ImageRequest {
    ImageRequest(
      key: key(source), source: .file(path: [1]), fileBytes: bytes, hasPreview: hasPreview)
  }

  private func rungs(_ harness: SchedulerHarness) -> [ImageRepresentation?] {
    harness.jobs.map { $0?.request.representation }
  }

  @Test("on screen the small picture is delivered first, and the request goes on")
  func previewFirst() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: -10)
    #expect(rungs(harness) == [.embedded])
    harness.finish(0)
    #expect(rungs(harness) == [.full])
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

  @Test("what is on disk is the picture itself, though the small one was asked for, and is no decode to learn from")
  func storedPicture() throws {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: -10)
    #expect(rungs(harness) == [.embedded])
    let stored = DecodedImage(StoredThumbnail(bitmap: try .square(1, .white)))
    var asked = photo(1)
    asked.representation = .embedded
    harness.finish(0, .success(stored.adapted(to: asked)))
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full] && harness.wanted.isEmpty)
    let counts = harness.scheduler.counts
    #expect(counts.stored == 1 && counts.decoded == 0 && counts.previews == 0 && counts.delivered == 1)
    #expect(harness.scheduler.durations.count == 0)
  }

  @Test("all on screen have something to show before the first is made sharp, and both before what will be seen")
  func order() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(0, by: -99)
    for source in 1...3 { harness.ask(photo(source), by: -10 + Double(source)) }
    harness.ask(photo(4), by: 5)
    harness.ask(5, by: 1_000)
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

  @Test("what will be there in time, is done soon, or has no small picture, comes as itself")
  func noPreview() {
    for (request, deadline) in [
      (photo(1), 500), (photo(1, bytes: 100_000), -1), (photo(1, hasPreview: false), -1),
    ] {
      var harness = SchedulerHarness(workers: 1)
      harness.ask(request, by: Double(deadline))
      #expect(rungs(harness) == [.full])
    }
  }

  @Test("where the file has none after all, the picture itself is made", arguments: [0, 1])
  func absent(deaths: Int) {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: -10)
    harness.finish(0, .failure(deaths == 0 ? .refused(.noPreview) : .decoderCrashed))
    #expect(rungs(harness) == [.full])
    #expect(harness.scheduler.failure(for: key(1)) == nil)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full])
    #expect(harness.scheduler.counts.delivered == 1)
  }

  @Test("a small picture that the sharp one has overtaken is not delivered")
  func overtaken() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: -10)
    harness.finish(0)
    harness.finish(0)
    harness.collect()
    #expect(harness.deliveries.map(\.representation) == [.full])
  }

  @Test("nor is one of a task that was taken back and asked for again")
  func ofAnotherTask() {
    var harness = SchedulerHarness(workers: 1)
    harness.ask(photo(1), by: -10)
    harness.finish(0)
    harness.cancel(key(1))
    harness.finish(0, .failure(.interrupted))
    harness.ask(photo(1), by: 1_000)
    harness.collect()
    #expect(harness.deliveries.isEmpty)
    #expect(rungs(harness) == [.full])
  }

  @Test("slow decodes are learned: what would have been in time is not any more")
  func learns() {
    var harness = SchedulerHarness(workers: 1)
    for source in 1...30 {
      harness.ask(photo(source, hasPreview: false), by: 0)
      guard let job = harness.jobs[0] else { return }
      harness.tell(
        .finished(worker: 0, job: job.number, outcome: picture(job.request.key), took: .milliseconds(250)))
    }
    harness.ask(photo(40), by: 100)
    #expect(rungs(harness) == [.embedded])
  }
}
