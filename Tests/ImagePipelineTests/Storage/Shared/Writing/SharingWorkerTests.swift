import DecodingProtocol
import Foundation
import Geometry
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What comes of a picture that may be shared")
struct SharingWorkerTests {
  private let folder: TemporaryFolder
  private let path: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write([0xFF, 0xD8, 0xFF, 1], to: "a.jpg")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a.jpg"), &times) == 0)
  }

  private func candidate(hasFailed: Bool = false) throws -> SharingCandidate {
    SharingCandidate(path: path, version: try PictureFile(path: path).version, size: .large, hasFailed: hasFailed)
  }

  private func worker(_ decode: @escaping (ImageRequest) -> ImageOutcome) -> SharingWorker {
    SharingWorker(thumbnails: folder.bytes(of: "thumbnails"), excluded: [], workingFolder: []) { _, request in
      decode(request)
    }
  }

  /// A picture of four times the size that is asked for.
  private func picture(_ width: Int = 256, _ height: Int = 171) throws -> DecodedImage {
    DecodedImage(bitmap: try RealHelper.gradient(width, height), sourceSize: pixels(width * 4, height * 4))
  }

  private var written: [String] {
    ["large", "fail/vitrine-1"].flatMap { place in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "thumbnails/" + place))) ?? []).map {
        place + "/" + $0
      }
    }
  }

  @Test("Where the whole can be shown after all, there is a thumbnail and no failure")
  func wholeAfterAll() throws {
    let picture = try picture()
    let ending = try worker { _ in .success(picture) }.process(candidate(hasFailed: true)) { true }
    #expect(ending == .written && written.count == 1 && written[0].hasPrefix("large/"))
  }

  @Test(
    "No other failure than one that is the file's own is noted",
    arguments: [
      .refused(.tooLarge), .refused(.unsupportedFormat), .refused(.outOfMemory), .refused(.unreadable),
      .refused(.changed), .refused(.slotTooSmall),
      .refused(.fileTooLarge), .refused(.noPreview), .outOfMemory, .decoderCrashed, .decoderTimedOut,
      .invalidDecoderReply,
      .decoderUnavailable, .decodingStopped,
    ] as [ImageFailure])
  func otherFailures(failure: ImageFailure) throws {
    let ending = try worker { _ in .failure(failure) }.process(candidate(hasFailed: true)) { true }
    #expect(ending == (failure.persistence == .transient ? .postponed : .done) && written == [])
    let version = try PictureFile(path: path).version
    let request = RealHelper.request(path, source: 1, pixels(200, 150))
    #expect(SharingCandidate.decoded(path, version, request, .failure(failure)) == nil)
  }

  private func write(_ bytes: [UInt8]) throws {
    try folder.write(bytes, to: "a.jpg")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a.jpg"), &times) == 0)
  }

  @Test("A failure of the whole is noted where what was shown had failed too, and believed for a while")
  func failures() throws {
    let damaged = worker { _ in .failure(.refused(.damaged)) }
    #expect(try damaged.process(candidate()) { true } == .done && written == [])
    #expect(try damaged.process(candidate(hasFailed: true)) { true } == .written)
    #expect(written.count == 1 && written[0].hasPrefix("fail/vitrine-1/"))
    let shared = try #require(SharedThumbnails(folder.bytes(of: "thumbnails")))
    let name = try #require(SharedThumbnailName(of: path, workingFolder: []))
    var version = try candidate().version
    #expect(shared.failure(name, version) == .damaged)
    // Its time and length may have been set back; that of any change cannot be.
    version.changedNanoseconds ^= 1
    #expect(shared.failure(name, version) == nil)
    // Noted longer ago than it is believed, it is tried again, and noted again.
    let record = folder.path(of: "thumbnails/" + written[0])
    for (age, isBelieved) in [(29, true), (31, false), (-31, false)] {
      let then = time(nil) - age * 24 * 60 * 60
      var times = [timeval(tv_sec: then, tv_usec: 0), timeval(tv_sec: then, tv_usec: 0)]
      try #require(utimes(record, &times) == 0)
      #expect(shared.failure(name, try candidate().version) == (isBelieved ? .damaged : nil), "\(age) days")
    }
    #expect(try damaged.process(candidate(hasFailed: true)) { true } == .written)
    #expect(shared.failure(name, try candidate().version) == .damaged && written.count == 1)
  }

  @Test("Noted is what is damaged of formats alone whose decoders tell that from a want of memory")
  func formats() throws {
    let damaged = worker { _ in .failure(.refused(.damaged)) }
    let avif: [UInt8] = [0, 0, 0, 20] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avif".utf8)
    let heic: [UInt8] = [0, 0, 0, 20] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("heic".utf8)
    for bytes in [avif, heic, [0x49, 0x49, 42, 0, 8, 0, 0, 0], Array("nothing".utf8)] {
      try write(bytes)
      #expect(try damaged.process(candidate(hasFailed: true)) { true } == .done && written == [])
    }
    for bytes in [Array("GIF89a".utf8), Array("qoif".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]] {
      try write(bytes)
      #expect(try damaged.process(candidate(hasFailed: true)) { true } == .written)
    }
  }

  @Test("Wherever it is stopped, nothing is left behind, and the next time it is done")
  func stopped() throws {
    let picture = try picture()
    var asked = 0
    let whole = worker { request in
      #expect(request.key.size == pixels(256, 256) && request.key.fit == .fit)
      return .success(picture)
    }
    for most in 0..<100 {
      var left = most
      let ending = try whole.process(candidate()) {
        left -= 1
        return left >= 0
      }
      guard ending == .stopped else {
        #expect(ending == .written && written.count == 1)
        break
      }
      asked += 1
      #expect(written == [])
    }
    #expect(asked > 4)
    try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails"))
    #expect(try worker { _ in .failure(.interrupted) }.process(candidate()) { true } == .stopped)
    #expect(written == [])
  }

  @Test("What was decoded is kept where a frame ends the work, and is not where it may be another thing the next time")
  func kept() throws {
    try write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let (picture, kept, candidate) = (try picture(), DecodeCache(), try candidate(hasFailed: true))
    var (decodes, outcome) = (0, ImageOutcome.success(picture))
    let worker = worker { request in
      if let outcome = kept.outcome(of: request, for: candidate) { return outcome }
      decodes += 1
      return kept.store(outcome, of: request)
    }
    for passing in [ImageFailure.interrupted, .refused(.unreadable), .decoderTimedOut] {
      outcome = .failure(passing)
      _ = try worker.process(candidate) { true }
    }
    #expect(decodes == 3)
    outcome = .success(picture)
    for most in 0..<100 {
      var left = most
      let ending = try worker.process(candidate) {
        left -= 1
        return left >= 0
      }
      if ending == .written { break }
      #expect(ending == .stopped)
    }
    // Once on black, and once on white.
    #expect(decodes == 5 && written.count == 1)
    let request = RealHelper.request(path, source: 1, pixels(256, 256))
    #expect(kept.outcome(of: request, for: candidate) != nil)
    var other = candidate
    other.size = .normal
    #expect(kept.outcome(of: request, for: other) == nil && kept.outcome(of: request, for: candidate) == nil)
    _ = kept.store(.failure(.refused(.damaged)), of: request)
    #expect(kept.outcome(of: request, for: candidate) != nil)
    kept.clear()
    #expect(kept.outcome(of: request, for: candidate) == nil)
  }

  @Test("While another instance writes, or no file can be opened, a picture is left for later and none is forgotten")
  func shortages() async throws {
    let picture = try picture()
    let whole = worker { _ in .success(picture) }
    let large = try SharedThumbnailWriter.openFolder(folder.bytes(of: "thumbnails"), ["large"])
    let other = try large.open(SharedThumbnailWriter.partName)
    #expect(try other.tryLockExclusively())
    #expect(try whole.process(candidate()) { true } == .postponed)
    for code in [EPERM, EACCES, EROFS, ENOSPC, EDQUOT, ELOOP, ENOTDIR] {
      #expect(StorageError(.write, "a", code: code).isPermanent)
    }
    for code in [EMFILE, ENFILE, EIO, ENOENT, EINTR, ENOMEM] {
      #expect(!StorageError(.rename, "a", code: code).isPermanent)
    }
    let path = folder.path(of: "a.jpg")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let version = try PictureFile(path: Array(path.utf8)).version
      let candidate = SharingCandidate(path: Array(path.utf8), version: version, size: .large, hasFailed: false)
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let worker = SharingWorker(thumbnails: [], excluded: [], workingFolder: []) { _, _ in .failure(.interrupted) }
      #expect(try worker.process(candidate) { true } == .postponed)
    }
  }

  @Test("Of a picture that is damaged, smaller, or seen through nothing is shared")
  func unfit() throws {
    let small = DecodedImage(bitmap: try RealHelper.gradient(256, 171), sourceSize: pixels(256, 171))
    let smaller = try picture(200, 100)
    let damaged = try picture().markedDamaged
    for image in [small, smaller, damaged] {
      #expect(try worker { _ in .success(image) }.process(candidate()) { true } == .done)
    }
    try folder.write([0x89, 0x50, 0x4E, 0x47], to: "a.jpg")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a.jpg"), &times) == 0)
    let behind = [
      try picture(), DecodedImage(bitmap: try RealHelper.gradient(256, 171, blue: 9), sourceSize: pixels(900, 600)),
    ]
    let clear = worker { .success(behind[$0.background == 0 ? 0 : 1]) }
    #expect(try clear.process(candidate()) { true } == .done)
    #expect(written == [])
    #expect(try worker { _ in .success(behind[0]) }.process(candidate()) { true } == .written)
  }

  @Test("A file that was changed, has gone, or was changed while it was decoded is left for another time")
  func changed() throws {
    let picture = try picture()
    var other = try candidate()
    other.version.changedNanoseconds ^= 1
    #expect(try worker { _ in .success(picture) }.process(other) { true } == .dropped)
    let (path, was) = (folder.path(of: "a.jpg"), try candidate())
    let busy = worker { _ in
      chmod(path, 0o600)
      return .success(picture)
    }
    #expect(try busy.process(was) { true } == .dropped)
    let now = try candidate()
    try FileManager.default.removeItem(atPath: path)
    #expect(try worker { _ in .success(picture) }.process(now) { true } == .dropped)
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "a.jpg")
    #expect(try worker { _ in .success(picture) }.process(candidate()) { true } == .dropped)
    #expect(written == [])
  }

  @Test("Where the folder around it has gone, none is made in its place; what lies on another device is not shared")
  func places() throws {
    let picture = try picture()
    let gone = SharingWorker(
      thumbnails: folder.bytes(of: "gone/thumbnails"), excluded: [], workingFolder: []
    ) { _, _ in .success(picture) }
    #expect(throws: StorageError.self) { try gone.process(candidate()) { true } }
    #expect(!folder.has("gone"))
    var (here, there) = (stat(), stat())
    guard stat(folder.path, &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev,
      access("/dev/shm", W_OK) == 0
    else { return }
    let name = "/dev/shm/" + (folder.path as NSString).lastPathComponent
    defer { try? FileManager.default.removeItem(atPath: name) }
    let elsewhere = SharingWorker(
      thumbnails: Array(name.utf8), excluded: [], workingFolder: []
    ) { _, _ in .success(picture) }
    #expect(try elsewhere.process(candidate()) { true } == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: name) == [])
  }
}
