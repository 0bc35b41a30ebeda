/// One box of a file that is made of boxes (ISO/IEC 14496-12, section 4.2).
struct ISOMediaBox: Hashable {
  /// The four letters.
  let type: Int
  /// What the box holds, within the file.
  let content: Range<Int>

  /// A file of more boxes in one row than this is left there.
  static let maximumSiblings = 4096

  /// The four letters as a number.
  static func fourCC(_ letters: StaticString) -> Int { letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } } }

  /// Reads the box that begins at a place; nothing where it does not fit what it stands in.
  init?(_ file: FetchedBytes, at place: Int, end: Int) throws(HeaderReadError) {
    guard end - place >= 8 else { return nil }
    let count = try file.number(at: place, bytes: 4, .bigEndian)
    type = try file.number(at: place + 4, bytes: 4, .bigEndian)
    switch count {
    case 0:
      content = place + 8..<end
    case 1:
      guard end - place >= 16 else { return nil }
      let long = try file.number(at: place + 8, bytes: 8, .bigEndian)
      guard long >= 16, long <= end - place else { return nil }
      content = place + 16..<place + long
    default:
      guard count >= 8 else { return nil }
      // A box cut off by the file's end holds what there is of it.
      content = place + 8..<place + min(count, end - place)
    }
  }

  /// Calls a closure for the boxes in a range one after the other, until it says that it has enough.
  static func forEach(
    in range: Range<Int>, of file: FetchedBytes, _ body: (ISOMediaBox) throws(HeaderReadError) -> Bool
  ) throws(HeaderReadError) {
    var place = range.lowerBound
    for _ in 0..<maximumSiblings {
      guard let box = try ISOMediaBox(file, at: place, end: range.upperBound) else { return }
      if try body(box) { return }
      place = box.content.upperBound
    }
  }
}
