import DataStructures
import Foundation
import Glibc
@testable import ImagePipeline
@testable import ImageStore
import TestSupport
import Testing

/// Tests of disk failures and killed instances.
@Suite("Thumbnail store")
struct ThumbnailStoreTests {
  @Test("An instance that is killed at any time leaves files that open without damage", arguments: 0..<6)
  func killed(seed: UInt64) async throws {
    let harness = ThumbnailPackHarness()
    let path = try harness.folder.get().path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
      let directory = Array(path.utf8)
      let pack = try ThumbnailPack(in: try StorageFolder(directory), byteLimit: 60_000, segmentBytes: 6_000)
      let log = try PreviewLog.open(directory: directory)
      // Most often the process is killed during a write, as this thread only polls the size.
      let writer = Thread {
        for number in 0..<1_000_000 {
          try? pack.add([number])
          try? log.append((0..<9).map { _ in ThumbnailStoreTests.preview(number) })
        }
      }
      writer.start()
      let file = path + "/" + PreviewLog.fileName
      var status = stat()
      while stat(file, &status) != 0 || status.st_size < 2_000 + 7 * Int(seed) * 131 {}
      kill(getpid(), SIGKILL)
    }
    let pack = try harness.open(limit: 60_000, segment: 6_000)
    let present = try (0..<1_000).filter { try pack.hasThumbnail($0) }
    #expect(present.count == pack.count && !present.isEmpty)
    try pack.add([5_000])
    #expect(try pack.hasThumbnail(5_000))
    let previews = try PreviewLog.open(directory: Array(path.utf8)).load()
    #expect(previews.count > 0)
    for number in 0..<previews.count { #expect(previews[Self.preview(number).file] == Self.preview(number).preview) }
  }

  fileprivate static func preview(_ number: Int) -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(words: [UInt64(number)]),
      preview: PreviewPayload(withUnsafeBytes(of: number) { Array($0) }) ?? PreviewPayload())
  }

  @Test("When the disk is full the fault is reported, nothing is half written, and stored thumbnails are read")
  func fullDisk() async throws {
    let harness = ThumbnailPackHarness()
    let path = try harness.folder.get().path
    await #expect(processExitsWith: .success) { [path = path as String] in
      // A limit of the file size is the closest simulation of a full disk.
      signal(SIGXFSZ, SIG_IGN)
      let folder = try StorageFolder(Array(path.utf8))
      let pack = try ThumbnailPack(in: folder, byteLimit: 1 << 20)
      try pack.add(0..<20)
      var limit = rlimit(rlim_cur: 5_000, rlim_max: 5_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: StorageError.self) { try pack.add(20..<40) }
      #expect(error?.operation == .write && error?.code == EFBIG)
      #expect(error?.description == "cannot write 1.pixels: File too large")
      for number in 0..<20 { #expect(try pack.hasThumbnail(number)) }
      let store = try ThumbnailStore(StorageConfiguration(directory: Array((path + "/store").utf8)))
      let large = try ThumbnailPackHarness.picture(1, 60, 60)
      store.insert(large, for: ThumbnailPackHarness.name(1))
      store.close(within: .seconds(60))
      #expect(store.status.fault?.hasPrefix("cannot write") == true)
      #expect(store.status.written == 0 && store.status.count == 0)
    }
    let pack = try harness.open()
    for number in 0..<20 { #expect(try pack.hasThumbnail(number)) }
    #expect(pack.count == 20)
    try pack.add(20..<40)
    for number in 20..<40 { #expect(try pack.hasThumbnail(number)) }
  }

  @Test("A read-only folder is read, and rejects new entries")
  func readOnlyFolder() async throws {
    let harness = ThumbnailPackHarness()
    let path = try harness.folder.get().path
    try harness.open().add(0..<5)
    try PreviewLog.open(directory: Array(path.utf8)).append([Self.preview(1)])
    for name in try harness.fileNames(suffix: "") { try #require(chmod(path + "/" + name, 0o444) == 0) }
    try #require(chmod(path, 0o555) == 0)
    defer { chmod(path, 0o700) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may write everywhere, so the test continues as another user.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let folder = try StorageFolder(Array(path.utf8))
      let pack = try ThumbnailPack(in: folder, byteLimit: 1 << 20)
      for number in 0..<5 { #expect(try pack.hasThumbnail(number)) }
      #expect(throws: StorageError.self) { try pack.add([9]) }
      #expect(try pack.hasThumbnail(1) && !pack.hasThumbnail(9))
      let log = try PreviewLog(in: folder)
      #expect(!log.isWritable)
      #expect(try log.load().count == 1)
      #expect(throws: StorageError.self) { try log.append([ThumbnailStoreTests.preview(2)]) }
      #expect(throws: StorageError.self) { try StorageFolder(Array((path + "/new").utf8)) }
    }
  }

  @Test("A store without a usable folder accepts thumbnails without storing them, and can be closed twice")
  func withoutFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "file")
    let store = try ThumbnailStore(StorageConfiguration(directory: folder.pathBytes(of: "file")))
    #expect(store.thumbnail(for: ThumbnailPackHarness.name(1)) == nil)
    store.insert(try ThumbnailPackHarness.picture(1), for: ThumbnailPackHarness.name(1))
    store.close(within: .seconds(60))
    store.close(within: .seconds(60))
    #expect(store.status.fault == "cannot make \(folder.path(of: "file"))/thumbnails-1: Not a directory")
  }

  @Test("Waiting thumbnails are written when a store is closed, and the next store reads them")
  func writesBeforeClosing() throws {
    let folder = try TemporaryFolder()
    let configuration = StorageConfiguration(directory: Array(folder.path.utf8))
    let store = try ThumbnailStore(configuration)
    for number in 0..<50 {
      store.insert(try ThumbnailPackHarness.picture(number), for: ThumbnailPackHarness.name(number))
    }
    store.close(within: .seconds(60))
    store.insert(try ThumbnailPackHarness.picture(99), for: ThumbnailPackHarness.name(99))
    #expect(store.status.written == 50 && store.status.count == 50 && store.status.fault == nil)
    #expect(store.thumbnail(for: ThumbnailPackHarness.name(7)) != nil)
    let next = try ThumbnailStore(configuration)
    for number in 0..<50 {
      #expect(
        next.thumbnail(for: ThumbnailPackHarness.name(number))?.sourceSize
          == (try ThumbnailPackHarness.picture(number)).sourceSize)
    }
    next.close(within: .seconds(60))
  }
}

