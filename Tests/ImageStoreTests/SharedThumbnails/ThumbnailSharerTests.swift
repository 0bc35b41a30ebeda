import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("Thumbnails are shared with other programs")
struct ThumbnailSharerTests {
  private let folder: TemporaryFolder
  private let time = 1_600_000_000

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path(of: "photos"), withIntermediateDirectories: true)
  }

  private func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    let encoder = try EncodingProcess(largest: pixels(width, height))
    return try encoder.encode(Bitmap.gradient(width, height), quality: 90)
  }

  @discardableResult
  private func writeImage(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let path = try folder.write(bytes, to: name)
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    try #require(utimes(folder.path(of: name), &times) == 0)
    return path
  }

  /// Returns a pipeline whose processes have the same priority as those of the other tests.
  private func start(_ waker: TestWaker, shares: Bool = true) throws -> ImagePipeline {
    var storage = StorageConfiguration(
      directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails"),
      sharesThumbnails: shares)
    storage.idleTime = .milliseconds(20)
    return try ImagePipeline(
      ImagePipelineConfiguration(storage: .disk(storage)), usesBackgroundPriority: false, waker: waker)
  }

  /// Shows images, waits until the given number of files were shared, and returns the last outcome.
  ///
  /// The newest candidate is shared first. A sentinel that is requested before the images is shared after all of them
  /// were considered.
  private func show(
    _ paths: [[UInt8]], _ size: PixelSize = pixels(200, 150), after sentinel: [UInt8]? = nil, sharing count: Int
  ) throws -> (ImageOutcome?, StorageStatus?) {
    let waker = TestWaker()
    let pipeline = try start(waker)
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    if let sentinel { pipeline.request(fileRequest(sentinel, source: 99, pixels(200, 150)), deadline: at(1)) }
    for (number, path) in paths.enumerated() {
      pipeline.request(fileRequest(path, source: number, size), deadline: at(1))
    }
    let last = try pipeline.waitForArrivals(paths.count + (sentinel == nil ? 0 : 1), waker).last?.outcome
    try Deadline().wait(for: "\(count) files to be shared") {
      (pipeline.storageStatus?.shared ?? 0) >= count ? () : nil
    }
    return (last, pipeline.storageStatus)
  }

  /// Returns the thumbnail that another program finds by the specification alone, or nil.
  private func thumbnail(of path: [UInt8], _ subfolder: String = "large") throws -> Data? {
    let uri = URL(fileURLWithPath: String(decoding: path, as: UTF8.self)).absoluteString
    let digest = try #require(DesktopNames.digest(uri))
    return FileManager.default.contents(atPath: folder.path(of: "thumbnails/\(subfolder)/\(digest).png"))
  }

  private func files(_ subfolder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "thumbnails/" + subfolder))) ?? []).sorted()
  }

  @Test("Another program finds the thumbnail of the whole image by its URI and time")
  func foundByURI() throws {
    let path = try writeImage("photos/a b.jpg", jpeg(600, 400))
    let (_, condition) = try show([path], sharing: 1)
    #expect(condition?.sharingFault == nil && condition?.shared == 1)
    let file = try #require(try thumbnail(of: path))
    let metadata = try #require(SharedThumbnailMetadata(Array(file)))
    #expect(metadata.size == pixels(256, 171) && metadata.modifiedSeconds == time)
    #expect(metadata.uri == URL(fileURLWithPath: folder.path(of: "photos/a b.jpg")).absoluteString)
    #expect(metadata.byteCount == (try folder.byteCount(of: "photos/a b.jpg")))
    for text in ["Thumb::Image::Width\u{0}600", "Thumb::Image::Height\u{0}400", "Software\u{0}Vitrine"] {
      #expect(file.range(of: Data(text.utf8)) != nil, "\(text)")
    }
    var status = stat()
    try #require(stat(folder.path(of: "thumbnails/large/" + files("large")[0]), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600 && files("large").count == 1)
    // The thumbnail shows the same as the image, to a program without a cache.
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    let request = fileRequest(path, source: 1, pixels(256, 256), fit: .fit)
    let pictures = try [path, folder.pathBytes(of: "thumbnails/large/" + files("large")[0])].map { path in
      let file = try ImageFile(path: path)
      return try process.decode(
        file: file.number, fileBytes: file.version.identity.byteCount, request, delay: .zero)
    }
    #expect(pictures[0].bitmap.contentDigest == pictures[1].bitmap.contentDigest)
  }

  @Test(
    "GIO, which file managers use, reports the thumbnail as valid",
    .enabled(if: access("/usr/bin/gio", X_OK) == 0, "needs gio"))
  func foundByGIO() throws {
    let path = try writeImage("photos/a é.jpg", jpeg(600, 400))
    _ = try show([path], sharing: 1)
    let (gio, output) = (Process(), Pipe())
    gio.executableURL = URL(fileURLWithPath: "/usr/bin/gio")
    gio.arguments = ["info", "-a", "thumbnail::*", String(decoding: path, as: UTF8.self)]
    gio.environment = ["XDG_CACHE_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    gio.standardOutput = output
    try gio.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    gio.waitUntilExit()
    #expect(text.contains("thumbnail::is-valid: TRUE"), "\(text)")
    #expect(text.contains("thumbnail::path: " + folder.path(of: "thumbnails/large/")), "\(text)")
  }

  @Test("The size is the smallest one that covers the cell, and small images and larger cells have none")
  func sizes() throws {
    let large = try writeImage("photos/large.jpg", jpeg(1_500, 900))
    let small = try writeImage("photos/small.jpg", jpeg(256, 200))
    _ = try show([large], pixels(100, 128), sharing: 1)
    _ = try show([large], pixels(257, 100), sharing: 1)
    _ = try show([small, large], pixels(1_024, 10), sharing: 1)
    #expect(files("normal").count == 1 && files("large") == [] && files("x-large").count == 1)
    #expect(files("xx-large").count == 1 && files("xx-large") == files("normal"))
    let sentinel = try writeImage("photos/sentinel.jpg", jpeg(600, 400))
    _ = try show([small, large], pixels(1_025, 10), after: sentinel, sharing: 1)
    #expect(files("").sorted() == ["large", "normal", "x-large", "xx-large"] && files("large").count == 1)
    #expect(files("normal").count == 1 && files("x-large").count == 1 && files("xx-large").count == 1)
  }

  @Test("A thumbnail of another program is not replaced, and a changed image gets a new one")
  func alreadyShared() throws {
    let path = try writeImage("photos/a.jpg", jpeg(600, 400))
    _ = try show([path], sharing: 1)
    let name = try #require(files("large").first)
    let before = try ImageFile(path: folder.pathBytes(of: "thumbnails/large/" + name)).version
    let other = try writeImage("photos/b.jpg", jpeg(500, 400))
    // With this cell size our own pack has no thumbnail, and the shared one is too small. The newest candidate is
    // shared first.
    _ = try show([other, path], pixels(256, 256), sharing: 1)
    #expect(try ImageFile(path: folder.pathBytes(of: "thumbnails/large/" + name)).version == before)
    #expect(files("large").count == 2)
    try writeImage("photos/a.jpg", jpeg(640, 400))
    _ = try show([path], pixels(255, 256), sharing: 1)
    #expect(try ImageFile(path: folder.pathBytes(of: "thumbnails/large/" + name)).version != before)
    #expect(files("large").count == 2)
  }

  @Test("An image that an earlier run did not share is shared by the next run")
  func laterRun() throws {
    let path = try writeImage("photos/a.jpg", jpeg(600, 400))
    let waker = TestWaker()
    let first = try start(waker, shares: false)
    first.request(fileRequest(path, source: 0, pixels(200, 150)), deadline: at(1))
    _ = try first.waitForArrivals(1, waker)
    first.shutdown(within: ShutdownBudget(.seconds(60)))
    _ = try show([path], sharing: 1)
    #expect(try thumbnail(of: path) != nil)
  }

  @Test("An image that is shown from the stored thumbnail of an earlier run is shared")
  func storedThumbnail() throws {
    let path = try writeImage("photos/a.jpg", jpeg(1_500, 900))
    let waker = TestWaker()
    let first = try start(waker, shares: false)
    first.request(fileRequest(path, source: 0, pixels(100, 128)), deadline: at(1))
    _ = try first.waitForArrivals(1, waker)
    try Deadline().wait(for: "the thumbnail") { (first.storageStatus?.count ?? 0) > 0 ? () : nil }
    first.shutdown(within: ShutdownBudget(.seconds(60)))
    // The stored thumbnail covers this size, in which there are no stored pixels.
    _ = try show([path], pixels(257, 100), sharing: 1)
    #expect(files("x-large").count == 1)
  }

  @Test("Images in the thumbnail folder or in our cache, and links, are not shared")
  func excluded() throws {
    for name in ["thumbnails/large", "cache/samples/0"] {
      try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
    }
    let bytes = try jpeg(600, 400)
    for name in ["thumbnails/x.jpg", "thumbnails/large/x.jpg", "cache/samples/0/x.jpg"] { try writeImage(name, bytes) }
    try #require(symlink(folder.path(of: "cache/samples/0"), folder.path(of: "photos/elsewhere")) == 0)
    try #require(symlink(folder.path(of: "thumbnails/large"), folder.path(of: "photos/large")) == 0)
    try #require(symlink(folder.path(of: "cache/samples/0/x.jpg"), folder.path(of: "photos/link.jpg")) == 0)
    let paths = [
      "thumbnails/x.jpg", "thumbnails/large/x.jpg", "cache/samples/0/x.jpg", "photos/elsewhere/x.jpg",
      "photos/large/x.jpg", "photos/link.jpg",
    ].map { folder.pathBytes(of: $0) }
    let last = try writeImage("photos/plain.jpg", jpeg(500, 400))
    _ = try show(paths, after: last, sharing: 1)
    #expect(files("large").count == 2 && files("normal") == [])
    #expect(try thumbnail(of: last) != nil)
  }

  @Test("A transparent image is not shared, an opaque one with an alpha channel is")
  func transparency() throws {
    let opaque = ThumbnailPNG(bitmap: try Bitmap.gradient(400, 300), texts: [])
    let clear = ThumbnailPNG(
      bitmap: try Bitmap(size: pixels(400, 300), isOpaque: false) {
        $0.initializeMemory(as: UInt8.self, repeating: 99)
      },
      texts: [])
    let paths = [try writeImage("photos/opaque.png", opaque.bytes), try writeImage("photos/clear.png", clear.bytes)]
    _ = try show(paths, sharing: 1)
    #expect(try thumbnail(of: paths[0]) != nil && thumbnail(of: paths[1]) == nil)
  }

  @Test("With sharing disabled nothing is written, while another instance shares")
  func sharingDisabled() throws {
    let path = try writeImage("photos/a.jpg", jpeg(600, 400))
    let waker = TestWaker()
    let pipeline = try start(waker, shares: false)
    pipeline.request(fileRequest(path, source: 1, pixels(200, 150)), deadline: at(1))
    _ = try pipeline.waitForArrivals(1, waker)
    defer { pipeline.shutdown() }
    for name in ["photos/b.jpg", "photos/c.jpg"] { _ = try show([try writeImage(name, jpeg(600, 400))], sharing: 1) }
    #expect(try files("large").count == 2 && thumbnail(of: path) == nil)
  }

  @Test("A file that cannot be decoded is recorded as failed, until it is changed")
  func failures() throws {
    var bytes = try jpeg(600, 400)
    bytes.removeLast(bytes.count - 180)
    let path = try writeImage("photos/broken.jpg", bytes)
    let (first, _) = try show([path], sharing: 1)
    #expect(throws: ImageFailure.refused(.damaged)) { try first?.get() }
    let record = try #require(try thumbnail(of: path, "fail/vitrine-1"))
    let metadata = try #require(SharedThumbnailMetadata(Array(record)))
    #expect(metadata.failure == .damaged && metadata.modifiedSeconds == time && metadata.size == pixels(1, 1))
    try writeImage("photos/broken.jpg", jpeg(600, 400))
    let (repaired, _) = try show([path], sharing: 1)
    #expect(try repaired?.get().bitmap.size == pixels(200, 150))
  }

  /// Requests an image in a run with sharing disabled, and returns the outcome and the number of started processes.
  private func requestImage(_ path: [UInt8]) throws -> (outcome: ImageOutcome, started: Int) {
    let waker = TestWaker()
    let pipeline = try start(waker, shares: false)
    defer { pipeline.shutdown() }
    pipeline.request(fileRequest(path, source: 1, pixels(300, 300)), deadline: at(1))
    let outcome = try #require(pipeline.waitForArrivals(1, waker).first).outcome
    return (outcome, pipeline.decoderStatus.started)
  }

  @Test("A recorded failure is reported without decoding while the file is unchanged")
  func knownFailure() throws {
    // The file is valid: only the record can make it fail.
    let path = try writeImage("photos/good.jpg", jpeg(600, 400))
    func writeFailure() throws {
      let name = try #require(SharedThumbnailName(of: path, workingFolder: []))
      let version = try ImageFile(path: path).version
      let texts = [
        ("Thumb::URI", name.uri), ("Thumb::MTime", "\(version.identity.modifiedSeconds)"),
        ("Thumb::Size", "\(version.identity.byteCount)"), (SharedThumbnailFailure.keyword, "damaged"),
        (SharedThumbnailFailure.changeKeyword, SharedThumbnailFailure.changeTime(version)),
      ]
      let subfolder = "thumbnails/fail/vitrine-1"
      try FileManager.default.createDirectory(atPath: folder.path(of: subfolder), withIntermediateDirectories: true)
      let bytes = ThumbnailPNG(bitmap: try Bitmap.gradient(1, 1), texts: texts).bytes
      try folder.write(bytes, to: "\(subfolder)/\(name.fileName)")
    }
    try writeFailure()
    let known = try requestImage(path)
    #expect(throws: ImageFailure.refused(.damaged)) { try known.outcome.get() }
    #expect(known.started == 0)
    // This changes only the time of the last status change.
    try #require(chmod(folder.path(of: "photos/good.jpg"), 0o640) == 0)
    #expect(try requestImage(path).outcome.get().bitmap.size == pixels(300, 300))
    // This changes only the modification time.
    try FileManager.default.removeItem(atPath: folder.path(of: "cache"))
    try writeFailure()
    #expect(throws: ImageFailure.refused(.damaged)) { try requestImage(path).outcome.get() }
    var times = [timeval(tv_sec: time + 9, tv_usec: 0), timeval(tv_sec: time + 9, tv_usec: 0)]
    try #require(utimes(folder.path(of: "photos/good.jpg"), &times) == 0)
    #expect(try requestImage(path).outcome.get().bitmap.size == pixels(300, 300))
  }

  @Test(
    "An image that crashes processes when it is decoded for sharing is still shown")
  func crashesWhileSharing() throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
    let (path, oldest) = (try writeImage("photos/a.jpg", bytes), try writeImage("photos/b.jpg", bytes))
    let helper = try FakeHelper.write(in: folder, growing: folder.path(of: "requests"), .crashesOnWhole)
    let waker = TestWaker()
    var storage = StorageConfiguration(
      directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails"),
      sharesThumbnails: true)
    storage.idleTime = .milliseconds(20)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, helperPath: helper, storage: .disk(storage)),
      usesBackgroundPriority: false,
      waker: waker
    )
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    for (number, (path, side)) in [(oldest, 200), (path, 100), (path, 200)].enumerated() {
      pipeline.request(fileRequest(path, source: number, pixels(side, side)), deadline: at(1))
      _ = try pipeline.waitForArrivals(1, waker)
    }
    try Deadline().wait(for: "three images to be attempted") {
      (try? folder.byteCount(of: "requests")) ?? 0 >= 6 ? () : nil
    }
    pipeline.request(fileRequest(path, source: 9, pixels(300, 300)), deadline: at(1))
    #expect(try pipeline.waitForArrivals(1, waker)[0].outcome.get().bitmap.size == pixels(300, 300))
    #expect(pipeline.decoderStatus.deaths == 0)
  }

  @Test(
    "A request or a shutdown interrupts sharing immediately, and it is continued later")
  func interrupted() throws {
    let path = try writeImage("photos/a.jpg", [0xFF, 0xD8, 0xFF, 1])
    let count = folder.path(of: "requests")
    let helper = try FakeHelper.write(in: folder, growing: count, .hangsOnWhole)
    let waker = TestWaker()
    var storage = StorageConfiguration(
      directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails"),
      sharesThumbnails: true)
    storage.idleTime = .milliseconds(20)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, helperPath: helper, storage: .disk(storage)),
      usesBackgroundPriority: false,
      waker: waker
    )
    // Each image is a request, and each idle period starts another attempt to decode all of the first image.
    for number in 1...3 {
      pipeline.request(fileRequest(path, source: number, pixels(200, 150 + number)), deadline: at(1))
      _ = try pipeline.waitForArrivals(1, waker)
      try Deadline().wait(for: "attempt \(number)") {
        (try? folder.byteCount(of: "requests")) ?? 0 >= number * 2 ? () : nil
      }
    }
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    #expect(pipeline.decoderStatus.deaths == 0 && pipeline.storageStatus?.shared == 0)
    #expect(files("large") == [])
  }
}
