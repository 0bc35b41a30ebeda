import DataStructures
import Foundation
import Glibc
@testable import ImagePipeline
@testable import ImageStore
import TestSupport
import Testing

@Suite("Record log")
struct RecordLogTests {
  @Test("Added records are read by the next instance, in order")
  func persists() throws {
    let harness = try RecordLogHarness()
    let records = RecordLogHarness.records(100, seed: 1)
    let log = try harness.open()
    try log.append(Array(records[..<40]))
    try log.append([])
    try log.append(Array(records[40...]))
    #expect(try log.newRecords().isEmpty)
    #expect(try log.allRecords() == records)
    #expect(try harness.open().newRecords() == records)
    var permissions = stat()
    #expect(stat(harness.folder.path(of: "test.log"), &permissions) == 0 && permissions.st_mode & 0o777 == 0o600)
  }

  @Test("A log truncated at any byte yields its whole records, and can be appended to")
  func cutAtAnyByte() throws {
    let harness = try RecordLogHarness()
    let records = RecordLogHarness.records(6, seed: 2, maximumLength: 20)
    try harness.open().append(records)
    let bytes = try harness.bytes
    for length in 0..<bytes.count {
      try harness.writeFile(bytes[..<length])
      let log = try harness.open()
      let found = try log.allRecords()
      #expect(found == Array(records[..<found.count]), "\(length) bytes")
      try log.append([[7, 7, 7]])
      #expect(try harness.open().allRecords() == found + [[7, 7, 7]], "\(length) bytes")
    }
    #expect(!harness.folder.contains("test.log.unreadable"))
  }

  @Test("A changed byte is no error, and later records are stored")
  func changedAnywhere() throws {
    let harness = try RecordLogHarness()
    let records = RecordLogHarness.records(6, seed: 3, maximumLength: 20)
    try harness.open().append(records)
    let bytes = try harness.bytes
    for position in bytes.indices {
      var changed = bytes
      changed[position] ^= 0x81
      try harness.writeFile(changed)
      let log = try harness.open()
      let found = try log.allRecords()
      #expect(found.allSatisfy { records.contains($0) })
      if position >= RecordFormat.headerBytes { #expect(found.starts(with: records.prefix { found.contains($0) })) }
      try log.append([[7, 7, 7]])
      #expect(try harness.open().allRecords() == found + [[7, 7, 7]], "byte \(position)")
    }
  }

  @Test("A file of another or no version is moved aside, and the log starts empty")
  func setsAside() throws {
    let harness = try RecordLogHarness()
    try harness.open(RecordFormat(kind: RecordLogHarness.format.kind, layout: 99)).append([[1], [2]])
    let original = try harness.bytes
    let log = try harness.open()
    #expect(try log.allRecords().isEmpty)
    try log.append([[3]])
    #expect(try harness.open().allRecords() == [[3]])
    #expect(
      Array(try Data(contentsOf: URL(fileURLWithPath: harness.folder.path(of: "test.log.unreadable")))) == original)
    try harness.writeFile(repeatElement(9, count: 500))
    #expect(try harness.open().allRecords().isEmpty)
  }

  @Test("Two instances append in turn, and each reads the other's records once")
  func twoInstances() throws {
    let harness = try RecordLogHarness()
    let first = try harness.open()
    let second = try harness.open()
    var random = SplitMix64(seed: 4)
    var all: [[UInt8]] = []
    var unseen: (first: [[UInt8]], second: [[UInt8]]) = ([], [])
    for step in 0..<200 {
      let record = [UInt8(step & 255), UInt8(step >> 8)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let read = try first.newRecords()
        #expect(read.filter { unseen.first.contains($0) } == unseen.first)
        unseen.first = []
      case 1:
        let read = try second.newRecords()
        #expect(read.filter { unseen.second.contains($0) } == unseen.second)
        unseen.second = []
      case 2:
        try first.append([record])
        unseen.second.append(record)
        all.append(record)
      default:
        try second.append([record])
        unseen.first.append(record)
        all.append(record)
      }
    }
    #expect(try harness.open().allRecords() == all)
  }

  @Test("A log that one instance replaces is found by the others, and no record is lost")
  func replacing() throws {
    let harness = try RecordLogHarness()
    let first = try harness.open()
    let second = try harness.open()
    try first.append([[1], [2], [3]])
    #expect(try second.newRecords() == [[1], [2], [3]])
    try second.append([[4]])
    try first.replace { others in
      #expect(others == [[4]])
      return [[2]] + others
    }
    try second.append([[5]])
    #expect(try first.newRecords() == [[5]])
    #expect(try second.newRecords() == [[2], [4], [5]])
    #expect(try harness.open().allRecords() == [[2], [4], [5]])
    #expect(!harness.folder.contains("test.log.new"))
    // A file left behind by a killed instance is overwritten.
    try harness.folder.write([1, 2, 3], to: "test.log.new")
    try second.replace { _ in [[6]] }
    #expect(try first.newRecords() == [[6]])
  }

