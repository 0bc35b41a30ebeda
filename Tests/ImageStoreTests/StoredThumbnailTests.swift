import Foundation
import Glibc
import Testing
import VitrineFramePacing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("Thumbnails that persist between runs")
struct StoredThumbnailTests {
  private let folder: TemporaryFolder
  private let size = pixels(48, 36)

  init() throws { folder = try TemporaryFolder() }

  /// Writes an image file that is old enough for its thumbnail to be stored.
  private func file(_ number: Int, age: Int = 100) throws -> [UInt8] {
    let encoder = try EncodingProcess(largest: pixels(200, 200))
    let path = try folder.write(
      try encoder.encode(Bitmap.gradient(160, 120, blue: UInt8(number)), quality: 90), to: "\(number).jpg")
    try setAge(age, of: number)
    return path
  }

  private func setAge(_ age: Int, of number: Int) throws {
    var times = [timeval(tv_sec: time(nil) - age, tv_usec: 5), timeval(tv_sec: time(nil) - age, tv_usec: 5)]
    try #require(utimes(folder.path(of: "\(number).jpg"), &times) == 0)
  }

  /// Runs a pipeline, and returns the images, the statistics and the status of its storage.
  private func run(
    _ requests: [ImageRequest], storage: String? = "cache", mode: ImagePipelineConfiguration.Mode = .live,
    profile: ColorProfile? = nil
  ) throws -> (images: [DecodedImage?], ImageStatistics, StorageStatus?) {
    let waker = TestWaker()
    let disk = storage.map { name in
      var configuration = StorageConfiguration(directory: folder.pathBytes(of: name))
      // Only what the requests store.
      configuration.idleTime = .seconds(100_000)
      return ImageStorageProvider.disk(configuration)
    }
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(mode: mode, storage: disk), waker: waker)
    pipeline.setDisplayProfile(profile)
    for request in requests { pipeline.request(request, deadline: at(1)) }
    let arrivals =
      mode == .live ? try pipeline.waitForArrivals(requests.count, waker) : pipeline.collect(at: at(10_000))
    let images = requests.map { request in
      arrivals.last { $0.key == request.key && $0.isFinal }.flatMap { try? $0.outcome.get() }
    }
    let statistics = pipeline.statistics
    // However long a busy machine takes to write.
    pipeline.shutdown(within: ShutdownBudget(.seconds(600)))
    return (images, statistics, pipeline.storageStatus)
  }

  private func requests(_ paths: [[UInt8]]) -> [ImageRequest] {
    paths.enumerated().map { fileRequest($1, source: $0, size) }
  }

  @Test("The second run decodes nothing and shows the same images, on either timeline", arguments: [true, false])
  func secondRun(isLive: Bool) throws {
    let requests = requests(try (0..<6).map { try file($0) })
    let mode = isLive ? ImagePipelineConfiguration.Mode.live : .modelled
    let first = try run(requests, mode: mode)
    #expect(first.1.decoded == 6 && first.1.storeHits == 0)
    #expect(first.2?.written == 6 && first.2?.count == 6 && first.2?.fault == nil)
    let second = try run(requests, mode: mode)
    #expect(second.1.decoded == 0 && second.1.storeHits == 6 && second.1.failed == 0)
    for (before, after) in zip(first.images, second.images) {
      #expect(before?.bitmap.contentDigest == after?.bitmap.contentDigest && after != nil)
      #expect(after?.sourceSize == pixels(160, 120) && after?.representation == .full && after?.isDamaged == false)
    }
  }

  @Test("What is stored remains in sRGB, and is shown in the colors of each display", arguments: [true, false])
  func displayColors(isDecodedWithProfile: Bool) throws {
    let writer = ICCProfileWriter(primaries: ICCProfileWriter.exchanged)
    let profile = try #require(ColorProfile(bytes: writer.bytes))
    let requests = requests([try file(1)])
    let first = try run(requests, profile: isDecodedWithProfile ? profile : nil)
    let second = try run(requests, profile: isDecodedWithProfile ? nil : profile)
    #expect(first.1.decoded == 1 && second.1.storeHits == 1)
    let expected = try #require(try run(requests, storage: nil).images.first ?? nil).bitmap
    let (converted, stored) = isDecodedWithProfile ? (first, second) : (second, first)
    let shown = try #require(converted.images.first ?? nil).bitmap
    let unconverted = try #require(stored.images.first ?? nil).bitmap
    #expect(unconverted.contentDigest == expected.contentDigest && shown.size == expected.size)
    shown.withPixels { shown in
      expected.withPixels { expected in
        for pixel in stride(from: 0, to: shown.count, by: 4) {
          // Red and green are exchanged.
          let differences = [(0, 1), (1, 0), (2, 2)].map { abs(Int(shown[pixel + $0]) - Int(expected[pixel + $1])) }
          #expect((differences.max() ?? 255) <= 2)
        }
      }
    }
  }

  @Test("An image whose origin is not accepted is decoded again, counted and replaced")
  func rejectedOrigin() throws {
    let requests = requests(try (0..<3).map { try file($0) })
    #expect(try run(requests).2?.rejected == 0)
    // As if made by a decoder that needs the system call filter, without it.
    let origin = DecoderOrigin([.heic], layers: [.memory])
    do {
      try StoreDatabase(PixelThumbnails.schema, in: folder.pathBytes(of: "cache")).write {
        session throws(SQLiteError) in
        try session.execute("UPDATE pixels SET origin = ?1 WHERE rowid < 3", [.integer(Int64(origin.packed))])
      }
    }
    let second = try run(requests)
    #expect(second.1.decoded == 2 && second.1.storeHits == 1 && second.images.allSatisfy { $0 != nil })
    #expect(second.2?.rejected == 2 && second.2?.written == 2 && second.2?.count == 3)
    let third = try run(requests)
    #expect(third.1.storeHits == 3 && third.2?.rejected == 0)
    let format = 1 << UInt32(ImageFormat.jpeg.rawValue) as UInt32
    #expect(third.images.allSatisfy { ($0?.origin?.formatBits ?? 0) & format != 0 })
  }

  @Test("A changed file is decoded again under the same name")
  func changed() throws {
    let path = try file(1)
    let request = fileRequest(path, source: 1, size)
    _ = try run([request])
    _ = try file(1, age: 200)
    let second = try run([request])
    #expect(second.1.decoded == 1 && second.1.storeHits == 0)
    #expect(try run([request]).1.storeHits == 1)
  }

  @Test("A file that was changed in place and given its old modification time is decoded again")
  func changedInPlace() throws {
    let path = try file(1)
    let request = fileRequest(path, source: 1, size)
    _ = try run([request])
    var before = stat()
    try #require(stat(folder.path(of: "1.jpg"), &before) == 0)
    // The file and its length are the same, like after a tool writes the orientation and preserves the date.
    let file = try #require(fopen(folder.path(of: "1.jpg"), "r+"))
    fseek(file, 20, SEEK_SET)
    fputc(7, file)
    fclose(file)
    var times = [before.st_atim, before.st_mtim]
    try #require(utimensat(AT_FDCWD, folder.path(of: "1.jpg"), &times, 0) == 0)
    #expect(try run([request]).1.storeHits == 0)
  }

  @Test("Another size, fit or background is another thumbnail")
  func otherRequests() throws {
    let path = try file(1)
    var request = fileRequest(path, source: 1, size)
    _ = try run([request])
    request.background = 0xFF
    #expect(try run([request]).1.storeHits == 0)
    #expect(try run([fileRequest(path, source: 1, size, fit: .fit)]).1.storeHits == 0)
    #expect(try run([fileRequest(path, source: 1, pixels(47, 36))]).1.storeHits == 0)
    #expect(try run([request]).1.storeHits == 1)
  }

  @Test("A recently changed file is not stored, as it may change again within the same timestamp")
  func recentlyChanged() throws {
    let request = fileRequest(try file(1, age: 0), source: 1, size)
    #expect(try run([request]).2?.written == 0)
    try setAge(60, of: 1)
    #expect(try run([request]).2?.written == 1)
  }

  @Test("Failed and damaged images are not stored")
  func failures() throws {
    _ = try file(1)
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "1.jpg")))
    try folder.write(whole.prefix(whole.count / 2), to: "1.jpg")
    try setAge(60, of: 1)
    let broken = try folder.write([1, 2, 3], to: "2.jpg")
    try setAge(60, of: 2)
    let result = try run(requests([folder.pathBytes(of: "1.jpg"), broken]))
    #expect(result.images[0]?.isDamaged == true && result.images[1] == nil)
    #expect(result.2?.written == 0 && result.2?.count == 0)
  }

  @Test("A thumbnail of a removed file is not shown")
  func removedFile() throws {
    let path = try file(1)
    _ = try run([fileRequest(path, source: 1, size)])
    unlink(folder.path(of: "1.jpg"))
    let result = try run([fileRequest(path, source: 1, size)])
    #expect(result.images[0] == nil)
    #expect(result.1.storeHits == 0 && result.1.failed == 1)
  }

  @Test("Without a storage nothing is written")
  func withoutStorage() throws {
    let requests = requests([try file(1)])
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let result = try run(requests, storage: nil)
    #expect(result.2 == nil && result.1.decoded == 1)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
  }

  @Test("An unusable cache folder is reported, and images are decoded")
  func invalidFolder() throws {
    let requests = requests([try file(1)])
    try folder.write([1], to: "cache")
    let result = try run(requests)
    #expect(result.images[0] != nil && result.1.decoded == 1)
    #expect(result.2?.fault?.hasPrefix("the cache folder") == true, "\(String(describing: result.2?.fault))")
  }
}
