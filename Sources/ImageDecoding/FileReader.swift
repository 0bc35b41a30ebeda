/// Numbers at places in a file, each checked against the file's end.
struct FileReader {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// How long the file is.
  var count: Int { bytes.count }

  /// One byte, or nothing past the end.
  func byte(_ offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[offset] : nil }

  /// A number of up to eight bytes, lowest first; nothing where it is not whole.
  func little(_ offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var number = 0
    for index in (0..<count).reversed() { number = number << 8 | Int(bytes[offset + index]) }
    return number
  }

  /// A number of up to eight bytes, highest first; nothing where it is not whole.
  func big(_ offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var number = 0
    for index in 0..<count { number = number << 8 | Int(bytes[offset + index]) }
    return number
  }

  /// Bytes in a row; nothing where there are fewer.
  func slice(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Whether letters stand at a place.
  func holds(_ letters: StaticString, at offset: Int) -> Bool {
    guard let slice = slice(offset, letters.utf8CodeUnitCount) else { return false }
    return letters.withUTF8Buffer { slice.elementsEqual($0) }
  }
}
