/// Hands out a PNG file with only those chunks that pixels need, a colour profile of moderate length among them, and none
/// of those that hold text.
///
/// What never reaches the decoder cannot harm it: a kilobyte of compressed text can stand for a gigabyte. A last chunk of
/// pixels that the file cuts off is handed out as far as it goes, as a shorter chunk with a checksum of its own, so that
/// all rows in it can be had. Transparency that stands before the palette it belongs to is handed out behind it, and the
/// transparent level or colour with as many bits as a sample has (ISO/IEC 15948, section 11.3.2.1). Pixels that are inflated
/// already are handed out in one chunk in place of the file's, with a checksum that the decoder does not compare.
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
  /// Where transparency stands that is to follow the palette.
  private var early: Range<Int>?

  private static let mostVerifiedBytes = 1 << 20
  private static let mostProfileBytes = 1 << 20
  private static let mostPaletteBytes = 768

  /// Begins with a file whose profile is wanted or not.
  ///
  /// - Parameter pixels: its pixels, where they are inflated already.
  init(_ file: UnsafeRawBufferPointer, withProfile: Bool = true, pixels: StoredStream? = nil) {
    self.file = file
    self.withProfile = withProfile
    self.pixels = pixels
    early = PNGChunkFilter.earlyTransparency(file)
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
        } else if isWhole, position == early?.lowerBound {
          position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          continue
        } else if isWhole, let early, length <= PNGChunkFilter.mostPaletteBytes, name.elementsEqual("PLTE".utf8) {
          let end = position + PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          pending = Array(file[position..<end]) + Array(file[early])
          position = end
          state = .chunk
          self.early = nil
        } else if isWhole, name.elementsEqual("tRNS".utf8), let masked = maskedTransparency(length: length) {
          pending = masked
          position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          state = .chunk
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

  /// Where a transparency chunk stands before the palette; nil where none does.
  private static func earlyTransparency(_ file: UnsafeRawBufferPointer) -> Range<Int>? {
    let paletteKind: UInt8 = 3
    guard file.count > 25, file[25] == paletteKind else { return nil }
    var (place, found) = (PNGChunk.signatureBytes, Range<Int>?.none)
    while let chunk = PNGChunk(file, at: place), !chunk.isNamed("IDAT") {
      if chunk.isNamed("PLTE") { return found }
      if chunk.isNamed("tRNS"), chunk.content.count <= 256 { found = chunk.start..<chunk.end }
      place = chunk.end
    }
    return nil
  }

  /// The transparency chunk at the position with the bits alone that a sample has; nil where it has no others, or is of
  /// another kind.
  private func maskedTransparency(length: Int) -> [UInt8]? {
    guard file.count > 25, file[24] < 16, file[25] == 0 && length == 2 || file[25] == 2 && length == 6 else {
      return nil
    }
    let start = position + PNGChunk.headerBytes
    var content = Array(file[start..<start + length])
    let mask: UInt16 = (1 << UInt16(file[24])) - 1
    for index in stride(from: 0, to: length, by: 2) {
      let level = UInt16(content[index]) << 8 | UInt16(content[index + 1])
      (content[index], content[index + 1]) = (UInt8((level & mask) >> 8), UInt8(level & mask & 255))
    }
    guard content != Array(file[start..<start + length]) else { return nil }
    let checked = Array("tRNS".utf8) + content
    let sum = checked.withUnsafeBytes { LibDeflate.checksum($0) }
    return PNGChunkFilter.bigEndian(UInt32(length)) + checked + PNGChunkFilter.bigEndian(sum)
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
