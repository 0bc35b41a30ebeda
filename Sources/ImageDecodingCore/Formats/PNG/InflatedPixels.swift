import CVitrineDeflate
import VitrineGeometry

/// The pixels of a non-interlaced PNG, still filtered, inflated in one call rather than row by row.
///
/// Used for complete, valid files that fit in memory. Others are inflated by rows, which recovers as many rows as
/// possible.
final class InflatedPixels {
  private let memory: ScratchMemory<UInt8>

  /// The maximum number of inflated bytes: 32 megapixels of RGB.
  ///
  /// The file and its concatenated pixel chunks, each of at most the maximum file size, are in memory in addition.
  static let maximumBytes = 96 << 20
  private static let maximumChunks = 1 << 20

  /// Inflates a file's pixels, or returns nil if they must be read by rows.
  init?(_ file: UnsafeRawBufferPointer) {
    guard let count = InflatedPixels.byteCount(file), let parts = InflatedPixels.parts(file),
      let memory = try? ScratchMemory<UInt8>(uninitialized: count)
    else { return nil }
    self.memory = memory
    guard InflatedPixels.inflate(parts, into: bytes) else { return nil }
  }

  private var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory.elements, count: memory.count)
  }

  /// The inflated bytes as a zlib stream of stored blocks, which must not outlive this object.
  var stream: StoredStream { StoredStream(UnsafeRawBufferPointer(bytes)) }

  /// Returns the number of inflated bytes according to the header, or nil if they are interlaced or exceed the maximum.
  static func byteCount(_ file: UnsafeRawBufferPointer) -> Int? {
    guard let header = PNGChunk(file, at: PNGChunk.signatureBytes), header.isNamed("IHDR") else { return nil }
    let content = FileReader(header.content)
    let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    guard header.content.count == 13, let width = content.bigEndian(0, bytes: 4),
      let height = content.bigEndian(4, bytes: 4),
      let size = PixelSize(width: width, height: height), [1, 2, 4, 8, 16].contains(content.bytes[8]),
      let samples = channels[content.bytes[9]], content.bytes[12] == 0
    else { return nil }
    // One more byte per row identifies its filter.
    let perRow = 1 + (size.width * samples * Int(content.bytes[8]) + 7) / 8
    return perRow * size.height <= maximumBytes ? perRow * size.height : nil
  }

  /// Returns the contents of the pixel chunks, or nil if a chunk that the image needs is missing or invalid.
  private static func parts(_ file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
    var parts: [UnsafeRawBufferPointer] = []
    var position = PNGChunk.signatureBytes
    var hasEnded = false
    for _ in 0..<maximumChunks {
      guard let chunk = PNGChunk(file, at: position) else { return nil }
      position = chunk.end
      if chunk.isAncillary, !chunk.isNamed("tRNS") {
        hasEnded = !parts.isEmpty
        continue
      }
      guard chunk.isValid else { return nil }
      if chunk.isNamed("IEND") { return parts.isEmpty ? nil : parts }
      if chunk.isNamed("IDAT") {
        guard !hasEnded else { return nil }
        if !chunk.content.isEmpty { parts.append(chunk.content) }
      } else {
        guard parts.isEmpty, chunk.isNamed("IHDR") || chunk.isNamed("PLTE") || chunk.isNamed("tRNS") else { return nil }
      }
    }
    return nil
  }

  private static func inflate(
    _ parts: [UnsafeRawBufferPointer], into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    if parts.count == 1 { return LibDeflate.inflate(parts[0], into: target) }
    guard let row = try? ScratchMemory<UInt8>(uninitialized: parts.reduce(0) { $0 + $1.count }) else { return false }
    var place = UnsafeMutableRawPointer(row.elements)
    for part in parts {
      if let start = part.baseAddress { place.copyMemory(from: start, byteCount: part.count) }
      place += part.count
    }
    return LibDeflate.inflate(UnsafeRawBufferPointer(start: row.elements, count: row.count), into: target)
  }
}

/// A zlib stream of stored blocks (RFC 1950 and 1951) without a valid checksum, which inflates at the speed of a copy.
struct StoredStream {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Bytes to return before the next ones: a header, or the placeholder of the checksum.
  private var pending: [UInt8]
  private var leftInBlock = 0
  private var isAtEnd = false

  private static let header: [UInt8] = [0x78, 0x01]
  private static let blockHeaderBytes = 5
  private static let maximumBlockBytes = 65_535
  private static let trailer: [UInt8] = [0, 0, 0, 0]

  /// Creates a stream of bytes, which must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    pending = StoredStream.header
  }

  /// The length of the stream in bytes.
  var count: Int {
    let blocks = max(1, (bytes.count + StoredStream.maximumBlockBytes - 1) / StoredStream.maximumBlockBytes)
    return StoredStream.header.count + blocks * StoredStream.blockHeaderBytes + bytes.count + StoredStream.trailer.count
  }

  /// Copies the next bytes of the stream, at least one before its end, and returns their number.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    if pending.isEmpty, leftInBlock == 0 {
      if isAtEnd { return 0 }
      beginBlock()
    }
    if !pending.isEmpty {
      let count = min(target.count, pending.count)
      target.copyBytes(from: pending[0..<count])
      pending.removeFirst(count)
      return count
    }
    let count = min(target.count, leftInBlock)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
    position += count
    leftInBlock -= count
    return count
  }

  private mutating func beginBlock() {
    let left = bytes.count - position
    guard left > 0 || position == 0 else { return end() }
    let count = min(StoredStream.maximumBlockBytes, left)
    let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
    pending = [count == left ? 1 : 0, low, high, ~low, ~high]
    leftInBlock = count
    if left == 0 { end() }
  }

  private mutating func end() {
    isAtEnd = true
    pending += StoredStream.trailer
  }
}

/// A wrapper around libdeflate, which inflates complete streams in half of zlib's time.
///
/// No other file calls the library.
enum LibDeflate {
  /// Inflates a zlib stream (RFC 1950) that fills the target exactly and ends at the last byte.
  ///
  /// The C function is `libdeflate_zlib_decompress_ex`.
  ///
  /// - Returns: False for any other stream, including one with a wrong checksum, and if memory is exhausted.
  static func inflate(_ stream: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
    guard let input = stream.baseAddress, let output = target.baseAddress,
      let decompressor = libdeflate_alloc_decompressor()
    else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    var taken = 0
    let result = libdeflate_zlib_decompress_ex(
      decompressor, input, stream.count, output, target.count, &taken, nil)
    return result == LIBDEFLATE_SUCCESS && taken == stream.count
  }

  /// Returns the checksum of a PNG chunk (ISO/IEC 15948, annex D).
  ///
  /// The C function is `libdeflate_crc32`.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.baseAddress.map { libdeflate_crc32(0, $0, bytes.count) } ?? 0
  }
}
