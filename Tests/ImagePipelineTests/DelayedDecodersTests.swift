import FramePacing
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Decodes can be slowed down, whoever makes the pictures")
struct DelayedDecodersTests {
  private static func decoder(_ delay: FrameDuration) throws -> (DelayedDecoderFactory, any PictureDecoder) {
    let decoders = try DelayedDecoderFactory(GatedDecoder(isOpen: true), by: delay)
    return (decoders, decoders.makeDecoder(worker: 0))
  }

  @Test("A picture takes no less than the delay, and is the same")
  func slow() throws {
    let (_, decoder) = try Self.decoder(.milliseconds(30))
    let watch = Stopwatch()
    let image = try decoder.decode(request(7)).get()
    #expect(watch.elapsed >= .milliseconds(30))
    #expect(image.bitmap.contentDigest == (try GatedDecoder.generatedImage(for: key(7)).get().bitmap.contentDigest))
  }

  @Test("The end of all decodes is not waited for, now or later")
  func interrupted() throws {
    let (decoders, decoder) = try Self.decoder(.seconds(1_000_000))
    decoders.interrupt()
    for source in 1...3 {
      guard case .failure(.interrupted) = decoder.decode(request(source)) else {
        Issue.record("a decode went on")
        return
      }
    }
  }

  @MainActor
  @Test("A pipeline of a caller's own decoders takes its delay from its configuration")
  func pipeline() throws {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, decodeDelay: .milliseconds(30)), decoders: GatedDecoder(isOpen: true),
      waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    #expect(pipeline.statistics.decodeMedian >= .milliseconds(25), "as coarse as it is counted")
    #expect(pipeline.isIdle)
  }

  @MainActor
  @Test("A preview comes with a whole picture to whoever asked for one")
  func previews() throws {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1), decoders: GatedDecoder(isOpen: true), waker: waker)
    defer { pipeline.shutdown() }
    var wanting = request(1)
    wanting.wantsTinyPreview = true
    pipeline.request(wanting, deadline: at(0))
    pipeline.request(request(2), deadline: at(1))
    let arrivals = try pipeline.waitForArrivals(2, waker)
    let previews = try arrivals.map { try $0.outcome.get().tinyPreview }
    #expect(previews[0]?.pictureSize == key(1).size)
    #expect(previews[1] == nil)
    let damaged = DecodedImage(bitmap: try GatedDecoder.generatedImage(for: key(3)).get().bitmap, isDamaged: true)
    #expect(damaged.adapted(to: wanting).tinyPreview == nil)
    #expect(damaged.adapted(to: wanting).isDamaged)
  }
}
