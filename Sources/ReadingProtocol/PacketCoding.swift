/// A writer of numbers and byte strings, least significant byte first.
package struct PacketWriter {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty packet.
  package init() {}

  /// Appends a number.
  package mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends the length in two bytes, and the bytes.
  ///
  /// - Parameter text: The bytes, of which at most 65,535 are written.
  package mutating func append(bytes text: some Collection<UInt8>) {
    let text = text.prefix(Int(UInt16.max))
    append(UInt16(text.count))
    bytes += text
  }

  /// Appends the UTF-8 bytes of a text with their length, or one mark if there is none.
  package mutating func append(_ text: String?) {
    append(UInt8(text == nil ? 0 : 1))
    if let text { append(bytes: text.utf8) }
  }

  /// Appends a number, or one mark if there is none.
  package mutating func append<Number: FixedWidthInteger>(optional number: Number?) {
    append(UInt8(number == nil ? 0 : 1))
    if let number { append(number) }
  }

  /// Appends bytes that have no length.
  package mutating func append(contentsOf other: [UInt8]) { bytes += other }
}

/// A reader of what ``PacketWriter`` wrote, which may be damaged.
///
/// The bytes must stay valid as long as the reader and what it returns.
package struct PacketReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Creates a reader that starts with the first byte.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { offset == bytes.count }

  /// Returns the next number, or nil if the bytes end before.
  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard bytes.count - offset >= MemoryLayout<Number>.size else { return nil }
    defer { offset += MemoryLayout<Number>.size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// Returns the next byte string, or nil if the bytes end before.
  package mutating func text() -> UnsafeRawBufferPointer? {
    guard let count = number(UInt16.self), bytes.count - offset >= Int(count) else { return nil }
    defer { offset += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
  }

  /// Returns the next number that may be missing; nil in the outer optional if the bytes end before, or the mark is
  /// invalid.
  package mutating func optionalNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number?? {
    switch number(UInt8.self) {
    case 0: .some(nil)
    case 1: number(type).map { .some($0) } ?? nil
    default: nil
    }
  }

  /// Returns the next text that may be missing; nil in the outer optional if the bytes end before, or the mark is invalid.
  ///
  /// Invalid UTF-8 is repaired.
  package mutating func optionalString() -> String?? {
    switch number(UInt8.self) {
    case 0: .some(nil)
    case 1: text().map { .some(String(decoding: $0, as: UTF8.self)) } ?? nil
    default: nil
    }
  }
}
