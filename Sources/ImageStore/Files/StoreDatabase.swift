import Glibc
import VitrineImagePipeline
import VitrineThreads

/// An SQLite file in the cache folder, which any number of instances of the program use at the same time.
///
/// A damaged file, or one with other tables, is replaced by an empty one unless another instance has it open. While a disk
/// has errors, SQLite may report damage that is not in the file, so the file is examined first. A file that cannot be
/// written is read. One connection reads and another writes, so that no reader waits for a writer
/// (write-ahead logging). After a crash of the program or the system, the file has its last complete state.
package final class StoreDatabase: Sendable {
  /// The tables of a database.
  package struct Schema: Sendable {
    /// The name of the file.
    var fileName: String
    /// A number that changes when the tables change.
    var version: Int
    /// The size of a page in bytes: a power of two between 512 and 65,536.
    var pageSize: Int
    /// The statements that create the tables.
    var statements: [String]

    /// Creates a description of tables.
    package init(fileName: String, version: Int, pageSize: Int, statements: [String]) {
      self.fileName = fileName
      self.version = version
      self.pageSize = pageSize
      self.statements = statements
    }
  }

  private struct Connections {
    var reader: SQLiteConnection?
    var writer: SQLiteConnection?
    /// Whether the file must be opened again before it is written.
    var condition = Condition.usable
  }

  /// What is known about the file.
  private enum Condition {
    case usable
    /// A transaction failed because of the disk. SQLite may have pages in memory that it could not read again.
    case interrupted
    /// A statement found damage.
    case damaged
  }

  private let folder: StorageFolder
  private let directory: [UInt8]
  private let schema: Schema
  private let connections: Lock<Connections>
  /// The right to open or replace the file, which one thread has at a time.
  private let restoration = Lock(true)
  /// A file that every instance locks while it uses the database; nil if it cannot be created.
  ///
  /// A damaged file is not replaced then.
  private let guardFile: StorageFile?

  /// Opens a database, or creates it, accessible to the user only.
  ///
  /// - Parameters:
  ///   - schema: The tables.
  ///   - directory: The bytes of the folder's path; the folder is created if it is missing.
  package init(_ schema: Schema, in directory: [UInt8]) throws(StorageError) {
    folder = try StorageFolder(directory)
    self.directory = directory
    self.schema = schema
    connections = Lock(Connections())
    let guardFile = try? folder.open(schema.fileName + ".lock")
    self.guardFile = guardFile.flatMap { $0.isWritable ? $0 : nil }
    try self.guardFile?.lockShared()
    do throws(SQLiteError) {
      try openPatiently()
    } catch {
      guard error.isDamage else { throw storageError(.open, error) }
      try repair()
    }
  }

  /// Whether the database can be written.
  package var isWritable: Bool { connections.withLock { $0.writer != nil } }

  /// Calls a closure that reads.
  ///
  /// - Returns: The closure's result, or nil after an error. Damage is repaired by the next ``write(_:)``.
  package func read<Result: Sendable>(_ body: (SQLiteSession) throws(SQLiteError) -> Result) -> Result? {
    guard let reader = connections.withLock({ $0.condition == .damaged ? nil : $0.reader }) else { return nil }
    do throws(SQLiteError) {
      return try reader.perform(body)
    } catch {
      if error.isDamage { record(.damaged, of: reader) }
      return nil
    }
  }

  /// Calls a closure that writes, in one transaction.
  ///
  /// If the file is damaged, it is replaced by an empty one first; after an error of the disk it is opened again.
  ///
  /// - Throws: ``StorageError``; the transaction has no effect then.
  package func write<Result: Sendable>(
    _ body: (SQLiteSession) throws(SQLiteError) -> Result
  ) throws(StorageError) -> Result {
    try restoreIfNeeded()
    var wasRepaired = false
    for _ in 0..<3 {
      guard let writer = connections.withLock({ $0.writer }) else { break }
      do throws(SQLiteError) {
        return try writer.perform { session throws(SQLiteError) in
          try session.transaction { () throws(SQLiteError) in try body(session) }
        }
      } catch {
        if error.isDiskError { record(.interrupted, of: writer) }
        guard error.isDamage || (error.isReadOnly && folder.canWrite(schema.fileName)) else {
          throw storageError(.write, error)
        }
        record(.damaged, of: writer)
        if wasRepaired, !error.namesOtherTables {
          // Calls of the system fail at the moment.
          throw storageError(.write, error)
        }
        try replace(writer, after: wasRepaired)
        wasRepaired = true
      }
    }
    throw StorageError(.write, schema.fileName, code: EROFS)
  }

  private func restoreIfNeeded() throws(StorageError) {
    guard connections.withLock({ $0.condition }) != .usable else { return }
    try restoration.withLock { _ throws(StorageError) in
      // Another thread may have done it meanwhile.
      switch connections.withLock({ $0.condition }) {
      case .usable: break
      case .interrupted: try reopen()
      case .damaged: try repair()
      }
    }
  }

  /// Repairs the file that a connection has found damaged, unless another thread has done so.
  private func replace(_ writer: SQLiteConnection, after wasRepaired: Bool) throws(StorageError) {
    try restoration.withLock { _ throws(StorageError) in
      guard connections.withLock({ $0.writer === writer || $0.condition == .damaged }) else { return }
      if wasRepaired { try replaceFile() } else { try repair() }
    }
  }

  /// The size of the pages in use, in bytes; 0 after an error.
  var byteCount: Int {
    read { session throws(SQLiteError) in try StoreDatabase.byteCount(session) } ?? 0
  }

  /// Returns the size of the pages in use, in bytes, also within a transaction.
  static func byteCount(_ session: SQLiteSession) throws(SQLiteError) -> Int {
    let pages = try session.integer("PRAGMA page_count") ?? 0
    let free = try session.integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try session.integer("PRAGMA page_size") ?? 0)
  }

  /// Removes the quarter of a table's rows that were inserted first, if the file is larger than a limit.
  static func removeOldest(of table: String, ifLargerThan limit: Int, _ session: SQLiteSession) throws(SQLiteError) {
    while try byteCount(session) > limit {
      try session.execute(
        """
        DELETE FROM \(table) WHERE rowid <= (
          SELECT rowid FROM \(table) ORDER BY rowid LIMIT 1 OFFSET (SELECT count(*) / 4 FROM \(table)))
        """)
      guard session.changedRows > 0 else { return }
    }
  }

  private func storageError(_ operation: StorageError.Operation, _ error: SQLiteError) -> StorageError {
    StorageError(operation, schema.fileName, code: error.errorNumber)
  }

  /// Closes the file, after which nothing is read or written.
  ///
  /// If no other instance has it open, the write-ahead log is merged into it.
  package func close() { setConnections(Connections()) }

  /// Sets the connections, and closes the former ones outside of the lock, as that may wait for the disk.
  private func setConnections(_ new: Connections) {
    let former = connections.withLock { connections -> Connections in
      defer { connections = new }
      return connections
    }
    withExtendedLifetime(former) {}
  }

  // MARK: - Opening

  /// Opens the file; tries again for a while if another instance is creating it, which SQLite does not wait for.
  ///
  /// The C function is `poll`.
  private func openPatiently() throws(SQLiteError) {
    for _ in 0..<StoreDatabase.openAttempts {
      do throws(SQLiteError) {
        return try open()
      } catch {
        guard error.isBusy else { throw error }
        poll(nil, 0, StoreDatabase.openPause)
      }
    }
    try open()
  }

  /// The number of further attempts to open or lock a file, and the milliseconds between them.
  private static let (openAttempts, openPause): (Int, Int32) = (20, 50)

  private var path: [UInt8] { directory + Array("/\(schema.fileName)".utf8) }

  private func open() throws(SQLiteError) {
    let path = path
    // SQLite would create a file that others may read. An existing file must not be opened here: closing it would release
    // the locks of this process.
    _ = try? folder.create(schema.fileName)
    folder.removeLink(schema.fileName)
    do throws(SQLiteError) {
      let writer = try SQLiteConnection(path: path, mode: .writable)
      try writer.perform { session throws(SQLiteError) in try prepare(session) }
      let reader = try SQLiteConnection(path: path, mode: .writable)
      try reader.perform { session throws(SQLiteError) in
        try session.execute("PRAGMA query_only = 1")
        try session.execute("PRAGMA mmap_size = 0")
        try session.execute("PRAGMA cell_size_check = 1")
        _ = try session.integer("SELECT count(*) FROM sqlite_schema")
      }
      setConnections(Connections(reader: reader, writer: writer))
    } catch {
      guard error.forbidsWriting else { throw error }
      // SQLite also refuses to write formats of later versions, in which this program has written none.
      guard !error.isReadOnly || !folder.canWrite(schema.fileName) else { throw .otherTables }
      try openForReading(path)
    }
  }

  private func openForReading(_ path: [UInt8]) throws(SQLiteError) {
    let reader = try SQLiteConnection(path: path, mode: .readOnly)
    try reader.perform { session throws(SQLiteError) in
      guard try session.integer("PRAGMA user_version") == schema.version else { throw .otherTables }
    }
    // A missing descriptor also keeps SQLite from writing; the next write tries again.
    let condition: Condition = folder.canWrite(schema.fileName) ? .interrupted : .usable
    setConnections(Connections(reader: reader, writer: nil, condition: condition))
  }

  private func prepare(_ session: SQLiteSession) throws(SQLiteError) {
    // A file that is truncated while it is mapped would end the program.
    try session.execute("PRAGMA mmap_size = 0")
    try session.execute("PRAGMA cell_size_check = 1")
    try session.execute("PRAGMA page_size = \(schema.pageSize)")
    // The log needs memory that is shared by all programs, which two machines do not have.
    try session.execute("PRAGMA journal_mode = \(folder.isOnNetwork ? "DELETE" : "WAL")")
    // The last transactions may be lost when the system crashes, which is no loss for a cache.
    try session.execute("PRAGMA synchronous = NORMAL")
    let version = try session.integer("PRAGMA user_version") ?? 0
    if version == schema.version { return }
    try session.transaction { () throws(SQLiteError) in
      // Another instance may have created the tables meanwhile.
      let version = try session.integer("PRAGMA user_version") ?? 0
      if version == schema.version { return }
      guard try session.integer("SELECT count(*) FROM sqlite_schema") == 0 else { throw .otherTables }
      for statement in schema.statements { try session.execute(statement) }
      try session.execute("PRAGMA user_version = \(schema.version)")
    }
  }

  // MARK: - Damage

  private func record(_ condition: Condition, of connection: SQLiteConnection) {
    connections.withLock { connections in
      // A connection of a file that was replaced meanwhile says nothing about the new one.
      guard connections.reader === connection || connections.writer === connection else { return }
      if connections.condition != .damaged { connections.condition = condition }
    }
  }

  /// Replaces a damaged file or one of a later format, or opens it again if it is whole.
  ///
  /// SQLite opens a file for reading only if no descriptor or space is left for a moment.
  private func repair() throws(StorageError) {
    // What the connections have in memory may be inconsistent.
    setConnections(Connections(condition: .damaged))
    let isDamaged: Bool
    do throws(SQLiteError) {
      isDamaged = hasLaterFormat ? true : try self.isDamaged()
    } catch {
      throw storageError(.open, error)
    }
    if isDamaged { try replaceFile() } else { try reopen() }
  }

  /// Examines the file with new connections, several times.
  ///
  /// While reads fail, any answer of SQLite may be wrong, but not always the same.
  ///
  /// The C function is `poll`.
  ///
  /// - Returns: Whether each connection found damage.
  /// - Throws: ``SQLiteError`` if reads of the file fail.
  private func isDamaged() throws(SQLiteError) -> Bool {
    for attempt in 0..<StoreDatabase.examinations {
      if attempt > 0 { poll(nil, 0, StoreDatabase.examinationPause) }
      do throws(SQLiteError) {
        let connection = try SQLiteConnection(path: path, mode: .writable)
        if try connection.perform({ session throws(SQLiteError) in try isWhole(session) }) { return false }
      } catch {
        guard error.isDamage else { throw error }
      }
    }
    // SQLite reports some failed reads as damage. No connection may be open here, as for `hasLaterFormat`.
    guard let file = try? folder.openForReading(schema.fileName), file.canRead(StoreDatabase.examinationReads) else {
      throw .failedRead
    }
    return true
  }

  /// The number of connections that must find damage, and the milliseconds between them.
  private static let (examinations, examinationPause): (Int, Int32) = (5, 10)
  /// The number of reads that must then succeed.
  private static let examinationReads = 64

  /// Whether a later version of SQLite has written the file in a way that this one does not write.
  ///
  /// No connection may be open, because closing the file releases the locks of this process.
  private var hasLaterFormat: Bool {
    // The format for writing follows the first 18 bytes. Formats 1 and 2 are known.
    guard let file = try? folder.openForReading(schema.fileName) else { return false }
    let start = file.firstBytes(19)
    return start.count == 19 && start[18] > 2
  }

  /// Returns whether the pages of the file are consistent, and its tables those of the schema.
  private func isWhole(_ session: SQLiteSession) throws(SQLiteError) -> Bool {
    try session.execute("PRAGMA mmap_size = 0")
    guard try session.integer("PRAGMA user_version") == schema.version else { return false }
    var isWhole = false
    try session.execute("PRAGMA quick_check(1)") { row throws(SQLiteError) in
      isWhole = row.bytes(0) == Array("ok".utf8)
      return false
    }
    return isWhole
  }

  /// Opens the file with new connections.
  ///
  /// If it cannot be opened, the next write tries again.
  private func reopen() throws(StorageError) {
    setConnections(Connections(condition: .interrupted))
    do throws(SQLiteError) {
      try openPatiently()
    } catch {
      if error.isDamage { connections.withLock { $0.condition = .damaged } }
      throw storageError(.open, error)
    }
  }

  /// Replaces the file by an empty one.
  ///
  /// - Throws: ``StorageError`` if another instance has the file open, as it would continue with the removed one.
  private func replaceFile() throws(StorageError) {
    setConnections(Connections(condition: .damaged))
    guard let guardFile, try lockPatiently(guardFile) else {
      // The failed attempts have released the lock.
      try guardFile?.lockShared()
      // The other instance may have replaced it.
      try? open()
      throw StorageError(.open, schema.fileName, code: EUCLEAN)
    }
    for suffix in ["", "-wal", "-shm", "-journal"] { folder.remove(schema.fileName + suffix) }
    do throws(SQLiteError) {
      try open()
    } catch {
      try? guardFile.lockShared()
      throw storageError(.open, error)
    }
    try guardFile.lockShared()
  }

  /// Locks a file exclusively; tries again for a while, because a process that is being started has the descriptors, and so
  /// the locks, of the one that starts it until it executes its program.
  ///
  /// The C function is `poll`.
  /// - Returns: Whether the lock was acquired.
  private func lockPatiently(_ file: StorageFile) throws(StorageError) -> Bool {
    for _ in 0..<StoreDatabase.openAttempts {
      if try file.tryLockExclusively() { return true }
      poll(nil, 0, StoreDatabase.openPause)
    }
    return try file.tryLockExclusively()
  }
}

extension SQLiteError {
  /// The error for a file with other tables, which is treated like a damaged one.
  fileprivate static let otherTables = SQLiteError.notADatabase
}
