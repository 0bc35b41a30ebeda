import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering

/// The program's own decoding process, which the package builds next to the tests.
enum RealHelper {
  /// Returns the setup with which it is started.
  static func setup() throws -> DecodingProcess.Setup {
    DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: nil), slotBytes: 4 << 20, priority: .normal,
      forbiddenCalls: .kill, readinessTimeout: ProcessTimeout(limit: .seconds(300)),
      replyTimeout: ProcessTimeout(limit: .seconds(300)))
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
