import VitrineImagePipeline
import VitrineThreads

/// The tiny previews of all images ever seen, stored on disk, which a known library shows in its first frame.
///
/// They are in one file in the cache folder, shared by all instances of the program. The store is thread-safe, but every
/// call waits for the disk, so do not use it on the render thread.
public final class PreviewStore: Sendable {
  /// The maximum number of previews; above it, the oldest quarter is removed.
  static let maximumPreviews = 1 << 20

  /// The tables.
  static let schema = StoreDatabase.Schema(
    fileName: "previews.sqlite", version: 2 << 16 | FileFingerprint.decodingVersion, pageSize: 4_096,
    statements: ["CREATE TABLE previews (record BLOB NOT NULL, file BLOB NOT NULL UNIQUE)"])

  private let database: StoreDatabase
  private let maximumPreviews: Int
  private let fixes: SecurityFixes

  /// Opens the previews, or creates an empty file.
  ///
  /// - Parameter directory: The bytes of the cache folder's path; the folder is created if it is missing.
  /// - Throws: ``StorageError`` if the folder or the file is inaccessible. A file of another format is no error: it is
  ///   replaced.
  public convenience init(directory: [UInt8]) throws(StorageError) {
    try self.init(in: directory, maximumPreviews: PreviewStore.maximumPreviews)
  }

  /// Opens the previews with another maximum, and other fixes of decoders.
  init(in directory: [UInt8], maximumPreviews: Int, fixes: SecurityFixes = .current) throws(StorageError) {
    database = try StoreDatabase(PreviewStore.schema, in: directory)
    self.maximumPreviews = maximumPreviews
    self.fixes = fixes
  }

  /// Closes the file, after which nothing is read or written.
  public func close() { database.close() }

  /// Whether previews can be added; false if the disk or the folder is read-only.
  public var isWritable: Bool { database.isWritable }

  /// Returns all previews, in the order in which they were added; empty if the file cannot be read.
  ///
  /// Those of decoders that were fixed since are omitted, so that they are made again.
  ///
  /// - Complexity: O(count).
  public func load() -> PreviewTable {
    let size = MemoryLayout<PreviewRecord>.stride
    return database.read { session throws(SQLiteError) in
      var table = PreviewTable()
      table.reserveCapacity(try session.integer("SELECT count(*) FROM previews") ?? 0)
      try session.execute("SELECT record FROM previews ORDER BY rowid") { row throws(SQLiteError) in
        row.withBytes(0) { bytes in
          guard bytes.count == size else { return }
          let record = bytes.loadUnaligned(as: PreviewRecord.self)
          if record.isAccepted(by: fixes) { table.insert(record) }
        }
        return true
      }
      return table
    } ?? PreviewTable()
  }

  /// Adds previews, each in place of the file's earlier one.
  ///
  /// - Throws: ``StorageError`` if the disk is full or read-only; no preview is added then.
  public func append(_ records: [PreviewRecord]) throws(StorageError) {
    guard !records.isEmpty else { return }
    try database.write { session throws(SQLiteError) in
      for record in records {
        try session.execute(
          "INSERT OR REPLACE INTO previews VALUES (?1, ?2)",
          [.bytes(withUnsafeBytes(of: record) { Array($0) }), .bytes(record.file.bytes)])
      }
      let count = try session.integer("SELECT count(*) FROM previews") ?? 0
      guard count > maximumPreviews else { return }
      try session.execute(
        "DELETE FROM previews WHERE rowid IN (SELECT rowid FROM previews ORDER BY rowid LIMIT ?1)",
        [.number(count - maximumPreviews / 4 * 3)])
    }
  }
}
