import Geometry
import Glibc
import ImagePipeline
import Rendering
import Threads

/// A file format for thumbnails as raw pixels, each of which is read in a fraction of a millisecond.
///
/// The pack is a folder of segments. Each is added to by one instance of the program, read by all, and removed as a
/// whole, as decided by ``PackIndex``. Written data never changes, so a killed instance leaves nothing incomplete
/// except the end of a file, which is truncated. Each thumbnail is verified when it is read.
///
/// Reading is thread-safe and concurrent. Only one thread writes at a time.
final class ThumbnailPack: Sendable {
  /// The result of a lookup.
  struct LookupResult {
    /// The thumbnail.
    var thumbnail: StoredThumbnail
    /// Whether the thumbnail should be written again before it is evicted.
    var needsRewrite: Bool
  }

  private struct State {
    var index: PackIndex
    var segments: [UInt32: PackSegment] = [:]
  }

  /// The segment that this instance adds to.
  private struct ActiveSegment {
    var segment: PackSegment
    /// The end of its pixels.
    var end: Int
    /// The size of its list in bytes, or slightly less.
    var listBytes: Int
  }

  private let folder: StorageFolder
  private let pixels: PixelStorage
  private let state: Lock<State>
  private let active: Lock<ActiveSegment?>

  /// Opens the pack in a folder, or creates it.
  ///
  /// - Parameters:
  ///   - folder: The folder, used for nothing else.
  ///   - byteLimit: The maximum size of the pack in bytes.
  ///   - segmentBytes: The maximum size of a segment in bytes. Default: nil, a thirty-second of the limit, or a fourth
  ///     of a small one.
  ///   - pixels: The layout of thumbnails in memory.
  init(
    in folder: StorageFolder, byteLimit: Int, segmentBytes: Int? = nil, pixels: PixelStorage = PixelStorage()
  ) throws(StorageError) {
    self.folder = folder
    self.pixels = pixels
    let segmentLimit = segmentBytes ?? max(min(byteLimit / 32, 1 << 30), min(byteLimit / 4, 1 << 20))
    state = Lock(State(index: PackIndex(byteLimit: byteLimit, segmentLimit: segmentLimit)))
    active = Lock(nil)
    let names = try folder.names()
    for name in PackSegment.leftovers(in: names) { folder.remove(name) }
    try readSegments(PackSegment.numbers(in: names))
    try resumeNewestSegment()
  }

  /// The number of known thumbnails.
  var count: Int { state.withLock { $0.index.count } }
  /// The known size of the pack in bytes.
  var byteCount: Int { state.withLock { $0.index.byteCount } }

  // MARK: - Reading

