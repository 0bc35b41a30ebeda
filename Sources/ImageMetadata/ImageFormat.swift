/// A kind of picture file, told by its first bytes and never by its name.
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
  /// Photoshop's own.
  case photoshop
  /// Windows icons and pointers.
  case icon

  /// What people call it.
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

  /// Whether it is decoded row by row, in memory that does not grow with the picture.
  ///
  /// Progressive JPEG is not, but its decoder bounds what it keeps itself, and reads fewer scans of a file that is too large.
  public var isReadByRows: Bool {
    switch self {
    case .jpeg, .png, .tiff, .gif, .bmp, .qoi: true
    case .webp, .avif, .heic, .jpegXL, .jpeg2000, .photoshop, .icon: false
    }
  }
}
