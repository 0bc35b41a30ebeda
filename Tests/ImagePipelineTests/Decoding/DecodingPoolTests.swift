import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@Suite("Job dispatcher")
struct JobDispatcherTests {
  @Test("A job comes before idle work, each worker receives idle work once, and the last one runs the closure")
  func jobsBeforeIdleWork() throws {
    let dispatcher = JobDispatcher(workers: 3)
    let done = Lock(0)
    dispatcher.postJob(ImageJob(number: 1, request: request(1)), to: 1)
    dispatcher.postIdleWork { done.withLock { $0 += 1 } }
    guard case .job(let job) = dispatcher.takeWorkItem(1) else {
      Issue.record("worker 1 received idle work before its job")
      return
    }
    #expect(job.number == 1)
    for worker in [1, 0, 2] {
      guard case .idle(let work) = dispatcher.takeWorkItem(worker) else {
        Issue.record("worker \(worker) received no idle work")
        return
      }
      #expect((work != nil) == (worker == 2))
      work?()
    }
    #expect(done.withLock { $0 } == 1)
    dispatcher.postJob(ImageJob(number: 2, request: request(2)), to: 0)
    if case .idle = dispatcher.takeWorkItem(0) { Issue.record("a worker received the same idle work twice") }
    dispatcher.close()
    if dispatcher.takeWorkItem(0) != nil { Issue.record("a closed dispatcher returned a work item") }
  }
}

@Suite("Delayed decoders")
struct DelayedDecoderFactoryTests {
  private static func decoder(_ delay: FrameDuration) throws -> (DelayedDecoderFactory, any PipelineImageDecoder) {
    let decoders = try DelayedDecoderFactory(GatedDecoder(isOpen: true), by: delay)
    return (decoders, decoders.makeDecoder(worker: 0))
  }

  @Test("A decode takes at least the delay, and the image is unchanged")
  func slow() throws {
    let (_, decoder) = try Self.decoder(.milliseconds(30))
    let watch = Stopwatch()
    let image = try decoder.decode(request(7)).get()
    #expect(watch.elapsed >= .milliseconds(30))
    #expect(image.bitmap.contentDigest == (try GatedDecoder.generatedImage(for: key(7)).get().bitmap.contentDigest))
  }

  @Test("An interruption ends the delay of current and later decodes")
  func interrupted() throws {
    let (decoders, decoder) = try Self.decoder(.seconds(1_000_000))
    decoders.interrupt()
    for source in 1...3 {
      guard case .failure(.interrupted) = decoder.decode(request(source)) else {
        Issue.record("a decode was not interrupted")
        return
      }
    }
  }

  @MainActor
  @Test("A pipeline with custom decoders uses the delay of its configuration")
  func pipeline() throws {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, decodeDelay: .milliseconds(30)), decoders: GatedDecoder(isOpen: true),
      waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    #expect(pipeline.statistics.decodeMedian >= .milliseconds(25), "the histogram's resolution")
    #expect(pipeline.isIdle)
  }

  @MainActor
  @Test("A full image includes a tiny preview if the request wants one")
  func previews() throws {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1), decoders: GatedDecoder(isOpen: true), waker: waker)
    defer { pipeline.shutdown() }
    var previewRequest = request(1)
    previewRequest.wantsTinyPreview = true
    pipeline.request(previewRequest, deadline: at(0))
    pipeline.request(request(2), deadline: at(1))
    let arrivals = try pipeline.waitForArrivals(2, waker)
    let previews = try arrivals.map { try $0.outcome.get().tinyPreview }
    #expect(previews[0]?.pictureSize == key(1).size)
    #expect(previews[1] == nil)
    let damaged = DecodedImage(bitmap: try GatedDecoder.generatedImage(for: key(3)).get().bitmap, isDamaged: true)
    #expect(damaged.adapted(to: previewRequest).tinyPreview == nil)
    #expect(damaged.adapted(to: previewRequest).isDamaged)
  }
}