  @Test("A log that was removed while it was open starts empty")
  func removed() throws {
    let harness = try RecordLogHarness()
    let log = try harness.open()
    try log.append([[1]])
    try FileManager.default.removeItem(atPath: harness.folder.path(of: "test.log"))
    try log.append([[2]])
    #expect(try harness.open().allRecords() == [[2]])
  }

  @Test("A link, a folder or a FIFO is not opened as a log")
  func otherThings() throws {
    let harness = try RecordLogHarness()
    try harness.folder.write([1, 2, 3], to: "precious")
    #expect(symlink(harness.folder.path(of: "precious"), harness.folder.path(of: "test.log")) == 0)
    #expect(throws: StorageError.self) { try harness.open() }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: harness.folder.path(of: "precious")))) == [1, 2, 3])
    unlink(harness.folder.path(of: "test.log"))
    #expect(mkfifo(harness.folder.path(of: "test.log"), 0o600) == 0)
    #expect(throws: StorageError.self) { try harness.open() }
    unlink(harness.folder.path(of: "test.log"))
    #expect(mkdir(harness.folder.path(of: "test.log"), 0o700) == 0)
    #expect(throws: StorageError.self) { try harness.open() }
  }

  @Test("A missing folder is created with its parents, for the user alone")
  func folders() throws {
    let folder = try TemporaryFolder()
    let deep = try StorageFolder(folder.pathBytes(of: "a/b/c/"))
    _ = try deep.open("x")
    var status = stat()
    #expect(stat(folder.path(of: "a/b/c"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(try deep.names().sorted() == [".", "..", "x"])
    try folder.write([1], to: "file")
    #expect(throws: StorageError.self) { try StorageFolder(folder.pathBytes(of: "file/d")) }
    #expect(throws: StorageError.self) { try StorageFolder([]) }
    #expect(throws: StorageError.self) { try StorageFolder([47, 0, 47]) }
  }

  @Test("After a rename of the log, records are appended to a new file with the original name")
  func renamed() throws {
    let harness = try RecordLogHarness()
    let log = try harness.open()
    try log.append([[1], [2]])
    let (own, other) = (harness.folder.path(of: "test.log"), harness.folder.path(of: "elsewhere"))
    #expect(rename(own, other) == 0)
    try log.append([[3]])
    #expect(try log.allRecords() == [[3]] && harness.open().allRecords() == [[3]])
    let old = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(rename(other, own) == 0)
    #expect(try log.newRecords() == [[1], [2]] && Data(contentsOf: URL(fileURLWithPath: own)) == old, "and back")
    #expect(unlink(own) == 0)
    #expect(try log.newRecords().isEmpty)
  }

  @Test("An operation that other instances always interfere with fails with an error")
  func failsAfterRetries() {
    var rounds = 0
    #expect(throws: StorageError(.lock, "a", code: EAGAIN)) {
      try RecordLog.retry("a") { () throws(StorageError) -> Int? in
        rounds += 1
        return nil
      }
    }
    #expect(rounds == 16)
    let last = try? RecordLog.retry("a") { () throws(StorageError) -> Int? in
      rounds += 1
      return rounds == 32 ? rounds : nil
    }
    #expect(last == 32)
  }
}

// MARK: - Record format

@Suite("Record format")
struct RecordFormatTests {
  /// Parses records and returns their payloads, with nil for damaged ones, the number of parsed bytes and the reason
  /// for stopping.
  private func read(_ bytes: [UInt8], at offset: Int = 32) -> (
    payloads: [[UInt8]?], count: Int, RecordFormat.StopReason
  ) {
    var payloads: [[UInt8]?] = []
    let (count, stopReason) = bytes.withUnsafeBytes { bytes in
      RecordFormat.readRecords(bytes, at: offset) { payloads.append($0.map { Array($0) }) }
    }
    return (payloads, count, stopReason)
  }

