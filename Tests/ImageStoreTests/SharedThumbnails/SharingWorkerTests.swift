import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@Suite("Sharing worker")
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
    SharingCandidate(path: path, version: try ImageFile(path: path).version, size: .large, hasFailed: hasFailed)
  }

  private func worker(
    in thumbnails: [UInt8]? = nil, _ decode: @escaping (ImageRequest) -> ImageOutcome
  ) -> SharingWorker {
    SharingWorker(
      thumbnails: thumbnails ?? folder.pathBytes(of: "thumbnails"), excluded: [], workingFolder: [],
      decode: { _, request in decode(request) }, encode: RealEncoder().encodePNG)
  }

  /// Returns an image of a source with four times the given size.
  private func picture(_ width: Int = 256, _ height: Int = 171) throws -> DecodedImage {
    DecodedImage(bitmap: try Bitmap.gradient(width, height), sourceSize: pixels(width * 4, height * 4))
      .made(by: NumberedThumbnail.origin)
  }

  private var written: [String] {
    ["large", "fail/vitrine-1"].flatMap { subfolder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "thumbnails/" + subfolder))) ?? []).map {
        subfolder + "/" + $0
      }
    }
  }

  @Test("If the whole image can be decoded a thumbnail is written and no failure")
  func succeedsAfterFailure() throws {
    let picture = try picture()
    let outcome = try worker { _ in .success(picture) }.process(candidate(hasFailed: true)) { true }
    #expect(outcome == .written && written.count == 1 && written[0].hasPrefix("large/"))
  }

  @Test(
    "Only a failure of the file itself is written",
    arguments: [
      .refused(.tooLarge), .refused(.unsupportedFormat), .refused(.outOfMemory), .refused(.unreadable),
      .refused(.changed), .refused(.slotTooSmall),
      .refused(.fileTooLarge), .refused(.noPreview), .outOfMemory, .decoderCrashed, .decoderTimedOut,
      .invalidDecoderReply,
      .decoderUnavailable, .decodingStopped,
    ] as [ImageFailure])
  func otherFailures(failure: ImageFailure) throws {
    let outcome = try worker { _ in .failure(failure) }.process(candidate(hasFailed: true)) { true }
    #expect(outcome == (failure.persistence == .transient ? .postponed : .done) && written == [])
    let version = try ImageFile(path: path).version
    let request = fileRequest(path, source: 1, pixels(200, 150))
    #expect(SharingCandidate.decoded(path, version, request, .failure(failure)) == nil)
  }

  private func write(_ bytes: [UInt8]) throws {
    try folder.write(bytes, to: "a.jpg")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a.jpg"), &times) == 0)
  }

  @Test("A failure of the whole image is written if the shown one had failed too, and expires")
  func failures() throws {
    let damaged = worker { _ in .failure(.refused(.damaged)) }
    #expect(try damaged.process(candidate()) { true } == .done && written == [])
    #expect(try damaged.process(candidate(hasFailed: true)) { true } == .written)
    #expect(written.count == 1 && written[0].hasPrefix("fail/vitrine-1/"))
    let shared = try #require(SharedThumbnails(folder.pathBytes(of: "thumbnails")))
    let name = try #require(SharedThumbnailName(of: path, workingFolder: []))
    var version = try candidate().version
    #expect(shared.failure(name, version) == .damaged)
    // The modification time and length may have been reset, the time of the last change cannot be.
    version.changedNanoseconds ^= 1
    #expect(shared.failure(name, version) == nil)
    // A record that has expired is ignored, and written again after another failure.
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

  @Test("A damaged file is recorded only for formats whose decoders distinguish damage from a lack of memory")
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

  @Test("Stopping at any point leaves no files, and the next run completes")
  func stopped() throws {
    let picture = try picture()
    var stops = 0
    let whole = worker { request in
      #expect(request.key.size == pixels(256, 256) && request.key.fit == .fit)
      return .success(picture)
    }
    for maximum in 0..<100 {
      var left = maximum
      let outcome = try whole.process(candidate()) {
        left -= 1
        return left >= 0
      }
      guard outcome == .stopped else {
        #expect(outcome == .written && written.count == 1)
        break
      }
      stops += 1
      #expect(written == [])
    }
    #expect(stops >= 3)
    try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails"))
    #expect(try worker { _ in .failure(.interrupted) }.process(candidate()) { true } == .stopped)
    #expect(written == [])
  }

  @Test("A decode is cached when a frame ends the job, except one with a transient failure")
  func cachesDecodes() throws {
    try write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let (picture, cache, candidate) = (try picture(), DecodeCache(), try candidate(hasFailed: true))
    var (decodes, outcome) = (0, ImageOutcome.success(picture))
    let worker = worker { request in
      if let outcome = cache.outcome(of: request, for: candidate) { return outcome }
      decodes += 1
      return cache.store(outcome, of: request)
    }
    for transient in [ImageFailure.interrupted, .refused(.unreadable), .decoderTimedOut] {
      outcome = .failure(transient)
      _ = try worker.process(candidate) { true }
    }
    #expect(decodes == 3)
    outcome = .success(picture)
    for maximum in 0..<100 {
      var left = maximum
      let result = try worker.process(candidate) {
        left -= 1
        return left >= 0
      }
      if result == .written { break }
      #expect(result == .stopped)
    }
    // Once on black and once on white.
    #expect(decodes == 5 && written.count == 1)
    let request = fileRequest(path, source: 1, pixels(256, 256))
    #expect(cache.outcome(of: request, for: candidate) != nil)
    var other = candidate
    other.size = .normal
    #expect(cache.outcome(of: request, for: other) == nil && cache.outcome(of: request, for: candidate) == nil)
    _ = cache.store(.failure(.refused(.damaged)), of: request)
    #expect(cache.outcome(of: request, for: candidate) != nil)
    cache.clear()
    #expect(cache.outcome(of: request, for: candidate) == nil)
  }

  @Test("A temporary failure postpones the image")
  func temporaryFailures() async throws {
    let picture = try picture()
    let whole = worker { _ in .success(picture) }
    let large = try SharedThumbnailWriter.openFolder(folder.pathBytes(of: "thumbnails"), ["large"])
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
      let version = try ImageFile(path: Array(path.utf8)).version
      let candidate = SharingCandidate(path: Array(path.utf8), version: version, size: .large, hasFailed: false)
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let worker = SharingWorker(
        thumbnails: [], excluded: [], workingFolder: [], decode: { _, _ in .failure(.interrupted) },
        encode: { _, _ in .failure(.interrupted) })
      #expect(try worker.process(candidate) { true } == .postponed)
    }
  }

  @Test("If the thumbnail cannot be encoded nothing is written, and the work is done later")
  func failedEncoding() throws {
    let picture = try picture()
    for (failure, expected) in [
      (ImageFailure.interrupted, SharingWorker.Outcome.stopped), (.decoderCrashed, .postponed),
    ] {
      let worker = SharingWorker(
        thumbnails: folder.pathBytes(of: "thumbnails"), excluded: [], workingFolder: [],
        decode: { _, _ in .success(picture) }, encode: { _, _ in .failure(failure) })
      #expect(try worker.process(candidate()) { true } == expected)
    }
    #expect(written == [])
  }

  @Test("A thumbnail states its origin, and is written again after a fix of its decoder; those of others stay")
  func origin() throws {
    let picture = try picture()
    var worker = worker { _ in .success(picture) }
    #expect(try worker.process(candidate()) { true } == .written)
    let name = try #require(written.first)
    func metadata() throws -> SharedThumbnailMetadata {
      let bytes = Array(try #require(FileManager.default.contents(atPath: folder.path(of: "thumbnails/" + name))))
      return try #require(SharedThumbnailMetadata(bytes))
    }
    #expect(try metadata().isOwn && metadata().origin == NumberedThumbnail.origin)
    #expect(try worker.process(candidate()) { true } == .done)
    let shared = try #require(SharedThumbnails(folder.pathBytes(of: "thumbnails")))
    let original = try #require(shared.name(of: path))
    let (identity, request) = (try candidate().version.identity, fileRequest(path, source: 1, pixels(200, 150)))
    #expect(shared.thumbnail(original, identity, for: request) != nil)
    // After the fix.
    worker.fixes = SecurityFixes([SecurityFix(version: 2, formats: [.jpeg])])
    #expect(try worker.process(candidate()) { true } == .done, "the decoder is still the former one")
    let fixed = try #require(SharedThumbnails(folder.pathBytes(of: "thumbnails"), fixes: worker.fixes))
    #expect(fixed.thumbnail(original, identity, for: request) == nil)
    let made = picture.made(by: DecoderOrigin([.jpeg], version: 2, layers: .all))
    let next = self.worker { _ in .success(made) }
    var updated = next
    updated.fixes = worker.fixes
    #expect(try updated.process(candidate()) { true } == .written)
    #expect(try metadata().origin?.version == 2)
    #expect(fixed.thumbnail(original, identity, for: request) != nil)
    // The thumbnail of another program.
    let other = ThumbnailPNG(
      bitmap: picture.bitmap,
      texts: [("Software", "another"), ("Thumb::URI", original.uri), ("Thumb::MTime", "\(identity.modifiedSeconds)")])
    try folder.write(other.bytes, to: "thumbnails/" + name)
    #expect(fixed.thumbnail(original, identity, for: request)?.metadata.isOwn == false)
    #expect(try updated.process(candidate()) { true } == .done)
  }

  @Test("A damaged, too small or transparent image is not shared")
  func unsuitableImages() throws {
    let small = DecodedImage(bitmap: try Bitmap.gradient(256, 171), sourceSize: pixels(256, 171))
    let smaller = try picture(200, 100)
    let damaged = try picture().markedDamaged
    for image in [small, smaller, damaged] {
      #expect(try worker { _ in .success(image) }.process(candidate()) { true } == .done)
    }
    try folder.write([0x89, 0x50, 0x4E, 0x47], to: "a.jpg")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a.jpg"), &times) == 0)
    let backgrounds = [
      try picture(), DecodedImage(bitmap: try Bitmap.gradient(256, 171, blue: 9), sourceSize: pixels(900, 600)),
    ]
    let clear = worker { .success(backgrounds[$0.background == 0 ? 0 : 1]) }
    #expect(try clear.process(candidate()) { true } == .done)
    #expect(written == [])
    #expect(try worker { _ in .success(backgrounds[0]) }.process(candidate()) { true } == .written)
  }

  @Test("A file that was changed before or during the decode, or removed, is dropped")
  func changed() throws {
    let picture = try picture()
    var other = try candidate()
    other.version.changedNanoseconds ^= 1
    #expect(try worker { _ in .success(picture) }.process(other) { true } == .dropped)
    let (path, original) = (folder.path(of: "a.jpg"), try candidate())
    let busy = worker { _ in
      chmod(path, 0o600)
      return .success(picture)
    }
    #expect(try busy.process(original) { true } == .dropped)
    let now = try candidate()
    try FileManager.default.removeItem(atPath: path)
    #expect(try worker { _ in .success(picture) }.process(now) { true } == .dropped)
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "a.jpg")
    #expect(try worker { _ in .success(picture) }.process(candidate()) { true } == .dropped)
    #expect(written == [])
  }

  @Test("A missing parent folder is not created, and an image on another device is not shared")
  func otherFolders() throws {
    let picture = try picture()
    let gone = worker(in: folder.pathBytes(of: "gone/thumbnails")) { _ in .success(picture) }
    #expect(throws: StorageError.self) { try gone.process(candidate()) { true } }
    #expect(!folder.contains("gone"))
    var (here, there) = (stat(), stat())
    guard stat(folder.path, &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev,
      access("/dev/shm", W_OK) == 0
    else { return }
    let name = "/dev/shm/" + (folder.path as NSString).lastPathComponent
    defer { try? FileManager.default.removeItem(atPath: name) }
    let elsewhere = worker(in: Array(name.utf8)) { _ in .success(picture) }
    #expect(try elsewhere.process(candidate()) { true } == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: name) == [])
  }
}

