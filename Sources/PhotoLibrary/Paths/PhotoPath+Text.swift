extension PhotoPath {
  /// The path in plain ASCII for reports and tables: every byte but letters, digits, "-", ".", "_", "~" and "/" as %XX.
  public var escaped: String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if PhotoPath.isUnreserved(byte) { text.append(byte) } else { text += PhotoPath.percentEncoded(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a path back from its ``escaped`` form; nothing when a % stands without two digits.
  public init?(escaped: String) {
    var bytes: [UInt8] = []
    var rest = Array(escaped.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(PhotoPath.hexValue),
        let low = rest.popFirst().flatMap(PhotoPath.hexValue)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  /// The path as a person reads it on a terminal: as text, but with %XX for what would move the cursor, turn the
  /// direction of reading or is no text.
  public var printable: String { PhotoPath.printable(bytes) }

  /// A path's bytes in the same manner, however many slashes they have.
  static func printable(_ bytes: [UInt8]) -> String {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator), !PhotoPath.isUnprintable(scalar) {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        text += String(decoding: PhotoPath.percentEncoded(rest[rest.startIndex]), as: UTF8.self)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// The last component's bytes as a caption wants them: as UTF-8, with U+FFFD for what is none.
  ///
  /// For eyes alone: two files may have the same label. Control characters are still in it.
  public var label: String { String(decoding: lastComponent, as: UTF8.self) }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), slash:
      true
    default: false
    }
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
