import Foundation
import Testing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Download storage")
struct DownloadStoreTests {
  private let folder: TemporaryFolder
  private let request = RemoteRequest(remoteURL(1, "a?token=1"))

  init() throws { folder = try TemporaryFolder() }

  private func disk(_ limit: Int = 1 << 20, now: Int = 1_000, seed: UInt64 = 1) throws -> DiskDownloadStore {
    try DiskDownloadStore(path: folder.pathBytes(of: "remote"), byteLimit: limit, seed: seed, now: now)
  }

  private func file(_ store: DiskDownloadStore, _ bytes: [UInt8]) throws -> DownloadFile {
    let file = try store.makeFile()
    try bytes.withUnsafeBytes { try file.write($0) }
    return file
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "remote"))) ?? []).sorted()
  }

  @Test("On disk a download is a private file with its bytes, which another instance finds")
  func storesOnDisk() throws {
    let store = try disk()
    let tag = RemoteValidator(eTag: "\"1\"")
    let stored = try store.commit(try file(store, [1, 2, 3]), for: request, tag, isPublic: true, now: 1_000)
    #expect(stored.byteCount == 3 && stored.isFromPublicServer)
    #expect(try stored.bytes(atMost: 10) == [1, 2, 3])
    #expect(throws: RemoteFailure.tooLarge(limit: 2)) { try stored.bytes(atMost: 2) }
    let found = try #require(try disk().find(request, now: 1_000))
    #expect(found.content == stored && found.validator == tag && found.lastValidated == 1_000)
    #expect(names.count == 2)
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "remote/" + name))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(store.find(RemoteRequest(remoteURL(1, "a?token=1"), kind: .manifest), now: 0) == nil)
    #expect(store.find(RemoteRequest(remoteURL(1, "b")), now: 0) == nil)
  }

  @Test("A damaged download is not found", arguments: ["shorter", "another", "gone", "half", "record"])
  func damagedFiles(kind: String) throws {
    let store = try disk()
    let stored = try store.commit(
      try file(store, [1, 2, 3]), for: request, RemoteValidator(eTag: "a"), isPublic: false, now: 0)
    guard case .file(let path) = stored.source else { return }
    let name = "remote/" + DownloadName(request).text
    #expect(String(decoding: path, as: UTF8.self) == folder.path(of: name))
    let record = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name + ".head")))
    switch kind {
    case "shorter": try folder.write([1], to: name)
    case "another": try folder.write([3, 2, 1], to: name)
    case "gone": try FileManager.default.removeItem(atPath: folder.path(of: name))
    case "half": try folder.write(record.dropLast(), to: name + ".head")
    default: try folder.write(record.map { $0 == UInt8(ascii: "a") ? UInt8(ascii: "b") : $0 }, to: name + ".head")
    }
    #expect(try disk().find(request, now: 0) == nil)
  }

  @Test("The least recently used downloads are evicted, also by later instances")
  func evicts() throws {
    let store = try disk(3 * 16_384)
    let requests = (0..<3).map { RemoteRequest(remoteURL(1, "\($0)")) }
    for request in requests {
      let bytes = [UInt8](repeating: 1, count: 8_192)
      _ = try store.commit(try file(store, bytes), for: request, RemoteValidator(), isPublic: false, now: 0)
    }
    #expect(store.find(requests[0], now: 0) != nil)
    _ = try store.commit(
      try file(store, [UInt8](repeating: 1, count: 8_192)), for: request, RemoteValidator(), isPublic: false, now: 0)
    #expect(store.count == 4 && names.count == 8)
    _ = try store.commit(
      try file(store, [UInt8](repeating: 1, count: 16_384)), for: RemoteRequest(remoteURL(2, "x")), RemoteValidator(),
      isPublic: false, now: 0)
    #expect(store.find(requests[1], now: 0) == nil && store.find(requests[0], now: 0) != nil)
    #expect(names.count == store.count * 2)
    #expect(try disk(20_000).count == 1)
    #expect(names.count == 2)
  }

  @Test("Unfinished files are removed, immediately or by a later instance, but not while another may be writing")
  func abandonedFiles() throws {
    let store = try disk()
    store.discard(try file(store, [1]))
    #expect(names.isEmpty)
    _ = try file(store, [1])
    #expect(names.count == 1)
    let now = Int(Date().timeIntervalSince1970)
    _ = try disk(now: now, seed: 2)
    #expect(names.count == 1)
    _ = try disk(now: now + 7_200, seed: 3)
    #expect(names.isEmpty)
  }

  @Test("Files that another instance is writing are not removed")
  func sharedNames() throws {
    let first = try disk()
    _ = try first.commit(
      try file(first, [1, 2, 3]), for: request, RemoteValidator(eTag: "a"), isPublic: false, now: 1_000)
    let writing = try file(try disk(), [4])
    let other = try disk()
    other.markValidated(request, now: 1_005)
    let temporary = try #require(writing.temporaryName)
    #expect(names.count == 3 && names.contains(temporary))
    #expect(other.find(request, now: 1_005)?.lastValidated == 1_005)
    #expect(try disk().makeFile().temporaryName != temporary)
  }

  @Test("Files without a record are removed")
  func filesWithoutRecord() throws {
    let store = try disk()
    let name = DownloadName(request)
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "remote/" + name.recordName), withIntermediateDirectories: true)
    let uncommitted = try file(store, [1])
    #expect(throws: RemoteFailure.self) {
      try store.commit(uncommitted, for: request, RemoteValidator(), isPublic: false, now: 0)
    }
    #expect(names == [name.recordName] && store.count == 0)
    let others = ["0123456789abcdef0123456789abcdef", "another"]
    for other in others { try folder.write([1], to: "remote/" + other) }
    let now = Int(Date().timeIntervalSince1970)
    _ = try disk(now: now)
    #expect(names.count == 3, "another instance may be about to write the record")
    _ = try disk(now: now + 7_200)
    #expect(names == ["another", name.recordName].sorted())
  }

  @Test("A changed response has another version, with or without a validator")
  func versions() throws {
    let store = try disk()
    func commit(_ bytes: [UInt8], _ validator: RemoteValidator) throws -> UInt64 {
      try store.commit(try file(store, bytes), for: request, validator, isPublic: false, now: 0).version
    }
    let first = try commit([1, 2], RemoteValidator(eTag: "a"))
    #expect(try commit([1, 2], RemoteValidator(eTag: "a")) == first)
    #expect(try commit([1, 3], RemoteValidator(eTag: "b")) != first)
    let unnamed = try commit([1, 2], RemoteValidator())
    #expect(try commit([1, 2], RemoteValidator()) != unnamed)
  }

  @Test("In memory a download is sealed, and is evicted when the store needs the space")
  func memory() throws {
    let store = MemoryDownloadStore(byteLimit: 2 << 20)
    func commit(_ number: Int) throws -> RemoteContent {
      let file = try store.makeFile()
      try [UInt8(number)].withUnsafeBytes { try file.write($0) }
      let content = try store.commit(
        file, for: RemoteRequest(remoteURL(1, "\(number)")), RemoteValidator(eTag: "t"), isPublic: false, now: 5)
      #expect(throws: RemoteFailure.self) { try [9].withUnsafeBytes { try file.write($0) } }
      return content
    }
    let first = try commit(1)
    #expect(try first.bytes(atMost: 9) == [1])
    let second = try commit(2)
    let found = try #require(store.find(RemoteRequest(remoteURL(1, "1"))))
    #expect(found.content == first && found.isFresh(now: 6, maximumAge: 2) && !found.isFresh(now: 4, maximumAge: 2))
    _ = try commit(3)
    #expect(store.count == 2 && store.find(RemoteRequest(remoteURL(1, "2"))) == nil)
    #expect(throws: RemoteFailure.cannotStore(ENOENT)) { try second.bytes(atMost: 9) }
    #expect(try first.image.name == commit(1).image.name, "the same state has the same name")
  }

  @Test("Without a usable folder downloads are stored in memory, and secret ones never on disk")
  func fallsBackToMemory() throws {
    let store = DownloadStore(disk: try disk(), memory: MemoryDownloadStore(byteLimit: 1 << 20))
    #expect(try store.makeFile(forbidsDiskStorage: true, now: 0).temporaryName == nil)
    let file = try store.makeFile(forbidsDiskStorage: false, now: 0)
    #expect(file.temporaryName != nil)
    store.recordFailure(of: file, now: 10)
    #expect(try store.makeFile(forbidsDiskStorage: false, now: 11).temporaryName == nil)
    #expect(try store.makeFile(forbidsDiskStorage: false, now: 41).temporaryName != nil)
    #expect(throws: RemoteFailure.self) {
      try DiskDownloadStore(path: folder.pathBytes(of: "a/b/c"), byteLimit: 0, seed: 0, now: 0)
    }
  }

  @Test("Records are parsed from the written bytes only", arguments: 0..<4)
  func records(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let status = DownloadFileSystem.Status(
      node: .max, byteCount: 5, modifiedSeconds: -1, modifiedNanoseconds: 999_999_999)
    for validator in [RemoteValidator(), RemoteValidator(eTag: "\"x y\""), RemoteValidator(lastModified: "Sun")] {
      let record = DownloadRecord(
        address: "http://a/", status: status, validator: validator, lastValidated: 7, isPublic: true)
      let bytes = record.bytes
      #expect(DownloadRecord(bytes) == record)
      var ancient = record
      ancient.lastValidated = .min
      #expect(DownloadRecord(ancient.bytes) == nil, "times before 1970 are invalid")
      for count in 0..<bytes.count { #expect(DownloadRecord(Array(bytes.prefix(count))) == nil) }
      for _ in 0..<200 {
        var other = bytes
        other[Int.random(in: 0..<other.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        if let read = DownloadRecord(other) { #expect(DownloadRecord(read.bytes) == read) }
      }
    }
  }
}
