import DecodingProtocol
import FramePacing
import Geometry
@testable import ImagePipeline
import Rendering
import TestSupport
import Threads

/// The program's own decoding process, which the package builds next to the tests.
enum RealHelper {
  /// Returns the setup with which it is started.
  static func setup() throws -> DecodingProcess.Setup {
    DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: nil), slotBytes: 4 << 20, priority: .normal,
      forbiddenCalls: .kill, readinessTimeout: ProcessTimeout(limit: .seconds(300)),
      replyTimeout: ProcessTimeout(limit: .seconds(300)))
  }

  /// Returns an image whose red channel increases to the right and whose green channel increases downwards.
  static func gradient(_ width: Int, _ height: Int, blue: UInt8 = 0) throws -> Bitmap {
    try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for row in 0..<height {
        for column in 0..<width {
          let offset = (row * width + column) * 4
          bytes[offset] = UInt8(column * 255 / max(1, width - 1))
          bytes[offset + 1] = UInt8(row * 255 / max(1, height - 1))
          bytes[offset + 2] = blue
          bytes[offset + 3] = 255
        }
      }
    }
  }

  /// Returns a request for a file at a path.
  static func request(_ path: [UInt8], source: Int, _ size: PixelSize, fit: ImageFit = .fill) -> ImageRequest {
    ImageRequest(key: ImageKey(source: UInt64(source), size: size, fit: fit), source: .file(path: path))
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

/// An encoder that starts the program's own process when it is first used.
final class RealEncoder {
  private var process: DecodingProcess?

  /// Encodes a bitmap as a PNG file with texts.
  func encodePNG(_ bitmap: Bitmap, texts: PNGTexts) -> Result<[UInt8], ImageFailure> {
    do {
      let process = try process ?? DecodingProcess(RealHelper.setup(), stop: nil)
      self.process = process
      return .success(try process.encodePNG(bitmap, texts: texts))
    } catch let error as DecodingProcessError {
      return .failure(error.failure)
    } catch {
      return .failure(.decoderUnavailable)
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
