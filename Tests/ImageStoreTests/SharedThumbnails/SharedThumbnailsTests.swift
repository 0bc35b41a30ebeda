import Foundation
import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("Shared thumbnails are shown instead of decoding")
struct SharedThumbnailsTests {
  private let folder: TemporaryFolder
  private let time = 1_600_000_000

  init() throws {
    folder = try TemporaryFolder()
    for size in ["", "normal", "large", "x-large"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: "thumbnails/" + size), withIntermediateDirectories: true)
    }
    let encoder = try EncodingProcess(largest: pixels(600, 600))
    try folder.write(try encoder.encode(Bitmap.gradient(600, 400), quality: 90), to: "a picture.jpg")
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a picture.jpg"), &times) == 0)
  }

  private var original: [UInt8] { folder.pathBytes(of: "a picture.jpg") }

  /// Writes a thumbnail of a single color into the shared folder.
  private func share(
    _ size: String, _ width: Int, _ height: Int, uri: String? = nil, time: Int? = nil, bytes: Int? = nil,
    as name: String? = nil
  ) throws {
    let own = try #require(DesktopNames.uri(ofPath: original))
    var texts = [("Thumb::URI", uri ?? own), ("Thumb::MTime", "\(time ?? self.time)")]
    if let bytes { texts.append(("Thumb::Size", "\(bytes)")) }
    let bitmap = try Bitmap(size: pixels(width, height), isOpaque: true) { memory in
      for index in memory.indices { memory[index] = index % 4 == 3 ? 255 : 200 }
    }
    let digest = try #require(DesktopNames.digest(own))
    try folder.write(
      ThumbnailPNG(bitmap: bitmap, texts: texts).bytes, to: "thumbnails/\(size)/\(name ?? digest + ".png")")
  }

  private func show(
    _ width: Int, _ height: Int, fit: ImageFit = .fill, path: [UInt8]? = nil
  ) throws -> (image: DecodedImage?, ImageStatistics) {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        storage: .disk(
          StorageConfiguration(
            directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails")))),
      usesBackgroundPriority: false,
      waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(fileRequest(path ?? original, source: 1, pixels(width, height), fit: fit), deadline: at(1))
    let image = try? pipeline.waitForArrivals(1, waker).last?.outcome.get()
    return (image, pipeline.statistics)
  }

  /// Returns whether an image is the gray thumbnail and not the original.
  private func isThumbnail(_ picture: DecodedImage?) throws -> Bool {
    try #require(picture).bitmap.withPixels { pixels in pixels.enumerated().allSatisfy { $0 % 4 == 3 || $1 == 200 } }
  }

  @Test("A thumbnail that is large enough is shown at the requested size, counted, and stored in our own pack")
  func showsThumbnail() throws {
    try share("large", 256, 171, bytes: try folder.byteCount(of: "a picture.jpg"))
    let first = try show(200, 150)
    #expect(try isThumbnail(first.image) && first.image?.bitmap.size == pixels(200, 150))
    #expect(first.1.storeHits == 1 && first.1.decoded == 0)
    for size in ["large"] { try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails/" + size)) }
    #expect(try isThumbnail(show(200, 150).image))
    #expect(try !isThumbnail(show(199, 150).image))
  }

  @Test("A thumbnail that would be enlarged is skipped for a larger one or the original")
  func sizes() throws {
    try share("normal", 128, 85)
    #expect(try isThumbnail(show(100, 80).image))
    #expect(try !isThumbnail(show(100, 90).image))
    try share("x-large", 512, 341)
    #expect(try isThumbnail(show(100, 91).image) && isThumbnail(show(300, 300).image))
    #expect(try !isThumbnail(show(300, 345).image))
    #expect(try isThumbnail(show(400, 400, fit: .fit).image))
    #expect(try show(512, 512, fit: .fit).image?.bitmap.size == pixels(512, 341))
  }

  @Test(
    "A thumbnail of another file, time, length or size, or a damaged one, is rejected",
    arguments: ["uri", "time", "bytes", "link", "large", "cut", "damaged"])
  func rejects(reason: String) throws {
    switch reason {
    case "uri": try share("large", 256, 171, uri: "file:///another")
    case "time": try share("large", 256, 171, time: time + 1)
    case "bytes": try share("large", 256, 171, bytes: 5)
    case "link":
      try share("large", 256, 171, as: "elsewhere.png")
      let digest = try #require(DesktopNames.uri(ofPath: original).flatMap(DesktopNames.digest))
      try #require(symlink("elsewhere.png", folder.path(of: "thumbnails/large/\(digest).png")) == 0)
    case "large": try share("large", 300, 200)
    default:
      try share("large", 256, 171)
      let digest = try #require(DesktopNames.uri(ofPath: original).flatMap(DesktopNames.digest))
      let name = "thumbnails/large/\(digest).png"
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
      try folder.write(reason == "cut" ? Array(whole.prefix(4_000)) : [1, 2, 3], to: name)
    }
    let result = try show(200, 150)
    #expect(try !isThumbnail(result.image))
    #expect(result.1.decoded == 1 && result.1.storeHits == 0)
  }

  @Test("A thumbnail owned by another user is rejected", .enabled(if: geteuid() == 0, "only root can make one"))
  func anotherOwner() throws {
    try share("large", 256, 171)
    let digest = try #require(DesktopNames.uri(ofPath: original).flatMap(DesktopNames.digest))
    try #require(chown(folder.path(of: "thumbnails/large/\(digest).png"), 65_534, 65_534) == 0)
    #expect(try !isThumbnail(show(200, 150).image))
  }

  @Test("Files in the thumbnail folder have no thumbnails, and a missing folder is not created")
  func inThumbnailFolder() throws {
    try share("large", 256, 171)
    let shared = try #require(SharedThumbnails(folder.pathBytes(of: "thumbnails")))
    let identity = try ImageFile(path: original).version.identity
    let request = fileRequest(original, source: 1, pixels(200, 150))
    func thumbnail(_ path: [UInt8]) -> SharedThumbnails.Match? {
      shared.name(of: path).flatMap { shared.thumbnail($0, identity, for: request) }
    }
    #expect(thumbnail(original) != nil)
    #expect(thumbnail(folder.pathBytes(of: "thumbnails/../a picture.jpg")) == nil)
    #expect(thumbnail(folder.pathBytes(of: ".//./a picture.jpg")) != nil)
    #expect(thumbnail(folder.pathBytes(of: "thumbnails/large/x.png")) == nil)
    #expect(SharedThumbnails(folder.pathBytes(of: "nothing")) == nil && !folder.contains("nothing"))
  }

  @Test("A thumbnail that is too small is shown as a preview if the image would be late")
  func placeholder() throws {
    try share("normal", 128, 85)
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        workers: 1,
        storage: .disk(
          StorageConfiguration(
            directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails")))),
      usesBackgroundPriority: false,
      waker: waker)
    defer { pipeline.shutdown() }
    var request = fileRequest(original, source: 1, pixels(300, 200))
    request.fileBytes = 8 << 20
    request.wantsTinyPreview = true
    pipeline.request(request, deadline: at(-1))
    let arrivals = try pipeline.waitForArrivals(2, waker)
    #expect(arrivals.map(\.representation) == [.embedded, .full])
    let (first, last) = (try arrivals[0].outcome.get(), try arrivals[1].outcome.get())
    #expect(try isThumbnail(first) && !isThumbnail(last) && first.bitmap.size == pixels(300, 200))
    #expect(first.tinyPreview == nil && last.tinyPreview != nil)
    #expect(pipeline.statistics.previews == 1 && pipeline.statistics.decoded == 1)
    // Without a thumbnail nothing else is tried as a preview.
    var other = fileRequest(original, source: 2, pixels(300, 201))
    other.fileBytes = 8 << 20
    try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails/normal"))
    pipeline.request(other, deadline: at(-1))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.representation) == [.full])
    #expect(pipeline.statistics.previews == 1 && pipeline.statistics.failed == 0)
  }

  @Test("A thumbnail of the whole image yields a stored tiny preview, also in later runs, and a cropped one does not")
  func tinyPreviews() throws {
    func preview(_ width: Int, _ height: Int) throws -> (DecodedImage, ImageStatistics) {
      let waker = TestWaker()
      let pipeline = try ImagePipeline(
        ImagePipelineConfiguration(
          storage: .disk(
            StorageConfiguration(
              directory: folder.pathBytes(of: "cache"), sharedThumbnails: folder.pathBytes(of: "thumbnails")))),
        usesBackgroundPriority: false,
        waker: waker)
      defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
      var request = fileRequest(original, source: 1, pixels(width, height))
      request.wantsTinyPreview = true
      pipeline.request(request, deadline: at(1))
      return (try pipeline.waitForArrivals(1, waker)[0].outcome.get(), pipeline.statistics)
    }
    try share("large", 256, 171)
    for _ in 0..<2 {
      let (image, statistics) = try preview(200, 150)
      #expect(try isThumbnail(image) && statistics.storeHits == 1)
      #expect(image.tinyPreview?.pictureSize == pixels(600, 400))
      let color = try #require(image.tinyPreview?.averageColor)
      #expect(abs(Int(color.red) - 200) < 8 && abs(Int(color.green) - 200) < 8)
    }
    try share("large", 200, 200)
    let (image, _) = try preview(190, 150)
    #expect(try isThumbnail(image) && image.tinyPreview == nil)
  }
}

// MARK: - Names of shared thumbnails

@Suite("Names of shared thumbnails")
struct DesktopNamesTests {
  @Test("The example of the specification")
  func specification() {
    #expect(DesktopNames.uri(ofPath: Array("/home/jens/photos/me.png".utf8)) == "file:///home/jens/photos/me.png")
    #expect(DesktopNames.digest("file:///home/jens/photos/me.png") == "c6ee772d9e49320e97ec29a7eb5b1697")
    #expect(DesktopNames.digest("") == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test("Every byte except zero is escaped like in GLib, and so in GNOME")
  func everyByte() {
    let plain = Set("!$&'()*+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)
    for byte in UInt8(1)...255 {
      let digits = String(byte, radix: 16, uppercase: true)
      let expected = plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
      #expect(DesktopNames.uri(ofPath: [47, 97, byte, 98]) == "file:///a" + expected + "b", "byte \(byte)")
    }
  }

  @Test("A path that is not absolute has no name")
  func noName() {
    #expect(DesktopNames.uri(ofPath: Array("a/b".utf8)) == nil)
    #expect(DesktopNames.uri(ofPath: []) == nil)
    #expect(DesktopNames.uri(ofPath: [47, 0, 47]) == nil)
  }
}