// MARK: - Shared thumbnail writer

@Suite("Shared thumbnail writer")
struct SharedThumbnailWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> StorageFolder {
    try SharedThumbnailWriter.openFolder(folder.pathBytes(of: "thumbnails"), ["large"])
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

  @Test("Folders and files are private to the user, and an existing file is replaced")
  func written() throws {
    let large = try open()
    for content in [[1, 2, 3] as [UInt8], [4, 5]] {
      #expect(try SharedThumbnailWriter.writeFile(content, as: "a.png", in: large) { false } == .written)
      #expect(try self.content("a.png") == content && names() == ["a.png"])
    }
    #expect(try permissions("thumbnails") == 0o700 && permissions("thumbnails/large") == 0o700)
    #expect(try permissions("thumbnails/large/a.png") == 0o600)
  }

  @Test("A partial file of a killed instance is reused, and a file that another program wrote meanwhile is left")
  func abandonedPart() throws {
    let large = try open()
    try folder.write([9, 9, 9, 9, 9], to: "thumbnails/large/" + SharedThumbnailWriter.partName, permissions: 0o666)
    #expect(try SharedThumbnailWriter.writeFile([1], as: "a.png", in: large) { false } == .written)
    #expect(try content("a.png") == [1] && permissions("thumbnails/large/a.png") == 0o600 && names() == ["a.png"])
    #expect(try SharedThumbnailWriter.writeFile([2], as: "a.png", in: large) { true } == .alreadyPresent)
    #expect(try content("a.png") == [1] && names() == ["a.png"])
  }

