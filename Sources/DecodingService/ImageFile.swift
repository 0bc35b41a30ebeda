import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
import VitrineImageMetadata

/// A user's file, opened read-only.
///
/// The file is read into private memory and never mapped, because another process may truncate it.
struct ImageFile: ~Copyable {
  private let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the current length of the file in bytes.
  ///
  /// The C function is `fstat`.
  ///
  /// - Throws: ``DecodingStatus/unreadable`` on failure and if the file is not a regular file.
  func byteCount() throws(DecodingStatus) -> Int {
    let count = platform_regular_file_bytes(descriptor)
    guard count >= 0 else { throw .unreadable }
    return Int(count)
  }

  /// Reads the header, usually from the first 4 KiB.
  func readHeader(fileBytes: Int) throws(DecodingStatus) -> ImageHeader? {
    try ImageHeader.read(fileBytes: fileBytes) { offset, count throws(DecodingStatus) in
      // The parser never requests more than its budget.
      try readBytes(at: offset, count: count)
    }
  }

  /// Reads a part of the file.
  ///
  /// - Throws: ``DecodingStatus/changed`` if the file has become shorter. The client, which also has the file open,
  ///   detects other changes and sends the request again.
  func readContents(_ range: Range<Int>) throws(DecodingStatus) -> FileBuffer {
    let bytes = try FileBuffer(capacity: range.count)
    guard let got = read(into: bytes.storage, from: range.lowerBound) else { throw .unreadable }
    guard got == range.count else { throw .changed }
    return bytes.truncated(to: got)
  }

  /// Reads the bytes that pixels need: the whole file except for long metadata before the first frame.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - fileBytes: The length of the file in bytes.
  ///   - limit: The maximum number of bytes to read.
  /// - Throws: ``DecodingStatus/fileTooLarge`` if these exceed the maximum, and the errors of ``readContents(_:)``.
  func readPixelContents(
    _ format: ImageFormat?, fileBytes: Int, atMost limit: Int
  ) throws(DecodingStatus) -> FileBuffer {
    let ranges = try PixelDataRanges.ranges(format, fileBytes: fileBytes) { offset, count throws(DecodingStatus) in
      try readBytes(at: offset, count: count)
    }
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count <= limit else { throw .fileTooLarge }
    let contents = try FileBuffer(capacity: count)
    var place = 0
    for range in ranges {
      let part = UnsafeMutableRawBufferPointer(rebasing: contents.storage[place..<place + range.count])
      guard let got = read(into: part, from: range.lowerBound) else { throw .unreadable }
      guard got == range.count else { throw .changed }
      place += range.count
    }
    return contents.truncated(to: count)
  }

  /// Reads parts of the file, with zeros between them.
  ///
  /// - Throws: ``DecodingStatus/changed`` if the file has become shorter.
  func readContents(_ ranges: [Range<Int>], fileBytes: Int) throws(DecodingStatus) -> FileBuffer {
    let bytes = try FileBuffer(zeroedCapacity: fileBytes)
    for range in ranges {
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes.storage[range])
      guard let got = read(into: part, from: range.lowerBound) else { throw .unreadable }
      guard got == range.count else { throw .changed }
    }
    return bytes.truncated(to: fileBytes)
  }

  /// Reads a few bytes at an offset, or fewer at the end of the file.
  func readBytes(at offset: Int, count: Int) throws(DecodingStatus) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let got = bytes.withUnsafeMutableBytes({ read(into: $0, from: offset) }) else { throw .unreadable }
    bytes.removeLast(count - got)
    return bytes
  }

  /// Fills a buffer up to the end of the file and returns the number of bytes, or nil on an error.
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

/// The bytes of a file in memory outside Swift's arrays, so that a failed allocation is an error rather than the end of
/// the process.
///
/// A process that decodes one picture has no freed memory to use again, and a page fault for each 4 KiB of new memory
/// would cost more than reading the file. So long files are in large pages.
struct FileBuffer: ~Copyable {
  /// The whole memory of the buffer.
  let storage: UnsafeMutableRawBufferPointer
  /// The number of bytes of the memory that contain the file.
  private(set) var count = 0
  private let mapped: UnsafeMutableRawPointer
  private let mappedBytes: Int

  /// The number of bytes from which large pages are faster.
  private static let largeBytes = 1 << 17

  /// Allocates memory, all of which will be written.
  ///
  /// The C functions are `mmap`, `madvise` with MADV_HUGEPAGE, and `munmap`.
  init(capacity: Int) throws(DecodingStatus) {
    guard capacity >= FileBuffer.largeBytes else {
      try self.init(zeroedCapacity: capacity)
      return
    }
    var (mapped, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
    guard let memory = platform_map_large(capacity, &mapped, &count), let mapped else { throw .outOfMemory }
    self.init(UnsafeMutableRawBufferPointer(start: memory, count: capacity), in: mapped, count)
  }

  /// Allocates zeroed memory, of which the system commits only the pages that are accessed.
  ///
  /// The C functions are `mmap` and `munmap`.
  init(zeroedCapacity capacity: Int) throws(DecodingStatus) {
    let memory = mmap(nil, max(1, capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { throw .outOfMemory }
    self.init(UnsafeMutableRawBufferPointer(start: memory, count: capacity), in: memory, max(1, capacity))
  }

  private init(_ storage: UnsafeMutableRawBufferPointer, in mapped: UnsafeMutableRawPointer, _ mappedBytes: Int) {
    self.storage = storage
    self.mapped = mapped
    self.mappedBytes = mappedBytes
  }

  deinit { munmap(mapped, mappedBytes) }

  /// Returns the buffer with the given number of bytes of a file.
  consuming func truncated(to count: Int) -> FileBuffer {
    self.count = min(count, storage.count)
    return self
  }

  /// The bytes of the file.
  ///
  /// They must not outlive the buffer.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[0..<count]) }
}
