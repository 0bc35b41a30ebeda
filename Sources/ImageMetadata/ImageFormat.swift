/// An image file format, detected from the first bytes of a file and never from its name.
///
/// ``table`` has an entry for each format. To add a format, append a case and its entry in this file, and its decoder in
/// ImageDecodingCore. Raw values are stored on disk and sent to decoding processes, so cases are neither moved nor removed.
public enum ImageFormat: UInt8, CaseIterable, Hashable, Sendable {
  /// JPEG, ITU-T T.81.
  case jpeg
  /// PNG, ISO/IEC 15948.
  case png
  /// WebP, RFC 9649.
  case webp
  /// GIF.
  case gif
  /// Windows bitmap.
  case bmp
  /// TIFF, and the raw formats that are TIFF files.
  case tiff
  /// AVIF.
  case avif
  /// HEIC and HEIF.
  case heic
  /// QOI.
  case qoi
  /// JPEG XL.
  case jpegXL
  /// JPEG 2000.
  case jpeg2000
  /// Adobe Photoshop.
  case photoshop
  /// Windows icons and cursors.
  case icon
}

// MARK: - The table

extension ImageFormat {
  /// The entries of all formats, in the order of their raw values.
  public static let table = allCases.map(\.newEntry)

  /// The entry of the format.
  public var entry: ImageFormatEntry { ImageFormat.table[Int(rawValue)] }

  /// The common name of the format.
  public var name: String { entry.name }

  /// Whether the format is decoded row by row: see ``ImageFormatEntry/isReadByRows``.
  public var isReadByRows: Bool { entry.isReadByRows }

