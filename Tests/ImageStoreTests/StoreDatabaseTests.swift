import Foundation
import Glibc
import Testing
import VitrineDataStructures
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineTestSupport
import VitrineThreads

/// Tests of disk failures, damaged files and killed instances.
@Suite("Database of the cache")
struct StoreDatabaseTests {
  private static let schema = StoreDatabase.Schema(
    fileName: "numbers.sqlite", version: 3, pageSize: 4_096,
    statements: ["CREATE TABLE numbers (number INTEGER NOT NULL UNIQUE, data BLOB NOT NULL)"])

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(version: Int = 3) throws -> StoreDatabase {
    var schema = Self.schema
    schema.version = version
    return try StoreDatabase(schema, in: folder.pathBytes(of: "cache"))
  }

  private static func insert(_ numbers: Range<Int>, into database: StoreDatabase) throws {
    try database.write { session throws(SQLiteError) in
      for number in numbers {
        try session.execute(
          "INSERT OR REPLACE INTO numbers VALUES (?1, ?2)",
          [.number(number), .bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 500))])
      }
    }
  }

  private static func numbers(_ database: StoreDatabase) -> [Int]? {
    database.read { session throws(SQLiteError) in
      var numbers: [Int] = []
      try session.execute("SELECT number FROM numbers ORDER BY number") { row throws(SQLiteError) in
        numbers.append(row.integer(0))
        return true
      }
      return numbers
    }
  }

  @Test("A database is created for the user only, and read by other instances while it is written")
  func instances() throws {
    let (first, second) = (try open(), try open())
    try Self.insert(0..<10, into: first)
    try Self.insert(5..<20, into: second)
    #expect(Self.numbers(first) == Array(0..<20) && Self.numbers(second) == Array(0..<20))
    var status = stat()
    for name in ["numbers.sqlite", "numbers.sqlite-wal", "numbers.sqlite.lock"] {
      try #require(stat(folder.path(of: "cache/" + name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test("Statements of a transaction that fails have no effect")
  func failedTransaction() throws {
    let database = try open()
    try Self.insert(0..<3, into: database)
    let error = #expect(throws: StorageError.self) {
      try database.write { session throws(SQLiteError) in
        try session.execute("DELETE FROM numbers")
        try session.execute("INSERT INTO numbers VALUES (1, NULL)")
      }
    }
    #expect(error?.operation == .write && Self.numbers(database) == [0, 1, 2])
  }

  @Test("A symbolic link is replaced by a file, and its target is not touched")
  func link() throws {
    try FileManager.default.createDirectory(atPath: folder.path(of: "cache"), withIntermediateDirectories: true)
    try folder.write([1, 2, 3], to: "target")
    for target in ["target", "missing"] {
      try #require(symlink(folder.path(of: target), folder.path(of: "cache/numbers.sqlite")) == 0)
      try Self.insert(0..<3, into: try open())
      unlink(folder.path(of: "cache/numbers.sqlite"))
    }
    #expect(try folder.byteCount(of: "target") == 3 && !folder.contains("missing"))
  }

  @Test("Several instances that start at once all create the file or open it", arguments: 0..<4)
  func startsAtOnce(round: Int) throws {
    let directory = folder.pathBytes(of: "cache\(round)")
    let counts = Lock(0)
    let threads = try (0..<6).map { number in
      try WorkerThread(name: "start \(number)") {
        guard let database = try? StoreDatabase(StoreDatabaseTests.schema, in: directory),
          (try? StoreDatabaseTests.insert(number..<number + 1, into: database)) != nil
        else { return }
        counts.withLock { $0 += 1 }
      }
    }
    for thread in threads { thread.join() }
    #expect(counts.withLock { $0 } == 6)
    #expect(Self.numbers(try StoreDatabase(Self.schema, in: directory)) == Array(0..<6))
  }

  @Test("A file of another version, or of another program, is replaced")
  func otherVersion() throws {
    try Self.insert(0..<3, into: try open())
    let next = try open(version: 4)
    #expect(Self.numbers(next) == [])
    try Self.insert(7..<8, into: next)
    #expect(Self.numbers(try open(version: 4)) == [7])
  }

  @Test("While another instance has a damaged file open it is not replaced, and the error says so")
  func damagedInUse() throws {
    let other = try open()
    try Self.insert(0..<3, into: other)
    let error = #expect(throws: StorageError.self) { _ = try open(version: 4) }
    #expect(error?.description == "cannot open numbers.sqlite: Structure needs cleaning")
    #expect(Self.numbers(other) == [0, 1, 2])
  }

  @Test("Whatever a file contains, it opens, and new rows can be stored", arguments: TestScale.seeds(0..<40))
  func anyBytes(seed: UInt64) throws {
    do { try Self.insert(0..<200, into: try open()) }
    var random = SplitMix64(seed: seed)
    let name = "cache/numbers.sqlite"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))))
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      // The header and the tops of pages decide most.
      let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
      bytes[page + Int.random(in: 0..<(Bool.random(using: &random) ? 120 : 4_096), using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    try folder.write(bytes, to: name)
    let database = try open()
    _ = Self.numbers(database)
    for round in 0..<3 { try Self.insert(round * 300..<round * 300 + 300, into: database) }
    // Damage that only reading finds is repaired by the next write.
    if Self.numbers(database) == nil { try Self.insert(0..<900, into: database) }
    #expect(try #require(Self.numbers(database)).suffix(200) == Array(700..<900))
  }

  @Test("A file can be read unless a read fails")
  func reads() throws {
    for size in [0, 1, 70_000] {
      let path = folder.path(of: "\(size)")
      try folder.write([UInt8](repeating: 1, count: size), to: "\(size)")
      let file = try StorageFile(adopting: Glibc.open(path, O_RDONLY | O_CLOEXEC), name: "file", isWritable: false)
      #expect(file.canRead(64))
      let unreadable = try StorageFile(adopting: Glibc.open(path, O_WRONLY | O_CLOEXEC), name: "file", isWritable: true)
      #expect(unreadable.canRead(64) == (size == 0))
    }
  }

  @Test("An instance that is killed at any time leaves whole transactions", arguments: 0..<4)
  func killed(seed: UInt64) async throws {
    let path = folder.path(of: "cache")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
      let database = try StoreDatabase(StoreDatabaseTests.schema, in: Array(path.utf8))
      let writer = Thread {
        for number in 0..<100_000 {
          try? StoreDatabaseTests.insert(number * 10..<number * 10 + 10, into: database)
        }
      }
      writer.start()
      // Most often the process is killed during a write, as this thread only polls the size. The tables take 20,000
      // bytes, and some rows are to be complete.
      var status = stat()
      while stat(path + "/numbers.sqlite-wal", &status) != 0 || status.st_size < 60_000 + 70_001 * Int(seed) {}
      kill(getpid(), SIGKILL)
    }
    let database = try open()
    let numbers = try #require(Self.numbers(database))
    #expect(!numbers.isEmpty && numbers.count.isMultiple(of: 10) && numbers == Array(0..<numbers.count))
    try Self.insert(numbers.count..<numbers.count + 1, into: database)
    #expect(Self.numbers(database)?.count == numbers.count + 1)
  }

  @Test("When the disk is full the error is reported, and stored rows are read")
  func fullDisk() async throws {
    let path = folder.path(of: "cache")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try StoreDatabase(StoreDatabaseTests.schema, in: Array(path.utf8))
      try StoreDatabaseTests.insert(0..<20, into: database)
      // A limit of the file size is the closest simulation of a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 40_000, rlim_max: 40_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: StorageError.self) { try StoreDatabaseTests.insert(20..<2_000, into: database) }
      #expect(error?.operation == .write, "\(String(describing: error))")
      #expect(StoreDatabaseTests.numbers(database) == Array(0..<20))
    }
    let database = try open()
    #expect(Self.numbers(database) == Array(0..<20))
    try Self.insert(20..<2_000, into: database)
    #expect(Self.numbers(database)?.count == 2_000)
  }

  @Test("A read-only folder is read, and rejects new rows")
  func readOnlyFolder() async throws {
    let path = folder.path(of: "cache")
    do { try Self.insert(0..<5, into: try open()) }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try #require(chmod(path + "/" + name, 0o444) == 0)
    }
    try #require(chmod(path, 0o555) == 0 && chmod(folder.path, 0o755) == 0)
    defer { chmod(path, 0o700) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may write everywhere, so the test continues as another user.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let database = try StoreDatabase(StoreDatabaseTests.schema, in: Array(path.utf8))
      #expect(!database.isWritable && StoreDatabaseTests.numbers(database) == Array(0..<5))
      #expect(throws: StorageError.self) { try StoreDatabaseTests.insert(5..<6, into: database) }
      #expect(StoreDatabaseTests.numbers(database) == Array(0..<5))
    }
  }
}
