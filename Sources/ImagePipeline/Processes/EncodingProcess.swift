public import DecodingProtocol
public import Geometry
public import ImageMetadata
public import Rendering

/// A decoding process used the other way round: pixels in, a JPEG file's bytes out.
///
/// For programs that write pictures, from a thread of their own: it waits for each one, and belongs to the thread that
/// made it and lasts no longer than that. A process that is lost is replaced by the next call.
public final class EncodingProcess {
  private let setup: DecodingProcess.Setup
  private var process: DecodingProcess?

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - largest: the largest bitmap that will be encoded.
  ///   - helperPath: the executable; where nothing is told, `vitrine-decode` beside the program.
  /// - Throws: ``DecodingProcessError``.
  public init(largest: PixelSize, helperPath: String? = nil) throws(DecodingProcessError) {
    setup = DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: helperPath),
      slotBytes: max(largest.bytesAtFourPerPixel, 1 << 20), priority: .normal)
    process = try DecodingProcess(setup, stop: nil)
  }

  /// What confines the process; nothing where it was lost.
  public var layers: SandboxLayers? { process?.layers }

  /// The formats that such a process decodes.
  public var formats: [ImageFormat] { process?.formats ?? [] }

  /// Encodes a bitmap as a JPEG file.
  ///
  /// - Parameters:
  ///   - bitmap: the pixels; alpha is dropped.
  ///   - quality: 1 to 100; others are brought into that range.
  /// - Returns: the file's bytes.
  /// - Throws: ``DecodingProcessError``; ``DecodingProcessError/refused(_:)`` for a bitmap larger than was promised.
  public func encode(_ bitmap: Bitmap, quality: Int) throws(DecodingProcessError) -> [UInt8] {
    let process = try readyProcess()
    do throws(DecodingProcessError) {
      return try process.encode(bitmap, quality: quality)
    } catch {
      if error.invalidatesProcess { self.process = nil }
      throw error
    }
  }

  private func readyProcess() throws(DecodingProcessError) -> DecodingProcess {
    if let process, !process.hasEnded { return process }
    let started = try DecodingProcess(setup, stop: nil)
    process = started
    return started
  }
}
