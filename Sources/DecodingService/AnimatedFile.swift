import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata
import VitrineRendering

/// An animation that the process decodes frame by frame.
///
/// The file and the decoder stay in memory between requests, because most formats cannot decode a frame without the
/// ones before it.
final class AnimatedFile {
  private let contents: FileBuffer
  private let header: ImageHeader?
  private var decoder: AnimationDecoder?

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - fileBytes: The length of the file in bytes.
  ///   - limits: The limits that reject it.
  ///   - checkProgram: A closure that throws if the decoder of a format is in another program.
  /// - Throws: What that closure throws, ``DecodingStatus/noFrame`` if its format has no animations, and the errors of
  ///   ``ImageFile/readPixelContents(_:fileBytes:atMost:)``.
  init(
    _ file: borrowing ImageFile, fileBytes: UInt64, limits: ImageLimits,
    checkProgram: (ImageFormat) throws(DecodingStatus) -> Void
  ) throws(DecodingStatus) {
    let count = min(try file.byteCount(), Int(clamping: fileBytes))
    let header = try file.readHeader(fileBytes: count)
    guard let format = header?.format, format.entry.mayBeAnimated else { throw .noFrame }
    try checkProgram(format)
    let head = try file.readBytes(at: 0, count: min(count, AnimationDecoder.headBytes))
    // Most files are not, and need not be read as a whole.
    guard head.withUnsafeBytes({ AnimationDecoder.mayBeAnimation(head: $0, of: format) }) else { throw .noFrame }
    self.header = header
    contents = try file.readPixelContents(
      format, fileBytes: count, atMost: limits.maximumFileBytes)
  }

  /// Decodes the next frame into a slot.
  ///
  /// - Parameters:
  ///   - request: The request. All requests for a file have the same size and backgrounds.
  ///   - imageDecoder: The decoder whose limits and formats apply.
  ///   - interruption: The check that can cancel the decoding.
  ///   - slot: The memory for the pixels.
  /// - Throws: ``DecodingStatus/noFrame`` after the last frame, and if the file is no animation.
  func decodeFrame(
    _ request: DecodingRequest, _ imageDecoder: ImageDecoder, _ interruption: DecodingInterruption,
    into slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> AnimationDecoder.Frame {
    var frame: AnimationDecoder.Frame?
    do {
      if decoder == nil || request.startsAnimation {
        let target = DecodingTarget(
          size: request.size, fit: .fit, background: Color(packed: request.background),
          secondBackground: request.secondBackground.map(Color.init(packed:)))
        // The last one's memory is free before the next one needs as much.
        decoder = nil
        decoder = try AnimationDecoder(contents.bytes, header: header, target: target, decoder: imageDecoder)
      }
      frame = try decoder?.nextFrame(into: slot, interruption: interruption)
    } catch {
      throw DecodingStatus(error)
    }
    guard let frame else { throw .noFrame }
    return frame
  }
}