  /// Reads a thumbnail.
  ///
  /// - Returns: The thumbnail, or nil if there is none or it is damaged.
  func thumbnail(for key: FileFingerprint) -> LookupResult? {
    let location: (entry: PackEntry, pixels: StorageFile)? = state.withLock { state in
      guard let entry = state.index[key], let segment = state.segments[entry.segment] else { return nil }
      return (entry, segment.pixels)
    }
    guard let location, let size = location.entry.size else { return nil }
    let entry = location.entry
    let bitmap = try? Bitmap(size: size, isOpaque: true, order: pixels.order, pool: pixels.pool) { memory in
      let packed = UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - entry.byteCount)...])
      guard try location.pixels.read(from: Int(entry.offset), into: packed) == packed.count,
        PackEntry.digest(UnsafeRawBufferPointer(packed), of: key) == entry.digest
      else { throw StorageError(.read, location.pixels.name, code: EILSEQ) }
      OpaquePixels.unpack(in: memory, to: pixels.order)
    }
    return state.withLock { state in
      guard let bitmap else {
        if state.index[key] == entry { state.index.removeThumbnail(key) }
        return nil
      }
      return LookupResult(
        thumbnail: StoredThumbnail(bitmap: bitmap, sourceSize: entry.sourceSize),
        needsRewrite: state.index.claimRewrite(of: entry))
    }
  }

  /// Returns whether a thumbnail is known to exist.
  func contains(_ key: FileFingerprint) -> Bool { state.withLock { $0.index[key] != nil } }

  /// Returns whether a thumbnail with the given number of pixels is small enough to be stored.
  func canStore(pixels: Int) -> Bool { state.withLock { OpaquePixels.byteCount(pixels) <= $0.index.maximumPixelBytes } }

  // MARK: - Writing

  /// Appends thumbnails, skipping those that are too large.
  ///
  /// - Throws: ``StorageError`` if the disk is full or read-only; thumbnails added before remain.
  func append(_ thumbnails: [(key: FileFingerprint, thumbnail: StoredThumbnail)]) throws(StorageError) {
    try active.withLock { active throws(StorageError) in
      var records: [PackRecord] = []
      for (key, thumbnail) in thumbnails {
        let pixels = OpaquePixels.packed(thumbnail.bitmap)
        guard canStore(pixels: pixels.count / 3) else { continue }
        if !hasSpace(for: pixels.count, in: active) {
          try appendRecords(records, in: active)
          records = []
          active = try beginSegment()
        }
        guard let (segment, end) = active.map({ ($0.segment, $0.end) }) else { continue }
        try segment.pixels.write(pixels, at: end)
        let digest = pixels.withUnsafeBytes { PackEntry.digest($0, of: key) }
        records.append(
          PackRecord(
            key: key,
            entry: PackEntry(
              digest: digest, segment: segment.number, offset: end, size: thumbnail.bitmap.size,
              sourceSize: thumbnail.sourceSize)))
        active?.end += pixels.count
        active?.listBytes += PackIndex.listBytes
      }
      try appendRecords(records, in: active)
    }
  }

  private func hasSpace(for bytes: Int, in active: ActiveSegment?) -> Bool {
    guard let active, (try? active.segment.pixels.status().hasName) ?? false else { return false }
    let needed = active.end + bytes + active.listBytes + PackIndex.listBytes
    return state.withLock { needed <= $0.index.segmentLimit }
  }

  private func appendRecords(_ records: [PackRecord], in active: ActiveSegment?) throws(StorageError) {
    guard let segment = active?.segment, !records.isEmpty else { return }
    try segment.appendRecords(records)
    let bytes = try segment.byteCount()
    state.withLock { state in
      state.index.recordSegment(PackIndex.Segment(number: segment.number, byteCount: bytes))
      let new = records.filter { state.index[$0.key] == nil }
      state.index.recordWrite(new.reduce(0) { $0 + $1.entry.byteCount })
      state.index.insertRecords(records)
    }
  }

  /// Evicts the oldest segments and creates a new one.
  private func beginSegment() throws(StorageError) -> ActiveSegment {
    try readNewRecords()
    removeSegments(state.withLock { $0.index.segmentsToEvict(forBytes: $0.index.segmentLimit) })
    var number = state.withLock { $0.index.nextNumber }
    while true {
      if let segment = try PackSegment.create(number, in: folder) {
        state.withLock { state in
          state.segments[number] = segment
          state.index.recordSegment(PackIndex.Segment(number: number, byteCount: 0))
        }
        return ActiveSegment(segment: segment, end: 0, listBytes: RecordFormat.headerBytes)
      }
      guard number < UInt32.max else { throw StorageError(.open, folder.name, code: EOVERFLOW) }
      number += 1
    }
  }

  private func removeSegments(_ numbers: [UInt32]) {
    for number in numbers { PackSegment.remove(number, from: folder) }
    state.withLock { state in
      state.index.removeSegments(Set(numbers))
      for number in numbers { state.segments[number] = nil }
    }
  }

  // MARK: - Other instances

  /// Reads what other instances have added and removed.
  ///
  /// Call it on the writing thread, or before any thread writes.
  func readNewRecords() throws(StorageError) { try readSegments(PackSegment.numbers(in: try folder.names())) }

  private func readSegments(_ numbers: [UInt32]) throws(StorageError) {
    let known = state.withLock { $0.segments }
    let removed = Set(known.keys).subtracting(numbers)
    state.withLock { state in
      state.index.removeSegments(removed)
      for number in removed { state.segments[number] = nil }
    }
    for number in numbers {
      // Another instance may be removing the segment.
      guard let segment = try? known[number] ?? PackSegment.open(number, in: folder),
        let records = try? segment.readNewRecords(), let bytes = try? segment.byteCount()
      else { continue }
      state.withLock { state in
        state.segments[number] = segment
        state.index.recordSegment(PackIndex.Segment(number: number, byteCount: bytes))
        state.index.insertRecords(records)
      }
    }
  }

  /// Continues the newest segment if no other instance does and it has space.
  private func resumeNewestSegment() throws(StorageError) {
    let newest = state.withLock { state -> PackSegment? in
      guard let last = state.index.segments.last, last.byteCount < state.index.segmentLimit / 4 * 3 else {
        return nil
      }
      return state.segments[last.number]
    }
    guard let newest, let records = try? newest.readNewRecords() else { return }
    let end = state.withLock { state in
      state.index.insertRecords(records)
      return state.index.end(of: newest.number)
    }
    guard (try? newest.takeOver(end: end)) ?? false, let bytes = try? newest.byteCount() else { return }
    active.withLock { $0 = ActiveSegment(segment: newest, end: end, listBytes: bytes - end) }
    removeSegments(state.withLock { $0.index.segmentsToEvict(forBytes: $0.index.segmentLimit - bytes) })
  }
}

