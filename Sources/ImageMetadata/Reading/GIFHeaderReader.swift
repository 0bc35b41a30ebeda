/// Reads a GIF's canvas, and the place of its first frame, which makes the canvas larger where it reaches beyond
/// (GIF89a, sections 18 to 20).
struct GIFHeaderReader {
  let file: FetchedBytes

  func read(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    let width = try file.number(at: 6, bytes: 2, .littleEndian)
    let height = try file.number(at: 8, bytes: 2, .littleEndian)
    if cursor.position == 0 {
      cursor.header.setStoredSize(width: width, height: height)
      let flags = Int(try file.byte(at: 10))
      let hasPalette = flags & 0x80 != 0
      cursor.position = 13 + (hasPalette ? 3 << ((flags & 7) + 1) : 0)
    }
    while true {
      if cursor.isInBlocks { try skipBlocks(&cursor) }
      switch try file.byte(at: cursor.position) {
      case UInt8(ascii: ","):
        let frame = cursor.position + 1
        let left = try file.number(at: frame, bytes: 2, .littleEndian)
        let top = try file.number(at: frame + 2, bytes: 2, .littleEndian)
        let right = left + (try file.number(at: frame + 4, bytes: 2, .littleEndian))
        let bottom = top + (try file.number(at: frame + 6, bytes: 2, .littleEndian))
        cursor.header.setStoredSize(width: max(width, right), height: max(height, bottom))
        return
      case UInt8(ascii: "!"):
        cursor.position += 2
        cursor.isInBlocks = true
      default:
        return
      }
    }
  }

  /// Goes to where blocks end, each of which begins with its length, and the last of which has none.
  private func skipBlocks(_ cursor: inout HeaderCursor) throws(HeaderReadError) {
    while true {
      let count = Int(try file.byte(at: cursor.position))
      cursor.position += 1 + count
      if count == 0 { break }
    }
    cursor.isInBlocks = false
  }
}
