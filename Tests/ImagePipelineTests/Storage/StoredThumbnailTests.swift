import FramePacing
import Foundation
import Geometry
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Thumbnails that outlive the program")
struct StoredThumbnailTests {
  private let folder: TemporaryFolder
  private let size = pixels(48, 36)

  init() throws { folder = try TemporaryFolder() }

  /// A picture's file, old enough to be taken for what it is.
  private func file(_ number: Int, age: Int = 100) throws -> [UInt8] {
    let encoder = try EncodingProcess(largest: pixels(200, 200))
    let path = try folder.write(
      try encoder.encode(RealHelper.gradient(160, 120, blue: UInt8(number)), quality: 90), to: "\(number).jpg")
    try setAge(age, of: number)
    return path
  }

  private func setAge(_ age: Int, of number: Int) throws {
    var times = [timeval(tv_sec: time(nil) - age, tv_usec: 5), timeval(tv_sec: time(nil) - age, tv_usec: 5)]
    try #require(utimes(folder.path(of: "\(number).jpg"), &times) == 0)
  }

  /// What one run of the program gets, and what it says of its storage.
  private func run(
    _ requests: [ImageRequest], storage: String? = "cache", mode: ImagePipelineConfiguration.Mode = .live
  ) throws -> (pictures: [DecodedImage?], ImageStatistics, StorageCondition?) {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        mode: mode, storage: storage.map { StorageConfiguration(directory: folder.bytes(of: $0)) }), waker: waker)
    for request in requests { pipeline.request(request, deadline: at(1)) }
    let arrivals =
      mode == .live ? try pipeline.waitForArrivals(requests.count, waker) : pipeline.collect(at: at(10_000))
    let pictures = requests.map { request in
      arrivals.last { $0.key == request.key && $0.isFinal }.flatMap { try? $0.outcome.get() }
    }
    let statistics = pipeline.statistics
    pipeline.shutdown()
    return (pictures, statistics, pipeline.storageCondition)
  }

  private func requests(_ paths: [[UInt8]]) -> [ImageRequest] {
    paths.enumerated().map { RealHelper.request($1, source: $0, size) }
  }

  @Test("The second run decodes nothing and shows the same, on either time line", arguments: [true, false])
  func secondRun(isLive: Bool) throws {
    let requests = requests(try (0..<6).map { try file($0) })
    let mode = isLive ? ImagePipelineConfiguration.Mode.live : .modelled
    let first = try run(requests, mode: mode)
    #expect(first.1.decoded == 6 && first.1.storeHits == 0)
    #expect(first.2?.written == 6 && first.2?.count == 6 && first.2?.fault == nil)
    let second = try run(requests, mode: mode)
    #expect(second.1.decoded == 0 && second.1.storeHits == 6 && second.1.failed == 0)
    for (before, after) in zip(first.pictures, second.pictures) {
      #expect(before?.bitmap.contentDigest == after?.bitmap.contentDigest && after != nil)
      #expect(after?.sourceSize == pixels(160, 120) && after?.representation == .full && after?.isDamaged == false)
    }
  }

  @Test("A file that was changed is decoded again, whatever its name")
  func changed() throws {
    let path = try file(1)
    let request = RealHelper.request(path, source: 1, size)
    _ = try run([request])
    _ = try file(1, age: 200)
    let second = try run([request])
    #expect(second.1.decoded == 1 && second.1.storeHits == 0)
    #expect(try run([request]).1.storeHits == 1)
  }

  @Test("A file that was written to in place and given its old time back is decoded again")
  func changedInPlace() throws {
    let path = try file(1)
    let request = RealHelper.request(path, source: 1, size)
    _ = try run([request])
    var before = stat()
    try #require(stat(folder.path(of: "1.jpg"), &before) == 0)
    // As long as before, and the same file: what tools do that write an orientation and keep the date.
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
    var request = RealHelper.request(path, source: 1, size)
    _ = try run([request])
    request.background = 0xFF
    #expect(try run([request]).1.storeHits == 0)
    #expect(try run([RealHelper.request(path, source: 1, size, fit: .fit)]).1.storeHits == 0)
    #expect(try run([RealHelper.request(path, source: 1, pixels(47, 36))]).1.storeHits == 0)
    #expect(try run([request]).1.storeHits == 1)
  }

  @Test("A file that was changed a moment ago is not kept, as it may change once more within the same time")
  func fresh() throws {
    let request = RealHelper.request(try file(1, age: 0), source: 1, size)
    #expect(try run([request]).2?.written == 0)
    try setAge(60, of: 1)
    #expect(try run([request]).2?.written == 1)
  }

  @Test("A picture that cannot be decoded leaves nothing on disk, and neither does a damaged one")
  func failures() throws {
    _ = try file(1)
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "1.jpg")))
    try folder.write(whole.prefix(whole.count / 2), to: "1.jpg")
    try setAge(60, of: 1)
    let broken = try folder.write([1, 2, 3], to: "2.jpg")
    try setAge(60, of: 2)
    let end = try run(requests([folder.bytes(of: "1.jpg"), broken]))
    #expect(end.pictures[0]?.isDamaged == true && end.pictures[1] == nil)
    #expect(end.2?.written == 0 && end.2?.count == 0)
  }

  @Test("A file that may not be read any more is not shown from disk")
  func forbidden() throws {
    let path = try file(1)
    _ = try run([RealHelper.request(path, source: 1, size)])
    unlink(folder.path(of: "1.jpg"))
    let end = try run([RealHelper.request(path, source: 1, size)])
    #expect(end.pictures[0] == nil)
    #expect(end.1.storeHits == 0 && end.1.failed == 1)
  }

  @Test("Where nothing is to be kept, nothing is written")
  func nothingKept() throws {
    let requests = requests([try file(1)])
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let end = try run(requests, storage: nil)
    #expect(end.2 == nil && end.1.decoded == 1)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
  }

  @Test("A cache folder that cannot be had is said to be so, and the pictures are shown")
  func noFolder() throws {
    let requests = requests([try file(1)])
    try folder.write([1], to: "cache")
    let end = try run(requests)
    #expect(end.pictures[0] != nil && end.1.decoded == 1)
    #expect(end.2?.fault?.hasPrefix("cannot make") == true, "\(String(describing: end.2?.fault))")
  }
}
