import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

/// The program's own decoding process, which the package builds next to the tests.
enum RealHelper {
  /// Returns the setup with which it is started.
  static func setup() throws -> DecodingProcess.Setup {
    DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: nil), slotBytes: 4 << 20, priority: .normal,
      forbiddenCalls: .kill, readinessTimeout: ProcessTimeout(limit: .seconds(300)),
      replyTimeout: ProcessTimeout(limit: .seconds(300)))
  }

  /// Returns the largest difference of any channel of any pixel, or `Int.max` if the sizes differ.
  static func difference(_ first: Bitmap, _ second: Bitmap) -> Int {
    guard first.size == second.size else { return .max }
    return first.withPixels { left in
      second.withPixels { right in
        left.indices.reduce(0) { max($0, abs(Int(left[$1]) - Int(right[$1]))) }
      }
    }
  }
}

/// A factory that counts the crashes of another factory's decoders.
final class CrashCountingDecoders: DecoderFactory {
  private let base: any DecoderFactory
  private let crashCount = Lock(0)

  init(_ base: any DecoderFactory) { self.base = base }

  /// The number of decodes that ended because the decoding process exited or sent an invalid reply.
  var crashes: Int { crashCount.withLock { $0 } }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder {
    CountingDecoder(decoder: base.makeDecoder(worker: worker), factory: self)
  }

  func interrupt() { base.interrupt() }

  private struct CountingDecoder: PipelineImageDecoder {
    let decoder: any PipelineImageDecoder
    let factory: CrashCountingDecoders

    func prepare() { decoder.prepare() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      let outcome = decoder.decode(request)
      if outcome.failure?.crashedDecoder == true { factory.crashCount.withLock { $0 += 1 } }
      return outcome
    }
  }
}
