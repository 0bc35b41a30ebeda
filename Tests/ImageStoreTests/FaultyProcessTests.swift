import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("What decoding processes store")
struct FaultyProcessTests {
  private let folder: TemporaryFolder
  private static let contentCount = 10

  init() throws { folder = try TemporaryFolder() }

  /// Writes JPEG files of ten contents that are old enough to be stored, and returns requests for them.
  private func requests(_ count: Int) throws -> [ImageRequest] {
    let encoder = try EncodingProcess(largest: pixels(32, 24))
    let contents = try (0..<Self.contentCount).map {
      try encoder.encode(Bitmap.gradient(32, 24, blue: UInt8(20 * $0)), quality: 90)
    }
    return try (0..<count).map { number in
      let path = try folder.write(contents[number % contents.count], to: "\(number).jpg")
      var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
      try #require(utimes(folder.path(of: "\(number).jpg"), &times) == 0)
      return fileRequest(path, source: number, pixels(8, 8))
    }
  }

  private func configuration(_ name: String) -> StorageConfiguration {
    var configuration = StorageConfiguration(directory: folder.pathBytes(of: name))
    // Only what the requests store.
    configuration.idleTime = .seconds(100_000)
    return configuration
  }

  /// Decodes files in the tests' processes.
  ///
  /// - Returns: The outcomes, and the status of the storage once it has written everything.
  private func decode(
    _ requests: ArraySlice<ImageRequest>, _ behavior: FakeHelper.Behavior, version: Int? = nil,
    storage: StorageConfiguration
  ) throws -> (outcomes: [ImageOutcome], status: StorageStatus) {
    let store = try DiskStorage(storage, pixels: PixelStorage(), isLive: true)
    let path = try FakeHelper.write(in: folder, version: version, behavior)
    var setup = DecodingProcess.Setup(executable: Array(path.utf8), slotBytes: 1 << 20, priority: .normal)
    if behavior == .persists { setup.endTimeout = ProcessTimeout(limit: .milliseconds(20)) }
    let (stop, started) = (try StopSignal(), setup)
    var outcomes: [ImageOutcome] = []
    var rest = requests
    while !rest.isEmpty {
      // With its own knowledge, as decoding stops after twenty crashes.
      let decoder = ProcessDecoder(setup: { started }, delay: .zero, stop: stop, storage: store)
      for request in rest.prefix(15) { outcomes.append(decoder.decode(request)) }
      rest = rest.dropFirst(15)
    }
    store.close(ShutdownBudget(.seconds(60)))
    return (outcomes, store.status)
  }

