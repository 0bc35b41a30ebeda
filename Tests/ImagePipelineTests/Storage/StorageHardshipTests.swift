import DataStructures
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

/// What a disk and a user may do to what is kept on it.
@Suite("Hard times for what is kept on disk")
struct StorageHardshipTests {
  @Test("An instance that is killed at any moment leaves what opens, with nothing wrong in it", arguments: 0..<6)
  func killed(seed: UInt64) async throws {
    let bench = PackBench()
    let path = try bench.folder.get().path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
      let directory = Array(path.utf8)
      let pack = try ThumbnailPack(in: try StorageFolder(directory), byteLimit: 60_000, segmentBytes: 6_000)
      let log = try PreviewLog.open(directory: directory)
      // Somewhere within a write, most often: the other thread does nothing but look how much is there.
      let writer = Thread {
        for number in 0..<1_000_000 {
          try? pack.add([number])
          try? log.append((0..<9).map { _ in StorageHardshipTests.preview(number) })
        }
      }
      writer.start()
      let file = path + "/" + PreviewLog.fileName
      var status = stat()
      while stat(file, &status) != 0 || status.st_size < 2_000 + 7 * Int(seed) * 131 {}
      kill(getpid(), SIGKILL)
    }
    let pack = try bench.open(limit: 60_000, segment: 6_000)
    let present = try (0..<1_000).filter { try pack.has($0) }
    #expect(present.count == pack.count && !present.isEmpty)
    try pack.add([5_000])
    #expect(try pack.has(5_000))
    let previews = try PreviewLog.open(directory: Array(path.utf8)).load()
    #expect(previews.count > 0)
    for number in 0..<previews.count { #expect(previews[Self.preview(number).file] == Self.preview(number).preview) }
  }

  fileprivate static func preview(_ number: Int) -> PreviewRecord {
    PreviewRecord(
      file: FileFingerprint(words: [UInt64(number)]),
      preview: PreviewPayload(withUnsafeBytes(of: number) { Array($0) }) ?? PreviewPayload())
  }

  @Test("Where the disk takes no more, it is said why, nothing is half there, and what was kept is read")
  func fullDisk() async throws {
    let bench = PackBench()
    let path = try bench.folder.get().path
    await #expect(processExitsWith: .success) { [path = path as String] in
      // A file that may not grow is as near to a full disk as a test may come.
      signal(SIGXFSZ, SIG_IGN)
      let folder = try StorageFolder(Array(path.utf8))
      let pack = try ThumbnailPack(in: folder, byteLimit: 1 << 20)
      try pack.add(0..<20)
      var limit = rlimit(rlim_cur: 5_000, rlim_max: 5_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: StorageError.self) { try pack.add(20..<40) }
      #expect(error?.operation == .write && error?.code == EFBIG)
      #expect(error?.description == "cannot write 1.pixels: File too large")
      for number in 0..<20 { #expect(try pack.has(number)) }
      let store = try ThumbnailStore(StorageConfiguration(directory: Array((path + "/store").utf8)))
      let large = try PackBench.picture(1, 60, 60)
      store.insert(large, for: PackBench.name(1))
      store.close(within: .seconds(60))
      #expect(store.condition.fault?.hasPrefix("cannot write") == true)
      #expect(store.condition.written == 0 && store.condition.count == 0)
    }
    let pack = try bench.open()
    for number in 0..<20 { #expect(try pack.has(number)) }
    #expect(pack.count == 20)
    try pack.add(20..<40)
    for number in 20..<40 { #expect(try pack.has(number)) }
  }

  @Test("A folder that may only be read serves what is in it, and says that it takes no more")
  func readOnly() async throws {
    let bench = PackBench()
    let path = try bench.folder.get().path
    try bench.open().add(0..<5)
    try PreviewLog.open(directory: Array(path.utf8)).append([Self.preview(1)])
    for name in try bench.names("") { try #require(chmod(path + "/" + name, 0o444) == 0) }
    try #require(chmod(path, 0o555) == 0)
    defer { chmod(path, 0o700) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may write anywhere: somebody else tries.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let folder = try StorageFolder(Array(path.utf8))
      let pack = try ThumbnailPack(in: folder, byteLimit: 1 << 20)
      for number in 0..<5 { #expect(try pack.has(number)) }
      #expect(throws: StorageError.self) { try pack.add([9]) }
      #expect(try pack.has(1) && !pack.has(9))
      let log = try PreviewLog(in: folder)
      #expect(!log.isWritable)
      #expect(try log.load().count == 1)
      #expect(throws: StorageError.self) { try log.append([StorageHardshipTests.preview(2)]) }
      #expect(throws: StorageError.self) { try StorageFolder(Array((path + "/new").utf8)) }
    }
  }

  @Test("A store without a pack takes nothing and waits for nobody, and can be closed twice")
  func withoutFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "file")
    let store = try ThumbnailStore(StorageConfiguration(directory: folder.bytes(of: "file")))
    #expect(store.picture(for: PackBench.name(1)) == nil)
    store.insert(try PackBench.picture(1), for: PackBench.name(1))
    store.close(within: .seconds(60))
    store.close(within: .seconds(60))
    #expect(store.condition.fault == "cannot make \(folder.path(of: "file"))/thumbnails-1: Not a directory")
  }

  @Test("What waits is written before a store is closed, and is there for the next")
  func closing() throws {
    let folder = try TemporaryFolder()
    let configuration = StorageConfiguration(directory: Array(folder.path.utf8))
    let store = try ThumbnailStore(configuration)
    for number in 0..<50 { store.insert(try PackBench.picture(number), for: PackBench.name(number)) }
    store.close(within: .seconds(60))
    store.insert(try PackBench.picture(99), for: PackBench.name(99))
    #expect(store.condition.written == 50 && store.condition.count == 50 && store.condition.fault == nil)
    #expect(store.picture(for: PackBench.name(7)) != nil)
    let next = try ThumbnailStore(configuration)
    for number in 0..<50 {
      #expect(next.picture(for: PackBench.name(number))?.sourceSize == (try PackBench.picture(number)).sourceSize)
    }
    next.close(within: .seconds(60))
  }
}
