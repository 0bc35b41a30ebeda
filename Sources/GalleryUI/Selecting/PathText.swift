/// Paths as other programs paste them.
nonisolated enum PathListText {
  /// How paths are written.
  enum Format: Hashable {
    /// As they are, a line each.
    case plain
    /// As addresses, a line each: `file:///home/…`, as in a list of type `text/uri-list`.
    case addresses
  }

  /// Writes a path behind others, each a line, the last without an end.
  ///
  /// - Parameters:
  ///   - place: an absolute path, or an address, which stays as it is.
  ///   - text: the others.
  ///   - form: how.
  /// - Complexity: O(bytes) of the path.
  static func append(_ place: PictureLocation, to text: inout [UInt8], as form: Format) {
    if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
    switch (place, form) {
    case (.file(let bytes), .plain): text += bytes
    case (.file(let bytes), .addresses): text += fileURL(of: bytes)
    case (.url(let address), _): text += address.utf8
    }
  }

  private static func fileURL(of path: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var address = Array("file://".utf8)
    for byte in path {
      if isUnreserved(byte) {
        address.append(byte)
      } else {
        address += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return address
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
