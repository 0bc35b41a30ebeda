import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Preparations under random sequences")
struct PreparationStormTests {
  /// One who asked, and how that ended.
  private final class Asking {
    let number: Int
    var handle: ImagePreparation?
    var ends = 0
    var isGivenUp = false

    init(_ number: Int) { self.number = number }
  }

  /// What the callers of random preparations on a modelled time line see, frame by frame.
  private func log(seed: Int, frames: Int = 120) throws -> [String] {
    var random = SeededGenerator(seed: UInt64(seed))
    let decoders = GatedDecoder(isOpen: true) { request in
      request.key.source % 7 == 3 ? .failure(.notAFile) : GatedDecoder.generatedImage(for: request.key)
    }
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 3, mode: .modelled, cacheBytes: 60), decoders: decoders, waker: TestWaker())
    var log: [String] = []
    var askings: [Asking] = []
    func ask(_ number: Int, _ deadline: FrameInstant) {
      let asking = Asking(askings.count)
      askings.append(asking)
      let image = stored(number, byteCount: number * 30_000)
      let victim = askings[Int.random(in: askings.indices, using: &random)]
      asking.handle = image.prepareThumbnail(of: pixels(1, 1), in: pipeline, deadline: deadline) { outcome in
        #expect(!asking.isGivenUp, "\(asking.number) was given up")
        asking.ends += 1
        log.append("\(asking.number) of \(number): \(outcome.failure.map(String.init(describing:)) ?? "picture")")
        // A completion does as it likes with the others.
        if victim !== asking, asking.number % 5 == 0 {
          victim.isGivenUp = victim.isGivenUp || victim.ends == 0
          victim.handle?.cancel()
        }
      }
    }
    for frame in 0..<frames {
      let now = at(Double(frame) * 6)
      #expect(pipeline.collect(at: now, atMost: 40).isEmpty)
      log.append("frame \(frame) \(pipeline.hasPendingArrivals)")
      guard frame < frames - 30 else { continue }
      for _ in 0..<Int.random(in: 0..<7, using: &random) {
        let deadline =
          Bool.random(using: &random) ? .onScreen : now + .milliseconds(Double.random(in: 0...90, using: &random))
        ask(Int.random(in: 0..<25, using: &random), deadline)
      }
      if let asking = askings.randomElement(using: &random) {
        if random.chance(oneIn: 2) {
          asking.isGivenUp = asking.isGivenUp || asking.ends == 0
          asking.handle?.cancel()
        } else {
          asking.handle?.updateDeadline(now + .milliseconds(5))
        }
      }
      if random.chance(oneIn: 20) { pipeline.handleMemoryPressure() }
    }
    _ = pipeline.collect(at: at(1e6))
    for asking in askings { #expect(asking.ends == (asking.isGivenUp ? 0 : 1), "asking \(asking.number)") }
    #expect(askings.contains { $0.isGivenUp } && askings.count > 100)
    pipeline.shutdown()
    return log
  }

  @Test("each is told once unless it was given up, and equal runs are equal", arguments: 0..<8)
  func exactlyOnce(seed: Int) throws {
    let log = try log(seed: seed)
    #expect(try self.log(seed: seed) == log)
    #expect(log.contains { $0.contains("not a file") })
  }
}