  /// Requests files of a pipeline with the program's own processes.
  private func run(
    _ requests: ArraySlice<ImageRequest>, storage: StorageConfiguration?
  ) throws -> (digests: [UInt64?], statistics: ImageStatistics) {
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(storage: storage.map { .disk($0) }), waker: waker)
    for request in requests { pipeline.request(request, deadline: at(1)) }
    var digests: [ImageKey: UInt64] = [:]
    for arrival in try pipeline.waitForArrivals(requests.count, waker) {
      digests[arrival.key] = try arrival.outcome.get().bitmap.contentDigest
    }
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    return (requests.map { digests[$0.key] }, pipeline.statistics)
  }

  @Test("Of 300 pictures whose processes lie, crash, exit with a fault, reply twice or persist none is stored")
  func threeHundred() throws {
    let ways: [(FakeHelper.Behavior, ImageFailure)] = [
      (.crashesAfterReply, .decoderCrashed), (.exitsWithStatus, .decoderCrashed),
      (.repliesTwice, .invalidDecoderReply), (.persists, .invalidDecoderReply), (.randomBytes, .invalidDecoderReply),
      (.wrongNumber, .invalidDecoderReply),
    ]
    let requests = try requests(300)
    let storage = configuration("cache")
    // What an honest process makes of the same files is stored.
    let honest = try decode(requests[..<50], .valid, storage: configuration("other"))
    #expect(honest.outcomes.allSatisfy { $0.failure == nil } && honest.status.written == 50)
    let count = requests.count / ways.count
    for (index, (way, failure)) in ways.enumerated() {
      let (outcomes, status) = try decode(requests[index * count..<(index + 1) * count], way, storage: storage)
      #expect(outcomes.count == count && outcomes.allSatisfy { $0.failure == failure }, "\(way)")
      #expect(status.written == 0 && status.dropped == 0 && status.count == 0 && status.fault == nil, "\(way)")
    }
    #expect(try PixelThumbnails(in: storage.directory, byteLimit: 1 << 20).count == 0)
    #expect(try CompressedThumbnails(in: storage.directory, byteLimit: 1 << 20).count == 0)

    let expected = try run(requests[..<Self.contentCount], storage: nil).digests
    #expect(Set(expected).count == Self.contentCount && !expected.contains(nil))
    for (decoded, hits) in [(300, 0), (0, 300)] {
      let (digests, statistics) = try run(requests[...], storage: storage)
      #expect(statistics.decoded == decoded && statistics.storeHits == hits)
      #expect(digests.indices.allSatisfy { digests[$0] == expected[$0 % Self.contentCount] })
    }
  }

  @Test("Pixels have the version that their program states, and those of an older one beside this are not stored")
  func olderProgram() throws {
    let requests = try requests(4)
    var storage = configuration("cache")
    for (version, fixed, isStored) in [(0, 0, false), (1, 2, false), (2, 2, true), (2, 3, false), (3, 3, true)] {
      storage.directory = folder.pathBytes(of: "cache of \(version) with \(fixed)")
      storage.securityFixes = SecurityFixes([SecurityFix(version: fixed, formats: [.jpeg])])
      let (outcomes, status) = try decode(requests[...], .valid, version: version, storage: storage)
      let format = 1 << UInt32(ImageFormat.jpeg.rawValue) as UInt32
      for outcome in outcomes {
        let origin = try #require(try outcome.get().origin)
        #expect(origin.version == version && origin.formatBits & format != 0 && !origin.layers.isSandbox)
      }
      #expect(outcomes.count == 4 && status.written == (isStored ? 4 : 0), "\(version), \(fixed)")
    }
  }

  @Test("Pixels that the program with the decoders of all formats made have its origin, and are stored")
  func otherProgram() throws {
    let path = try folder.write(Self.tiff, to: "1.tiff")
    var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
    try #require(utimes(folder.path(of: "1.tiff"), &times) == 0)
    let store = try DiskStorage(configuration("cache"), pixels: PixelStorage(), isLive: true)
    let setup = try RealHelper.setup()
    let decoder = ProcessDecoder(setup: { setup }, delay: .zero, stop: try StopSignal(), storage: store)
    let image = try decoder.decode(fileRequest(path, source: 1, pixels(8, 8))).get()
    let origin = try #require(image.origin)
    #expect(origin.formatBits & 1 << UInt32(ImageFormat.tiff.rawValue) != 0)
    #expect(SecurityFixes.current.accepts(origin))
    // The other program decodes TIFF, and only a fix of what it decodes concerns the picture.
    #expect(!SecurityFixes([SecurityFix(version: origin.version + 1, formats: [.tiff])]).accepts(origin))
    store.close(ShutdownBudget(.seconds(60)))
    #expect(store.status.written == 1)
  }

  /// A grey image of 8 x 8 pixels.
  private static var tiff: [UInt8] {
    func field(_ tag: UInt16, _ value: UInt32) -> [UInt8] {
      let words: [UInt32] = [UInt32(tag) | 4 << 16, 1, value]
      return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }
    let fields: [(UInt16, UInt32)] = [
      (256, 8), (257, 8), (258, 8), (259, 1), (262, 1), (273, 122), (277, 1), (278, 8), (279, 64),
    ]
    // The header, the fields, no further directory, and the pixels.
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + [UInt8(fields.count), 0] + fields.flatMap { field($0.0, $0.1) }
      + [0, 0, 0, 0] + [UInt8](repeating: 128, count: 64)
  }
}