  /// Creates the entry of the format, which the compiler demands for each case.
  private var newEntry: ImageFormatEntry {
    switch self {
    case .jpeg:
      ImageFormatEntry(
        self, name: "JPEG", signatures: [.bytes([0xFF, 0xD8, 0xFF])],
        fileExtensions: ["jpg", "jpeg", "jpe", "jfif"], mimeTypes: ["image/jpeg"],
        decoding: .anywhere, isReadByRows: true, recordsDamage: true, isOpaque: true, pixelData: .jpegSegments,
        header: .reader(from: JPEGHeaderReader.firstSegmentOffset) { file, cursor throws(HeaderReadError) in
          try JPEGHeaderReader(file: file).read(&cursor)
        })
    case .png:
      ImageFormatEntry(
        self, name: "PNG", signatures: [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])],
        fileExtensions: ["png", "apng"], mimeTypes: ["image/png", "image/apng"],
        decoding: .anywhere, isReadByRows: true, recordsDamage: true, mayBeAnimated: true, pixelData: .pngChunks,
        header: .reader(from: PNGHeaderReader.firstChunkOffset) { file, cursor throws(HeaderReadError) in
          try PNGHeaderReader(file: file).read(&cursor)
        })
    case .webp:
      ImageFormatEntry(
        self, name: "WebP", signatures: [.text("RIFF", and: .init(8, text: "WEBP"))],
        fileExtensions: ["webp"], mimeTypes: ["image/webp"],
        decoding: .anywhere, recordsDamage: true, mayBeAnimated: true,
        header: .reader(from: WebPHeaderReader.firstChunkOffset) { file, cursor throws(HeaderReadError) in
          try WebPHeaderReader(file: file).read(&cursor)
        })
    case .gif:
      ImageFormatEntry(
        self, name: "GIF", signatures: [.text("GIF87a"), .text("GIF89a")],
        fileExtensions: ["gif"], mimeTypes: ["image/gif"],
        decoding: .sandboxed, isReadByRows: true, recordsDamage: true, needsCompleteHeader: true, mayBeAnimated: true,
        header: .reader(from: 0) { file, cursor throws(HeaderReadError) in
          try GIFHeaderReader(file: file).read(&cursor)
        })
    case .bmp:
      ImageFormatEntry(
        self, name: "BMP",
        // Two letters do not distinguish a bitmap from a text, so the length of the second header must be a known one.
        signatures: [12, 16, 40, 52, 56, 64, 108, 124].map { .text("BM", and: .init(14, [$0, 0, 0, 0])) },
        fileExtensions: ["bmp", "dib"], mimeTypes: ["image/bmp"],
        decoding: .sandboxed, isReadByRows: true, recordsDamage: true,
        header: .restartingReader { file, cursor throws(HeaderReadError) in
          try BMPHeaderReader(file: file).read(into: &cursor.header)
        })
    case .tiff:
      ImageFormatEntry(
        self, name: "TIFF",
        // The two letters of the byte order, then 42, or 43 for BigTIFF.
        signatures: [
          .bytes([0x49, 0x49, 42, 0]), .bytes([0x49, 0x49, 43, 0]), .bytes([0x4D, 0x4D, 0, 42]),
          .bytes([0x4D, 0x4D, 0, 43]),
        ],
        fileExtensions: ["tif", "tiff"], mimeTypes: ["image/tiff"],
        decoding: .sandboxed, isReadByRows: true,
        header: .restartingReader { file, cursor throws(HeaderReadError) in
          try ExifReader(file: file, start: 0, end: file.fileBytes)?.read(into: &cursor.header)
          cursor.header.exifData = 0..<file.fileBytes
        })
    case .avif:
      ImageFormatEntry(
        self, name: "AVIF", signatures: [.brands(["avif", "avis"])],
        fileExtensions: ["avif", "avifs"], mimeTypes: ["image/avif"],
        decoding: .sandboxed, mayBeAnimated: true, header: .itemBoxes)
    case .heic:
      ImageFormatEntry(
        self, name: "HEIC",
        signatures: [
          .brands(["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1", "mif2"])
        ],
        fileExtensions: ["heic", "heif", "hif"], mimeTypes: ["image/heic", "image/heif"],
        decoding: .sandboxed, decodesOwnPreview: true, header: .itemBoxes)
    case .qoi:
      ImageFormatEntry(
        self, name: "QOI", signatures: [.text("qoif")],
        fileExtensions: ["qoi"], mimeTypes: ["image/qoi"],
        decoding: .sandboxed, isReadByRows: true, recordsDamage: true,
        header: .size(widthAt: 4, heightAt: 8, bytes: 4, .bigEndian))
    case .jpegXL:
      ImageFormatEntry(
        self, name: "JPEG XL",
        signatures: [.bytes([0xFF, 0x0A]), .bytes([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])],
        fileExtensions: ["jxl"], mimeTypes: ["image/jxl"])
    case .jpeg2000:
      ImageFormatEntry(
        self, name: "JPEG 2000",
        signatures: [
          .bytes([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]), .bytes([0xFF, 0x4F, 0xFF, 0x51]),
        ],
        mimeTypes: ["image/jp2"])
    case .photoshop:
      ImageFormatEntry(
        self, name: "Photoshop", signatures: [.text("8BPS")], mimeTypes: ["image/vnd.adobe.photoshop"])
    case .icon:
      ImageFormatEntry(
        self, name: "Windows icon", signatures: [.icon(kind: 1), .icon(kind: 2)],
        mimeTypes: ["image/vnd.microsoft.icon"])
    }
  }
}

extension ImageSignature {
  /// Two zeros and a one, or a two for a cursor, are not sufficient: the offset of the first image must also be
  /// plausible.
  fileprivate static func icon(kind: UInt8) -> ImageSignature {
    ImageSignature([Piece(0, [0, 0, kind, 0]), Piece(5, [0]), Piece(9, [0]), Piece(21, [0])]) { magic in
      let count = Int(magic[4])
      let offset = Int(magic[18]) | Int(magic[19]) << 8 | Int(magic[20]) << 16
      return count > 0 && offset >= 6 + 16 * count
    }
  }
}

extension HeaderReading {
  /// The boxes of AVIF and HEIC.
  fileprivate static let itemBoxes = HeaderReading.restartingReader { file, cursor throws(HeaderReadError) in
    try HEIFHeaderReader(file: file).read(into: &cursor.header)
  }
}
