public import VitrineGeometry
package import VitrineImageMetadata

/// A reply of a decoding process.
///
/// The client must validate all of it against the slot.
package struct DecodingReply: Hashable, Sendable {
  /// The id of the request; 0 in the first record, which signals that the process is ready.
  package var id: UInt32
  /// The status of the request.
  package var status: DecodingStatus
  /// The width of the result in pixels.
  package var width: UInt32
  /// The height of the result in pixels.
  package var height: UInt32
  /// The width of the image in the file in pixels, after orientation; 0 if unknown.
  package var sourceWidth: UInt32
  /// The height of the image in the file in pixels, after orientation; 0 if unknown.
  package var sourceHeight: UInt32
  /// The EXIF orientation that was applied, 1 to 8.
  package var orientation: UInt32
  /// Whether the file is truncated or corrupt and the result holds only what could be recovered.
  package var isDamaged: Bool
  /// The number of bytes of the result in the slot.
  package var byteCount: UInt32
  /// How long the frame of an animation is shown, in milliseconds, as the file states it; 0 in other replies.
  package var frameMilliseconds: UInt32
  /// The time that the process spent on the request, in microseconds.
  package var workMicroseconds: UInt32
  /// The active sandbox layers in the first record; empty in others.
  package var layers: SandboxLayers
  /// The formats that the process decodes in the first record, one bit per `ImageFormat.rawValue`; 0 in others.
  package var formatBits: UInt32
  /// The version of the program's decoders; 0 if the program is older than such versions.
  ///
  /// Valid only in the first record, which is sent before a file is read.
  package var version: UInt32

  /// Creates a reply.
  package init(
    id: UInt32, status: DecodingStatus, width: UInt32 = 0, height: UInt32 = 0, sourceWidth: UInt32 = 0,
    sourceHeight: UInt32 = 0, orientation: UInt32 = 1, isDamaged: Bool = false, byteCount: UInt32 = 0,
    frameMilliseconds: UInt32 = 0,
    workMicroseconds: UInt32 = 0, layers: SandboxLayers = [], formatBits: UInt32 = 0,
    version: UInt32 = UInt32(DecodingVersion.current)
  ) {
    self.id = id
    self.status = status
    self.width = width
    self.height = height
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.orientation = orientation
    self.isDamaged = isDamaged
    self.byteCount = byteCount
    self.frameMilliseconds = frameMilliseconds
    self.workMicroseconds = workMicroseconds
    self.layers = layers
    self.formatBits = formatBits
    self.version = version
  }

  /// The formats that the process decodes, in the first record.
  package var formats: [ImageFormat] { ImageFormat.allCases.filter { formatBits >> UInt32($0.rawValue) & 1 == 1 } }

  /// The record of the reply.
  package var words: WireWords {
    var words = WireWords()
    words[0] = WireFormat.magic
    words[1] = id
    words[2] = status.rawValue
    words[3] = width
    words[4] = height
    words[5] = sourceWidth
    words[6] = sourceHeight
    words[7] = orientation
    words[8] = isDamaged ? 1 : 0
    words[9] = byteCount
    words[10] = workMicroseconds
    words[11] = layers.rawValue
    words[12] = formatBits
    words[13] = frameMilliseconds
    words[14] = version
    return words
  }

  /// Parses a record, or returns nil if a word is invalid.
  package init?(words: WireWords) {
    guard words[0] == WireFormat.magic, let status = DecodingStatus(rawValue: words[2]), (1...8).contains(words[7]),
      words[8] <= 1
    else { return nil }
    self.init(
      id: words[1], status: status, width: words[3], height: words[4], sourceWidth: words[5], sourceHeight: words[6],
      orientation: words[7], isDamaged: words[8] == 1, byteCount: words[9], frameMilliseconds: words[13],
      workMicroseconds: words[10],
      layers: SandboxLayers(rawValue: words[11]), formatBits: words[12], version: words[14])
  }
}

