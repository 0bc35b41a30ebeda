/// The byte ranges of a file that its pixels need, so that long metadata need not be read.
///
/// The concatenated ranges form a file of the same format that decodes to the same pixels and colours. Only JPEG and
/// PNG are supported, whose segments and chunks are consecutive and declare their length. Other formats are read
/// completely.
package enum PixelDataRanges {
  /// The length in bytes below which a file is read completely, because that is as fast as scanning its segments.
  package static let minimumFileBytes = 4 << 20
  /// The minimum number of bytes to save.
  private static let minimumSavedBytes = 1 << 20
  /// The maximum number of bytes read to scan the segments.
  ///
  /// A file that needs more is read completely.
  private static let maximumScannedBytes = ImageHeaderParser.maximumBytes

  /// Scans a file's segments.
  ///
  /// - Parameters:
  ///   - format: The format of the file, or nil if unknown.
  ///   - fileBytes: The length of the file in bytes.
  ///   - read: A closure that reads `count` bytes at `offset`, or fewer at the end of the file.
  /// - Returns: Ranges in ascending order; the whole file if partial reading is not worthwhile.
  /// - Throws: The closure's error.
  /// - Complexity: One read per segment before the first frame.
  package static func ranges<Failure: Error>(
    _ format: ImageFormat?, fileBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>] {
    let whole = [0..<fileBytes]
    guard fileBytes >= minimumFileBytes else { return whole }
    var ranges: [Range<Int>]?
    switch format?.entry.pixelData {
    case .jpegSegments: ranges = try jpegRanges(fileBytes, read)
    case .pngChunks: ranges = try pngRanges(fileBytes, read)
    case .wholeFile, nil: break
    }
    guard let ranges, fileBytes - ranges.reduce(0, { $0 + $1.count }) >= minimumSavedBytes else { return whole }
    return ranges
  }

  /// Retains what decoders use: tables, frames, the Adobe marker and colour profiles (ITU-T T.81, annex B).
  private static func jpegRanges<Failure: Error>(
    _ fileBytes: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    var ranges = [0..<2]
    var place = 2
    var headers = SegmentHeaderReader(fileBytes: fileBytes)
    // In unusual cases, the decoder receives the complete file.
    while let head = try headers.readHeader(at: place, count: 16, read) {
      guard head[0] == 0xFF, head[1] != 0xFF, head[1] != 0 else { return nil }
      let marker = head[1]
      if marker == 0xDA {
        appendRange(place..<fileBytes, to: &ranges)
        return ranges
      }
      let length = Int(head[2]) << 8 | Int(head[3])
      let end = place + 2 + length
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), length >= 2, end < fileBytes else { return nil }
      let isNeeded =
        switch marker {
        case 0xE0, 0xEE: true
        case 0xE2: head[4...].starts(with: "ICC_PROFILE".utf8)
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
      if isNeeded { appendRange(place..<end, to: &ranges) }
      place = end
    }
    return nil
  }

  /// Retains critical chunks, transparency and colour information (ISO/IEC 15948, section 11).
  private static func pngRanges<Failure: Error>(
    _ fileBytes: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    let skippedChunks = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "sPLT", "hIST"]
    var ranges = [0..<8]
    var place = 8
    var headers = SegmentHeaderReader(fileBytes: fileBytes)
    while let head = try headers.readHeader(at: place, count: 8, read) {
      let name = String(decoding: head[4...], as: UTF8.self)
      if name == "IDAT" {
        appendRange(place..<fileBytes, to: &ranges)
        return ranges
      }
      let end = place + 12 + (Int(head[0]) << 24 | Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3]))
      guard end < fileBytes else { return nil }
      if !skippedChunks.contains(name) { appendRange(place..<end, to: &ranges) }
      place = end
    }
    return nil
  }

  /// A reader of segment headers.
  ///
  /// Reads little if the next segment is far away, and doubles its reads while segments are close together.
  private struct SegmentHeaderReader {
    let fileBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var readBytes = SegmentHeaderReader.minimumReadBytes
    private var byteCount = 0

    private static let minimumReadBytes = 64
    private static let maximumReadBytes = 64 << 10

    init(fileBytes: Int) {
      self.fileBytes = fileBytes
    }

    /// Returns the bytes at an offset, or nil at the end of the file or of the budget.
    mutating func readHeader<Failure: Error>(
      at place: Int, count: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
      guard count <= fileBytes - place else { return nil }
      // Places ascend.
      if place + count > start + bytes.count {
        readBytes =
          place <= start + bytes.count + SegmentHeaderReader.minimumReadBytes
          ? min(2 * readBytes, SegmentHeaderReader.maximumReadBytes) : SegmentHeaderReader.minimumReadBytes
        let wanted = min(readBytes, fileBytes - place)
        byteCount += wanted
        guard byteCount <= PixelDataRanges.maximumScannedBytes else { return nil }
        bytes = try read(place, wanted)
        start = place
      }
      guard place + count <= start + bytes.count else { return nil }
      return Array(bytes[place - start..<place - start + count])
    }
  }

  private static func appendRange(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}
