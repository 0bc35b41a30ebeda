import Glibc
import VitrineImageStore

/// A program for tests that writes to databases of the store, and lists what they contain: StoreProbe write|check FOLDER
/// SEED COUNT.
///
/// Each transaction inserts, replaces and removes rows that follow from the seed and the number of the transaction. After
/// it a line says whether it took effect, so that a test that kills the program knows what must be in the database.
@main
enum StoreProbe {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[3]), let count = Int(arguments[4]) else { exit(64) }
    let directory = Array(arguments[2].utf8)
    // The pages of thumbnails and of pixels.
    for (name, pageSize) in [("small", 4_096), ("large", 16_384)] {
      let schema = StoreDatabase.Schema(
        fileName: "\(name).sqlite", version: 1, pageSize: pageSize,
        statements: ["CREATE TABLE rows (key INTEGER NOT NULL UNIQUE, number INTEGER NOT NULL, data BLOB NOT NULL)"])
      do throws(StorageError) {
        let database = try StoreDatabase(schema, in: directory)
        if arguments[1] == "write" {
          for number in 1...count { write(Transaction(seed: seed, number: number), to: database, name) }
        } else {
          list(database, name)
        }
        database.close()
      } catch {
        line("closed \(name) \(error)")
      }
    }
  }

  private static func write(_ transaction: Transaction, to database: StoreDatabase, _ name: String) {
    do throws(StorageError) {
      try database.write { session throws(SQLiteError) in
        for key in transaction.removed { try session.execute("DELETE FROM rows WHERE key = ?1", [.integer(key)]) }
        for key in transaction.inserted {
          try session.execute(
            "INSERT OR REPLACE INTO rows VALUES (?1, ?2, ?3)",
            [.integer(key), .integer(Int64(transaction.number)), .bytes(data(of: key, transaction.number))])
        }
      }
      line("written \(name) \(transaction.number)")
    } catch {
      line("failed \(name) \(transaction.number) \(error)")
    }
  }

  private static func list(_ database: StoreDatabase, _ name: String) {
    let isListed = database.read { session throws(SQLiteError) in
      try session.execute("SELECT key, number, data FROM rows ORDER BY key") { row throws(SQLiteError) in
        let (key, number) = (row.integer(0), row.integer(1))
        let isWhole = row.bytes(2) == data(of: Int64(key), number)
        line("\(isWhole ? "row" : "damaged") \(name) \(key) \(number)")
        return true
      }
      try session.execute("PRAGMA integrity_check") { row throws(SQLiteError) in
        line("integrity \(name) \(String(decoding: row.bytes(0), as: UTF8.self))")
        return true
      }
      return true
    }
    if isListed != true { line("unreadable \(name)") }
  }

  /// Returns the bytes of a row: up to 40 kilobytes that follow from its numbers.
  private static func data(of key: Int64, _ number: Int) -> [UInt8] {
    var random = Random(seed: UInt64(bitPattern: key) << 32 | UInt64(number))
    let count = Int(random.next() % (key % 4 == 0 ? 40_000 : 2_000))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Writes a line at once, which the end of the process does not lose.
  private static func line(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
  }
}

/// The rows that a transaction changes.
private struct Transaction {
  let number: Int
  let removed: [Int64]
  let inserted: [Int64]

  /// Creates the transaction with a number.
  init(seed: UInt64, number: Int) {
    var random = Random(seed: seed &* 1_000_003 &+ UInt64(number))
    self.number = number
    removed = (0..<(random.next() % 4)).map { _ in Int64(random.next() % 64) }
    inserted = (0...(random.next() % 6)).map { _ in Int64(random.next() % 64) }
  }
}

/// A generator of numbers (SplitMix64), which the test implements too.
private struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
