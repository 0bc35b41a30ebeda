/// Reads a picture's header piece by piece, and says each time which bytes of the file it wants to see next.
///
/// It reads nothing itself: a thread that scans folders fetches the first 4 KiB, and goes to the disk again only where
/// the answer lies further on, as behind a long colour profile. However the file lies, it asks ``mostReads`` times at
/// most, for ``mostBytes`` in all, and then makes do with what it knows.
public struct ImageHeaderParser: Sendable {
  /// What is to happen next.
  public enum Step: Hashable, Sendable {
    /// Fetch these bytes and hand them to ``ImageHeaderParser/supply(_:)``.
    case needs(Range<Int>)
    /// The header, or nothing when the file is no picture.
    case finished(ImageHeader?)
  }

  /// How often a file is read, at most.
  public static let mostReads = 64
  /// How many bytes of a file are read, at most.
  public static let mostBytes = 1 << 20
  /// How many bytes are asked for at a time, unless one field needs more.
  public static let bytesPerRead = 4096

  /// What is to happen next.
  public private(set) var step: Step

  private var file: FetchedBytes
  private var readCount = 0
  private var byteCount = 0

  /// Begins with a file of so many bytes.
  public init(fileBytes: Int) {
    file = FetchedBytes(fileBytes: max(0, fileBytes))
    let first = min(file.fileBytes, ImageHeaderParser.bytesPerRead)
    step = first > 0 ? .needs(0..<first) : .finished(nil)
  }

  /// Takes the bytes that were asked for; does nothing once finished.
  ///
  /// - Parameter bytes: as many as were asked for; fewer mean that the file ends there.
  /// - Complexity: O(number of segments or chunks so far), as the walk starts anew from the beginning.
  public mutating func supply(_ bytes: [UInt8]) {
    guard case .needs(let range) = step else { return }
    readCount += 1
    byteCount += range.count
    file.insert(bytes, for: range)
    var header: ImageHeader?
    do {
      try ImageHeaderParser.parse(file, into: &header)
      step = .finished(header)
    } catch {
      step = next(after: error, header)
    }
  }

  /// Asks for what is missing, or ends with what is known where the file or the budget does.
  private func next(after gap: HeaderGap, _ header: ImageHeader?) -> Step {
    guard case .missing(let offset, let count) = gap, readCount < ImageHeaderParser.mostReads else {
      return .finished(header)
    }
    let end = min(file.fileBytes, offset + max(count, ImageHeaderParser.bytesPerRead))
    return byteCount + (end - offset) <= ImageHeaderParser.mostBytes ? .needs(offset..<end) : .finished(header)
  }

  /// Walks the file as far as its bytes are there; what was found by then stands in the header.
  private static func parse(_ file: FetchedBytes, into header: inout ImageHeader?) throws(HeaderGap) {
    let magic = try file.bytes(at: 0, count: min(file.fileBytes, ImageFormat.magicByteCount))
    guard let format = ImageFormat(magic: Array(magic)) else { return }
    var found = ImageHeader(format: format)
    defer { header = found }
    switch format {
    case .jpeg: try JPEGHeaderReader(file: file).read(into: &found)
    case .png: try PNGHeaderReader(file: file).read(into: &found)
    case .webp: try WebPHeaderReader(file: file).read(into: &found)
    case .tiff: try ExifReader(file: file, start: 0, end: file.fileBytes)?.read(into: &found)
    case .gif, .bmp, .qoi: try PlainHeaderReader(file: file).read(into: &found)
    case .avif, .heic, .jpegXL: break
    }
  }
}
