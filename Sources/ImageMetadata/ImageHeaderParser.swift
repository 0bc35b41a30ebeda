/// Reads a picture's header piece by piece, and says each time which bytes of the file it wants to see next.
///
/// It reads nothing itself: a thread that scans folders fetches the first 4 KiB, and goes to the disk again only where
/// the answer lies further on, as behind a long colour profile. What need not be read is passed over, however long it is;
/// however the file lies, ``mostBytes`` are asked for in all, and then the header says so (``ImageHeader/isUnfinished``).
public struct ImageHeaderParser: Sendable {
  /// What is to happen next.
  public enum Step: Hashable, Sendable {
    /// Fetch these bytes and hand them to ``ImageHeaderParser/supply(_:)``.
    case needs(Range<Int>)
    /// The header, or nothing when the file is no picture.
    case finished(ImageHeader?)
  }

  /// How many bytes of a file are read, at most: behind a gigabyte of segments that are passed over there is a picture yet.
  public static let mostBytes = 16 << 20
  /// How many bytes are asked for at a time to begin with, unless one field needs more.
  public static let bytesPerRead = 4096

  /// After so many reads the file is one of many segments: what is passed over is read less of, what is not more.
  private static let usualReads = 16
  private static let bytesBetweenSegments = 32
  private static let bytesInARow = 64 << 10
  /// The most reads of a file whose reader starts again from the beginning after each read.
  private static let mostReads = 64

  /// What is to happen next.
  public private(set) var step: Step

  private var file: FetchedBytes
  private var cursor: HeaderCursor?
  private var readCount = 0
  private var byteCount = 0
  private var stretch = ImageHeaderParser.bytesBetweenSegments

  /// Begins with a file of so many bytes.
  public init(fileBytes: Int) {
    file = FetchedBytes(fileBytes: max(0, fileBytes))
    let first = min(file.fileBytes, ImageHeaderParser.bytesPerRead)
    step = first > 0 ? .needs(0..<first) : .finished(nil)
  }

  /// Takes the bytes that were asked for; does nothing once finished.
  ///
  /// - Parameter bytes: as many as were asked for; fewer mean that the file ends there.
  public mutating func supply(_ bytes: [UInt8]) {
    guard case .needs(let range) = step else { return }
    readCount += 1
    byteCount += range.count
    file.insert(bytes, for: range)
    do {
      try parse()
      step = .finished(cursor?.header)
    } catch {
      step = next(after: error)
    }
  }

  /// Asks for what is missing, or ends with what is known where the file or the budget does.
  private mutating func next(after gap: HeaderGap) -> Step {
    guard case .missing(let offset, let count) = gap else { return .finished(cursor?.header) }
    var wanted = ImageHeaderParser.bytesPerRead
    if readCount >= ImageHeaderParser.usualReads {
      // Twice as much each time that nothing was passed over.
      stretch =
        file.isInARow(offset)
        ? min(2 * stretch, ImageHeaderParser.bytesInARow) : ImageHeaderParser.bytesBetweenSegments
      wanted = stretch
    }
    if let cursor { file.forget(before: cursor.position) }
    let end = min(file.fileBytes, offset + max(count, wanted))
    let hasReads = cursor.map { $0.goesOn } ?? false || readCount < ImageHeaderParser.mostReads
    if hasReads, byteCount + (end - offset) <= ImageHeaderParser.mostBytes { return .needs(offset..<end) }
    cursor?.header.isUnfinished = true
    return .finished(cursor?.header)
  }

  /// Walks the file from where it was left, as far as its bytes are there.
  private mutating func parse() throws(HeaderGap) {
    if cursor == nil { cursor = try begin() }
    guard var cursor else { return }
    defer { self.cursor = cursor }
    switch cursor.header.format {
    case .jpeg: try JPEGHeaderReader(file: file).read(&cursor)
    case .png: try PNGHeaderReader(file: file).read(&cursor)
    case .webp: try WebPHeaderReader(file: file).read(&cursor)
    case .tiff: try ExifReader(file: file, start: 0, end: file.fileBytes)?.read(into: &cursor.header)
    case .gif: try GIFHeaderReader(file: file).read(&cursor)
    case .bmp, .qoi: try PlainHeaderReader(file: file).read(into: &cursor.header)
    case .avif, .heic: try ItemFileReader(file: file).read(into: &cursor.header)
    case .jpegXL, .jpeg2000, .photoshop, .icon: break
    }
  }

  /// Tells the format; nothing when the file is no picture.
  private func begin() throws(HeaderGap) -> HeaderCursor? {
    let magic = try file.bytes(at: 0, count: min(file.fileBytes, ImageFormat.magicByteCount))
    guard let format = ImageFormat(magic: Array(magic)) else { return nil }
    let start =
      switch format {
      case .jpeg: JPEGHeaderReader.start
      case .png: PNGHeaderReader.start
      case .webp: WebPHeaderReader.start
      default: 0
      }
    return HeaderCursor(position: start, header: ImageHeader(format: format))
  }
}