@Suite("Write backlog")
struct WriteBacklogTests {
  private func item(_ number: Int) throws -> WriteBacklog.Item {
    WriteBacklog.Item(key: ThumbnailPackHarness.name(number), thumbnail: try ThumbnailPackHarness.picture(number, 5, 5))
  }

  @Test("The oldest items are taken first, at least one, and not more than the given bytes")
  func takesOldest() throws {
    var backlog = WriteBacklog(byteLimit: 1_000)
    for number in 0..<5 { backlog.append(try item(number)) }
    #expect(backlog.takeItems(atMost: 10).map(\.key) == [ThumbnailPackHarness.name(0)])
    #expect(backlog.takeItems(atMost: 250).map(\.key) == [1, 2].map(ThumbnailPackHarness.name))
    #expect(!backlog.isEmpty)
    #expect(backlog.takeItems(atMost: .max).map(\.key) == [3, 4].map(ThumbnailPackHarness.name))
    #expect(backlog.isEmpty && backlog.takeItems(atMost: 10).isEmpty && backlog.droppedCount == 0)
  }

  @Test("At the limit the oldest items are dropped and counted")
  func overflow() throws {
    var backlog = WriteBacklog(byteLimit: 250)
    for number in 0..<5 { backlog.append(try item(number)) }
    #expect(backlog.droppedCount == 3)
    #expect(backlog.takeItems(atMost: .max).map(\.key) == [3, 4].map(ThumbnailPackHarness.name))
    for number in 0..<2 { backlog.append(try item(number)) }
    backlog.dropAll()
    #expect(backlog.isEmpty && backlog.droppedCount == 5)
    backlog.append(try item(9))
    #expect(backlog.takeItems(atMost: .max).count == 1)
  }
}
