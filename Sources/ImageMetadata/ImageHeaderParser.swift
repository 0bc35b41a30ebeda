/// Reads a picture's header piece by piece, and says each time which bytes of the file it wants to see next.
///
/// It reads nothing itself: a thread that scans folders fetches the first 4 KiB, and goes to the disk again only where
/// the answer lies further on, as behind a long colour profile. What need not be read is passed over, however long it is;
/// however the file lies, ``mostBytes`` are asked for in all, and then the header says so (``ImageHeader/isUnfinished``).
public struct ImageHeaderParser: Sendable {
  /// What is to happen next.
  public enum Step: Hashable, Sendable {
    /// Fetch these bytes and hand them to ``ImageHeaderParser/supply(_:)``.
    case needsBytes(Range<Int>)
    /// The header, or nothing when the file is no picture.
    case finished(ImageHeader?)
  }

  /// How many bytes of a file are read, at most: behind a gigabyte of segments that are passed over there is a picture yet.
  public static let maximumBytes = 16 << 20
  /// How many bytes are asked for at a time to begin with, unless one field needs more.
  public static let bytesPerRead = 4096

  /// After so many reads the file is one of many segments: what is passed over is read less of, what is not more.
  private static let fullSizeReads = 16
  private static let minimumReadBytes = 32
  private static let maximumReadBytes = 64 << 10
  /// The most reads of a file whose reader starts again from the beginning after each read.
  private static let maximumReads = 64

  /// What is to happen next.
  public private(set) var step: Step

  private var file: FetchedBytes
  private var cursor: HeaderCursor?
  private var readCount = 0
  private var byteCount = 0
  private var readBytes = ImageHeaderParser.minimumReadBytes

  /// Begins with a file of so many bytes.
  public init(fileBytes: Int) {
    file = FetchedBytes(fileBytes: max(0, fileBytes))
    let first = min(file.fileBytes, ImageHeaderParser.bytesPerRead)
    step = first > 0 ? .needsBytes(0..<first) : .finished(nil)
  }

  /// Takes the bytes that were asked for; does nothing once finished.
  ///
  /// - Parameter bytes: as many as were asked for; fewer mean that the file ends there.
  public mutating func supplyBytes(_ bytes: [UInt8]) {
    guard case .needsBytes(let range) = step else { return }
    readCount += 1
    byteCount += range.count
    file.insertPiece(bytes, for: range)
    do {
      try parse()
      step = .finished(cursor?.header)
    } catch {
      step = nextStep(after: error)
    }
  }

  /// Asks for what is missing, or ends with what is known where the file or the budget does.
  private mutating func nextStep(after gap: HeaderReadError) -> Step {
    guard case .missingBytes(let offset, let count) = gap else { return .finished(cursor?.header) }
    var wanted = ImageHeaderParser.bytesPerRead
    if readCount >= ImageHeaderParser.fullSizeReads {
      // Twice as much each time that nothing was passed over.
      readBytes =
        file.continuesLastPiece(at: offset)
        ? min(2 * readBytes, ImageHeaderParser.maximumReadBytes) : ImageHeaderParser.minimumReadBytes
      wanted = readBytes
    }
    if let cursor { file.discardPieces(before: cursor.position) }
    let end = min(file.fileBytes, offset + max(count, wanted))
    let hasReads = cursor.map { $0.supportsResuming } ?? false || readCount < ImageHeaderParser.maximumReads
    if hasReads, byteCount + (end - offset) <= ImageHeaderParser.maximumBytes { return .needsBytes(offset..<end) }
    cursor?.header.isIncomplete = true
    return .finished(cursor?.header)
  }

  /// Walks the file from where it was left, as far as its bytes are there.
  private mutating func parse() throws(HeaderReadError) {
    if cursor == nil { cursor = try detectFormat() }
    guard var cursor else { return }
    defer { self.cursor = cursor }
    switch cursor.header.format {
    case .jpeg: try JPEGHeaderReader(file: file).read(&cursor)
    case .png: try PNGHeaderReader(file: file).read(&cursor)
    case .webp: try WebPHeaderReader(file: file).read(&cursor)
    case .tiff: try ExifReader(file: file, start: 0, end: file.fileBytes)?.read(into: &cursor.header)
    case .gif: try GIFHeaderReader(file: file).read(&cursor)
    case .bmp, .qoi: try FixedOffsetHeaderReader(file: file).read(into: &cursor.header)
    case .avif, .heic: try HEIFHeaderReader(file: file).read(into: &cursor.header)
    case .jpegXL, .jpeg2000, .photoshop, .icon: break
    }
  }

  /// Tells the format; nothing when the file is no picture.
  private func detectFormat() throws(HeaderReadError) -> HeaderCursor? {
    let magic = try file.bytes(at: 0, count: min(file.fileBytes, ImageFormat.magicByteCount))
    guard let format = ImageFormat(magic: Array(magic)) else { return nil }
    let start =
      switch format {
      case .jpeg: JPEGHeaderReader.firstSegmentOffset
      case .png: PNGHeaderReader.firstChunkOffset
      case .webp: WebPHeaderReader.firstChunkOffset
      default: 0
      }
    return HeaderCursor(position: start, header: ImageHeader(format: format))
  }
}
