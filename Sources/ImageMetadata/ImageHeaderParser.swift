/// An incremental parser of image headers that requests the bytes of the file it needs.
///
/// The parser performs no I/O. A thread that scans folders reads the first 4 KiB, and accesses the disk again only if
/// the header lies further on, for example behind a long colour profile. Irrelevant data is skipped regardless of its
/// length. The parser requests at most ``maximumBytes`` in total; if that does not suffice, the header is marked as
/// incomplete (``ImageHeader/isIncomplete``).
package struct ImageHeaderParser: Sendable {
  /// The next action of the caller.
  package enum Step: Hashable, Sendable {
    /// Read these bytes and pass them to ``ImageHeaderParser/supplyBytes(_:)``.
    case needsBytes(Range<Int>)
    /// Parsing is finished with a header, or nil if the file is not an image.
    case finished(ImageHeader?)
  }

  /// The maximum number of bytes that are read of a file.
  ///
  /// Skipped segments do not count.
  package static let maximumBytes = 16 << 20
  /// The initial number of bytes per read, unless a field needs more.
  package static let bytesPerRead = 4096

  /// The number of reads after which the file is assumed to have many segments.
  ///
  /// The size of reads then shrinks while data is skipped and grows otherwise.
  private static let fullSizeReads = 16
  private static let minimumReadBytes = 32
  private static let maximumReadBytes = 64 << 10
  /// The maximum number of reads of a format whose reader starts from the beginning after each read.
  private static let maximumReads = 64

  /// The next action of the caller.
  public private(set) var step: Step

  private var file: FetchedBytes
  private var cursor: HeaderCursor?
  private var readCount = 0
  private var byteCount = 0
  private var readBytes = ImageHeaderParser.minimumReadBytes

  /// Creates a parser for a file of the given length in bytes.
  package init(fileBytes: Int) {
    file = FetchedBytes(fileBytes: max(0, fileBytes))
    let first = min(file.fileBytes, ImageHeaderParser.bytesPerRead)
    step = first > 0 ? .needsBytes(0..<first) : .finished(nil)
  }

  /// Supplies the requested bytes.
  ///
  /// Does nothing once parsing is finished.
  ///
  /// - Parameter bytes: The requested bytes, or fewer if the file ends there.
  package mutating func supplyBytes(_ bytes: [UInt8]) {
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

  /// Requests the missing bytes, or finishes with the known values at the end of the file or of the budget.
  private mutating func nextStep(after error: HeaderReadError) -> Step {
    guard case .missingBytes(let offset, let count) = error, let cursor else { return .finished(cursor?.header) }
    var wanted = ImageHeaderParser.bytesPerRead
    if readCount >= ImageHeaderParser.fullSizeReads {
      // Doubles each time that nothing was skipped.
      readBytes =
        file.continuesLastPiece(at: offset)
        ? min(2 * readBytes, ImageHeaderParser.maximumReadBytes) : ImageHeaderParser.minimumReadBytes
      wanted = readBytes
    }
    file.discardPieces(before: cursor.position)
    let end = min(file.fileBytes, offset + max(count, wanted))
    let hasReads = cursor.supportsResuming || readCount < ImageHeaderParser.maximumReads
    if hasReads, byteCount + (end - offset) <= ImageHeaderParser.maximumBytes { return .needsBytes(offset..<end) }
    var header = cursor.header
    header.isIncomplete = true
    return .finished(header)
  }

  /// Continues parsing as far as the bytes are available.
  private mutating func parse() throws(HeaderReadError) {
    if cursor == nil { cursor = try detectFormat() }
    guard var cursor else { return }
    defer { self.cursor = cursor }
    try cursor.header.format.entry.header.read(file, &cursor)
  }

  /// Detects the format.
  ///
  /// - Returns: A cursor at the first segment, or nil if the file is not an image.
  private func detectFormat() throws(HeaderReadError) -> HeaderCursor? {
    let magic = try file.bytes(at: 0, count: min(file.fileBytes, ImageFormat.magicByteCount))
    guard let format = ImageFormat(magic: Array(magic)) else { return nil }
    return HeaderCursor(position: format.entry.header.start, header: ImageHeader(format: format))
  }
}

/// The reason why parsing cannot continue.
enum HeaderReadError: Error, Hashable {
  /// The bytes have not been read yet.
  case missingBytes(offset: Int, count: Int)
  /// The file is too short.
  case endOfFile
}
