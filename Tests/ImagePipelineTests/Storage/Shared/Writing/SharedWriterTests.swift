import Foundation
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Files are put where programs share them, whole or not at all")
struct SharedWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> StorageFolder {
    try SharedThumbnailWriter.openFolder(folder.bytes(of: "thumbnails"), ["large"])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "thumbnails/large")).sorted()
  }

  private func content(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "thumbnails/large/" + name))))
  }

  private func permissions(_ name: String) throws -> Int {
    var status = stat()
    try #require(lstat(folder.path(of: name), &status) == 0)
    return Int(status.st_mode & 0o7777)
  }

  @Test("Folders and files are the user's alone, and what was there is replaced")
  func written() throws {
    let large = try open()
    for content in [[1, 2, 3] as [UInt8], [4, 5]] {
      #expect(try SharedThumbnailWriter.writeFile(content, as: "a.png", in: large) { false } == .written)
      #expect(try self.content("a.png") == content && names() == ["a.png"])
    }
    #expect(try permissions("thumbnails") == 0o700 && permissions("thumbnails/large") == 0o700)
    #expect(try permissions("thumbnails/large/a.png") == 0o600)
  }

  @Test("What a killed instance left behind is taken over, and what another program has written meanwhile is left")
  func leftover() throws {
    let large = try open()
    try folder.write([9, 9, 9, 9, 9], to: "thumbnails/large/" + SharedThumbnailWriter.partName, permissions: 0o666)
    #expect(try SharedThumbnailWriter.writeFile([1], as: "a.png", in: large) { false } == .written)
    #expect(try content("a.png") == [1] && permissions("thumbnails/large/a.png") == 0o600 && names() == ["a.png"])
    #expect(try SharedThumbnailWriter.writeFile([2], as: "a.png", in: large) { true } == .alreadyPresent)
    #expect(try content("a.png") == [1] && names() == ["a.png"])
  }

  @Test("A part that has a second name is not emptied under that")
  func secondName() throws {
    let large = try open()
    try folder.write([7, 7], to: "precious")
    let part = folder.path(of: "thumbnails/large/" + SharedThumbnailWriter.partName)
    try #require(link(folder.path(of: "precious"), part) == 0)
    #expect(try SharedThumbnailWriter.writeFile([1], as: "a.png", in: large) { false } == .written)
    #expect(try content("a.png") == [1])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "precious"))) == Data([7, 7]))
    try #require(symlink(folder.path(of: "precious"), part) == 0)
    #expect(throws: StorageError.self) { try SharedThumbnailWriter.writeFile([2], as: "b.png", in: large) { false } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "precious"))) == Data([7, 7]))
  }

  @Test("While another instance writes, nothing is written, and only then")
  func held() throws {
    let large = try open()
    let other = try large.open(SharedThumbnailWriter.partName)
    #expect(try other.tryLockExclusively())
    #expect(try SharedThumbnailWriter.writeFile([1], as: "a.png", in: large) { false } == .busy)
    #expect(try names() == [SharedThumbnailWriter.partName])
    // What is open as a name alone can be held by nobody: that is an error, and not another instance.
    let nameAlone: Int32 = 0o10_000_000  // O_PATH
    try folder.write([1], to: "name")
    let number = Glibc.open(folder.path(of: "name"), nameAlone)
    let named = try StorageFile(adopting: number, name: "name", isWritable: true)
    #expect(throws: StorageError(.lock, "name", code: EBADF)) { try named.tryLockExclusively() }
  }

  @Test("A folder that is a link, or another user's, is none of ours")
  func foreignFolders() throws {
    _ = try open()
    try FileManager.default.createDirectory(atPath: folder.path(of: "elsewhere"), withIntermediateDirectories: true)
    try #require(symlink(folder.path(of: "elsewhere"), folder.path(of: "thumbnails/normal")) == 0)
    #expect(throws: StorageError.self) {
      try SharedThumbnailWriter.openFolder(folder.bytes(of: "thumbnails"), ["normal"])
    }
    guard geteuid() == 0 else { return }
    try #require(chown(folder.path(of: "thumbnails/large"), 65_534, 65_534) == 0)
    #expect(throws: StorageError.self) { try open() }
    try #require(chown(folder.path(of: "thumbnails"), 65_534, 65_534) == 0)
    #expect(throws: StorageError.self) { try SharedThumbnailWriter.openFolder(folder.bytes(of: "thumbnails"), []) }
  }

  @Test("A disk that takes no more leaves nothing behind")
  func fullDisk() async throws {
    let path = folder.path(of: "thumbnails")
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let large = try SharedThumbnailWriter.openFolder(Array(path.utf8), ["large"])
      var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let bytes = [UInt8](repeating: 1, count: 5_000)
      #expect(throws: StorageError.self) {
        try SharedThumbnailWriter.writeFile(bytes, as: "a.png", in: large) { false }
      }
    }
    #expect(try names() == [])
  }

  @Test("A copy may lie on the same device, of what is encrypted in encrypted places alone")
  func secrecy() throws {
    let clear = StorageProtection(device: 1, isEncrypted: false)
    let encrypted = StorageProtection(device: 1, isEncrypted: true)
    let other = StorageProtection(device: 2, isEncrypted: true)
    #expect(clear.allowsCopy(of: clear) && encrypted.allowsCopy(of: clear) && encrypted.allowsCopy(of: encrypted))
    #expect(!clear.allowsCopy(of: encrypted) && !other.allowsCopy(of: encrypted) && !clear.allowsCopy(of: other))
    let here = try #require(open().protection)
    var status = stat()
    try #require(stat(folder.path, &status) == 0)
    #expect(here.device == UInt64(status.st_dev))
    #expect(StorageProtection(of: -1) == nil && !here.isEncrypted)
  }

  /// A file's bytes, all of them its number.
  private static func bytes(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number % 251), count: 20_000 + number % 7)
  }

  /// Whether every file in the folder is one that was put there, whole.
  private func isWhole() throws -> Bool {
    try names().filter { $0 != SharedThumbnailWriter.partName }.allSatisfy { name in
      let number = try #require(Int(name.dropLast(4)))
      return try content(name) == Self.bytes(number)
    }
  }

  @Test("Several that write at once leave whole files and nothing else")
  func together() throws {
    let path = folder.bytes(of: "thumbnails")
    _ = try open()
    let written = Lock(0)
    let threads = try (0..<3).map { thread in
      try WorkerThread(name: "writer \(thread)") {
        guard let large = try? SharedThumbnailWriter.openFolder(path, ["large"]) else { return }
        for number in 0..<60 {
          var outcome: SharedThumbnailWriter.Outcome?
          repeat {
            outcome = try? SharedThumbnailWriter.writeFile(Self.bytes(number), as: "\(number).png", in: large) { false }
          } while outcome == .busy
          if outcome == .written { written.withLock { $0 += 1 } }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(written.withLock { $0 } == 180)
    #expect(try isWhole() && names().count == 60)
  }

  @Test("One that is killed at any moment leaves whole files and a part, which the next takes", arguments: 1..<5)
  func killed(round: Int) async throws {
    let path = folder.path(of: "thumbnails")
    _ = try open()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
      let large = try SharedThumbnailWriter.openFolder(Array(path.utf8), ["large"])
      let writer = Thread {
        for number in 0..<100_000 {
          _ = try? SharedThumbnailWriter.writeFile(SharedWriterTests.bytes(number), as: "\(number).png", in: large) {
            false
          }
        }
      }
      writer.start()
      // Somewhere within a later file, most often.
      while access(path + "/large/\(round * 13).png", F_OK) != 0 {}
      kill(getpid(), SIGKILL)
    }
    #expect(try isWhole() && names().count > round * 13)
    #expect(try SharedThumbnailWriter.writeFile(Self.bytes(7), as: "7.png", in: open()) { false } == .written)
    #expect(try isWhole() && !names().contains(SharedThumbnailWriter.partName))
  }
}
