public import ImageMetadata

/// What a decoding process answers.
///
/// The program believes none of it before checking it against the slot.
public struct DecodingReply: Hashable, Sendable {
  /// The request's number; 0 in the first record, which says "ready".
  public var id: UInt32
  /// How it went.
  public var status: DecodingStatus
  /// The result's width in pixels, and its height.
  public var width: UInt32
  /// The result's height in pixels.
  public var height: UInt32
  /// The picture's own width after orientation, where the file told it; otherwise 0.
  public var sourceWidth: UInt32
  /// The picture's own height after orientation, where the file told it; otherwise 0.
  public var sourceHeight: UInt32
  /// The EXIF orientation that was applied, 1 to 8.
  public var orientation: UInt32
  /// Whether the file was cut off or damaged, and the picture is what could be saved of it.
  public var isDamaged: Bool
  /// Bytes of the result in the slot.
  public var byteCount: UInt32
  /// The process's own time for the work, in microseconds.
  public var workMicroseconds: UInt32
  /// In the first record, what confines the process; nothing in others.
  public var layers: SandboxLayers
  /// In the first record, the formats that the process decodes, the bit of ``ImageFormat/rawValue`` for each; 0 in others.
  public var formatBits: UInt32

  /// Makes a reply.
  public init(
    id: UInt32, status: DecodingStatus, width: UInt32 = 0, height: UInt32 = 0, sourceWidth: UInt32 = 0,
    sourceHeight: UInt32 = 0, orientation: UInt32 = 1, isDamaged: Bool = false, byteCount: UInt32 = 0,
    workMicroseconds: UInt32 = 0, layers: SandboxLayers = [], formatBits: UInt32 = 0
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
    self.workMicroseconds = workMicroseconds
    self.layers = layers
    self.formatBits = formatBits
  }

  /// The formats that the process decodes, in the first record.
  public var formats: [ImageFormat] { ImageFormat.allCases.filter { formatBits >> UInt32($0.rawValue) & 1 == 1 } }

  /// The record.
  public var words: WireWords {
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
    return words
  }

  /// Reads a record; nothing when a word is not what it may be.
  public init?(words: WireWords) {
    guard words[0] == WireFormat.magic, let status = DecodingStatus(rawValue: words[2]), (1...8).contains(words[7]),
      words[8] <= 1
    else { return nil }
    self.init(
      id: words[1], status: status, width: words[3], height: words[4], sourceWidth: words[5], sourceHeight: words[6],
      orientation: words[7], isDamaged: words[8] == 1, byteCount: words[9], workMicroseconds: words[10],
      layers: SandboxLayers(rawValue: words[11]), formatBits: words[12])
  }
}
