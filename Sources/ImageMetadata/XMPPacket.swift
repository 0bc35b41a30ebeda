/// The XMP data of an image: XML that states properties (ISO 16684-1).
///
/// Only the rating is read, an attribute `xmp:Rating="4"` or an element `<xmp:Rating>4</xmp:Rating>`. It is searched for by
/// its usual names, because a file that declares other ones is rare and a parser of XML is large.
struct XMPPacket {
  /// The maximum length in bytes.
  ///
  /// Longer data is ignored.
  static let maximumBytes = 1 << 18
  /// The bytes that precede the data in a JPEG segment.
  static let jpegIdentifier: StaticString = "http://ns.adobe.com/xap/1.0/\0"

  private static let name = Array(":Rating".utf8)
  private static let prefixes = ["xmp", "xap"].map { Array($0.utf8) }

  private let bytes: ArraySlice<UInt8>

  /// Creates data from the bytes of a file, which may be damaged.
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Sets a header's rating to the stated one, or removes it if the data states that there is none.
  ///
  /// - Returns: Whether the data states a rating.
  @discardableResult
  func applyRating(to header: inout ImageHeader) -> Bool {
    guard let rating else { return false }
    header.rating = (1...5).contains(rating) ? UInt8(rating) : nil
    return true
  }

  /// The stated rating: 1 to 5, 0 for none, -1 for a rejected photograph, or nil if there is no statement.
  ///
  /// - Complexity: O(*n*) in the length of the data.
  var rating: Int? {
    var start = bytes.startIndex
    while let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) {
      start = colon + 1
      guard bytes[colon...].starts(with: XMPPacket.name), hasPrefix(before: colon) else { continue }
      if let value = value(at: colon + XMPPacket.name.count) { return value }
    }
    return nil
  }

  /// Returns whether the name of a property has one of the usual prefixes.
  private func hasPrefix(before colon: Int) -> Bool {
    let before = bytes[..<colon].suffix(4)
    return before.count == 4 && XMPPacket.prefixes.contains { before.dropFirst().elementsEqual($0) }
      && (before.first == UInt8(ascii: "<") || before.first.map(XMPPacket.isSpace) == true)
  }

  /// Returns the whole number after a name, as the value of an attribute or the content of an element.
  private func value(at index: Int) -> Int? {
    var rest = bytes[index...].drop(while: XMPPacket.isSpace)
    switch rest.popFirst() {
    case UInt8(ascii: "="):
      rest = rest.drop(while: XMPPacket.isSpace)
      guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    case UInt8(ascii: ">"): break
    default: return nil
    }
    rest = rest.drop(while: XMPPacket.isSpace)
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    // A rating has one digit, and may have decimals, which are 0.
    guard let digit = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit),
      let end = rest.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(end)
    else { return nil }
    let value = Int(digit - UInt8(ascii: "0"))
    return isNegative ? -value : value
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
