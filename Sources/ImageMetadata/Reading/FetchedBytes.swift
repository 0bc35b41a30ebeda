/// The pieces of a file that were fetched so far.
///
/// Every access is checked against both the pieces and the file's length, so no number from a file is trusted.
struct FetchedBytes: Sendable {
  private struct Piece {
    var offset: Int
    var bytes: [UInt8]
  }

  /// The file's length; less when a read came back short.
  private(set) var fileBytes: Int
  private var pieces: [Piece] = []

  init(fileBytes: Int) {
    self.fileBytes = fileBytes
  }

  /// Keeps what was fetched for a range.
  mutating func insert(_ bytes: [UInt8], for range: Range<Int>) {
    if bytes.count < range.count { fileBytes = min(fileBytes, range.lowerBound + bytes.count) }
    pieces.append(Piece(offset: range.lowerBound, bytes: bytes))
  }

  /// Some bytes in a row.
  func bytes(at offset: Int, count: Int) throws(HeaderGap) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, offset <= fileBytes, count <= fileBytes - offset else { throw .end }
    for piece in pieces.reversed() where offset >= piece.offset {
      let start = offset - piece.offset
      if start <= piece.bytes.count, count <= piece.bytes.count - start { return piece.bytes[start..<start + count] }
    }
    throw .missing(offset: offset, count: count)
  }

  /// One byte.
  func byte(at offset: Int) throws(HeaderGap) -> UInt8 {
    let slice = try bytes(at: offset, count: 1)
    return slice[slice.startIndex]
  }

  /// A number of one to four bytes.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) throws(HeaderGap) -> Int {
    let slice = try bytes(at: offset, count: count)
    return switch order {
    case .bigEndian: slice.reduce(0) { $0 << 8 | Int($1) }
    case .littleEndian: slice.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// Whether some bytes in a row are these letters.
  func holds(_ letters: StaticString, at offset: Int) throws(HeaderGap) -> Bool {
    let slice = try bytes(at: offset, count: letters.utf8CodeUnitCount)
    return letters.withUTF8Buffer { slice.elementsEqual($0) }
  }
}
