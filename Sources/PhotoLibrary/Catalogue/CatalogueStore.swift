package import VitrineImageStore
import VitrineThreads

/// The catalogue on disk: what is known about the photographs of every folder that was ever read.
///
/// It is one SQLite file in the cache folder, shared by all instances of the program. Each folder is a row, so that
/// libraries that overlap share what is known, and a changed folder is one small write. A damaged file, or one of
/// another version, is replaced by an empty one: everything in it is read again from the photographs.
///
/// The store is thread-safe, but every call waits for the disk, so it must not be used on the render thread.
package final class CatalogueStore: Sendable {
  static let schema = StoreDatabase.Schema(
    fileName: "catalogue.sqlite", version: 3, pageSize: 16_384,
    statements: [
      """
      CREATE TABLE folders (
        key BLOB NOT NULL PRIMARY KEY, path BLOB NOT NULL, file_system INTEGER NOT NULL, photos BLOB NOT NULL) WITHOUT ROWID
      """
    ])

  private enum Opening {
    case notYet
    case open(StoreDatabase)
    /// The file is inaccessible.
    case failed
    case closed
  }

  private let directory: [UInt8]
  private let opening = Lock(Opening.notYet)

  /// Creates a store, which opens its file when it is first used.
  ///
  /// - Parameter directory: The bytes of the cache folder's path; the folder is created if it is missing.
  package init(directory: [UInt8]) { self.directory = directory }

  /// The database, or nil if it is inaccessible or was closed.
  private var database: StoreDatabase? {
    opening.withLock { opening in
      switch opening {
      case .open(let database): return database
      case .failed, .closed: return nil
      case .notYet:
        do throws(StorageError) {
          let database = try StoreDatabase(CatalogueStore.schema, in: directory)
          opening = .open(database)
          return database
        } catch {
          opening = .failed
          return nil
        }
      }
    }
  }

  /// Closes the file, after which nothing is read or written.
  package func close() {
    let database = opening.withLock { opening -> StoreDatabase? in
      defer { opening = .closed }
      return if case .open(let database) = opening { database } else { nil }
    }
    database?.close()
  }

  // MARK: - Reading

  /// Calls a closure with the folders within another one, in the order in which a scan lists them.
  ///
  /// A row that does not begin with cameras is left out.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder, which is the first one if it has photographs.
  ///   - body: A closure that receives a folder and its entries, valid during the call, and returns whether to
  ///     continue.
  /// - Returns: False if the file cannot be read.
  /// - Complexity: O(*n*) in the number of photographs.
  @discardableResult
  func forEachFolder(within folder: PhotoPath, _ body: (PhotoPath, StoredEntries) -> Bool) -> Bool {
    let key = folder.listingKey
    return database?.read { session throws(SQLiteError) in
      try session.execute(
        "SELECT path, photos FROM folders WHERE key >= ?1 AND key < ?2 ORDER BY key",
        [.bytes(key), .bytes(CatalogueStore.end(of: key))]
      ) { row throws(SQLiteError) in
        let path = PhotoPath(row.bytes(0))
        return row.withBytes(1) { StoredEntries($0).map { body(path, $0) } ?? true }
      }
      return true
    } ?? false
  }

  /// Returns the folders within another one, and it itself, of which photographs are known, in the order of a scan.
  ///
  /// - Complexity: O(*n*) in the number of folders.
  func knownFolders(within folder: PhotoPath) -> [RemovedDisks.KnownFolder] {
    let key = folder.listingKey
    return database?.read { session throws(SQLiteError) in
      var folders: [RemovedDisks.KnownFolder] = []
      try session.execute(
        "SELECT path, file_system FROM folders WHERE key >= ?1 AND key < ?2 ORDER BY key",
        [.bytes(key), .bytes(CatalogueStore.end(of: key))]
      ) { row throws(SQLiteError) in
        folders.append(
          RemovedDisks.KnownFolder(
            path: PhotoPath(row.bytes(0)), fileSystem: UInt64(bitPattern: Int64(row.integer(1)))))
        return true
      }
      return folders
    } ?? []
  }

  /// Returns what is known about a folder, or nil.
  func record(of folder: PhotoPath) -> FolderRecord? {
    database?.read { session throws(SQLiteError) in
      var record: FolderRecord?
      try session.execute("SELECT photos FROM folders WHERE key = ?1", [.bytes(folder.listingKey)]) {
        row throws(SQLiteError) in
        record = row.withBytes(0) { FolderRecord(folder: folder, encodedEntries: $0) }
        return false
      }
      return record
    } ?? nil
  }

  // MARK: - Writing

  /// Stores what is known about folders, in place of what was known before.
  ///
  /// A folder without photographs is removed.
  ///
  /// Has no effect if the file is inaccessible.
  ///
  /// - Throws: `StorageError` if the disk is full or read-only; nothing is stored then.
  package func store(_ records: [FolderRecord]) throws(StorageError) {
    guard !records.isEmpty else { return }
    try database?.write { session throws(SQLiteError) in
      for record in records {
        let key = SQLiteValue.bytes(record.folder.listingKey)
        if record.entries.isEmpty {
          try session.execute("DELETE FROM folders WHERE key = ?1", [key])
        } else {
          try session.execute(
            "INSERT OR REPLACE INTO folders VALUES (?1, ?2, ?3, ?4)",
            [
              key, .bytes(record.folder.bytes), .integer(Int64(bitPattern: record.fileSystem)),
              .bytes(record.encodedEntries),
            ])
        }
      }
    }
  }

  /// Removes the folders within another one that a complete scan did not find.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder that was scanned.
  ///   - isKept: Returns whether a folder was found, or could not be read and is offline.
  /// - Throws: `StorageError` if the disk is full or read-only; nothing is removed then.
  func removeFolders(within folder: PhotoPath, exceptWhere isKept: (PhotoPath) -> Bool) throws(StorageError) {
    let key = folder.listingKey
    try database?.write { session throws(SQLiteError) in
      var missing: [[UInt8]] = []
      try session.execute(
        "SELECT key, path FROM folders WHERE key >= ?1 AND key < ?2",
        [.bytes(key), .bytes(CatalogueStore.end(of: key))]
      ) { row throws(SQLiteError) in
        if !isKept(PhotoPath(row.bytes(1))) { missing.append(row.bytes(0)) }
        return true
      }
      for key in missing { try session.execute("DELETE FROM folders WHERE key = ?1", [.bytes(key)]) }
    }
  }

  /// Returns the first key after those that begin with the given one.
  private static func end(of key: [UInt8]) -> [UInt8] {
    // A key ends with two zeros, and those within continue it. That of `/` is empty.
    key.isEmpty ? [UInt8](repeating: 0xFF, count: 256) : key.dropLast() + [1]
  }
}
