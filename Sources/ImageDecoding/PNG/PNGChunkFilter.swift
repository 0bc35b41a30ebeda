/// Hands out a PNG file with only those chunks that pixels need, a colour profile of moderate length among them, and none
/// of those that hold text.
///
/// What never reaches the decoder cannot harm it: a kilobyte of compressed text can stand for a gigabyte. A last chunk of
/// pixels that the file cuts off is handed out as far as it goes, as a shorter chunk with a checksum of its own, so that
/// all rows in it can be had. Where the pixels are inflated already, these are handed out in one chunk in place of the file's,
/// with a checksum that nobody compares.
struct PNGChunkFilter {
  private enum State {
    case chunk
    case bytes(left: Int)
    case inflated
    case patched(left: Int)
    case end
  }

  /// Whether a chunk that was kept back had a wrong checksum: the file is faulty, though not in its pixels.
  private(set) var hasFaultyChunk = false

  /// Whether a profile was handed out.
  private(set) var hasProfile = false

  private let file: UnsafeRawBufferPointer
  private let withProfile: Bool
  private var pixels: StoredStream?
  private var hasBegunPixels = false
  private var position = 0
  private var state: State
  /// Bytes that go out before those of the file: a changed chunk header.
  private var pending: [UInt8] = []
  private var checksum: UInt32 = 0

  private static let mostVerifiedBytes = 1 << 20
  private static let mostProfileBytes = 1 << 20

  /// Begins with a file whose profile is wanted or not.
  ///
  /// - Parameter pixels: its pixels, where they are inflated already.
  init(_ file: UnsafeRawBufferPointer, withProfile: Bool = true, pixels: StoredStream? = nil) {
    self.file = file
    self.withProfile = withProfile
    self.pixels = pixels
    state = .bytes(left: min(PNGChunk.signatureBytes, file.count))
  }

  /// Fills a buffer; false when the chunks end before it is full.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
    var filled = 0
    while filled < target.count {
      let count = copy(into: UnsafeMutableRawBufferPointer(rebasing: target[filled...]))
      if count == 0 { return false }
      filled += count
    }
    return true
  }

  /// Copies some bytes, at least one unless the chunks are at their end.
  private mutating func copy(into target: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      if !pending.isEmpty {
        let count = min(target.count, pending.count)
        target.copyBytes(from: pending[0..<count])
        pending.removeFirst(count)
        return count
      }
      switch state {
      case .bytes(let left) where left > 0:
        let count = min(target.count, left)
        copyFromFile(count, into: target)
        state = .bytes(left: left - count)
        return count
      case .patched(let left) where left > 0:
        let count = min(target.count, left)
        copyFromFile(count, into: target)
        state = .patched(left: left - count)
        return count
      case .patched:
        pending = PNGChunkFilter.bigEndian(checksum)
        state = .end
      case .inflated:
        let count = pixels?.read(into: target) ?? 0
        if count > 0 { return count }
        pending = [0, 0, 0, 0]
        state = .chunk
      case .bytes, .chunk:
        beginChunk()
      case .end:
        return 0
      }
    }
  }

  private mutating func copyFromFile(_ count: Int, into target: UnsafeMutableRawBufferPointer) {
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: file[position..<position + count]))
    position += count
  }

  /// Looks at the next chunks until one is wanted.
  private mutating func beginChunk() {
    while file.count - position >= PNGChunk.headerBytes {
      let length = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      let name = file[position + 4..<position + 8]
      let available = file.count - position - PNGChunk.headerBytes
      let isWhole = length <= available - PNGChunk.checksumBytes
      if PNGChunkFilter.isWanted(name) {
        if let pixels, isWhole, name.elementsEqual("IDAT".utf8) {
          position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          guard !hasBegunPixels else { continue }
          hasBegunPixels = true
          pending = PNGChunkFilter.bigEndian(UInt32(pixels.count)) + Array("IDAT".utf8)
          state = .inflated
        } else if isWhole {
          state = .bytes(left: PNGChunk.headerBytes + length + PNGChunk.checksumBytes)
        } else if name.elementsEqual("IDAT".utf8), available > 0 {
          beginPatched(count: min(length, available))
        } else {
          state = .end
        }
        return
      }
      guard isWhole else { break }
      let isSound = verify(length: length)
      if isSound, withProfile, length <= PNGChunkFilter.mostProfileBytes, name.elementsEqual("iCCP".utf8) {
        hasProfile = true
        state = .bytes(left: PNGChunk.headerBytes + length + PNGChunk.checksumBytes)
        return
      }
      position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
    }
    state = .end
  }

  /// Compares the checksum of a chunk that pixels do not need, unless that would take long; whether it is right.
  private mutating func verify(length: Int) -> Bool {
    guard length <= PNGChunkFilter.mostVerifiedBytes else { return true }
    let end = position + PNGChunk.headerBytes + length
    let sum = LibDeflate.checksum(UnsafeRawBufferPointer(rebasing: file[position + 4..<end]))
    let stored = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    if sum != stored { hasFaultyChunk = true }
    return sum == stored
  }

  private mutating func beginPatched(count: Int) {
    checksum = LibDeflate.checksum(UnsafeRawBufferPointer(rebasing: file[position + 4..<position + 8 + count]))
    pending = PNGChunkFilter.bigEndian(UInt32(count)) + Array("IDAT".utf8)
    position += PNGChunk.headerBytes
    state = .patched(left: count)
  }

  /// A capital first letter marks what must be understood; of the rest, only transparency changes pixels.
  private static func isWanted(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = name.first else { return false }
    let isAncillary = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    return !isAncillary || name.elementsEqual("tRNS".utf8)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