// MARK: - Pixel format

/// The format of opaque pixels on disk: bytes R, G, B, in rows from the top without padding.
enum OpaquePixels {
  /// Returns the size of the given number of pixels in bytes.
  static func byteCount(_ pixels: Int) -> Int { pixels * 3 }

  /// Returns the packed pixels of an opaque bitmap.
  /// - Complexity: O(pixels).
  static func packed(_ bitmap: Bitmap) -> [UInt8] {
    bitmap.order == .redFirst ? packed(bitmap) { $0 } : packed(bitmap, ChannelOrder.swappingRedAndBlue)
  }

  @inline(__always)
  private static func packed(_ bitmap: Bitmap, _ ordered: (UInt32) -> UInt32) -> [UInt8] {
    bitmap.withPixels { pixels in
      let count = pixels.count / 4
      return [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, filled in
        let target = UnsafeMutableRawBufferPointer(buffer)
        var pixel = 0
        while pixel + 4 <= count {
          let a = ordered(pixels.word(at: pixel * 4)) & 0xFF_FFFF
          let b = ordered(pixels.word(at: pixel * 4 + 4)) & 0xFF_FFFF
          let c = ordered(pixels.word(at: pixel * 4 + 8)) & 0xFF_FFFF
          let d = ordered(pixels.word(at: pixel * 4 + 12))
          target.store(a | b << 24, at: pixel * 3)
          target.store(b >> 8 | c << 16, at: pixel * 3 + 4)
          target.store(c >> 16 | d << 8, at: pixel * 3 + 8)
          pixel += 4
        }
        while pixel < count {
          let word = ordered(pixels.word(at: pixel * 4))
          for channel in 0..<3 { target[pixel * 3 + channel] = UInt8(truncatingIfNeeded: word >> UInt32(channel * 8)) }
          pixel += 1
        }
        filled = count * 3
      }
    }
  }

  /// Unpacks pixels from the end of a bitmap's memory over all of it, and makes them opaque.
  ///
  /// Reading stays ahead of writing, so no other memory is needed.
  ///
  /// - Parameter order: The channel order of the result.
  /// - Complexity: O(pixels).
  static func unpack(in memory: UnsafeMutableRawBufferPointer, to order: ChannelOrder = .redFirst) {
    if order == .redFirst { unpack(memory) { $0 } } else { unpack(memory, ChannelOrder.swappingRedAndBlue) }
  }

  @inline(__always)
  private static func unpack(_ memory: UnsafeMutableRawBufferPointer, _ ordered: (UInt32) -> UInt32) {
    let count = memory.count / 4
    let source = UnsafeRawBufferPointer(memory)
    let opaque: UInt32 = 0xFF00_0000
    var pixel = 0
    while pixel + 4 <= count {
      let offset = count + pixel * 3
      let first = source.word(at: offset)
      let second = source.word(at: offset + 4)
      let third = source.word(at: offset + 8)
      memory.store(ordered(first) | opaque, at: pixel * 4)
      memory.store(ordered(first >> 24 | second << 8) | opaque, at: pixel * 4 + 4)
      memory.store(ordered(second >> 16 | third << 16) | opaque, at: pixel * 4 + 8)
      memory.store(ordered(third >> 8) | opaque, at: pixel * 4 + 12)
      pixel += 4
    }
    while pixel < count {
      let offset = count + pixel * 3
      let word = UInt32(source[offset]) | UInt32(source[offset + 1]) << 8 | UInt32(source[offset + 2]) << 16
      memory.store(ordered(word) | opaque, at: pixel * 4)
      pixel += 1
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  @inline(__always)
  fileprivate func store(_ word: UInt32, at offset: Int) {
    storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
}
