import CVitrineSQLite
import Glibc
import VitrineThreads

/// A connection to an SQLite database; the only file that calls SQLite.
///
/// The connection is thread-safe: one thread uses it at a time, and others wait.
final class SQLiteConnection: @unchecked Sendable {
  // @unchecked: the handle and the statements are used in `perform` only, which holds the lock, and in deinit.

  /// How a database is opened.
  enum Mode {
    /// An existing file is opened for reading only, and no other file is written or needed.
    case readOnly
    /// A file is opened for reading and writing.
    case writable
  }

  /// The maximum time to wait for another program that writes, in milliseconds.
  private static let busyTimeout: Int32 = 2_000

  /// Its value has no meaning.
  private let lock = Lock(true)
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a database.
  ///
  /// The C function is `sqlite3_open_v2`.
  ///
  /// - Parameters:
  ///   - path: The bytes of the path, without a zero byte.
  ///   - mode: How the database is opened.
  init(path: [UInt8], mode: Mode) throws(SQLiteError) {
    // Every connection has its own lock.
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_URI
    let access = mode == .writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    // An immutable database needs no shared memory, which cannot be created in a read-only folder.
    let suffix = mode == .readOnly ? "?immutable=1" : ""
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(SQLiteConnection.uri(path) + suffix, &opened, flags | access, nil)
    guard let opened else { throw SQLiteError(code: code, systemError: ENOMEM) }
    guard code == SQLITE_OK else {
      let error = SQLiteError(code: code, systemError: sqlite3_system_errno(opened))
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(opened, SQLiteConnection.busyTimeout)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Calls a closure that uses the connection.
  ///
  /// - Parameter body: The closure. It must not use this connection otherwise.
  func perform<Result: Sendable>(
    _ body: (SQLiteSession) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try lock.withLock { _ throws(SQLiteError) in try body(SQLiteSession(self)) }
  }

  /// Stops the running statement of another thread, which throws an error.
  ///
  /// The C function is `sqlite3_interrupt`, which any thread may call while the connection exists.
  func interrupt() { sqlite3_interrupt(handle) }

  /// The URI of a path, in which all bytes but letters, digits and slashes are percent-encoded.
  private static func uri(_ path: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var uri = Array("file:".utf8)
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"):
        uri.append(byte)
      default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: uri, as: UTF8.self)
  }

  fileprivate func run(
    _ text: String, _ values: [SQLiteValue], _ row: (borrowing SQLiteRow) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    let statement = try statement(text)
    // Resetting also releases the lock of the file. Its result repeats the error of the last step.
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    try bind(values[...], at: 1, to: statement) { () throws(SQLiteError) in
      while true {
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return }
        guard code == SQLITE_ROW else { throw error() }
        guard try row(SQLiteRow(statement: statement)) else { return }
      }
    }
  }

  /// Binds values and calls a closure while their bytes are valid.
  private func bind(
    _ values: ArraySlice<SQLiteValue>, at index: Int32, to statement: OpaquePointer,
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let value = values.first else { return try body() }
    let others = values.dropFirst()
    switch value {
    case .null: try bind(others, at: index + 1, to: statement, body)
    case .integer(let number):
      try check(sqlite3_bind_int64(statement, index, number))
      try bind(others, at: index + 1, to: statement, body)
    case .bytes(let bytes):
      let code = bytes.withUnsafeBytes { bytes -> Result<Void, SQLiteError> in
        do throws(SQLiteError) {
          try check(csqlite_bind_bytes(statement, index, bytes.baseAddress, sqlite3_uint64(bytes.count)))
          try bind(others, at: index + 1, to: statement, body)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try code.get()
    }
  }

  private func statement(_ text: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = statements[text] { return statement }
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared else { throw SQLiteError(code: SQLITE_MISUSE, systemError: EINVAL) }
    statements[text] = prepared
    return prepared
  }

  fileprivate var changedRows: Int { Int(sqlite3_changes(handle)) }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error() }
  }

  private func error() -> SQLiteError {
    SQLiteError(code: sqlite3_extended_errcode(handle), systemError: sqlite3_system_errno(handle))
  }
}

