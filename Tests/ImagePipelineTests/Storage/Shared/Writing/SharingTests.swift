import DecodingProtocol
import FramePacing
import Foundation
import Geometry
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Thumbnails are written to where programs share them")
struct SharingTests {
  private let folder: TemporaryFolder
  private let time = 1_600_000_000

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path(of: "photos"), withIntermediateDirectories: true)
  }

  private func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    let encoder = try EncodingProcess(largest: pixels(width, height))
    return try encoder.encode(RealHelper.gradient(width, height), quality: 90)
  }

  @discardableResult
  private func picture(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let path = try folder.write(bytes, to: name)
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    try #require(utimes(folder.path(of: name), &times) == 0)
    return path
  }

  /// A pipeline whose processes have as much of the cores as all other tests' have.
  private func start(_ waker: TestWaker, shares: Bool = true) throws -> ImagePipeline {
    var storage = StorageConfiguration(
      directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"), sharesThumbnails: shares)
    storage.idleTimeBeforeSharing = .milliseconds(20)
    return try ImagePipeline(ImagePipelineConfiguration(storage: storage), usesBackgroundPriority: false, waker: waker)
  }

  /// Shows pictures and rests until so many files were shared; the last arrival.
  ///
  /// The newest is first: once a witness was shared that was shown before the others, all of these were looked at.
  private func show(
    _ paths: [[UInt8]], _ size: PixelSize = pixels(200, 150), after witness: [UInt8]? = nil, sharing count: Int
  ) throws -> (ImageOutcome?, StorageCondition?) {
    let waker = TestWaker()
    let pipeline = try start(waker)
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    if let witness { pipeline.request(RealHelper.request(witness, source: 99, pixels(200, 150)), deadline: at(1)) }
    for (number, path) in paths.enumerated() {
      pipeline.request(RealHelper.request(path, source: number, size), deadline: at(1))
    }
    let last = try pipeline.waitForArrivals(paths.count + (witness == nil ? 0 : 1), waker).last?.outcome
    try Deadline().wait(for: "\(count) files to be shared") {
      (pipeline.storageCondition?.shared ?? 0) >= count ? () : nil
    }
    return (last, pipeline.storageCondition)
  }

  /// What a program finds that looks for a picture's thumbnail by the specification alone.
  private func lookUp(_ path: [UInt8], _ place: String = "large") throws -> Data? {
    let uri = URL(fileURLWithPath: String(decoding: path, as: UTF8.self)).absoluteString
    let digest = try #require(DesktopNames.digest(uri))
    return FileManager.default.contents(atPath: folder.path(of: "thumbnails/\(place)/\(digest).png"))
  }

  private func files(_ place: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "thumbnails/" + place))) ?? []).sorted()
  }

  @Test("Another program finds all of the picture, by URI and time, with what it says of itself")
  func found() throws {
    let path = try picture("photos/a b.jpg", jpeg(600, 400))
    let (_, condition) = try show([path], sharing: 1)
    #expect(condition?.sharingFault == nil && condition?.shared == 1)
    let file = try #require(try lookUp(path))
    let facts = try #require(SharedThumbnailMetadata(Array(file)))
    #expect(facts.size == pixels(256, 171) && facts.modifiedSeconds == time)
    #expect(facts.uri == URL(fileURLWithPath: folder.path(of: "photos/a b.jpg")).absoluteString)
    #expect(facts.byteCount == (try folder.byteCount(of: "photos/a b.jpg")))
    for text in ["Thumb::Image::Width\u{0}600", "Thumb::Image::Height\u{0}400", "Software\u{0}Vitrine"] {
      #expect(file.range(of: Data(text.utf8)) != nil, "\(text)")
    }
    var status = stat()
    try #require(stat(folder.path(of: "thumbnails/large/" + files("large")[0]), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600 && files("large").count == 1)
    // What it shows, to a program that has no cache of its own.
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    let request = RealHelper.request(path, source: 1, pixels(256, 256), fit: .fit)
    let pictures = try [path, folder.bytes(of: "thumbnails/large/" + files("large")[0])].map { path in
      let file = try PictureFile(path: path)
      return try process.decode(
        file: file.number, fileBytes: file.version.identity.byteCount, request, delay: .zero)
    }
    #expect(pictures[0].bitmap.contentDigest == pictures[1].bitmap.contentDigest)
  }

  @Test(
    "The library that file managers ask finds it valid", .enabled(if: access("/usr/bin/gio", X_OK) == 0, "needs gio"))
  func foundByOthers() throws {
    let path = try picture("photos/a é.jpg", jpeg(600, 400))
    _ = try show([path], sharing: 1)
    let (gio, answer) = (Process(), Pipe())
    gio.executableURL = URL(fileURLWithPath: "/usr/bin/gio")
    gio.arguments = ["info", "-a", "thumbnail::*", String(decoding: path, as: UTF8.self)]
    gio.environment = ["XDG_CACHE_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    gio.standardOutput = answer
    try gio.run()
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    gio.waitUntilExit()
    #expect(text.contains("thumbnail::is-valid: TRUE"), "\(text)")
    #expect(text.contains("thumbnail::path: " + folder.path(of: "thumbnails/large/")), "\(text)")
  }

  @Test("The size is the one that covers the cell; larger cells have none, and neither have small pictures")
  func sizes() throws {
    let large = try picture("photos/large.jpg", jpeg(1_500, 900))
    let small = try picture("photos/small.jpg", jpeg(256, 200))
    _ = try show([large], pixels(100, 128), sharing: 1)
    _ = try show([large], pixels(257, 100), sharing: 1)
    _ = try show([small, large], pixels(1_024, 10), sharing: 1)
    #expect(files("normal").count == 1 && files("large") == [] && files("x-large").count == 1)
    #expect(files("xx-large").count == 1 && files("xx-large") == files("normal"))
    let witness = try picture("photos/witness.jpg", jpeg(600, 400))
    _ = try show([small, large], pixels(1_025, 10), after: witness, sharing: 1)
    #expect(files("").sorted() == ["large", "normal", "x-large", "xx-large"] && files("large").count == 1)
    #expect(files("normal").count == 1 && files("x-large").count == 1 && files("xx-large").count == 1)
  }

  @Test("Of a picture that others have shared, none is written, and of one that was changed a new one")
  func once() throws {
    let path = try picture("photos/a.jpg", jpeg(600, 400))
    _ = try show([path], sharing: 1)
    let name = try #require(files("large").first)
    let before = try PictureFile(path: folder.bytes(of: "thumbnails/large/" + name)).version
    let other = try picture("photos/b.jpg", jpeg(500, 400))
    // Another size of cells: our own pictures do not have it, and the shared one is too small. The newest is first.
    _ = try show([other, path], pixels(256, 256), sharing: 1)
    #expect(try PictureFile(path: folder.bytes(of: "thumbnails/large/" + name)).version == before)
    #expect(files("large").count == 2)
    try picture("photos/a.jpg", jpeg(640, 400))
    _ = try show([path], pixels(255, 256), sharing: 1)
    #expect(try PictureFile(path: folder.bytes(of: "thumbnails/large/" + name)).version != before)
    #expect(files("large").count == 2)
  }

  @Test("What an earlier run has not shared is shared by the next, which decodes it for nobody else")
  func laterRun() throws {
    let path = try picture("photos/a.jpg", jpeg(600, 400))
    let waker = TestWaker()
    let first = try start(waker, shares: false)
    first.request(RealHelper.request(path, source: 0, pixels(200, 150)), deadline: at(1))
    _ = try first.waitForArrivals(1, waker)
    first.shutdown(within: ShutdownBudget(.seconds(60)))
    _ = try show([path], sharing: 1)
    #expect(try lookUp(path) != nil)
  }

  @Test("Nothing in the folder of thumbnails or in our own has any, whatever it is called, and no link has")
  func excluded() throws {
    for name in ["thumbnails/large", "cache/samples/0"] {
      try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
    }
    let bytes = try jpeg(600, 400)
    for name in ["thumbnails/x.jpg", "thumbnails/large/x.jpg", "cache/samples/0/x.jpg"] { try picture(name, bytes) }
    try #require(symlink(folder.path(of: "cache/samples/0"), folder.path(of: "photos/elsewhere")) == 0)
    try #require(symlink(folder.path(of: "thumbnails/large"), folder.path(of: "photos/large")) == 0)
    try #require(symlink(folder.path(of: "cache/samples/0/x.jpg"), folder.path(of: "photos/link.jpg")) == 0)
    let paths = [
      "thumbnails/x.jpg", "thumbnails/large/x.jpg", "cache/samples/0/x.jpg", "photos/elsewhere/x.jpg",
      "photos/large/x.jpg", "photos/link.jpg",
    ].map { folder.bytes(of: $0) }
    let last = try picture("photos/plain.jpg", jpeg(500, 400))
    _ = try show(paths, after: last, sharing: 1)
    #expect(files("large").count == 2 && files("normal") == [])
    #expect(try lookUp(last) != nil)
  }

  @Test("What shines through is not shared, and what could and does not is")
  func transparency() throws {
    let opaque = ThumbnailPNG(bitmap: try RealHelper.gradient(400, 300), texts: [])
    let clear = ThumbnailPNG(
      bitmap: try Bitmap(size: pixels(400, 300), isOpaque: false) {
        $0.initializeMemory(as: UInt8.self, repeating: 99)
      },
      texts: [])
    let paths = [try picture("photos/opaque.png", opaque.bytes), try picture("photos/clear.png", clear.bytes)]
    _ = try show(paths, sharing: 1)
    #expect(try lookUp(paths[0]) != nil && lookUp(paths[1]) == nil)
  }

  @Test("Without leave nothing is written, while one beside it that has leave writes")
  func withoutLeave() throws {
    let path = try picture("photos/a.jpg", jpeg(600, 400))
    let waker = TestWaker()
    let pipeline = try start(waker, shares: false)
    pipeline.request(RealHelper.request(path, source: 1, pixels(200, 150)), deadline: at(1))
    _ = try pipeline.waitForArrivals(1, waker)
    defer { pipeline.shutdown() }
    for name in ["photos/b.jpg", "photos/c.jpg"] { _ = try show([try picture(name, jpeg(600, 400))], sharing: 1) }
    #expect(try files("large").count == 2 && lookUp(path) == nil)
  }

  @Test("A file that cannot be shown is noted; written to again, it is another file")
  func failures() throws {
    var bytes = try jpeg(600, 400)
    bytes.removeLast(bytes.count - 180)
    let path = try picture("photos/broken.jpg", bytes)
    let (first, _) = try show([path], sharing: 1)
    #expect(throws: ImageFailure.refused(.damaged)) { try first?.get() }
    let record = try #require(try lookUp(path, "fail/vitrine-1"))
    let facts = try #require(SharedThumbnailMetadata(Array(record)))
    #expect(facts.failure == .damaged && facts.modifiedSeconds == time && facts.size == pixels(1, 1))
    try picture("photos/broken.jpg", jpeg(600, 400))
    let (mended, _) = try show([path], sharing: 1)
    #expect(try mended?.get().bitmap.size == pixels(200, 150))
  }

  /// Asks for a picture in a run of its own that shares nothing; what came, and the processes that it took.
  private func ask(_ path: [UInt8]) throws -> (outcome: ImageOutcome, started: Int) {
    let waker = TestWaker()
    let pipeline = try start(waker, shares: false)
    defer { pipeline.shutdown() }
    pipeline.request(RealHelper.request(path, source: 1, pixels(300, 300)), deadline: at(1))
    let outcome = try #require(pipeline.waitForArrivals(1, waker).first).outcome
    return (outcome, pipeline.decoderCondition.started)
  }

  @Test("What is noted of a file is told without decoding, as long as nothing of the file was changed")
  func toldWithoutDecoding() throws {
    // A good picture: that it fails shows that it was the note that was believed.
    let path = try picture("photos/good.jpg", jpeg(600, 400))
    func note() throws {
      let name = try #require(SharedThumbnailName(of: path, workingFolder: []))
      let version = try PictureFile(path: path).version
      let texts = [
        ("Thumb::URI", name.uri), ("Thumb::MTime", "\(version.identity.modifiedSeconds)"),
        ("Thumb::Size", "\(version.identity.byteCount)"), (SharedThumbnailFailure.keyword, "damaged"),
        (SharedThumbnailFailure.changeKeyword, SharedThumbnailFailure.changeTime(version)),
      ]
      let place = "thumbnails/fail/vitrine-1"
      try FileManager.default.createDirectory(atPath: folder.path(of: place), withIntermediateDirectories: true)
      let bytes = ThumbnailPNG(bitmap: try RealHelper.gradient(1, 1), texts: texts).bytes
      try folder.write(bytes, to: "\(place)/\(name.fileName)")
    }
    try note()
    let told = try ask(path)
    #expect(throws: ImageFailure.refused(.damaged)) { try told.outcome.get() }
    #expect(told.started == 0)
    // Only the time of any change is another one now.
    try #require(chmod(folder.path(of: "photos/good.jpg"), 0o640) == 0)
    #expect(try ask(path).outcome.get().bitmap.size == pixels(300, 300))
    // Only the time of its bytes is.
    try FileManager.default.removeItem(atPath: folder.path(of: "cache"))
    try note()
    #expect(throws: ImageFailure.refused(.damaged)) { try ask(path).outcome.get() }
    var times = [timeval(tv_sec: time + 9, tv_usec: 0), timeval(tv_sec: time + 9, tv_usec: 0)]
    try #require(utimes(folder.path(of: "photos/good.jpg"), &times) == 0)
    #expect(try ask(path).outcome.get().bitmap.size == pixels(300, 300))
  }

  @Test(
    "A picture that ends processes when all of it is decoded for others is shown all the same",
    .enabled(if: FakeHelper.isAvailable))
  func diesForOthers() throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
    let (path, oldest) = (try picture("photos/a.jpg", bytes), try picture("photos/b.jpg", bytes))
    let helper = try FakeHelper.write(in: folder, growing: folder.path(of: "requests"), .diesOnWhole)
    let waker = TestWaker()
    var storage = StorageConfiguration(
      directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"), sharesThumbnails: true)
    storage.idleTimeBeforeSharing = .milliseconds(20)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, helperPath: helper, storage: storage), usesBackgroundPriority: false,
      waker: waker
    )
    defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
    for (number, (path, side)) in [(oldest, 200), (path, 100), (path, 200)].enumerated() {
      pipeline.request(RealHelper.request(path, source: number, pixels(side, side)), deadline: at(1))
      _ = try pipeline.waitForArrivals(1, waker)
    }
    try Deadline().wait(for: "three pictures to be tried") {
      (try? folder.byteCount(of: "requests")) ?? 0 >= 6 ? () : nil
    }
    pipeline.request(RealHelper.request(path, source: 9, pixels(300, 300)), deadline: at(1))
    #expect(try pipeline.waitForArrivals(1, waker)[0].outcome.get().bitmap.size == pixels(300, 300))
    #expect(pipeline.decoderCondition.deaths == 0)
  }

  @Test(
    "A request ends what is done for others at once, which is done again later; so does the end",
    .enabled(if: FakeHelper.isAvailable))
  func interrupted() throws {
    let path = try picture("photos/a.jpg", [0xFF, 0xD8, 0xFF, 1])
    let count = folder.path(of: "requests")
    let helper = try FakeHelper.write(in: folder, growing: count, .hangsOnWhole)
    let waker = TestWaker()
    var storage = StorageConfiguration(
      directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"), sharesThumbnails: true)
    storage.idleTimeBeforeSharing = .milliseconds(20)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, helperPath: helper, storage: storage), usesBackgroundPriority: false,
      waker: waker
    )
    // Each picture is a request; each time it rests, so is another try to have all of the first.
    for number in 1...3 {
      pipeline.request(RealHelper.request(path, source: number, pixels(200, 150 + number)), deadline: at(1))
      _ = try pipeline.waitForArrivals(1, waker)
      try Deadline().wait(for: "try \(number)") {
        (try? folder.byteCount(of: "requests")) ?? 0 >= number * 2 ? () : nil
      }
    }
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    #expect(pipeline.decoderCondition.deaths == 0 && pipeline.storageCondition?.shared == 0)
    #expect(files("large") == [])
  }
}
