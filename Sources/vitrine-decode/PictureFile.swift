import CPlatform
import DecodingProtocol
import Glibc
import ImageMetadata

/// A user's file, open for reading alone: read into memory of our own, never mapped, as somebody may cut it short.
struct ImageFile: ~Copyable {
  private let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// How many bytes the file has now.
  ///
  /// The C function is `fstat`.
  ///
  /// - Throws: ``DecodingStatus/unreadable`` also for whatever is no regular file.
  func byteCount() throws(DecodingStatus) -> Int {
    let count = platform_regular_file_bytes(descriptor)
    guard count >= 0 else { throw .unreadable }
    return Int(count)
  }

  /// Reads the header, most often from the first 4 KiB.
  func readHeader(fileBytes: Int) throws(DecodingStatus) -> ImageHeader? {
    try ImageHeader.read(fileBytes: fileBytes) { offset, count throws(DecodingStatus) in
      // The count is the parser's, never more than its budget.
      try readBytes(at: offset, count: count)
    }
  }

  /// Reads a part of the file, or all of it.
  ///
  /// - Throws: ``DecodingStatus/changed`` where the file has become shorter. That it changed in other ways is seen by the
  ///   program, which has the file open too and asks again.
  func readContents(_ range: Range<Int>) throws(DecodingStatus) -> FileBuffer {
    let bytes = try FileBuffer(capacity: range.count)
    guard let got = read(into: bytes.storage, from: range.lowerBound) else { throw .unreadable }
    guard got == range.count else { throw .changed }
    return bytes.truncated(to: got)
  }

  /// Reads what pixels are made of: all of a file but the metadata that a long one has before its first frame.
  ///
  /// - Throws: ``DecodingStatus/fileTooLarge`` where that is more than is read, and as ``contents(_:)``.
  func readPixelContents(_ format: ImageFormat?, fileBytes: Int) throws(DecodingStatus) -> FileBuffer {
    let ranges = try PixelDataRanges.ranges(format, fileBytes: fileBytes) { offset, count throws(DecodingStatus) in
      try readBytes(at: offset, count: count)
    }
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count <= WireFormat.maximumFileBytes else { throw .fileTooLarge }
    let kept = try FileBuffer(capacity: count)
    var place = 0
    for range in ranges {
      let part = UnsafeMutableRawBufferPointer(rebasing: kept.storage[place..<place + range.count])
      guard let got = read(into: part, from: range.lowerBound) else { throw .unreadable }
      guard got == range.count else { throw .changed }
      place += range.count
    }
    return kept.truncated(to: count)
  }

  /// Reads parts of the file; what lies between them is noughts.
  ///
  /// - Throws: ``DecodingStatus/changed`` where the file has become shorter.
  func readContents(_ ranges: [Range<Int>], fileBytes: Int) throws(DecodingStatus) -> FileBuffer {
    let bytes = try FileBuffer(zeroedCapacity: fileBytes)
    for range in ranges {
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes.storage[range])
      guard let got = read(into: part, from: range.lowerBound) else { throw .unreadable }
      guard got == range.count else { throw .changed }
    }
    return bytes.truncated(to: fileBytes)
  }

  /// A few bytes at a place, fewer at the file's end.
  func readBytes(at offset: Int, count: Int) throws(DecodingStatus) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let got = bytes.withUnsafeMutableBytes({ read(into: $0, from: offset) }) else { throw .unreadable }
    bytes.removeLast(count - got)
    return bytes
  }

  /// Fills a buffer as far as the file goes; nothing when the system cannot read it.
  ///
  /// The C function is `pread`.
  private func read(into target: UnsafeMutableRawBufferPointer, from offset: Int) -> Int? {
    guard let start = target.baseAddress else { return 0 }
    var filled = 0
    while filled < target.count {
      let count = pread(descriptor, start + filled, target.count - filled, offset + filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        return nil
      }
    }
    return filled
  }
}
