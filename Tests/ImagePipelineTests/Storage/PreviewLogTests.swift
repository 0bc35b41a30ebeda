import DataStructures
import Foundation
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Small previews on disk")
struct PreviewLogTests {
  private func record(_ number: Int, content: UInt8 = 0) throws -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(device: 1, inode: UInt64(number), byteCount: 5, modificationNanoseconds: 6),
      preview: try #require(PreviewPayload([content] + withUnsafeBytes(of: number) { Array($0) })))
  }

  private func open(_ folder: TemporaryFolder, most: Int = PreviewLog.maximumPreviews) throws -> PreviewLog {
    try PreviewLog(in: try StorageFolder(Array(folder.path.utf8)), mostPreviews: most)
  }

  @Test("A payload is 32 bytes, and no more are taken")
  func payload() throws {
    let payload = try #require(PreviewPayload([1, 2, 3]))
    #expect(payload.bytes == [1, 2, 3] + [UInt8](repeating: 0, count: 29) && payload[1] == 2 && payload[31] == 0)
    let full = try #require(PreviewPayload((0..<32).map { UInt8($0) }))
    #expect(full.bytes == (0..<32).map { UInt8($0) })
    #expect(PreviewPayload([UInt8](repeating: 1, count: 33)) == nil)
    #expect(MemoryLayout<PreviewRecord>.stride == 48)
  }

  @Test("Files that differ in anything have other names")
  func fingerprints() {
    var names: Set<FileFingerprint> = []
    for device in 0..<5 {
      for inode in 0..<20 {
        for bytes in 0..<5 {
          for time in -3..<3 {
            names.insert(
              FileFingerprint(
                device: UInt64(device), inode: UInt64(inode), byteCount: Int64(bytes),
                modificationNanoseconds: Int64(time)))
          }
        }
      }
    }
    #expect(names.count == 5 * 20 * 5 * 6)
    #expect(Set(names.map(\.high)).count == names.count && Set(names.map(\.low)).count == names.count)
  }

  @Test("A table holds the last of each file's previews, as a dictionary would, in 64 bytes each")
  func table() throws {
    var random = SplitMix64(seed: 1)
    var table = PreviewTable()
    var model: [FileFingerprint: PreviewPayload] = [:]
    for step in 0..<20_000 {
      let record = try record(Int.random(in: 0..<8_000, using: &random), content: UInt8(step & 3))
      #expect(table.insert(record) == (model[record.file] != record.preview))
      model[record.file] = record.preview
    }
    #expect(table.count == model.count)
    for (file, preview) in model { #expect(table[file] == preview) }
    #expect(table[try record(9_000).file] == nil)
    #expect(table.byteCount <= table.count * 64 + 8_192)
  }

  @Test("What was added is there at the next start, the last of each file")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let log = try PreviewLog.open(directory: folder.bytes(of: "cache/vitrine"))
    #expect(try log.load().count == 0)
    try log.append((0..<1_000).map { try record($0) })
    try log.append([])
    try log.append([try record(500, content: 9)])
    let table = try PreviewLog.open(directory: folder.bytes(of: "cache/vitrine")).load()
    #expect(table.count == 1_000)
    for number in 0..<1_000 {
      let expected = try record(number, content: number == 500 ? 9 : 0)
      #expect(table[expected.file] == expected.preview)
    }
  }

  @Test("More than a record takes is added as several")
  func large() throws {
    let folder = try TemporaryFolder()
    try open(folder).append((0..<40_000).map { try record($0) })
    #expect(try open(folder).load().count == 40_000)
  }

  @Test("Another instance's previews are read as they come")
  func twoInstances() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try open(folder), try open(folder))
    _ = try first.load()
    try second.append([try record(1), try record(2)])
    #expect(try first.readNewRecords() == [try record(1), try record(2)])
    try first.append([try record(3)])
    #expect(try first.readNewRecords().isEmpty)
    #expect(try second.load().count == 3)
  }

  @Test("When more than half is out of date, the file is written anew without that")
  func compacts() throws {
    let folder = try TemporaryFolder()
    let log = try open(folder)
    for round in 0..<3 { try log.append((0..<2_000).map { try record($0, content: UInt8(round)) }) }
    let before = try folder.byteCount(of: PreviewLog.fileName)
    let loaded = try log.load()
    #expect(loaded.count == 2_000)
    let after = try folder.byteCount(of: PreviewLog.fileName)
    #expect(after * 2 < before)
    try log.append([try record(7_777)])
    let table = try open(folder).load()
    let last = try record(3, content: 2)
    #expect(table.count == 2_001 && table[last.file] == last.preview)
    #expect(try folder.byteCount(of: PreviewLog.fileName) == after + 64, "what is of use is not written again")
  }

  @Test("Beyond the most that are kept the oldest go")
  func bounded() throws {
    let folder = try TemporaryFolder()
    try open(folder, most: 1_000).append((0..<5_000).map { try record($0) })
    let table = try open(folder, most: 1_000).load()
    #expect(table.count <= 1_000 && table.count >= 750)
    let (oldest, newest) = (try record(0).file, try record(4_999).file)
    #expect(table[newest] != nil && table[oldest] == nil)
    #expect(try folder.byteCount(of: PreviewLog.fileName) < 64_000)
  }

  @Test("A file of any bytes gives previews or none, and never an error", arguments: 0..<32)
  func anyBytes(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    try open(folder).append((0..<50).map { try record($0) })
    var random = SplitMix64(seed: seed)
    let url = URL(fileURLWithPath: folder.path(of: PreviewLog.fileName))
    var bytes = Array(try Data(contentsOf: url))
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    bytes.removeLast(Int.random(in: 0..<64, using: &random))
    try folder.write(bytes, to: PreviewLog.fileName)
    let table = try open(folder).load()
    #expect(table.count == 0 || table.count == 50)
  }
}

extension TemporaryFolder {
  /// The length of a file.
  func byteCount(of name: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path(of: name))).count
  }
}
