/// The properties of an image file format: its entry in ``ImageFormat/table``.
///
/// Detection, the header parser, the limits, the decoders, the scanner of folders and the documents read them here.
public struct ImageFormatEntry: Sendable {
  /// The processes that decode a format.
  public enum Decoding: Hashable, Sendable {
    /// No process. The format is recognized, and shown as "no preview for …".
    case none
    /// Only a sandboxed process, as for most decoders.
    case sandboxed
    /// Any decoding process, because the decoder has few known vulnerabilities.
    case anywhere
  }

  /// The segments of a file that contain its pixels.
  public enum PixelData: Hashable, Sendable {
    /// The file is read whole.
    case wholeFile
    /// The segments of a JPEG file.
    case jpegSegments
    /// The chunks of a PNG file.
    case pngChunks
  }

  /// The format.
  public let format: ImageFormat
  /// The common name of the format.
  public let name: String
  /// The signatures of the format's files, one of which a file matches.
  public let signatures: [ImageSignature]
  /// The file name extensions of the format, two to five lowercase letters and digits each.
  ///
  /// Files with other names are recognized by their signature.
  public let fileExtensions: [String]
  /// The MIME types of the format, as in the shared MIME database of freedesktop.org.
  public let mimeTypes: [String]
  /// The processes that decode the format.
  public let decoding: Decoding
  /// Whether the format is decoded row by row, in memory that does not grow with the image.
  ///
  /// Such a format is exempt from the limits of side and pixels in ``ImageLimits``. Progressive JPEG is included
  /// although it stores coefficients: its decoder limits their size, and reads fewer scans of a file that is too large.
  public let isReadByRows: Bool
  /// Whether a damaged file is recorded on disk and not decoded again.
  ///
  /// Requires a decoder that distinguishes a damaged file from a lack of memory and from an exceeded limit.
  public let recordsDamage: Bool
  /// Whether the decoder finds and decodes the embedded preview.
  ///
  /// Otherwise the preview is a JPEG file at ``ImageHeader/embeddedThumbnail``.
  public let decodesOwnPreview: Bool
  /// Whether the declared size may still grow while the header is read, so that the size of an incomplete header is not
  /// used.
  public let needsCompleteHeader: Bool
  /// Whether images of the format have no transparency.
  public let isOpaque: Bool
  /// Whether files of the format may be animations.
  public let mayBeAnimated: Bool
  /// The segments that contain the pixels.
  public let pixelData: PixelData
  /// The reading of the header.
  let header: HeaderReading

  init(
    _ format: ImageFormat, name: String, signatures: [ImageSignature], fileExtensions: [String] = [],
    mimeTypes: [String], decoding: Decoding = .none, isReadByRows: Bool = false, recordsDamage: Bool = false,
    decodesOwnPreview: Bool = false, needsCompleteHeader: Bool = false, isOpaque: Bool = false,
    mayBeAnimated: Bool = false, pixelData: PixelData = .wholeFile,
    header: HeaderReading = .none
  ) {
    self.format = format
    self.name = name
    self.signatures = signatures
    self.fileExtensions = fileExtensions
    self.mimeTypes = mimeTypes
    self.decoding = decoding
    self.isReadByRows = isReadByRows
    self.recordsDamage = recordsDamage
    self.decodesOwnPreview = decodesOwnPreview
    self.needsCompleteHeader = needsCompleteHeader
    self.isOpaque = isOpaque
    self.mayBeAnimated = mayBeAnimated
    self.pixelData = pixelData
    self.header = header
  }
}

/// The reading of a format's header: of the size, and of the metadata that precedes the pixels.
struct HeaderReading: Sendable {
  /// A closure that reads the header from the fetched bytes, starting at the cursor's position.
  typealias Read = @Sendable (FetchedBytes, inout HeaderCursor) throws(HeaderReadError) -> Void

  /// The initial position of the cursor.
  let start: Int
  /// Whether reading resumes at the cursor's position once bytes have been fetched, so that the cost of each read is
  /// proportional to its bytes.
  let supportsResuming: Bool
  /// Reads the header.
  let read: Read

  /// Reads nothing, for formats that are only recognized.
  static let none = HeaderReading(start: 0, supportsResuming: false) { _, _ in }

  /// Reads the size at fixed offsets.
  ///
  /// - Parameters:
  ///   - width: The offset of the width.
  ///   - height: The offset of the height.
  ///   - count: The number of bytes of each.
  ///   - order: The order of the bytes.
  static func size(widthAt width: Int, heightAt height: Int, bytes count: Int, _ order: ByteOrder) -> HeaderReading {
    restartingReader { file, cursor throws(HeaderReadError) in
      let width = try file.number(at: width, bytes: count, order)
      let height = try file.number(at: height, bytes: count, order)
      cursor.header.setStoredSize(width: width, height: height)
    }
  }

  /// Reads the header with a reader that stores its position in the cursor.
  static func reader(from start: Int, _ read: @escaping Read) -> HeaderReading {
    HeaderReading(start: start, supportsResuming: true, read: read)
  }

  /// Reads the header with a reader that starts again whenever bytes have been fetched.
  static func restartingReader(_ read: @escaping Read) -> HeaderReading {
    HeaderReading(start: 0, supportsResuming: false, read: read)
  }
}
