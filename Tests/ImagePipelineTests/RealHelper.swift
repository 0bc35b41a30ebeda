import DecodingProtocol
import FramePacing
import Geometry
import Glibc
import Rendering
import Testing

@testable import ImagePipeline

/// The program's own decoding process, which the package builds beside the tests.
enum RealHelper {
  /// What it is started with.
  static func setup() throws -> DecodingProcess.Setup {
    DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: nil), slotBytes: 4 << 20, priority: .normal,
      forbiddenCalls: .kill, readinessTimeout: ProcessTimeout(limit: .seconds(30)),
      replyTimeout: ProcessTimeout(limit: .seconds(30)))
  }

  /// A picture whose red grows to the right and whose green grows downwards.
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

  /// A request for a file by its path.
  static func request(_ path: [UInt8], source: Int, _ size: PixelSize, fit: ImageFit = .fill) -> ImageRequest {
    ImageRequest(key: ImageKey(source: UInt64(source), size: size, fit: fit), source: .file(path: path))
  }

  /// The largest difference of two bitmaps of one size, over all channels of all pixels.
  static func difference(_ first: Bitmap, _ second: Bitmap) -> Int {
    guard first.size == second.size else { return .max }
    return first.withPixels { left in
      second.withPixels { right in
        left.indices.reduce(0) { max($0, abs(Int(left[$1]) - Int(right[$1]))) }
      }
    }
  }
}

/// Decoders whose process is killed under their hands, each file's once.
struct KilledDecoders: DecoderFactory {
  let stop: StopSignal
  let setup: DecodingProcess.Setup

  func makeDecoder(worker: Int) -> any PictureDecoder {
    Killed(decoder: ProcessDecoder(setup: { [setup] in setup }, delay: .zero, stop: stop))
  }

  func interrupt() { stop.raise() }

  private final class Killed: PictureDecoder {
    private let decoder: ProcessDecoder
    private var tried: Set<ImageKey> = []

    init(decoder: ProcessDecoder) { self.decoder = decoder }

    func prepare() { decoder.prepare() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      if tried.insert(request.key).inserted, let process = decoder.processNumber { kill(process, SIGKILL) }
      return decoder.decode(request)
    }
  }
}
