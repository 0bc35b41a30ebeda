/// A filter of a PNG file's chunks that passes only those that pixels need, and a colour profile of moderate length.
///
/// What never reaches the decoder cannot harm it: a kilobyte of compressed text can expand to a gigabyte. The filter
/// also repairs and rewrites chunks:
///
/// - A last chunk of pixels that the file truncates becomes a shorter chunk with its own checksum, so that all its rows
///   can be decoded.
/// - Transparency that precedes its palette is moved behind it, and a transparent level or colour is masked to the bits
///   of a sample (ISO/IEC 15948, section 11.3.2.1).
/// - Pixels that are already inflated replace the file's in a single chunk, with a checksum that the decoder ignores.
struct PNGChunkFilter {
  private enum State {
    case chunk
    case bytes(left: Int)
    case inflated
    case patched(left: Int)
    case end
  }

  /// Whether a chunk that was filtered out had a wrong checksum: the file is corrupt, but not in its pixels.
  private(set) var hasFaultyChunk = false

  /// Whether a colour profile has been passed to the decoder.
  private(set) var hasProfile = false

  private let file: UnsafeRawBufferPointer
  private let withProfile: Bool
  private var pixels: StoredStream?
  private var hasBegunPixels = false
  private var position = 0
  private var state: State
  /// Bytes to return before those of the file: a rewritten chunk header.
  private var pending: [UInt8] = []
  private var checksum: UInt32 = 0
  /// The range of a transparency chunk to move behind the palette.
  private var earlyRange: Range<Int>?

  private static let maximumVerifiedBytes = 1 << 20
  private static let maximumProfileBytes = 1 << 20
  private static let maximumPaletteBytes = 768

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file, which must outlive the filter.
  ///   - withProfile: Whether to pass the colour profile.
  ///   - pixels: The file's pixels, if they are already inflated.
  init(_ file: UnsafeRawBufferPointer, withProfile: Bool = true, pixels: StoredStream? = nil) {
    self.file = file
    self.withProfile = withProfile
    self.pixels = pixels
    earlyRange = PNGChunkFilter.earlyTransparency(file)
    state = .bytes(left: min(PNGChunk.signatureBytes, file.count))
  }

  /// Fills a buffer.
  ///
  /// - Returns: False if the chunks end before it is full.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
    var filled = 0
    while filled < target.count {
      let count = copy(into: UnsafeMutableRawBufferPointer(rebasing: target[filled...]))
      if count == 0 { return false }
      filled += count
    }
    return true
  }

  /// Copies some bytes: at least one, or none after the last chunk.
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

  /// Skips chunks up to the next one to pass.
  private mutating func beginChunk() {
    while file.count - position >= PNGChunk.headerBytes {
      let length = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      let name = file[position + 4..<position + 8]
      let available = file.count - position - PNGChunk.headerBytes
      let isWhole = length <= available - PNGChunk.checksumBytes
      if PNGChunkFilter.isNeeded(name) {
        if let pixels, isWhole, name.elementsEqual("IDAT".utf8) {
          position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          guard !hasBegunPixels else { continue }
          hasBegunPixels = true
          pending = PNGChunkFilter.bigEndian(UInt32(pixels.count)) + Array("IDAT".utf8)
          state = .inflated
        } else if isWhole, position == earlyRange?.lowerBound {
          position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          continue
        } else if isWhole, let earlyRange, length <= PNGChunkFilter.maximumPaletteBytes, name.elementsEqual("PLTE".utf8)
        {
          let end = position + PNGChunk.headerBytes + length + PNGChunk.checksumBytes
          pending = Array(file[position..<end]) + Array(file[earlyRange])
          position = end
          state = .chunk
          self.earlyRange = nil
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
      let isValid = verify(length: length)
      if isValid, withProfile, length <= PNGChunkFilter.maximumProfileBytes, name.elementsEqual("iCCP".utf8) {
        hasProfile = true
        state = .bytes(left: PNGChunk.headerBytes + length + PNGChunk.checksumBytes)
        return
      }
      position += PNGChunk.headerBytes + length + PNGChunk.checksumBytes
    }
    state = .end
  }

  /// Verifies the checksum of a chunk that pixels do not need, and records a wrong one.
  ///
  /// - Returns: Whether the checksum is valid. Chunks that are too long to check count as valid.
  private mutating func verify(length: Int) -> Bool {
    guard length <= PNGChunkFilter.maximumVerifiedBytes else { return true }
    let end = position + PNGChunk.headerBytes + length
    let sum = LibDeflate.checksum(UnsafeRawBufferPointer(rebasing: file[position + 4..<end]))
    let stored = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    if sum != stored { hasFaultyChunk = true }
    return sum == stored
  }

  /// Returns the range of a transparency chunk that precedes the palette, or nil if there is none.
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

  /// Returns the transparency chunk at the position with unused bits cleared, or nil if none are set or the chunk has
  /// another form.
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

  /// An uppercase first letter marks a critical chunk.
  ///
  /// Of the other chunks, only transparency affects pixels.
  private static func isNeeded(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = name.first else { return false }
    let isAncillary = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    return !isAncillary || name.elementsEqual("tRNS".utf8)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

// MARK: - Chunks

/// A complete chunk of a PNG file (ISO/IEC 15948, section 5.3).
struct PNGChunk {
  /// The name and content, which the checksum covers.
  private let checked: UnsafeRawBufferPointer
  private let storedChecksum: UInt32
  /// The offset of the chunk.
  let start: Int
  /// The offset of the next chunk.
  let end: Int

  /// The number of bytes before the content: its length and name.
  static let headerBytes = 8
  /// The number of bytes after the content.
  static let checksumBytes = 4
  /// The number of bytes before the first chunk.
  static let signatureBytes = 8

  /// Parses the chunk at an offset, or returns nil if it is truncated.
  init?(_ file: UnsafeRawBufferPointer, at start: Int) {
    guard start >= 0, start <= file.count - PNGChunk.headerBytes - PNGChunk.checksumBytes else { return nil }
    let length = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    guard length <= file.count - start - PNGChunk.headerBytes - PNGChunk.checksumBytes else { return nil }
    self.start = start
    let place = start + PNGChunk.headerBytes + length
    end = place + PNGChunk.checksumBytes
    checked = UnsafeRawBufferPointer(rebasing: file[start + 4..<place])
    storedChecksum = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// The content of the chunk.
  var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: checked[4...]) }

  /// Returns whether the chunk has the given name.
  func isNamed(_ name: StaticString) -> Bool { name.withUTF8Buffer { checked.prefix(4).elementsEqual($0) } }

  /// Whether a decoder may skip the chunk if it does not support it: the name begins with a lowercase letter.
  var isAncillary: Bool { checked[0] & 0x20 != 0 }

  /// Whether the checksum is valid.
  var isValid: Bool { LibDeflate.checksum(checked) == storedChecksum }
}
