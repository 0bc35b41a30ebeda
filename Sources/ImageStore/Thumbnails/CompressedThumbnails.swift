package import VitrineGeometry
package import VitrineImagePipeline

/// A thumbnail of a file as a small JPEG image.
package struct CompressedThumbnail: Hashable, Sendable {
  /// The bytes of the JPEG image.
  package var bytes: [UInt8]
  /// The size in pixels.
  package var size: PixelSize
  /// The size of the file's image in pixels, after orientation.
  package var sourceSize: PixelSize
  /// The colour behind transparent pixels; nil if the file's format has no transparency.
  package var background: UInt32?
  /// The decoders that made the pixels; nil if unknown, after which the thumbnail is not stored.
  package var origin: DecoderOrigin?

  /// Creates a thumbnail.
  package init(
    bytes: [UInt8], size: PixelSize, sourceSize: PixelSize, background: UInt32?, origin: DecoderOrigin?
  ) {
    self.bytes = bytes
    self.size = size
    self.sourceSize = sourceSize
    self.background = background
    self.origin = origin
  }
}

extension CompressedThumbnail {
  /// Returns whether the thumbnail has the pixels that a request needs, so that nothing is enlarged.
  func isSufficient(for request: ImageRequest) -> Bool {
    let wanted = request.key.size
    // A small image is not enlarged by its thumbnail either.
    if size == sourceSize { return true }
    switch request.key.fit {
    case .fill, .fillWithoutEnlarging: return size.width >= wanted.width && size.height >= wanted.height
    case .fit: return size.width >= wanted.width || size.height >= wanted.height
    }
  }

  /// Returns whether the thumbnail shows what a request asks for: transparency is visible in front of one colour only.
  func matches(_ request: ImageRequest) -> Bool { background == nil || background == request.background }
}

