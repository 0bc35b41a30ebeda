import FramePacing
import Foundation
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Thumbnails that programs share are shown in place of decoding")
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
    try folder.write(try encoder.encode(RealHelper.gradient(600, 400), quality: 90), to: "a picture.jpg")
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    try #require(utimes(folder.path(of: "a picture.jpg"), &times) == 0)
  }

  private var original: [UInt8] { folder.bytes(of: "a picture.jpg") }

  /// Puts a thumbnail of one colour where programs look for it.
  private func share(
    _ size: String, _ width: Int, _ height: Int, uri: String? = nil, time: Int? = nil, bytes: Int? = nil,
    as name: String? = nil
  ) throws {
    let own = try #require(DesktopNames.uri(ofPath: original))
    var texts = [("Thumb::URI", uri ?? own), ("Thumb::MTime", "\(time ?? self.time)")]
    if let bytes { texts.append(("Thumb::Size", "\(bytes)")) }
    let bitmap = try Bitmap(size: pixels(width, height), isOpaque: true) { memory in
      for place in memory.indices { memory[place] = place % 4 == 3 ? 255 : 200 }
    }
    let digest = try #require(DesktopNames.digest(own))
    try folder.write(
      ThumbnailPNG(bitmap: bitmap, texts: texts).bytes, to: "thumbnails/\(size)/\(name ?? digest + ".png")")
  }

  private func show(
    _ width: Int, _ height: Int, fit: ImageFit = .fill, path: [UInt8]? = nil
  ) throws -> (picture: DecodedImage?, ImageStatistics) {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        storage: StorageConfiguration(
          directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"))),
      usesBackgroundPriority: false,
      waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(RealHelper.request(path ?? original, source: 1, pixels(width, height), fit: fit), deadline: at(1))
    let picture = try? pipeline.waitForArrivals(1, waker).last?.outcome.get()
    return (picture, pipeline.statistics)
  }

  /// Whether a picture is the grey of the thumbnail and not the original's colours.
  private func isGrey(_ picture: DecodedImage?) throws -> Bool {
    try #require(picture).bitmap.withPixels { pixels in pixels.enumerated().allSatisfy { $0 % 4 == 3 || $1 == 200 } }
  }

  @Test("One that is large enough is shown at the size asked, counted, and kept in our own pack")
  func shown() throws {
    try share("large", 256, 171, bytes: try folder.byteCount(of: "a picture.jpg"))
    let first = try show(200, 150)
    #expect(try isGrey(first.picture) && first.picture?.bitmap.size == pixels(200, 150))
    #expect(first.1.storeHits == 1 && first.1.decoded == 0)
    for size in ["large"] { try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails/" + size)) }
    #expect(try isGrey(show(200, 150).picture))
    #expect(try !isGrey(show(199, 150).picture))
  }

  @Test("One that would have to be enlarged is passed over for a larger one, or for the original")
  func sizes() throws {
    try share("normal", 128, 85)
    #expect(try isGrey(show(100, 80).picture))
    #expect(try !isGrey(show(100, 90).picture))
    try share("x-large", 512, 341)
    #expect(try isGrey(show(100, 91).picture) && isGrey(show(300, 300).picture))
    #expect(try !isGrey(show(300, 345).picture))
    #expect(try isGrey(show(400, 400, fit: .fit).picture))
    #expect(try show(512, 512, fit: .fit).picture?.bitmap.size == pixels(512, 341))
  }

  @Test(
    "One of another file, another time or another length is not, nor one that is no thumbnail",
    arguments: ["uri", "time", "bytes", "link", "large", "cut", "owner's word"])
  func refused(why: String) throws {
    switch why {
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
      try folder.write(why == "cut" ? Array(whole.prefix(4_000)) : [1, 2, 3], to: name)
    }
    let end = try show(200, 150)
    #expect(try !isGrey(end.picture))
    #expect(end.1.decoded == 1 && end.1.storeHits == 0)
  }

  @Test("A thumbnail of another user's is not believed", .enabled(if: geteuid() == 0, "only root can make one"))
  func anotherOwner() throws {
    try share("large", 256, 171)
    let digest = try #require(DesktopNames.uri(ofPath: original).flatMap(DesktopNames.digest))
    try #require(chown(folder.path(of: "thumbnails/large/\(digest).png"), 65_534, 65_534) == 0)
    #expect(try !isGrey(show(200, 150).picture))
  }

  @Test("Thumbnails have no thumbnails, and where there is no folder none is made")
  func inside() throws {
    try share("large", 256, 171)
    let shared = try #require(SharedThumbnails(folder.bytes(of: "thumbnails")))
    let identity = try PictureFile(path: original).version.identity
    let request = RealHelper.request(original, source: 1, pixels(200, 150))
    func thumbnail(_ path: [UInt8]) -> SharedThumbnails.Match? {
      shared.name(of: path).flatMap { shared.thumbnail($0, identity, for: request) }
    }
    #expect(thumbnail(original) != nil)
    #expect(thumbnail(folder.bytes(of: "thumbnails/../a picture.jpg")) == nil)
    #expect(thumbnail(folder.bytes(of: ".//./a picture.jpg")) != nil)
    #expect(thumbnail(folder.bytes(of: "thumbnails/large/x.png")) == nil)
    #expect(SharedThumbnails(folder.bytes(of: "nothing")) == nil && !folder.has("nothing"))
  }

  @Test("One that is too small is shown first where the picture would be late, and then the picture")
  func standIn() throws {
    try share("normal", 128, 85)
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        workers: 1,
        storage: StorageConfiguration(
          directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"))),
      usesBackgroundPriority: false,
      waker: waker)
    defer { pipeline.shutdown() }
    var request = RealHelper.request(original, source: 1, pixels(300, 200))
    request.fileBytes = 8 << 20
    request.wantsTinyPreview = true
    pipeline.request(request, deadline: at(-1))
    let arrivals = try pipeline.waitForArrivals(2, waker)
    #expect(arrivals.map(\.representation) == [.embedded, .full])
    let (first, last) = (try arrivals[0].outcome.get(), try arrivals[1].outcome.get())
    #expect(try isGrey(first) && !isGrey(last) && first.bitmap.size == pixels(300, 200))
    #expect(first.tinyPreview == nil && last.tinyPreview != nil)
    #expect(pipeline.statistics.previews == 1 && pipeline.statistics.decoded == 1)
    // Where there is none, nothing is tried in its place.
    var other = RealHelper.request(original, source: 2, pixels(300, 201))
    other.fileBytes = 8 << 20
    try FileManager.default.removeItem(atPath: folder.path(of: "thumbnails/normal"))
    pipeline.request(other, deadline: at(-1))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.representation) == [.full])
    #expect(pipeline.statistics.previews == 1 && pipeline.statistics.failed == 0)
  }

  @Test("One that shows all of a picture gives the preview that is kept of it, in later runs too; another does not")
  func tinyPreviews() throws {
    func preview(_ width: Int, _ height: Int) throws -> (DecodedImage, ImageStatistics) {
      let waker = TestWaker()
      let pipeline = try ImagePipeline(
        ImagePipelineConfiguration(
          storage: StorageConfiguration(
            directory: folder.bytes(of: "cache"), sharedThumbnails: folder.bytes(of: "thumbnails"))),
        usesBackgroundPriority: false,
        waker: waker)
      defer { pipeline.shutdown(within: ShutdownBudget(.seconds(60))) }
      var request = RealHelper.request(original, source: 1, pixels(width, height))
      request.wantsTinyPreview = true
      pipeline.request(request, deadline: at(1))
      return (try pipeline.waitForArrivals(1, waker)[0].outcome.get(), pipeline.statistics)
    }
    try share("large", 256, 171)
    for _ in 0..<2 {
      let (image, statistics) = try preview(200, 150)
      #expect(try isGrey(image) && statistics.storeHits == 1)
      #expect(image.tinyPreview?.pictureSize == pixels(600, 400))
      let color = try #require(image.tinyPreview?.averageColor)
      #expect(abs(Int(color.red) - 200) < 8 && abs(Int(color.green) - 200) < 8)
    }
    try share("large", 200, 200)
    let (image, _) = try preview(190, 150)
    #expect(try isGrey(image) && image.tinyPreview == nil)
  }
}
