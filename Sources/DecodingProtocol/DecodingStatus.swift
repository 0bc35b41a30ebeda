/// How a request to a decoding process went.
///
/// The words are what a user reads beside a picture that cannot be shown.
public enum DecodingStatus: UInt32, Error, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// The result stands in the slot.
  case ok = 0
  /// The file holds nothing.
  case emptyFile = 1
  /// The first bytes are those of no picture.
  case notAPicture = 2
  /// A picture, of a format without a decoder here.
  case unsupportedFormat = 3
  /// The file ends before its first row of pixels, or its bytes make no sense.
  case damaged = 4
  /// More pixels, or more pixels a byte, than are accepted.
  case tooLarge = 5
  /// More bytes of the file would have to be read than are.
  case fileTooLarge = 6
  /// The result does not fit the slot.
  case slotTooSmall = 7
  /// The process has not the memory for it.
  case outOfMemory = 8
  /// The file could not be read.
  case unreadable = 9
  /// The request was not understood.
  case badRequest = 10
  /// The program wants it no longer.
  case interrupted = 11
  /// The file holds no smaller picture of itself that could stand for it.
  case noPreview = 12
  /// The file became shorter while it was read.
  case changed = 13
  /// More stands before the first frame than is read.
  case tooMuchMetadata = 14
  /// More passes over all pixels than are made.
  case tooManyPasses = 15

  /// A few words for a caption.
  public var description: String {
    switch self {
    case .ok: "ok"
    case .emptyFile: "empty file"
    case .notAPicture: "not a picture"
    case .unsupportedFormat: "no preview for this format"
    case .damaged: "damaged picture"
    // How much of it, and that the limit is ours, a ``PictureExcess`` says.
    case .tooLarge: "too many pixels"
    case .fileTooLarge: "file too large"
    case .tooMuchMetadata: "too much metadata"
    case .tooManyPasses: "too many passes"
    case .slotTooSmall: "larger than was asked for"
    case .outOfMemory: "not enough memory to decode"
    case .unreadable: "cannot be read"
    case .badRequest: "the decoder was asked for nonsense"
    case .interrupted: "interrupted"
    case .noPreview: "no embedded preview"
    case .changed: "changes while it is read"
    }
  }
}
