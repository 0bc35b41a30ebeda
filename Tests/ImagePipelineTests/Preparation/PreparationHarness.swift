import Testing
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

/// Returns a stored image that the test's decoder generates.
func stored(_ number: Int, byteCount: Int = 0, size: PixelSize? = nil) -> StoredImage {
  StoredImage(source: .generated(UInt64(number)), byteCount: byteCount, size: size)
}

/// A pipeline with a gated decoder, and a log of its completions.
@MainActor
final class PreparationHarness {
  let decoders: GatedDecoder
  let waker = TestWaker()
  let pipeline: ImagePipeline
  private(set) var log: [String] = []

  init(
    isOpen: Bool = true, workers: Int = 1, cacheBytes: Int = 1 << 20, slotBytes: Int = 64 << 20,
    outcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
  ) throws {
    decoders = GatedDecoder(isOpen: isOpen, makeOutcome: outcome)
    pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: workers, cacheBytes: cacheBytes, slotBytes: slotBytes), decoders: decoders,
      waker: waker)
  }

  /// Returns the key of the thumbnail of an image.
  func key(_ number: Int, side: Int = 1) -> ImageKey {
    pipeline.key(of: stored(number), for: .thumbnail(pixels(side, side)))
  }

  func record(_ line: String) { log.append(line) }

  /// Prepares a thumbnail, and logs its completion under a name.
  @discardableResult
  func prepare(
    _ number: Int, _ name: String, side: Int = 1, deadline: FrameInstant = .onScreen,
    then: @escaping @MainActor (PreparationHarness) -> Void = { _ in }
  ) -> ImagePreparation {
    stored(number).prepareThumbnail(of: pixels(side, side), in: pipeline, deadline: deadline) { [weak self] outcome in
      guard let self else { return }
      record(outcome.failure.map { "\(name) \($0)" } ?? name)
      then(self)
    }
  }

  /// Collects after each wake until the log has the given number of lines.
  @discardableResult
  func run(until count: Int) throws -> [ImageArrival] {
    var arrivals: [ImageArrival] = []
    while log.count < count {
      try waker.wait(for: "end \(log.count + 1) of \(count)")
      arrivals += pipeline.collect(at: .zero)
    }
    return arrivals
  }
}
