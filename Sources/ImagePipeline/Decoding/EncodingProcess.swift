public import VitrineDecodingProtocol
public import VitrineGeometry
public import VitrineImageMetadata
public import VitrineRendering

/// A decoding process used for encoding: it turns pixels into JPEG files.
///
/// For programs that write images on a thread of their own: each call blocks, and the instance belongs to the thread
/// that created it and must not outlive it. A lost process is replaced by the next call.
public final class EncodingProcess {
  private let setup: DecodingProcess.Setup
  private var process: DecodingProcess?

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - largest: The size of the largest bitmap to encode.
  ///   - helperPath: The path of the executable. Default: nil, `vitrine-decode` next to the program.
  /// - Throws: ``DecodingProcessError``.
  public init(largest: PixelSize, helperPath: String? = nil) throws(DecodingProcessError) {
    setup = DecodingProcess.Setup(
      executable: try DecoderExecutable.locate(explicit: helperPath),
      slotBytes: max(largest.bytesAtFourPerPixel, 1 << 20), priority: .normal)
    process = try DecodingProcess(setup, stop: nil)
  }

  /// The sandbox layers of the process; nil if the process was lost.
  public var layers: SandboxLayers? { process?.layers }

  /// The formats that the process decodes.
  public var formats: [ImageFormat] { process?.formats ?? [] }

  /// Encodes a bitmap as a JPEG file.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels; alpha is ignored.
  ///   - quality: The quality, clamped to 1...100.
  /// - Returns: The bytes of the file.
  /// - Throws: ``DecodingProcessError``, which is ``DecodingProcessError/refused(_:)`` for a bitmap larger than the
  ///   largest.
  public func encode(_ bitmap: Bitmap, quality: Int) throws(DecodingProcessError) -> [UInt8] {
    let process = try readyProcess()
    do throws(DecodingProcessError) {
      return try process.encode(bitmap, quality: quality)
    } catch {
      if !process.isUsable { self.process = nil }
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