/// The use of a connection by one thread.
package struct SQLiteSession {
  private let connection: SQLiteConnection

  fileprivate init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Executes a statement, which is compiled once per connection.
  ///
  /// The C functions are `sqlite3_prepare_v3`, `sqlite3_bind_blob64`, `sqlite3_bind_int64` and `sqlite3_step`.
  ///
  /// - Parameters:
  ///   - text: The statement. Its parameters are `?1`, `?2`, ...
  ///   - values: The values of the parameters. Default: none.
  ///   - row: A closure called with each row of the result, which returns whether to continue. Default: the rows are
  ///     ignored.
  package func execute(
    _ text: String, _ values: [SQLiteValue] = [],
    row: (borrowing SQLiteRow) throws(SQLiteError) -> Bool = { _ in true }
  ) throws(SQLiteError) {
    try connection.run(text, values, row)
  }

  /// Returns the integer in the first column of a statement's first row, or nil if it has no rows.
  package func integer(_ text: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int? {
    var result: Int?
    try execute(text, values) { row throws(SQLiteError) in
      result = row.integer(0)
      return false
    }
    return result
  }

  /// The number of rows that the last statement inserted, changed or deleted.
  ///
  /// The C function is `sqlite3_changes`.
  package var changedRows: Int { connection.changedRows }

  /// Performs statements of which all or none take effect.
  ///
  /// Other programs cannot write meanwhile.
  func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors have ended the transaction already.
      try? execute("ROLLBACK")
      throw error
    }
  }
}

/// A row of a result, valid until the next one.
package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  fileprivate init(statement: OpaquePointer) { self.statement = statement }

  /// Returns the integer in a column; 0 for another type.
  ///
  /// The C function is `sqlite3_column_int64`.
  package func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  /// Calls a closure with the bytes in a column; empty for null.
  ///
  /// The C functions are `sqlite3_column_blob` and `sqlite3_column_bytes`.
  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(statement, column)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// Returns a copy of the bytes in a column.
  package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}

/// A value of a statement's parameter.
package enum SQLiteValue {
  case null
  case integer(Int64)
  case bytes([UInt8])

  /// Returns an integer, or null for nil.
  package static func number(_ number: Int?) -> SQLiteValue { number.map { .integer(Int64($0)) } ?? .null }
}

/// An error of SQLite.
package struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// The `errno` of the system call that failed, or 0.
  let systemError: Int32

  /// The error for a file that is no database.
  static let notADatabase = SQLiteError(code: SQLITE_NOTADB, systemError: 0)

  /// The error for a file that cannot be read.
  static let failedRead = SQLiteError(code: SQLITE_IOERR, systemError: EIO)

  /// Whether the file is no database of SQLite, is damaged, or has no such tables and columns as a statement names.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA].contains(primaryCode) }

  /// Whether a statement names tables or columns that the file does not have.
  var namesOtherTables: Bool { primaryCode == SQLITE_ERROR || primaryCode == SQLITE_SCHEMA }

  /// Whether the disk or the system failed to read or write, or has no space.
  var isDiskError: Bool { [SQLITE_IOERR, SQLITE_FULL, SQLITE_NOMEM].contains(primaryCode) }

  /// Whether another program holds the database for longer than the time limit.
  var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// Whether the database must not be written, or not at this location.
  var forbidsWriting: Bool {
    primaryCode == SQLITE_READONLY || primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_PERM
  }

  /// Whether the database can be read but not written.
  var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

  private var primaryCode: Int32 { code & 0xFF }

  /// The corresponding `errno`.
  var errorNumber: Int32 {
    switch primaryCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB: EUCLEAN
    case SQLITE_BUSY, SQLITE_LOCKED: EBUSY
    case SQLITE_FULL: ENOSPC
    case SQLITE_NOMEM: ENOMEM
    case SQLITE_READONLY: systemError == 0 ? EROFS : systemError
    case SQLITE_PERM, SQLITE_AUTH: EACCES
    case SQLITE_INTERRUPT: EINTR
    case SQLITE_CANTOPEN: systemError == 0 ? ENOENT : systemError
    default: systemError == 0 ? EIO : systemError
    }
  }
}
