/// Which bytes of a file pixels are made of, so that the metadata of a long one need not be read: kept together they are a
/// file of the same format that decodes to the same pixels and colours.
///
/// JPEG and PNG alone, whose segments and chunks say how long they are and stand in a row. Other formats are read whole.
public enum PixelDataRanges {
  /// Shorter files are read whole: that takes no longer than to look at their segments.
  public static let minimumFileBytes = 4 << 20
  /// So much must be saved, in bytes.
  private static let minimumSavedBytes = 1 << 20
  /// A file whose segments take more bytes to look at is read whole.
  private static let maximumScannedBytes = ImageHeaderParser.maximumBytes

  /// Looks at a file's segments.
  ///
  /// - Parameters:
  ///   - format: the file's format; nil for one that is not known.
  ///   - fileBytes: how long the file is.
  ///   - read: fetches `count` bytes from `offset`; fewer where the file ends before.
  /// - Returns: ranges in rising order; the whole file where that is not worth it.
  /// - Throws: what the closure throws.
  /// - Complexity: a read for each segment before the first frame.
  public static func ranges<Failure: Error>(
    _ format: ImageFormat?, fileBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>] {
    let whole = [0..<fileBytes]
    guard fileBytes >= minimumFileBytes else { return whole }
    var ranges: [Range<Int>]?
    switch format {
    case .jpeg: ranges = try jpegRanges(fileBytes, read)
    case .png: ranges = try pngRanges(fileBytes, read)
    default: break
    }
    guard let ranges, fileBytes - ranges.reduce(0, { $0 + $1.count }) >= minimumSavedBytes else { return whole }
    return ranges
  }

  /// Keeps what decoders read: tables, frames, the marker that says how inks are stored and profiles (ITU-T T.81, annex B).
  private static func jpegRanges<Failure: Error>(
    _ fileBytes: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    var ranges = [0..<2]
    var place = 2
    var heads = SegmentHeaderReader(fileBytes: fileBytes)
    // Anything unusual, and the decoder is to see the whole of it.
    while let head = try heads.readHeader(at: place, count: 16, read) {
      guard head[0] == 0xFF, head[1] != 0xFF, head[1] != 0 else { return nil }
      let marker = head[1]
      if marker == 0xDA {
        appendRange(place..<fileBytes, to: &ranges)
        return ranges
      }
      let length = Int(head[2]) << 8 | Int(head[3])
      let end = place + 2 + length
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), length >= 2, end < fileBytes else { return nil }
      let isKept =
        switch marker {
        case 0xE0, 0xEE: true
        case 0xE2: head[4...].starts(with: "ICC_PROFILE".utf8)
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
      if isKept { appendRange(place..<end, to: &ranges) }
      place = end
    }
    return nil
  }

  /// Keeps what must be understood, transparency and what says of colours (ISO/IEC 15948, section 11).
  private static func pngRanges<Failure: Error>(
    _ fileBytes: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    let passedOver = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "sPLT", "hIST"]
    var ranges = [0..<8]
    var place = 8
    var heads = SegmentHeaderReader(fileBytes: fileBytes)
    while let head = try heads.readHeader(at: place, count: 8, read) {
      let name = String(decoding: head[4...], as: UTF8.self)
      if name == "IDAT" {
        appendRange(place..<fileBytes, to: &ranges)
        return ranges
      }
      let end = place + 12 + (Int(head[0]) << 24 | Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3]))
      guard end < fileBytes else { return nil }
      if !passedOver.contains(name) { appendRange(place..<end, to: &ranges) }
      place = end
    }
    return nil
  }

  /// The first bytes of segments: little is read where the next one is far, and twice as much each time that it is near.
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

    /// Bytes at a place; nil where the file or the budget ends.
    mutating func readHeader<Failure: Error>(
      at place: Int, count: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
      guard count <= fileBytes - place else { return nil }
      if place < start || place + count > start + bytes.count {
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
