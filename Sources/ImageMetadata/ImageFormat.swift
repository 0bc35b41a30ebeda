/// An image file format, detected from the first bytes of a file and never from its name.
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

  /// The common name of the format.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .gif: "GIF"
    case .bmp: "BMP"
    case .tiff: "TIFF"
    case .avif: "AVIF"
    case .heic: "HEIC"
    case .qoi: "QOI"
    case .jpegXL: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    case .photoshop: "Photoshop"
    case .icon: "Windows icon"
    }
  }

  /// Whether the format is decoded row by row, in memory that does not grow with the image.
  ///
  /// Progressive JPEG is included although it stores coefficients: its decoder limits their size, and reads fewer scans
  /// of a file that is too large.
  public var isReadByRows: Bool {
    switch self {
    case .jpeg, .png, .tiff, .gif, .bmp, .qoi: true
    case .webp, .avif, .heic, .jpegXL, .jpeg2000, .photoshop, .icon: false
    }
  }
}

extension ImageFormat {
  /// The maximum number of bytes that ``init(magic:)`` reads.
  public static let magicByteCount = 64

  /// Detects the format from the first bytes of a file, or returns nil if they belong to no known format.
  ///
  /// - Parameter magic: The first ``magicByteCount`` bytes of the file, or all bytes of a shorter file.
  public init?(magic: [UInt8]) {
    if magic.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if magic.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if magic.starts(with: "RIFF".utf8), magic.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if magic.starts(with: "GIF87a".utf8) || magic.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if ImageFormat.isTIFF(magic) {
      self = .tiff
    } else if magic.starts(with: "qoif".utf8) {
      self = .qoi
    } else if magic.starts(with: [0xFF, 0x0A]) || magic.starts(with: ImageFormat.jpegXLContainer) {
      self = .jpegXL
    } else if ImageFormat.isBitmap(magic) {
      self = .bmp
    } else if magic.starts(with: ImageFormat.jpeg2000Container) || magic.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else if magic.starts(with: "8BPS".utf8) {
      self = .photoshop
    } else if ImageFormat.isIcon(magic) {
      self = .icon
    } else if let format = ImageFormat.isoBaseMedia(magic) {
      self = format
    } else {
      return nil
    }
  }

  private static let jpegXLContainer: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  private static let jpeg2000Container: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// Two zeros and a one, or a two for a cursor, are not sufficient: the offset of the first image must also be
  /// plausible.
  private static func isIcon(_ magic: [UInt8]) -> Bool {
    guard magic.count >= 22, magic[0] == 0, magic[1] == 0, magic[2] == 1 || magic[2] == 2, magic[3] == 0,
      magic[5] == 0, magic[9] == 0
    else { return false }
    let count = Int(magic[4])
    let place = Int(magic[18]) | Int(magic[19]) << 8 | Int(magic[20]) << 16 | Int(magic[21]) << 24
    return count > 0 && place >= 6 + 16 * count && place < 1 << 24
  }

  /// The two letters of the byte order, then 42, or 43 for BigTIFF.
  private static func isTIFF(_ magic: [UInt8]) -> Bool {
    [[0x49, 0x49, 42, 0], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 42], [0x4D, 0x4D, 0, 43]].contains(magic.prefix(4))
  }

  /// Two letters are not sufficient to distinguish a bitmap from text, so the size of the second header is checked too.
  private static func isBitmap(_ magic: [UInt8]) -> Bool {
    guard magic.count >= 18, magic.starts(with: "BM".utf8), magic[15] == 0, magic[16] == 0, magic[17] == 0 else {
      return false
    }
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(magic[14])
  }

  /// AVIF and HEIC both begin with an `ftyp` box, and are distinguished by its brands.
  private static func isoBaseMedia(_ magic: [UInt8]) -> ImageFormat? {
    guard magic.count >= 12, magic[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let boxEnd = min(magic.count, Int(magic[2]) << 8 | Int(magic[3]))
    guard magic[0] == 0, magic[1] == 0, boxEnd >= 12 else { return nil }
    var isHEIF = false
    // The major brand, then, after four bytes of version, the compatible brands.
    for start in [8] + Array(stride(from: 16, through: boxEnd - 4, by: 4)) {
      switch String(decoding: magic[start..<start + 4], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1", "mif2": isHEIF = true
      default: break
      }
    }
    return isHEIF ? .heic : nil
  }
}
