import Geometry

/// The pixels of a PNG that is not interlaced, inflated at once and not as rows are asked for; still filtered.
///
/// Of files of which everything that pixels need is there and sound, and which are not too large for memory. Others are
/// inflated by rows, which shows what of them can be had.
final class InflatedPixels {
  private let memory: ScratchMemory<UInt8>

  /// The inflated bytes, at most: 32 megapixels of colour.
  ///
  /// The file and its pixels' chunks in a row, of which neither is longer than a file may be, stand in memory beside them.
  static let mostBytes = 96 << 20
  private static let mostChunks = 1 << 20

  /// Inflates a file's pixels; nothing where they are to be read by rows.
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

  /// The same as a stream that is only copied where it is inflated again; it lives as long as this.
  var stream: StoredStream { StoredStream(UnsafeRawBufferPointer(bytes)) }

  /// How many bytes the pixels are, as the header says; nothing where they are interlaced, or more than are held.
  static func byteCount(_ file: UnsafeRawBufferPointer) -> Int? {
    guard let header = PNGChunk(file, at: PNGChunk.signatureBytes), header.isNamed("IHDR") else { return nil }
    let content = FileReader(header.content)
    let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    guard header.content.count == 13, let width = content.big(0, bytes: 4), let height = content.big(4, bytes: 4),
      let size = PixelSize(width: width, height: height), [1, 2, 4, 8, 16].contains(content.bytes[8]),
      let samples = channels[content.bytes[9]], content.bytes[12] == 0
    else { return nil }
    // A byte more a row, which names its filter.
    let perRow = 1 + (size.width * samples * Int(content.bytes[8]) + 7) / 8
    return perRow * size.height <= mostBytes ? perRow * size.height : nil
  }

  /// The content of the chunks that hold pixels; nothing unless all that a picture is made of is there and sound.
  private static func parts(_ file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
    var parts: [UnsafeRawBufferPointer] = []
    var position = PNGChunk.signatureBytes
    var isBehind = false
    for _ in 0..<mostChunks {
      guard let chunk = PNGChunk(file, at: position) else { return nil }
      position = chunk.end
      if chunk.isAncillary, !chunk.isNamed("tRNS") {
        isBehind = !parts.isEmpty
        continue
      }
      guard chunk.isSound else { return nil }
      if chunk.isNamed("IEND") { return parts.isEmpty ? nil : parts }
      if chunk.isNamed("IDAT") {
        guard !isBehind else { return nil }
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
