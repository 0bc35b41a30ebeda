import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("Thumbnails of a whole library")
struct LibraryThumbnailerTests {
  private struct Files: ThumbnailFiles {
    var files: [ThumbnailFile?]
    var background: UInt32 = 0

    var count: Int { files.count }

    func file(at index: Int) -> ThumbnailFile? { files[index] }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes an image file that is old enough for its thumbnail to be stored.
  private func file(_ number: Int, _ bytes: [UInt8]) throws -> ThumbnailFile {
    let path = try folder.write(bytes, to: "\(number)")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 5), timeval(tv_sec: 1_600_000_000, tv_usec: 5)]
    try #require(utimes(folder.path(of: "\(number)"), &times) == 0)
    return ThumbnailFile(path: path, fingerprint: try ImageFile(path: path).version.fingerprint)
  }

  private func jpeg(_ width: Int = 640, _ height: Int = 400) throws -> [UInt8] {
    try EncodingProcess(largest: pixels(width, height)).encode(Bitmap.gradient(width, height), quality: 90)
  }

  private func start(_ waker: TestWaker, idleTime: Duration = .milliseconds(5)) throws -> ImagePipeline {
    var storage = StorageConfiguration(directory: folder.pathBytes(of: "cache"))
    storage.idleTime = idleTime
    return try ImagePipeline(
      ImagePipelineConfiguration(storage: .disk(storage)), usesBackgroundPriority: false, waker: waker)
  }

  private func waitForProgress(_ pipeline: ImagePipeline) throws -> ThumbnailProgress {
    try Deadline().wait(for: "the thumbnails of the library") {
      pipeline.storageStatus?.libraryProgress.flatMap { $0.isComplete ? $0 : nil }
    }
  }

  @Test("Every file that can be decoded gets a thumbnail, which replaces decoding the file at any smaller size")
  func makesThumbnails() throws {
    let image = try jpeg()
    var files = try (0..<20).map { try file($0, image) as ThumbnailFile? }
    files += [nil, try file(100, Array(image.prefix(image.count / 2))), try file(101, [1, 2, 3])]
    let waker = TestWaker()
    let pipeline = try start(waker)
    #expect(pipeline.storageStatus?.libraryProgress == nil)
    pipeline.makeStoredThumbnails(of: Files(files: files))
    #expect(try waitForProgress(pipeline) == ThumbnailProgress(doneCount: 23, totalCount: 23))
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    #expect(pipeline.storageStatus?.written == 20 && pipeline.storageStatus?.count == 20)

    let next = try start(waker)
    defer { next.shutdown(within: ShutdownBudget(.seconds(60))) }
    let sizes = [pixels(200, 200), pixels(320, 200), pixels(64, 48)]
    for (index, size) in sizes.enumerated() {
      next.request(
        fileRequest(try #require(files[index]).path, source: index, size, fit: .fill), deadline: at(1))
    }
    for arrival in try next.waitForArrivals(3, waker) {
      let image = try arrival.outcome.get()
      #expect(image.bitmap.size == sizes[Int(arrival.key.source)] && image.sourceSize == pixels(640, 400))
      #expect(image.representation == .full && !image.isDamaged)
    }
    #expect(next.statistics.decoded == 0 && next.statistics.storeHits == 3)
    // A larger image needs the file.
    next.request(fileRequest(try #require(files[3]).path, source: 9, pixels(400, 250)), deadline: at(1))
    _ = try next.waitForArrivals(1, waker)
    #expect(next.statistics.decoded == 1)
  }

  @Test("Files with a thumbnail are not decoded again, and a new list replaces the former one")
  func skipsKnown() throws {
    let image = try jpeg(64, 48)
    let files = try (0..<6).map { try file($0, image) as ThumbnailFile? }
    let waker = TestWaker()
    for round in 0..<2 {
      let pipeline = try start(waker)
      pipeline.makeStoredThumbnails(of: Files(files: files))
      pipeline.makeStoredThumbnails(of: Files(files: Array(files[..<4])))
      #expect(try waitForProgress(pipeline) == ThumbnailProgress(doneCount: 4, totalCount: 4))
      pipeline.makeStoredThumbnails(of: nil)
      #expect(pipeline.storageStatus?.libraryProgress == nil)
      pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
      let written = try #require(pipeline.storageStatus).written
      #expect(round == 0 ? written >= 4 : written == 0)
    }
  }

  @Test("A thumbnail whose origin is not accepted is made again")
  func rejectedOrigin() throws {
    let image = try jpeg(64, 48)
    let files = try (0..<6).map { try file($0, image) as ThumbnailFile? }
    let waker = TestWaker()
    for expected in [6, 2, 0] {
      let pipeline = try start(waker)
      pipeline.makeStoredThumbnails(of: Files(files: files))
      #expect(try waitForProgress(pipeline) == ThumbnailProgress(doneCount: 6, totalCount: 6))
      pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
      #expect(pipeline.storageStatus?.written == expected && pipeline.storageStatus?.count == 6)
      let thumbnails = try CompressedThumbnails(in: folder.pathBytes(of: "cache"), byteLimit: 1 << 20)
      for file in files {
        let origin = thumbnails.thumbnail(for: try #require(file).fingerprint)?.origin
        #expect(origin.map { $0.formatBits & 1 << UInt32(ImageFormat.jpeg.rawValue) != 0 } == true)
        #expect(SecurityFixes.current.accepts(origin))
      }
      thumbnails.close()
      guard expected == 6 else { continue }
      try StoreDatabase(CompressedThumbnails.schema, in: folder.pathBytes(of: "cache")).write {
        session throws(SQLiteError) in
        try session.execute("UPDATE thumbnails SET origin = 0 WHERE rowid < 3")
      }
    }
  }

  @Test("A file that was shown gets a thumbnail without any list")
  func shownFiles() throws {
    let files = try (0..<3).map { try file($0, try jpeg()) }
    let waker = TestWaker()
    let pipeline = try start(waker)
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    for (source, file) in files.enumerated() {
      pipeline.request(fileRequest(file.path, source: source, pixels(100, 100)), deadline: at(1))
    }
    _ = try pipeline.waitForArrivals(3, waker)
    let thumbnails = try CompressedThumbnails(in: folder.pathBytes(of: "cache"), byteLimit: 1 << 20)
    try Deadline().wait(for: "the thumbnails") { thumbnails.count == 3 ? () : nil }
    #expect(pipeline.storageStatus?.libraryProgress == nil)
  }

  @Test("A thumbnail that cannot be decoded is removed, and the file is decoded")
  func brokenThumbnail() throws {
    let file = try file(1, try jpeg(64, 48))
    let version = try ImageFile(path: file.path).version
    let thumbnails = try CompressedThumbnails(in: folder.pathBytes(of: "cache"), byteLimit: 1 << 20)
    try thumbnails.insert([
      (
        version,
        CompressedThumbnail(
          bytes: [0xFF, 0xD8, 0xFF, 1], size: pixels(64, 48), sourceSize: pixels(64, 48), background: nil,
          origin: NumberedThumbnail.origin)
      )
    ])
    thumbnails.close()
    let waker = TestWaker()
    // The file gets no other thumbnail.
    let pipeline = try start(waker, idleTime: .seconds(100_000))
    pipeline.request(fileRequest(file.path, source: 1, pixels(32, 24)), deadline: at(1))
    #expect(throws: Never.self) { try pipeline.waitForArrivals(1, waker).last?.outcome.get() }
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    #expect(pipeline.statistics.decoded == 1 && pipeline.statistics.failed == 0)
    let remaining = try CompressedThumbnails(in: folder.pathBytes(of: "cache"), byteLimit: 1 << 20)
    #expect(remaining.thumbnail(of: version) == nil)
  }

  @Test("The thumbnail of a file that cannot be opened any more is shown before the failure")
  func unreachable() throws {
    let file = try file(1, try jpeg())
    let waker = TestWaker()
    let first = try start(waker)
    first.makeStoredThumbnails(of: Files(files: [file]))
    _ = try waitForProgress(first)
    // It has been written then.
    first.shutdown(within: ShutdownBudget(.seconds(60)))
    let pipeline = try start(waker)
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    try #require(rename(folder.path(of: "1"), folder.path(of: "away")) == 0)
    var request = fileRequest(file.path, source: 1, pixels(600, 375), fit: .fill)
    pipeline.request(request, deadline: at(1))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.isFinal) == [true], "its version is not stated")
    request.key.source = 2
    request.fingerprint = file.fingerprint
    pipeline.request(request, deadline: at(1))
    let arrivals = try pipeline.waitForArrivals(2, waker)
    #expect(arrivals.map(\.isFinal) == [false, true])
    let preview = try arrivals[0].outcome.get()
    #expect(preview.bitmap.size == pixels(600, 375) && preview.representation == .embedded)
    #expect(throws: ImageFailure.cannotOpen(ENOENT)) { try arrivals[1].outcome.get() }
    #expect(pipeline.image(for: request.key)?.representation == .embedded)
    #expect(pipeline.failure(for: request.key) == .cannotOpen(ENOENT) && !pipeline.canAttempt(request.key))
    try #require(rename(folder.path(of: "away"), folder.path(of: "1")) == 0)
    pipeline.resumeDecoding()
    pipeline.request(request, deadline: at(1))
    let arrival = try #require(try pipeline.waitForArrivals(1, waker).last)
    #expect(try arrival.outcome.get().representation == .full)
  }

  @Test("A thumbnail that is too small serves as a preview")
  func preview() throws {
    let file = try file(1, try jpeg())
    let waker = TestWaker()
    let pipeline = try start(waker)
    pipeline.makeStoredThumbnails(of: Files(files: [file]))
    _ = try waitForProgress(pipeline)
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    let storage = try DiskStorage(
      StorageConfiguration(directory: folder.pathBytes(of: "cache")), pixels: PixelStorage(), isLive: false)
    defer { storage.close(ShutdownBudget(.seconds(60))) }
    let opened = try ImageFile(path: file.path)
    var request = fileRequest(file.path, source: 1, pixels(600, 375))
    #expect(storage.storedImage(of: opened, at: file.path, for: request) { _, _, _ in .failure(.interrupted) } == nil)
    request.representation = .embedded
    let blank = try Bitmap.gradient(600, 375)
    let outcome = storage.storedImage(of: opened, at: file.path, for: request) { _, _, request in
      #expect(request.representation == .full, "the thumbnail itself is decoded")
      return .success(DecodedImage(bitmap: blank))
    }
    #expect(try #require(outcome).get().representation == .embedded)
  }
}

@Suite("Idle monitor")
struct IdleMonitorTests {
  private let monitor = IdleMonitor()

  @Test("Requests, workers and frames in succession end a period, single frames do not")
  func periods() {
    func isEnded(by activity: () -> Void) -> Bool {
      let period = monitor.currentPeriod
      activity()
      return !monitor.isIdle(since: period)
    }
    #expect(!isEnded {})
    #expect(isEnded { monitor.recordRequest() })
    #expect(!isEnded { monitor.recordFrame(at: at(1_000)) })
    #expect(!isEnded { monitor.recordFrame(at: at(2_000)) })
    #expect(isEnded { monitor.recordFrame(at: at(2_016)) })
    #expect(isEnded { monitor.beginWork() })
    let during = monitor.currentPeriod
    #expect(!monitor.isIdle(since: during), "a worker is busy")
    monitor.endWork()
    #expect(monitor.isIdle(since: during))
  }

  @Test("A request stops all running work, and work that has not started does not start")
  func stopsWork() throws {
    let stops = try (0..<3).map { _ in try StopSignal() }
    let period = monitor.currentPeriod
    let started = (0..<2).map { monitor.beginWork($0, in: period, stop: stops[$0]) }
    #expect(started == [true, true])
    monitor.recordRequest()
    #expect(stops.map(\.isRaised) == [true, true, false])
    #expect(!monitor.beginWork(2, in: period, stop: stops[2]) && !stops[2].isRaised)
    for number in 0..<3 { monitor.endWork(number) }
  }
}