  private func encoded(_ records: [[UInt8]], at offset: Int = 32) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      record.withUnsafeBytes { RecordFormat.appendRecord($0, at: offset + bytes.count, to: &bytes) }
    }
    return bytes
  }

  @Test("Written records are read at the same offset of the file, and at no other")
  func roundTrip() {
    let records = RecordLogHarness.records(50, seed: 1)
    let bytes = encoded(records, at: 4_096)
    let (payloads, count, stopReason) = read(bytes, at: 4_096)
    #expect(payloads == records && count == bytes.count && stopReason == .complete)
    #expect(read(bytes, at: 4_104).payloads.isEmpty)
    #expect(read([]).2 == .complete)
  }

  @Test("Any prefix of a log yields its whole records")
  func everyPrefix() {
    let records = RecordLogHarness.records(12, seed: 2)
    let bytes = encoded(records)
    var ends = [0]
    for record in records { ends.append(ends[ends.count - 1] + RecordFormat.recordBytes(payload: record.count)) }
    for length in 0...bytes.count {
      let (payloads, count, stopReason) = read(Array(bytes[..<length]))
      let whole = ends.lastIndex { $0 <= length } ?? 0
      #expect(payloads == Array(records[..<whole]) && count == ends[whole], "\(length) bytes")
      #expect(stopReason == (ends[whole] == length ? .complete : .cutOff), "\(length) bytes")
    }
  }

  @Test("A changed byte loses its record, and the following ones only if it was in the length")
  func everyChangedByte() {
    let records = RecordLogHarness.records(8, seed: 3)
    let bytes = encoded(records)
    var start = 0
    for (index, record) in records.enumerated() {
      let end = start + RecordFormat.recordBytes(payload: record.count)
      for position in start..<end {
        var changed = bytes
        changed[position] ^= 0x10
        let payloads = read(changed).payloads
        if position < start + 8 {
          #expect(payloads == Array(records[..<index]), "byte \(position)")
        } else if position < start + RecordFormat.frameBytes + record.count {
          #expect(payloads.count == records.count && payloads[index] == nil, "byte \(position)")
          #expect(payloads.compactMap { $0 } == records.enumerated().filter { $0.offset != index }.map(\.element))
        } else {
          #expect(payloads == records, "the padding after a payload is ignored")
        }
      }
      start = end
    }
  }

  @Test("Random and damaged bytes yield no other records", arguments: 0..<64)
  func anyBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let noise = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(read(noise).payloads.isEmpty)
    var mutated = encoded(RecordLogHarness.records(20, seed: seed))
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let position = Int.random(in: mutated.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: mutated[position] = UInt8.random(in: 0...255, using: &random)
      case 1: mutated.remove(at: position)
      default: mutated.insert(255, at: position)
      }
    }
    let (payloads, count, _) = read(mutated)
    #expect(count <= mutated.count)
    for payload in payloads.compactMap({ $0 }) { #expect(RecordLogHarness.records(20, seed: seed).contains(payload)) }
  }

  @Test("A header contains program, format, kind and layout")
  func header() {
    let format = RecordLogHarness.format
    #expect(format.header.count == RecordFormat.headerBytes)
    #expect(format.header.withUnsafeBytes { format.matchesHeader($0) })
    #expect(!RecordFormat(kind: format.kind, layout: 4).header.withUnsafeBytes { format.matchesHeader($0) })
    #expect(!RecordFormat(kind: 1, layout: format.layout).header.withUnsafeBytes { format.matchesHeader($0) })
    for position in 0..<RecordFormat.headerBytes {
      var changed = format.header
      changed[position] ^= 1
      #expect(!changed.withUnsafeBytes { format.matchesHeader($0) })
      #expect(!format.header[..<position].withUnsafeBytes { format.matchesHeader($0) })
    }
  }
}

// MARK: - Support

/// A folder with a record log, and generated records.
private final class RecordLogHarness {
  static let format = RecordFormat(kind: 0x5445_5354, layout: 3)

  let folder: TemporaryFolder
  private let name: String

  init(name: String = "test.log") throws {
    folder = try TemporaryFolder()
    self.name = name
  }

  /// Opens the log as another instance would.
  func open(_ format: RecordFormat = RecordLogHarness.format) throws -> RecordLog {
    try RecordLog(name, in: try StorageFolder(Array(folder.path.utf8)), format: format)
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))) }
  }

  /// Replaces the file's contents.
  func writeFile(_ bytes: some Sequence<UInt8>) throws { try folder.write(bytes, to: name) }

  /// Returns records of different lengths, which are equal for equal seeds.
  static func records(_ count: Int, seed: UInt64, maximumLength: Int = 40) -> [[UInt8]] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...maximumLength, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }
}

private extension RecordLog {
  /// Returns all records of the log.
  func allRecords() throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try readAll { records.append(Array($0)) }
    return records
  }

  /// Returns the new records of the log.
  func newRecords() throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try readNewRecords { records.append(Array($0)) }
    return records
  }
}