/// The status of a request to a decoding process.
///
/// The description is shown to the user in place of an image.
public enum DecodingStatus: UInt32, Error, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// The result is in the slot.
  case ok = 0
  /// The file is empty.
  case emptyFile = 1
  /// The first bytes belong to no known image format.
  case notAPicture = 2
  /// The image's format has no decoder.
  case unsupportedFormat = 3
  /// The file ends before its first row of pixels, or is corrupt.
  case damaged = 4
  /// The image has more pixels, or more pixels per byte of the file, than the limits accept.
  case tooLarge = 5
  /// More bytes would have to be read than the maximum.
  case fileTooLarge = 6
  /// The result does not fit the slot.
  case slotTooSmall = 7
  /// The process is out of memory.
  case outOfMemory = 8
  /// The file could not be read.
  case unreadable = 9
  /// The request is invalid.
  case badRequest = 10
  /// The client cancelled the request.
  case interrupted = 11
  /// The file has no embedded preview that can replace the image.
  case noPreview = 12
  /// The file shrank while it was read.
  case changed = 13
  /// More metadata precedes the first frame than is read.
  case tooMuchMetadata = 14
  /// The image has more passes over all its pixels than the maximum.
  case tooManyPasses = 15
  /// The format's decoder produced more rows than the image has.
  case tooManyRows = 16
  /// The format's decoder produced fewer rows than the image has, and did not report it as damaged.
  case tooFewRows = 17
  /// The format's decoder produced pixels of another size than the header declares.
  case wrongSize = 18
  /// The format's decoder produced pixels with an invalid scale or origin.
  case wrongScale = 19
  /// The animation has no further frame, or the file is no animation.
  case noFrame = 20
  /// The program with the decoders of all formats decodes the file: `vitrine-decode-all`.
  case otherProgram = 21

  /// A short caption.
  public var description: String {
    switch self {
    case .ok: "ok"
    case .emptyFile: "empty file"
    case .notAPicture: "not a picture"
    case .unsupportedFormat: "no preview for this format"
    case .damaged: "damaged picture"
    // The amount, and that the limit is the program's, is described by an ``ExceededLimit``.
    case .tooLarge: "too many pixels"
    case .fileTooLarge: "file too large"
    case .tooMuchMetadata: "too much metadata"
    case .tooManyPasses: "too many passes"
    case .slotTooSmall: "larger than requested"
    case .outOfMemory: "not enough memory to decode"
    case .unreadable: "cannot be read"
    case .badRequest: "invalid decoding request"
    case .interrupted: "interrupted"
    case .noPreview: "no embedded preview"
    case .changed: "changes while it is read"
    // The fault is in the decoder, and the file may be valid.
    case .tooManyRows: "decoder fault: too many rows"
    case .tooFewRows: "decoder fault: too few rows"
    case .wrongSize: "decoder fault: not the size of the header"
    case .wrongScale: "decoder fault: invalid scale"
    case .noFrame: "no further frame"
    case .otherProgram: "vitrine-decode-all is missing next to vitrine-decode"
    }
  }
}

/// A limit of this program that a valid image exceeds.
public enum ExceededLimit: Hashable, Sendable, CustomStringConvertible {
  /// The number of pixels. The size is nil if a side exceeds `PixelSize.maximumSide`.
  case pixels(PixelSize?)
  /// The number of bytes that would have to be read of the file.
  case file(bytes: Int)
  /// The number of bytes before the first frame that cannot be skipped.
  case metadata(bytes: Int)
  /// The number of passes over all pixels of a progressive image.
  case passes(Int)

  /// A caption that describes the exceeded limit.
  public var description: String {
    switch self {
    case .pixels(let size?): "too large to show here (\(size.width) x \(size.height) pixels)"
    case .pixels(nil): "too large to show here (more than \(PixelSize.maximumSide) pixels on a side)"
    case .file(let bytes): "too large to show here (a file of \(ExceededLimit.megabytes(bytes)))"
    case .metadata(let bytes): "too large to show here (more than \(ExceededLimit.megabytes(bytes)) of metadata)"
    case .passes(let most): "too large to show here (more than \(most) passes)"
    }
  }

  private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MB" }
}
