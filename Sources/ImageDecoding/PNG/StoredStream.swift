/// Bytes as a zlib stream of stored blocks (RFC 1950 and 1951), which inflates as fast as it is copied; without a checksum.
struct StoredStream {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Bytes that go out before the next ones: a header, or what stands where the checksum would.
  private var pending: [UInt8]
  private var leftInBlock = 0
  private var isAtEnd = false

  private static let header: [UInt8] = [0x78, 0x01]
  private static let blockHeaderBytes = 5
  private static let mostInBlock = 65_535
  private static let trailer: [UInt8] = [0, 0, 0, 0]

  /// A stream of bytes, which must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    pending = StoredStream.header
  }

  /// How long the stream is.
  var count: Int {
    let blocks = max(1, (bytes.count + StoredStream.mostInBlock - 1) / StoredStream.mostInBlock)
    return StoredStream.header.count + blocks * StoredStream.blockHeaderBytes + bytes.count + StoredStream.trailer.count
  }

  /// Copies the next bytes of the stream, at least one unless it is at its end; returns how many.
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
    let count = min(StoredStream.mostInBlock, left)
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
