import DataStructures
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A log of records on disk")
struct RecordLogTests {
  @Test("What was added is there for the next instance, in order")
  func keeps() throws {
    let bench = try LogBench()
    let records = LogBench.records(100, seed: 1)
    let log = try bench.open()
    try log.append(Array(records[..<40]))
    try log.append([])
    try log.append(Array(records[40...]))
    #expect(try log.new().isEmpty)
    #expect(try log.all() == records)
    #expect(try bench.open().new() == records)
    var permissions = stat()
    #expect(stat(bench.folder.path(of: "test.log"), &permissions) == 0 && permissions.st_mode & 0o777 == 0o600)
  }

  @Test("A log cut off at any byte opens with the records that are whole, and goes on from there")
  func cutAtAnyByte() throws {
    let bench = try LogBench()
    let records = LogBench.records(6, seed: 2, longest: 20)
    try bench.open().append(records)
    let bytes = try bench.bytes
    for length in 0..<bytes.count {
      try bench.put(bytes[..<length])
      let log = try bench.open()
      let found = try log.all()
      #expect(found == Array(records[..<found.count]), "\(length) bytes")
      try log.append([[7, 7, 7]])
      #expect(try bench.open().all() == found + [[7, 7, 7]], "\(length) bytes")
    }
    #expect(!bench.folder.has("test.log.unreadable"))
  }

  @Test("A byte that changed anywhere is no error, and what is added after it is kept")
  func changedAnywhere() throws {
    let bench = try LogBench()
    let records = LogBench.records(6, seed: 3, longest: 20)
    try bench.open().append(records)
    let bytes = try bench.bytes
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x81
      try bench.put(changed)
      let log = try bench.open()
      let found = try log.all()
      #expect(found.allSatisfy { records.contains($0) })
      if place >= RecordFormat.headerBytes { #expect(found.starts(with: records.prefix { found.contains($0) })) }
      try log.append([[7, 7, 7]])
      #expect(try bench.open().all() == found + [[7, 7, 7]], "byte \(place)")
    }
  }

  @Test("A file of another version or of no version is set aside, and the log begins anew")
  func setsAside() throws {
    let bench = try LogBench()
    try bench.open(RecordFormat(kind: LogBench.format.kind, layout: 99)).append([[1], [2]])
    let theirs = try bench.bytes
    let log = try bench.open()
    #expect(try log.all().isEmpty)
    try log.append([[3]])
    #expect(try bench.open().all() == [[3]])
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: bench.folder.path(of: "test.log.unreadable")))) == theirs)
    try bench.put(repeatElement(9, count: 500))
    #expect(try bench.open().all().isEmpty)
  }

  @Test("Two instances add in turn, and each reads what the other added once")
  func twoInstances() throws {
    let bench = try LogBench()
    let first = try bench.open()
    let second = try bench.open()
    var random = SplitMix64(seed: 4)
    var all: [[UInt8]] = []
    var unseen: (first: [[UInt8]], second: [[UInt8]]) = ([], [])
    for step in 0..<200 {
      let record = [UInt8(step & 255), UInt8(step >> 8)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let read = try first.new()
        #expect(read.filter { unseen.first.contains($0) } == unseen.first)
        unseen.first = []
      case 1:
        let read = try second.new()
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
    #expect(try bench.open().all() == all)
  }

  @Test("A log that one instance writes anew is found by the others, with nothing lost")
  func replacing() throws {
    let bench = try LogBench()
    let first = try bench.open()
    let second = try bench.open()
    try first.append([[1], [2], [3]])
    #expect(try second.new() == [[1], [2], [3]])
    try second.append([[4]])
    try first.replace { others in
      #expect(others == [[4]])
      return [[2]] + others
    }
    try second.append([[5]])
    #expect(try first.new() == [[5]])
    #expect(try second.new() == [[2], [4], [5]])
    #expect(try bench.open().all() == [[2], [4], [5]])
    #expect(!bench.folder.has("test.log.new"))
    // What an instance leaves behind that was killed meanwhile is in nobody's way.
    try bench.folder.write([1, 2, 3], to: "test.log.new")
    try second.replace { _ in [[6]] }
    #expect(try first.new() == [[6]])
  }

  @Test("A log that was removed while it was open begins anew")
  func removed() throws {
    let bench = try LogBench()
    let log = try bench.open()
    try log.append([[1]])
    try FileManager.default.removeItem(atPath: bench.folder.path(of: "test.log"))
    try log.append([[2]])
    #expect(try bench.open().all() == [[2]])
  }

  @Test("A log is no link, no folder and no FIFO")
  func otherThings() throws {
    let bench = try LogBench()
    try bench.folder.write([1, 2, 3], to: "precious")
    #expect(symlink(bench.folder.path(of: "precious"), bench.folder.path(of: "test.log")) == 0)
    #expect(throws: StorageError.self) { try bench.open() }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: bench.folder.path(of: "precious")))) == [1, 2, 3])
    unlink(bench.folder.path(of: "test.log"))
    #expect(mkfifo(bench.folder.path(of: "test.log"), 0o600) == 0)
    #expect(throws: StorageError.self) { try bench.open() }
    unlink(bench.folder.path(of: "test.log"))
    #expect(mkdir(bench.folder.path(of: "test.log"), 0o700) == 0)
    #expect(throws: StorageError.self) { try bench.open() }
  }

  @Test("A folder that is missing is made for the user alone, and those on the way to it")
  func folders() throws {
    let folder = try TemporaryFolder()
    let deep = try StorageFolder(folder.bytes(of: "a/b/c/"))
    _ = try deep.open("x")
    var status = stat()
    #expect(stat(folder.path(of: "a/b/c"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(try deep.names().sorted() == [".", "..", "x"])
    try folder.write([1], to: "file")
    #expect(throws: StorageError.self) { try StorageFolder(folder.bytes(of: "file/d")) }
    #expect(throws: StorageError.self) { try StorageFolder([]) }
    #expect(throws: StorageError.self) { try StorageFolder([47, 0, 47]) }
  }

  @Test("A log that was given another name is left, and what is added is under its own")
  func movedAway() throws {
    let bench = try LogBench()
    let log = try bench.open()
    try log.append([[1], [2]])
    let (own, other) = (bench.folder.path(of: "test.log"), bench.folder.path(of: "elsewhere"))
    #expect(rename(own, other) == 0)
    try log.append([[3]])
    #expect(try log.all() == [[3]] && bench.open().all() == [[3]])
    let old = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(rename(other, own) == 0)
    #expect(try log.new() == [[1], [2]] && Data(contentsOf: URL(fileURLWithPath: own)) == old, "and back")
    #expect(unlink(own) == 0)
    #expect(try log.new().isEmpty)
  }

  @Test("Where others come between each time it is given up, with a reason")
  func givesUp() {
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
