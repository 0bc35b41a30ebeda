import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Previews are read and written beside the program")
struct PreviewArchiveTests {
  static func record(_ number: UInt64) throws -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(device: 1, inode: number, byteCount: 0, modificationNanoseconds: 0),
      preview: try TinyPreviewTests.preview(number, (24, 16)).payload)
  }

  @Test("What was added is there for the next run, the last before the end too")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.bytes(of: "cache"))
    first.waitUntilLoaded()
    #expect(first.hasLoaded)
    #expect(try #require(first.takeLoadedTable()).count == 0)
    #expect(!first.hasLoaded && first.takeLoadedTable() == nil)
    for number in UInt64(0)..<20 { first.append([try Self.record(number)]) }
    first.append(try (UInt64(20)..<60).map(Self.record))
    first.append([])
    first.close()
    let second = try PreviewArchive(directory: folder.bytes(of: "cache"))
    defer { second.close() }
    #expect(second.waitUntilLoaded(atMost: .seconds(60)))
    let table = try #require(second.takeLoadedTable())
    #expect(table.count == 60)
    for number in UInt64(0)..<60 {
      let record = try Self.record(number)
      #expect(table[record.file] == record.preview)
      #expect(try TinyPreview(#require(table[record.file])) == TinyPreviewTests.preview(number, (24, 16)))
    }
  }

  @Test("It is told once when what was on disk is there, however late it is asked for")
  func told() throws {
    let folder = try TemporaryFolder()
    let archive = try PreviewArchive(directory: folder.bytes(of: "cache"))
    defer { archive.close() }
    let count = Lock(0)
    archive.notifyWhenLoaded {
      count.withLock { $0 += 1 }
      count.wakeAll()
    }
    _ = try count.wait(for: "the previews") { $0 > 0 ? $0 : nil }
    archive.notifyWhenLoaded { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 2)
  }

  @Test("Where nothing can be had or kept there is nothing, and nobody is stopped by it")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1, 2, 3], to: "file")
    let archive = try PreviewArchive(directory: file)
    archive.waitUntilLoaded()
    #expect(try #require(archive.takeLoadedTable()).count == 0)
    archive.append([try Self.record(1)])
    archive.close()
    archive.append([try Self.record(2)])
  }

  @Test("Whoever waits at the end takes from one time, and one that is let go without an end ends")
  func closing() throws {
    #expect(ShutdownBudget(.zero).remaining == .zero && ShutdownBudget(.seconds(-1)).remaining == .zero)
    let time = ShutdownBudget(.seconds(1_000))
    let first = time.remaining
    #expect(first <= .seconds(1_000) && first > .seconds(500))
    let folder = try TemporaryFolder()
    _ = try PreviewArchive(directory: folder.bytes(of: "cache"))
    let archive = try PreviewArchive(directory: folder.bytes(of: "cache"))
    archive.close(within: time)
    archive.close(within: time)
    #expect(time.remaining <= first)
  }
}
