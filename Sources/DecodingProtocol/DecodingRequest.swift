public import Geometry
public import ImageMetadata

/// What the program asks of a decoding process; the file or the pixels come beside it.
///
/// One record on the socket. For ``Operation/decode`` the file's descriptor rides along (SCM_RIGHTS), and the pixels
/// come back in the slot. For ``Operation/encode`` the pixels stand in the slot, and the file's bytes come back in it.
public struct DecodingRequest: Hashable, Sendable {
  /// What is to be done.
  public enum Operation: UInt32, Sendable {
    /// File in, pixels out.
    case decode = 1
    /// Pixels in, a JPEG file's bytes out.
    case encode = 2
  }

  /// How a picture fills the size that is asked for.
  public enum Fit: UInt32, Sendable {
    /// Covers all of it, the middle of the picture kept: the result is exactly the size asked.
    case fill = 1
    /// All of the picture within it, never enlarged: the result may be smaller.
    case fit = 2
    /// As ``fill``, but never enlarged: the result may be smaller, of the shape that was asked for.
    case fillWithoutEnlarging = 3
  }

  /// How good a picture is wanted.
  public enum Representation: UInt32, Sendable {
    /// The smaller picture that the file has of itself; ``DecodingStatus/noPreview`` where it has none.
    case embedded = 1
    /// The picture.
    case full = 2
  }

  /// The caller's number, given back in the reply.
  public var id: UInt32
  /// What to do.
  public var operation: Operation
  /// Which slot of the shared pixels.
  public var slot: UInt32
  /// The size in pixels: wanted, or of the pixels in the slot.
  public var size: PixelSize
  /// How the picture fills it.
  public var fit: Fit
  /// The colour behind transparent pixels, as R, G, B in the lowest three bytes, red lowest.
  public var background: UInt32
  /// The file's bytes when it was opened; more are not read.
  public var fileBytes: UInt64
  /// The JPEG quality, 1 to 100, when encoding.
  public var quality: UInt32
  /// Time added to the work, in microseconds: for demonstrations and tests.
  public var delayMicroseconds: UInt32
  /// How good a picture is wanted.
  public var representation: Representation
  /// How large a picture may be to be decoded at all; each number is brought into the range of its words.
  public var limits: ImageLimits

  /// Makes a request.
  public init(
    id: UInt32, operation: Operation, slot: UInt32, size: PixelSize, fit: Fit = .fill, background: UInt32 = 0,
    fileBytes: UInt64 = 0, quality: UInt32 = 90, delayMicroseconds: UInt32 = 0, representation: Representation = .full,
    limits: ImageLimits = .standard
  ) {
    self.id = id
    self.operation = operation
    self.slot = slot
    self.size = size
    self.fit = fit
    self.background = background
    self.fileBytes = fileBytes
    self.quality = quality
    self.delayMicroseconds = delayMicroseconds
    self.representation = representation
    self.limits = limits
  }

  /// The record.
  public var words: WireWords {
    var words = WireWords()
    words[0] = WireFormat.magic
    words[1] = operation.rawValue
    words[2] = id
    words[3] = slot
    words[4] = UInt32(size.width)
    words[5] = UInt32(size.height)
    words[6] = fit.rawValue
    words[7] = background
    words.setUInt64(fileBytes, at: 8)
    words[10] = quality
    words[11] = delayMicroseconds
    words[12] = representation.rawValue
    words[13] = UInt32(clamping: limits.longestSide)
    words[14] = UInt32(clamping: limits.maximumPixelsPerByte)
    words.setUInt64(UInt64(clamping: limits.maximumPixels), at: 15)
    words.setUInt64(UInt64(clamping: limits.ratioCheckThreshold), at: 17)
    return words
  }

  /// Reads a record; nothing when a word is not what it may be.
  public init?(words: WireWords) {
    guard words[0] == WireFormat.magic, let operation = Operation(rawValue: words[1]),
      let fit = Fit(rawValue: words[6]),
      let size = PixelSize(width: Int(words[4]), height: Int(words[5])), (1...100).contains(words[10]),
      let rung = Representation(rawValue: words[12]), words[14] > 0
    else { return nil }
    let limits = ImageLimits(
      longestSide: Int(words[13]), maximumPixels: Int(clamping: words.uint64(at: 15)),
      maximumPixelsPerByte: Int(words[14]),
      ratioCheckThreshold: Int(clamping: words.uint64(at: 17)))
    self.init(
      id: words[2], operation: operation, slot: words[3], size: size, fit: fit, background: words[7],
      fileBytes: words.uint64(at: 8), quality: words[10], delayMicroseconds: words[11], representation: rung,
      limits: limits)
  }
}
