/// The pieces of a file that have been read so far.
///
/// Every access is checked against the pieces and the length of the file, so no value from a file is trusted.
struct FetchedBytes: Sendable {
  private struct Piece {
    var offset: Int
    var bytes: [UInt8]
  }

  /// The length of the file, reduced if a read returned fewer bytes than requested.
  private(set) var fileBytes: Int
  private var pieces: [Piece] = []

  init(fileBytes: Int) {
    self.fileBytes = fileBytes
  }

  /// Stores the bytes read for a range.
  mutating func insertPiece(_ bytes: [UInt8], for range: Range<Int>) {
    if bytes.count < range.count { fileBytes = min(fileBytes, range.lowerBound + bytes.count) }
    pieces.append(Piece(offset: range.lowerBound, bytes: bytes))
  }

  /// Discards the pieces before an offset, except for the beginning of the file.
  mutating func discardPieces(before place: Int) {
    guard pieces.count > FetchedBytes.maximumPieces else { return }
    pieces.removeAll { $0.offset > 0 && $0.offset + $0.bytes.count <= place }
  }

  /// Returns whether an offset closely follows the piece that was read last.
  func continuesLastPiece(at offset: Int) -> Bool {
    pieces.suffix(1).allSatisfy { offset < $0.offset + $0.bytes.count + FetchedBytes.maximumGapBytes }
  }

  private static let maximumPieces = 8
  private static let maximumGapBytes = 16

  /// Returns consecutive bytes.
  func bytes(at offset: Int, count: Int) throws(HeaderReadError) -> ArraySlice<UInt8> {
    let place = try locateBytes(offset, count)
    return pieces[place.piece].bytes[place.start..<place.start + count]
  }

  /// Returns a byte.
  func byte(at offset: Int) throws(HeaderReadError) -> UInt8 {
    let place = try locateBytes(offset, 1)
    return pieces[place.piece].bytes[place.start]
  }

  /// Returns an integer of up to eight bytes.
  ///
  /// An eight-byte integer that does not fit is negative.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) throws(HeaderReadError) -> Int {
    let place = try locateBytes(offset, count)
    var number = 0
    for index in 0..<count {
      let step = order == .bigEndian ? index : count - 1 - index
      number = number << 8 | Int(pieces[place.piece].bytes[place.start + step])
    }
    return number
  }

  /// Returns the piece that contains the given bytes, and their offset in it.
  private func locateBytes(_ offset: Int, _ count: Int) throws(HeaderReadError) -> (piece: Int, start: Int) {
    guard offset >= 0, count >= 0, offset <= fileBytes, count <= fileBytes - offset else { throw .endOfFile }
    // The last piece is the most likely.
    var piece = pieces.count - 1
    while piece >= 0 {
      let start = offset - pieces[piece].offset
      if start >= 0, start <= pieces[piece].bytes.count, count <= pieces[piece].bytes.count - start {
        return (piece, start)
      }
      piece -= 1
    }
    throw .missingBytes(offset: offset, count: count)
  }

  /// Returns whether the file contains the given text at an offset.
  func matches(_ letters: StaticString, at offset: Int) throws(HeaderReadError) -> Bool {
    let slice = try bytes(at: offset, count: letters.utf8CodeUnitCount)
    return letters.withUTF8Buffer { slice.elementsEqual($0) }
  }
}

/// The progress of parsing.
///
/// Data before the position is not parsed again when further bytes have been read.
struct HeaderCursor: Sendable {
  /// Whether the format's reader resumes at its position, so that the cost of each read is proportional to its bytes.
  var supportsResuming: Bool { header.format.entry.header.supportsResuming }

  /// The offset of the next segment or chunk.
  var position: Int
  /// The values found so far.
  var header: ImageHeader
  /// Whether EXIF data has been read.
  var hasExif = false
  /// Whether XMP data has been read.
  var hasXMP = false
  /// Whether the XMP data states a rating, which is used instead of one in EXIF data that follows.
  private var hasXMPRating = false
  /// Whether the position is at the length of a block in a GIF extension.
  var isInBlocks = false

  init(position: Int, header: ImageHeader) {
    self.position = position
    self.header = header
  }

  /// Reads EXIF data.
  mutating func readExif(_ file: FetchedBytes, start: Int, end: Int) throws(HeaderReadError) {
    let rating = header.rating
    try ExifReader(file: file, start: start, end: end)?.read(into: &header)
    if hasXMPRating { header.rating = rating }
    hasExif = true
  }

  /// Reads XMP data.
  mutating func readXMP(_ bytes: ArraySlice<UInt8>) {
    hasXMPRating = XMPPacket(bytes).applyRating(to: &header)
    hasXMP = true
  }
}

/// The order of the bytes of an integer.
enum ByteOrder: Hashable, Sendable {
  /// The highest byte first, as in PNG and JPEG.
  case bigEndian
  /// The lowest byte first, as in WebP.
  case littleEndian
}
