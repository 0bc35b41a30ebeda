/// A reader of integers and bytes at offsets in a file, checked against the end of the file.
package struct FileReader {
  let bytes: UnsafeRawBufferPointer

  /// Creates a reader of the bytes of a file, which must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The length of the file in bytes.
  package var count: Int { bytes.count }

  /// Returns the byte at an offset, or nil if the offset is outside the file.
  package func byte(_ offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[offset] : nil }

  /// Returns a little-endian integer of up to eight bytes, or nil if it crosses the end of the file.
  package func littleEndian(_ offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var number = 0
    for index in (0..<count).reversed() { number = number << 8 | Int(bytes[offset + index]) }
    return number
  }

  /// Returns a big-endian integer of up to eight bytes, or nil if it crosses the end of the file.
  package func bigEndian(_ offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var number = 0
    for index in 0..<count { number = number << 8 | Int(bytes[offset + index]) }
    return number
  }

  /// Returns consecutive bytes, or nil if they cross the end of the file.
  package func slice(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Returns whether the file contains the given text at an offset.
  package func matches(_ letters: StaticString, at offset: Int) -> Bool {
    guard let slice = slice(offset, letters.utf8CodeUnitCount) else { return false }
    return letters.withUTF8Buffer { slice.elementsEqual($0) }
  }
}

/// A file in memory that a library reads sequentially through callbacks.
package struct ByteStream {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Creates a stream of the bytes of a file, which must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Copies the next bytes and returns their number.
  package mutating func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    let count = max(0, min(count, bytes.count - position))
    if count > 0, let start = bytes.baseAddress { target.copyMemory(from: start + position, byteCount: count) }
    position += count
    return count
  }

  /// Moves to an offset, which may lie past the end of the file.
  ///
  /// - Returns: False if the offset is negative; the stream then does not move.
  package mutating func seek(to offset: Int) -> Bool {
    guard offset >= 0 else { return false }
    position = offset
    return true
  }

  /// The offset of the next byte.
  package var offset: Int { position }

  /// The length of the file in bytes.
  package var count: Int { bytes.count }

  /// The whole file.
  package var all: UnsafeRawBufferPointer { bytes }
}
