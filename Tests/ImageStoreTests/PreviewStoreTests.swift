import Foundation
import Testing
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@Suite("Preview store")
struct PreviewStoreTests {
  private func record(_ number: Int, content: UInt8 = 0) throws -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(device: 1, inode: UInt64(number), byteCount: 5, modificationNanoseconds: 6),
      preview: try #require(PreviewPayload([content] + withUnsafeBytes(of: number) { Array($0) })))
  }

  private func open(_ folder: TemporaryFolder, maximum: Int = PreviewStore.maximumPreviews) throws -> PreviewStore {
    try PreviewStore(in: folder.pathBytes, maximumPreviews: maximum)
  }

  @Test("A payload has 32 bytes, and more are rejected")
  func payload() throws {
    let payload = try #require(PreviewPayload([1, 2, 3]))
    #expect(payload.bytes == [1, 2, 3] + [UInt8](repeating: 0, count: 29) && payload[1] == 2 && payload[31] == 0)
    let full = try #require(PreviewPayload((0..<32).map { UInt8($0) }))
    #expect(full.bytes == (0..<32).map { UInt8($0) })
    #expect(PreviewPayload([UInt8](repeating: 1, count: 33)) == nil)
    #expect(MemoryLayout<PreviewRecord>.stride == 56)
  }

  @Test("Fingerprints of files that differ in any attribute are different")
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

  @Test("A table holds the last preview of each file, like a dictionary, in 64 bytes each")
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

  @Test("After a fix of their decoder previews are not read, until they are made again")
  func origins() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder)
    let made = [
      try record(0), PreviewRecord(file: try record(1).file, preview: try record(1).preview, origin: nil),
      PreviewRecord(
        file: try record(2).file, preview: try record(2).preview, origin: DecoderOrigin([.heic], layers: .all)),
      PreviewRecord(
        file: try record(3).file, preview: try record(3).preview, origin: DecoderOrigin([.jpeg], layers: .all)),
      PreviewRecord(
        file: try record(4).file, preview: try record(4).preview, origin: DecoderOrigin([.gif], layers: [])),
      PreviewRecord(file: try record(5).file, preview: try record(5).preview, origin: DecoderOrigin([], layers: .all)),
    ]
    try store.append(made)
    func numbers(_ fixes: SecurityFixes) throws -> [Int] {
      let table = try PreviewStore(in: folder.pathBytes, maximumPreviews: 1_000, fixes: fixes).load()
      return try (0..<6).filter { table[try record($0).file] != nil }
    }
    // Those of a client's decoders are not concerned.
    #expect(try numbers(.current) == [0, 1, 2, 3])
    let fixes = SecurityFixes([SecurityFix(version: 2, formats: [.heic])])
    #expect(try numbers(fixes) == [0, 1, 3])
    try store.append([
      PreviewRecord(
        file: try record(2).file, preview: try record(2).preview,
        origin: DecoderOrigin([.heic], version: 2, layers: .all)
      )
    ])
    #expect(try numbers(fixes) == [0, 1, 2, 3])
  }

  @Test("The last preview of each file is read at the next start, in the order of addition")
  func persists() throws {
    let folder = try TemporaryFolder()
    let store = try PreviewStore(directory: folder.pathBytes(of: "cache/vitrine"))
    #expect(store.load().count == 0 && store.isWritable)
    try store.append((0..<1_000).map { try record($0) })
    try store.append([])
    try store.append([try record(500, content: 9)])
    let table = try PreviewStore(directory: folder.pathBytes(of: "cache/vitrine")).load()
    #expect(table.count == 1_000)
    for number in 0..<1_000 {
      let expected = try record(number, content: number == 500 ? 9 : 0)
      #expect(table[expected.file] == expected.preview)
    }
  }

  @Test("The previews of another instance are read")
  func twoInstances() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try open(folder), try open(folder))
    try second.append([try record(1), try record(2)])
    try first.append([try record(3)])
    #expect(first.load().count == 3 && second.load().count == 3)
  }

  @Test("The oldest previews are removed at the limit")
  func bounded() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, maximum: 1_000)
    for start in stride(from: 0, to: 5_000, by: 500) { try store.append((start..<start + 500).map { try record($0) }) }
    let table = try open(folder, maximum: 1_000).load()
    #expect(table.count <= 1_000 && table.count >= 750)
    let (oldest, newest) = (try record(0).file, try record(4_999).file)
    #expect(table[newest] != nil && table[oldest] == nil)
    #expect(try folder.byteCount(of: PreviewStore.schema.fileName) < 300_000)
  }
}

// MARK: - Preview archive

@Suite("Preview archive")
struct PreviewArchiveTests {
  private static func preview(_ number: UInt64) throws -> TinyPreview {
    TinyPreview(
      of: try Bitmap.gradient(24, 16, blue: UInt8(number) * 4), pictureSize: pixels(4_000 + Int(number), 3_000))
  }

  private static func record(_ number: UInt64) throws -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(device: 1, inode: number, byteCount: 0, modificationNanoseconds: 0),
      preview: try preview(number).payload)
  }

  @Test("Added previews are read in the next run, also the last ones before closing")
  func persists() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.pathBytes(of: "cache"))
    first.waitUntilLoaded()
    #expect(first.hasLoaded)
    #expect(try #require(first.takeLoadedTable()).count == 0)
    #expect(!first.hasLoaded && first.takeLoadedTable() == nil)
    for number in UInt64(0)..<20 { first.append([try Self.record(number)]) }
    first.append(try (UInt64(20)..<60).map(Self.record))
    first.append([])
    first.close()
    let second = try PreviewArchive(directory: folder.pathBytes(of: "cache"))
    defer { second.close() }
    #expect(second.waitUntilLoaded(atMost: .seconds(60)))
    let table = try #require(second.takeLoadedTable())
    #expect(table.count == 60)
    for number in UInt64(0)..<60 {
      let record = try Self.record(number)
      #expect(table[record.file] == record.preview)
      #expect(try TinyPreview(#require(table[record.file])) == Self.preview(number))
    }
  }

  @Test("Each load notification is called once, also one that is requested late")
  func notifies() throws {
    let folder = try TemporaryFolder()
    let archive = try PreviewArchive(directory: folder.pathBytes(of: "cache"))
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

  @Test("An unusable folder yields an empty archive and no error")
  func invalidFolder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1, 2, 3], to: "file")
    let archive = try PreviewArchive(directory: file)
    archive.waitUntilLoaded()
    #expect(try #require(archive.takeLoadedTable()).count == 0)
    archive.append([try Self.record(1)])
    archive.close()
    archive.append([try Self.record(2)])
  }

  @Test("Several waits share a shutdown budget, and an archive that is not closed ends at deinitialization")
  func closing() throws {
    #expect(ShutdownBudget(.zero).remaining == .zero && ShutdownBudget(.seconds(-1)).remaining == .zero)
    let budget = ShutdownBudget(.seconds(1_000))
    let first = budget.remaining
    #expect(first <= .seconds(1_000) && first > .seconds(500))
    let folder = try TemporaryFolder()
    _ = try PreviewArchive(directory: folder.pathBytes(of: "cache"))
    let archive = try PreviewArchive(directory: folder.pathBytes(of: "cache"))
    archive.close(within: budget)
    archive.close(within: budget)
    #expect(budget.remaining <= first)
  }
}