/// The thumbnails of a whole library, compressed, in one file.
///
/// A file has one thumbnail, which is found by its fingerprint. A thumbnail of the file before its last change of
/// metadata, such as a new name, is not returned. Above the limit, the thumbnails that were stored first are removed.
package final class CompressedThumbnails: Sendable {
  /// The tables.
  static let schema = StoreDatabase.Schema(
    fileName: "thumbnails.sqlite", version: 2 << 16 | FileFingerprint.decodingVersion, pageSize: 4_096,
    statements: [
      """
      CREATE TABLE thumbnails (
        key BLOB NOT NULL UNIQUE, changed INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
        sourceWidth INTEGER NOT NULL, sourceHeight INTEGER NOT NULL, background INTEGER, origin INTEGER NOT NULL,
        data BLOB NOT NULL)
      """
    ])

  private let database: StoreDatabase
  /// The maximum size of the file in bytes.
  let byteLimit: Int
  private let fixes: SecurityFixes

  /// Opens the thumbnails, or creates an empty file.
  ///
  /// - Parameters:
  ///   - directory: The bytes of the cache folder's path; the folder is created if it is missing.
  ///   - byteLimit: The maximum size of the file in bytes.
  ///   - fixes: The fixes of decoders. What a decoder made before its fix is not returned.
  package init(in directory: [UInt8], byteLimit: Int, fixes: SecurityFixes = .current) throws(StorageError) {
    database = try StoreDatabase(CompressedThumbnails.schema, in: directory)
    self.byteLimit = byteLimit
    self.fixes = fixes
  }

  /// Closes the file, after which nothing is read or written.
  func close() { database.close() }

  /// Whether thumbnails can be stored.
  var isWritable: Bool { database.isWritable }
  /// The number of thumbnails.
  ///
  /// - Complexity: O(count).
  package var count: Int {
    database.read { session throws(SQLiteError) in
      try session.integer("SELECT count(*) FROM thumbnails") ?? 0
    } ?? 0
  }
  /// The size of the thumbnails in bytes.
  package var byteCount: Int { database.byteCount }

  /// The result of looking for a thumbnail.
  package enum Lookup: Hashable, Sendable {
    case found(CompressedThumbnail)
    /// There is only a thumbnail of the file before its metadata changed.
    case outdated
    /// There is only a thumbnail whose origin is not accepted any more.
    case rejected
    case missing
  }

  /// Returns the thumbnail of a file, or nil if there is none of this version.
  ///
  /// - Complexity: O(log count).
  package func thumbnail(of version: ImageFile.Version) -> CompressedThumbnail? {
    if case .found(let thumbnail) = find(version) { thumbnail } else { nil }
  }

  /// Returns the thumbnail of a file, or whether there is one of another version.
  ///
  /// - Complexity: O(log count).
  package func find(_ version: ImageFile.Version) -> Lookup {
    find(version.fingerprint, changeNumber: version.changeNumber)
  }

  /// Returns the thumbnail of a file whose metadata may have changed since, or nil if there is none.
  ///
  /// - Complexity: O(log count).
  func thumbnail(for key: FileFingerprint) -> CompressedThumbnail? {
    if case .found(let thumbnail) = find(key, changeNumber: nil) { thumbnail } else { nil }
  }

  /// Returns the thumbnail of a file with the given change time, or with any if that is nil.
  private func find(_ key: FileFingerprint, changeNumber: Int64?) -> Lookup {
    let found = database.read { session throws(SQLiteError) -> Lookup in
      var found = Lookup.missing
      try session.execute(
        """
        SELECT data, width, height, sourceWidth, sourceHeight, background IS NULL, background, changed = ?2
          OR ?2 IS NULL, origin
        FROM thumbnails WHERE key = ?1
        """, [.bytes(key.bytes), changeNumber.map { .integer($0) } ?? .null]
      ) { row throws(SQLiteError) in
        let origin = DecoderOrigin(packed: UInt64(bitPattern: Int64(row.integer(8))))
        guard fixes.accepts(origin) else {
          found = .rejected
          return false
        }
        found = .outdated
        guard row.integer(7) == 1, let size = PixelSize(width: row.integer(1), height: row.integer(2)),
          let sourceSize = PixelSize(width: row.integer(3), height: row.integer(4))
        else { return false }
        found = .found(
          CompressedThumbnail(
            bytes: row.bytes(0), size: size, sourceSize: sourceSize,
            background: row.integer(5) == 1 ? nil : UInt32(truncatingIfNeeded: row.integer(6)), origin: origin))
        return false
      }
      return found
    }
    return found ?? .missing
  }

  /// Whether a file has a thumbnail.
  enum Presence: Hashable, Sendable {
    /// There is one, possibly of a version with other metadata.
    case present
    /// There is only one whose origin is not accepted any more.
    case rejected
    case missing
  }

  /// Returns whether a file has a thumbnail, without reading it.
  ///
  /// - Complexity: O(log count).
  func presence(of key: FileFingerprint) -> Presence {
    let origin = database.read { session throws(SQLiteError) in
      try session.integer("SELECT origin FROM thumbnails WHERE key = ?1", [.bytes(key.bytes)])
    }
    guard let origin, let origin else { return .missing }
    return fixes.accepts(DecoderOrigin(packed: UInt64(bitPattern: Int64(origin)))) ? .present : .rejected
  }

  /// Stores thumbnails, and removes the oldest if there are too many.
  ///
  /// - Throws: ``StorageError`` if the disk is full or read-only; none is stored then.
  package func insert(
    _ thumbnails: [(version: ImageFile.Version, thumbnail: CompressedThumbnail)]
  ) throws(StorageError) {
    try database.write { session throws(SQLiteError) in
      for (version, thumbnail) in thumbnails {
        try session.execute(
          "INSERT OR REPLACE INTO thumbnails VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
          [
            .bytes(version.fingerprint.bytes), .integer(version.changeNumber), .number(thumbnail.size.width),
            .number(thumbnail.size.height), .number(thumbnail.sourceSize.width), .number(thumbnail.sourceSize.height),
            .number(thumbnail.background.map(Int.init)), .origin(thumbnail.origin), .bytes(thumbnail.bytes),
          ])
      }
      try StoreDatabase.removeOldest(of: "thumbnails", ifLargerThan: byteLimit, session)
    }
  }

  /// Removes the thumbnails of files, because they cannot be decoded.
  func remove(_ versions: [ImageFile.Version]) throws(StorageError) {
    try database.write { session throws(SQLiteError) in
      for version in versions {
        try session.execute("DELETE FROM thumbnails WHERE key = ?1", [.bytes(version.fingerprint.bytes)])
      }
    }
  }
}

extension ImageFile.Version {
  /// The change time as one number.
  fileprivate var changeNumber: Int64 { Int64(changedSeconds) &* 1_000_000_000 &+ Int64(changedNanoseconds) }
}

extension SQLiteValue {
  /// Returns the stored form of an origin, or 0, which is none, for nil.
  static func origin(_ origin: DecoderOrigin?) -> SQLiteValue {
    .integer(Int64(bitPattern: origin?.packed ?? 0))
  }
}

extension FileFingerprint {
  /// The 16 bytes of the fingerprint.
  var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
