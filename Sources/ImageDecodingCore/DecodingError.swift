public import VitrineGeometry
public import VitrineImageMetadata

/// An error that occurs while an image is decoded or encoded.
public enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is empty.
  case emptyFile
  /// The first bytes belong to no known image format.
  case notAPicture
  /// The image's format, or its variant of the format, has no decoder.
  case unsupported(ImageFormat, detail: String)
  /// No row of pixels could be decoded. The detail is the decoder's message.
  case damaged(detail: String)
  /// The image has more pixels, or more pixels per byte of the file, than the limits accept. The size is nil if it is
  /// unknown.
  case tooLarge(PixelSize?)
  /// More metadata precedes the first frame than the header parser reads.
  case tooMuchMetadata(bytes: Int)
  /// The image has more passes over all its pixels than the associated maximum.
  case tooManyPasses(Int)
  /// The result needs more bytes than the caller's buffer has.
  case bufferTooSmall(needed: Int)
  /// The system is out of memory.
  case outOfMemory
  /// The embedded preview was requested, but there is none or its aspect ratio differs.
  case noPreview
  /// The decoding was cancelled.
  case interrupted
  /// The format's decoder broke a rule. The file may be valid, and is not reported as damaged.
  case decoderFault(DecoderFault)

  /// A description of the error.
  public var description: String {
    switch self {
    case .emptyFile: "the file is empty"
    case .notAPicture: "the file is no picture"
    case .unsupported(let format, let detail): "no decoder for this \(format.name) file: \(detail)"
    case .damaged(let detail): "the picture is damaged: \(detail)"
    case .tooLarge(let size): size.map { "\($0.width) x \($0.height) pixels are too many" } ?? "too many pixels"
    case .tooMuchMetadata(let bytes): "more than \(bytes) bytes of metadata precede the pixel data"
    case .tooManyPasses(let most): "the picture comes in more than \(most) passes"
    case .bufferTooSmall(let needed): "the result needs \(needed) bytes, more than the buffer holds"
    case .outOfMemory: "out of memory"
    case .noPreview: "no embedded preview"
    case .interrupted: "cancelled"
    case .decoderFault(let fault): "the decoder is faulty: \(fault)"
    }
  }
}

/// A rule that the decoder of a format broke.
public enum DecoderFault: Hashable, Sendable, CustomStringConvertible {
  /// More rows were appended than the image has.
  case tooManyRows(height: Int)
  /// Rows that the result needs were not appended, and the image was not reported as damaged, or there was no row.
  case tooFewRows(rows: Int, needed: Int)
  /// The pixels do not cover the needed part of the image, or extend beyond the image.
  case wrongSize(expected: PixelSize)
  /// The scale is not positive and finite, or the origin is not finite.
  case wrongScale

  /// A description of the broken rule.
  public var description: String {
    switch self {
    case .tooManyRows(let height): "it produced more than the \(height) rows of the image"
    case .tooFewRows(let rows, let needed): "it produced \(rows) of \(needed) rows without reporting damage"
    case .wrongSize(let size):
      "its pixels are not those of an image of \(size.width) x \(size.height) pixels, as the header declares"
    case .wrongScale: "the scale or the origin of its pixels is no valid number"
    }
  }
}

/// A check, made between rows, that cancels a decoding.
///
/// Another thread or process may raise the interruption, so a check costs only a read of memory.
public struct DecodingInterruption: Sendable {
  private let isInterrupted: (@Sendable () -> Bool)?

  /// An interruption that never cancels.
  public static let none = DecodingInterruption(predicate: nil)

  /// Creates an interruption that cancels the decoding once a closure returns true.
  ///
  /// - Parameter isInterrupted: The closure. It is called often and must be fast.
  public init(_ isInterrupted: @escaping @Sendable () -> Bool) {
    self.init(predicate: isInterrupted)
  }

  private init(predicate isInterrupted: (@Sendable () -> Bool)?) {
    self.isInterrupted = isInterrupted
  }

  /// Throws if the decoding is cancelled.
  ///
  /// - Throws: ``DecodingError/interrupted``.
  public func check() throws(DecodingError) {
    if let isInterrupted, isInterrupted() { throw .interrupted }
  }
}

/// A counter that checks for an interruption after a fixed number of pixels, rather than after every row of a narrow
/// image.
package struct WorkMeter {
  private static let pixelsBetweenChecks = 1 << 16

  private let interruption: DecodingInterruption
  private var pixels = 0

  /// Creates a counter at zero.
  package init(_ interruption: DecodingInterruption) {
    self.interruption = interruption
  }

  /// Adds a number of processed pixels, and checks for an interruption when enough have accumulated.
  package mutating func add(_ count: Int) throws(DecodingError) {
    pixels += count
    if pixels >= WorkMeter.pixelsBetweenChecks {
      pixels = 0
      try interruption.check()
    }
  }
}
