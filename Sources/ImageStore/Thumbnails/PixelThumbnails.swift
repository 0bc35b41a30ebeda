import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering

/// The thumbnails of the last screens as raw pixels, in the sizes in which they were shown.
///
/// They need no decoder, so the first screen of the next run is complete at once. Above the limit, the oldest quarter is
/// removed.
final class PixelThumbnails: Sendable {
  /// The tables.
  static let schema = StoreDatabase.Schema(
    // Large pages, as a thumbnail has some hundred kilobytes.
    fileName: "pixels.sqlite", version: 2 << 16 | FileFingerprint.decodingVersion, pageSize: 16_384,
    statements: [
      """
      CREATE TABLE pixels (
        key BLOB NOT NULL UNIQUE, width INTEGER NOT NULL, height INTEGER NOT NULL, sourceWidth INTEGER,
        sourceHeight INTEGER, origin INTEGER NOT NULL, data BLOB NOT NULL)
      """
    ])

  private let database: StoreDatabase
  /// The maximum size of the file in bytes.
  let byteLimit: Int
  private let pixels: PixelStorage
  private let fixes: SecurityFixes

  /// Opens the thumbnails, or creates an empty file.
  ///
  /// - Parameters:
  ///   - directory: The bytes of the cache folder's path; the folder is created if it is missing.
  ///   - byteLimit: The maximum size of the file in bytes.
  ///   - pixels: The layout of thumbnails in memory.
  ///   - fixes: The fixes of decoders. What a decoder made before its fix is not returned.
  init(
    in directory: [UInt8], byteLimit: Int, pixels: PixelStorage = PixelStorage(), fixes: SecurityFixes = .current
  ) throws(StorageError) {
    database = try StoreDatabase(PixelThumbnails.schema, in: directory)
    self.byteLimit = byteLimit
    self.pixels = pixels
    self.fixes = fixes
  }

  /// Closes the file, after which nothing is read or written.
  func close() { database.close() }

  /// Whether thumbnails can be stored.
  var isWritable: Bool { database.isWritable }
  /// The number of thumbnails.
  ///
  /// - Complexity: O(count).
  var count: Int {
    database.read { session throws(SQLiteError) in try session.integer("SELECT count(*) FROM pixels") ?? 0 } ?? 0
  }
  /// The size of the thumbnails in bytes.
  var byteCount: Int { database.byteCount }

  /// Returns whether a bitmap can be stored: opaque, and no larger than an eighth of the limit.
  func canStore(_ bitmap: Bitmap) -> Bool {
    bitmap.isOpaque && OpaquePixels.byteCount(bitmap.byteCount / 4) <= byteLimit / 8
  }

  /// The result of looking for a thumbnail.
  enum Lookup {
    case found(StoredThumbnail)
    /// There is only a thumbnail whose origin is not accepted any more.
    case rejected
    case missing
  }

  /// Returns a thumbnail, or nil if there is none.
  ///
  /// - Complexity: O(log count + pixels).
  func thumbnail(for key: FileFingerprint) -> StoredThumbnail? {
    if case .found(let thumbnail) = find(key) { thumbnail } else { nil }
  }

  /// Returns a thumbnail, or whether there is one that must not be shown.
  ///
  /// - Complexity: O(log count + pixels).
  func find(_ key: FileFingerprint) -> Lookup {
    let found = database.read { session throws(SQLiteError) -> Lookup in
      var found = Lookup.missing
      try session.execute(
        "SELECT data, width, height, sourceWidth, sourceHeight, origin FROM pixels WHERE key = ?1", [.bytes(key.bytes)]
      ) { row throws(SQLiteError) in
        let origin = DecoderOrigin(packed: UInt64(bitPattern: Int64(row.integer(5))))
        guard fixes.accepts(origin) else {
          found = .rejected
          return false
        }
        guard let size = PixelSize(width: row.integer(1), height: row.integer(2)) else { return false }
        let sourceSize = PixelSize(width: row.integer(3), height: row.integer(4))
        let thumbnail = row.withBytes(0) { packed -> StoredThumbnail? in
          // Nil if there is no memory, or the bytes do not belong to the size.
          guard packed.count == OpaquePixels.byteCount(size.bytesAtFourPerPixel / 4) else { return nil }
          let order = pixels.order
          let bitmap = try? Bitmap(size: size, isOpaque: true, order: order, pool: pixels.pool) { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - packed.count)...]).copyMemory(from: packed)
            OpaquePixels.unpack(in: memory, to: order)
          }
          return bitmap.map { StoredThumbnail(bitmap: $0, sourceSize: sourceSize, origin: origin) }
        }
        found = thumbnail.map { .found($0) } ?? .missing
        return false
      }
      return found
    }
    return found ?? .missing
  }

  /// Returns whether a thumbnail is among the newer half, so that it is not removed soon.
  ///
  /// - Complexity: O(log count).
  func isRecent(_ key: FileFingerprint) -> Bool {
    database.read { session throws(SQLiteError) in
      try session.integer(
        """
        SELECT rowid * 2 >= (SELECT min(rowid) FROM pixels) + (SELECT max(rowid) FROM pixels)
        FROM pixels WHERE key = ?1
        """, [.bytes(key.bytes)]) == 1
    } ?? false
  }

  /// Stores thumbnails, and removes the oldest if there are too many.
  ///
  /// - Throws: ``StorageError`` if the disk is full or read-only; none is stored then.
  func insert(_ thumbnails: [(key: FileFingerprint, thumbnail: StoredThumbnail)]) throws(StorageError) {
    try database.write { session throws(SQLiteError) in
      for (key, thumbnail) in thumbnails {
        let (size, source) = (thumbnail.bitmap.size, thumbnail.sourceSize)
        try session.execute(
          "INSERT OR REPLACE INTO pixels VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
          [
            .bytes(key.bytes), .number(size.width), .number(size.height), .number(source?.width),
            .number(source?.height), .origin(thumbnail.origin), .bytes(OpaquePixels.packed(thumbnail.bitmap)),
          ])
      }
      try StoreDatabase.removeOldest(of: "pixels", ifLargerThan: byteLimit, session)
    }
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