  @Test("A partial file that is a hard link does not overwrite its other name")
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

  @Test("While another instance writes, nothing is written")
  func busy() throws {
    let large = try open()
    let other = try large.open(SharedThumbnailWriter.partName)
    #expect(try other.tryLockExclusively())
    #expect(try SharedThumbnailWriter.writeFile([1], as: "a.png", in: large) { false } == .busy)
    #expect(try names() == [SharedThumbnailWriter.partName])
    // A descriptor opened with O_PATH cannot be locked: that is an error, not another instance.
    let pathOnly: Int32 = 0o10_000_000  // O_PATH
    try folder.write([1], to: "name")
    let number = Glibc.open(folder.path(of: "name"), pathOnly)
    let named = try StorageFile(adopting: number, name: "name", isWritable: true)
    #expect(throws: StorageError(.lock, "name", code: EBADF)) { try named.tryLockExclusively() }
  }

  @Test("A folder that is a link or owned by another user is rejected")
  func foreignFolders() throws {
    _ = try open()
    try FileManager.default.createDirectory(atPath: folder.path(of: "elsewhere"), withIntermediateDirectories: true)
    try #require(symlink(folder.path(of: "elsewhere"), folder.path(of: "thumbnails/normal")) == 0)
    #expect(throws: StorageError.self) {
      try SharedThumbnailWriter.openFolder(folder.pathBytes(of: "thumbnails"), ["normal"])
    }
    guard geteuid() == 0 else { return }
    try #require(chown(folder.path(of: "thumbnails/large"), 65_534, 65_534) == 0)
    #expect(throws: StorageError.self) { try open() }
    try #require(chown(folder.path(of: "thumbnails"), 65_534, 65_534) == 0)
    #expect(throws: StorageError.self) { try SharedThumbnailWriter.openFolder(folder.pathBytes(of: "thumbnails"), []) }
  }

  @Test("A full disk leaves no file behind")
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

  @Test("A copy must be on the same device, and encrypted if the original is")
  func encryption() throws {
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

  /// Returns the contents of a file: its number, repeated.
  private static func bytes(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number % 251), count: 20_000 + number % 7)
  }

  /// Returns whether every file in the folder is complete.
  private func isWhole() throws -> Bool {
    try names().filter { $0 != SharedThumbnailWriter.partName }.allSatisfy { name in
      let number = try #require(Int(name.dropLast(4)))
      return try content(name) == Self.bytes(number)
    }
  }

  @Test("Simultaneous writers leave complete files only")
  func simultaneousWriters() throws {
    let path = folder.pathBytes(of: "thumbnails")
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

  @Test(
    "A writer that is killed leaves complete files and a partial one, which the next writer replaces", arguments: 1..<5)
  func killed(round: Int) async throws {
    let path = folder.path(of: "thumbnails")
    _ = try open()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
      let large = try SharedThumbnailWriter.openFolder(Array(path.utf8), ["large"])
      let writer = Thread {
        for number in 0..<100_000 {
          _ = try? SharedThumbnailWriter.writeFile(
            SharedThumbnailWriterTests.bytes(number), as: "\(number).png", in: large
          ) {
            false
          }
        }
      }
      writer.start()
      // Most often the process is killed while it writes a later file.
      while access(path + "/large/\(round * 13).png", F_OK) != 0 {}
      kill(getpid(), SIGKILL)
    }
    #expect(try isWhole() && names().count > round * 13)
    #expect(try SharedThumbnailWriter.writeFile(Self.bytes(7), as: "7.png", in: open()) { false } == .written)
    #expect(try isWhole() && !names().contains(SharedThumbnailWriter.partName))
  }
}
