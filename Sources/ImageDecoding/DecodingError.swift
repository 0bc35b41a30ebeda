public import Geometry
public import ImageMetadata

/// Why a picture could not be decoded, or encoded.
public enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file holds nothing.
  case emptyFile
  /// The first bytes are those of no picture.
  case notAPicture
  /// A picture without a decoder here: its format, or what kind of it.
  case unsupported(ImageFormat, detail: String)
  /// Not one row of pixels could be had; what the decoder said.
  case damaged(detail: String)
  /// More pixels, or more pixels a byte, than are accepted; the size where it could be told.
  case tooLarge(PixelSize?)
  /// More stands before the first frame than is read of a file.
  case tooMuchMetadata(bytes: Int)
  /// More passes over all pixels than this many.
  case tooManyPasses(Int)
  /// The result needs more bytes than the caller's buffer has.
  case bufferTooSmall(needed: Int)
  /// The system has not the memory.
  case outOfMemory
  /// Only the preview in the file was asked for, and there is none, or one of another shape.
  case noPreview
  /// The picture is not wanted any more.
  case interrupted

  /// What happened.
  public var description: String {
    switch self {
    case .emptyFile: "the file is empty"
    case .notAPicture: "the file is no picture"
    case .unsupported(let format, let detail): "no decoder for this \(format.name) file: \(detail)"
    case .damaged(let detail): "the picture is damaged: \(detail)"
    case .tooLarge(let size): size.map { "\($0.width) x \($0.height) pixels are too many" } ?? "too many pixels"
    case .tooMuchMetadata(let bytes): "more than \(bytes) bytes of metadata stand before the picture"
    case .tooManyPasses(let most): "the picture comes in more than \(most) passes"
    case .bufferTooSmall(let needed): "the result takes \(needed) bytes, more than there is room for"
    case .outOfMemory: "out of memory"
    case .noPreview: "the file carries no preview"
    case .interrupted: "not wanted any more"
    }
  }
}
