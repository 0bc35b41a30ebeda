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
  mutating func insertPiece(_ bytes: [UInt8], for range: Range<Int>) {
    if bytes.count < range.count { fileBytes = min(fileBytes, range.lowerBound + bytes.count) }
    pieces.append(Piece(offset: range.lowerBound, bytes: bytes))
  }

  /// Lets go of what lies before a place, but for the file's beginning.
  mutating func discardPieces(before place: Int) {
    guard pieces.count > FetchedBytes.maximumPieces else { return }
    pieces.removeAll { $0.offset > 0 && $0.offset + $0.bytes.count <= place }
  }

  /// Whether a place follows closely on what was fetched last.
  func continuesLastPiece(at offset: Int) -> Bool {
    guard let last = pieces.last else { return true }
    return offset < last.offset + last.bytes.count + FetchedBytes.maximumGapBytes
  }

  private static let maximumPieces = 8
  private static let maximumGapBytes = 16

  /// Some bytes in a row.
  func bytes(at offset: Int, count: Int) throws(HeaderReadError) -> ArraySlice<UInt8> {
    let place = try locateBytes(offset, count)
    return pieces[place.piece].bytes[place.start..<place.start + count]
  }

  /// One byte.
  func byte(at offset: Int) throws(HeaderReadError) -> UInt8 {
    let place = try locateBytes(offset, 1)
    return pieces[place.piece].bytes[place.start]
  }

  /// A number of up to eight bytes; of eight, one that would not fit is negative.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) throws(HeaderReadError) -> Int {
    let place = try locateBytes(offset, count)
    var number = 0
    for index in 0..<count {
      let step = order == .bigEndian ? index : count - 1 - index
      number = number << 8 | Int(pieces[place.piece].bytes[place.start + step])
    }
    return number
  }

  /// Which piece holds some bytes, and where in it.
  private func locateBytes(_ offset: Int, _ count: Int) throws(HeaderReadError) -> (piece: Int, start: Int) {
    guard offset >= 0, count >= 0, offset <= fileBytes, count <= fileBytes - offset else { throw .endOfFile }
    // The last piece is the likeliest.
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

  /// Whether some bytes in a row are these letters.
  func matches(_ letters: StaticString, at offset: Int) throws(HeaderReadError) -> Bool {
    let slice = try bytes(at: offset, count: letters.utf8CodeUnitCount)
    return letters.withUTF8Buffer { slice.elementsEqual($0) }
  }
}
