/// JSON objects as bytes, written field by field.
///
/// A trace has hundreds of thousands of lines, and an encoder that goes by keys and containers takes seconds for them.
nonisolated struct TraceJSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Begins an object.
  mutating func openObject() {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Begins an object that is a field.
  mutating func openObjectField(_ name: String) {
    writeKey(name)
    openObject()
  }

  /// Ends the object that was begun last.
  mutating func closeObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Adds bytes between objects.
  mutating func writeRaw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func writeField(_ name: String, integer: Int) {
    writeKey(name)
    bytes.append(contentsOf: String(integer).utf8)
  }

  mutating func writeField(_ name: String, flag: Bool) {
    writeKey(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Adds nanoseconds as microseconds with three decimals.
  mutating func writeField(_ name: String, microseconds nanoseconds: Int64) {
    writeField(name, thousandths: nanoseconds)
  }

  /// Adds a thousandth of a number, exactly.
  mutating func writeField(_ name: String, thousandths: Int64) {
    writeKey(name)
    if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = thousandths.magnitude
    let rest = String(magnitude % 1_000)
    bytes.append(contentsOf: String(magnitude / 1_000).utf8)
    bytes.append(UInt8(ascii: "."))
    for _ in rest.utf8.count..<3 { bytes.append(UInt8(ascii: "0")) }
    bytes.append(contentsOf: rest.utf8)
  }

  mutating func writeField(_ name: String, text: String) {
    writeKey(name)
    writeString(text)
  }

  private mutating func writeKey(_ name: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    writeString(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Adds a string as RFC 8259, section 7, has it.
  private mutating func writeString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        bytes += Array("\\u00".utf8) + [TraceJSONWriter.digits[Int(byte >> 4)], TraceJSONWriter.digits[Int(byte & 15)]]
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
