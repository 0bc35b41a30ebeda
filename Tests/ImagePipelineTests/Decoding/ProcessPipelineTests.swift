import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@MainActor
@Suite("Image pipeline with the tests' decoding process")
struct ProcessPipelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a request for a file of the given length.
  private func request(_ name: String, bytes: Int = 10) throws -> ImageRequest {
    let path = try folder.write([UInt8](repeating: 1, count: bytes), to: name)
    var source = UInt64(14_695_981_039_346_656_037)
    for byte in path { source = (source ^ UInt64(byte)) &* 1_099_511_628_211 }
    return ImageRequest(key: ImageKey(source: source, size: pixels(8, 8)), source: .file(path: path))
  }

  private func pipeline(
    _ helperPath: String, _ waker: TestWaker, workers: Int = 1,
    mode: ImagePipelineConfiguration.Mode = .live
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: workers, mode: mode, helperPath: helperPath), waker: waker)
  }

  /// Returns a live pipeline with one worker, and its decoders, which count crashes.
  private func countingPipeline(_ helperPath: String, _ waker: TestWaker) throws -> (
    ImagePipeline, CrashCountingDecoders
  ) {
    let configuration = ImagePipelineConfiguration(workers: 1)
    let decoders = CrashCountingDecoders(
      try ProcessDecoderFactory(
        workers: 4, helperPath: helperPath, slotBytes: configuration.slotBytes, usesBackgroundPriority: false,
        delay: .zero))
    return (try ImagePipeline(configuration, decoders: decoders, waker: waker), decoders)
  }

  @Test("Images are decoded by the process on either timeline", arguments: [true, false])
  func decodes(isLive: Bool) throws {
    let waker = TestWaker()
    let pipeline = try pipeline(
      try FakeHelper.write(in: folder, .valid), waker, workers: 2, mode: isLive ? .live : .modelled)
    defer { pipeline.shutdown() }
    for number in 0..<20 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    let arrivals = try isLive ? pipeline.waitForArrivals(20, waker) : pipeline.collect(at: at(1_000))
    #expect(arrivals.count == 20)
    #expect(arrivals.allSatisfy { if case .success = $0.outcome { true } else { false } })
  }

  @Test(
    "Releasing idle resources frees pixel memory, and the next image has the requested pixel order")
  func releasesIdleMemory() throws {
    let waker = TestWaker()
    let pool = PixelPool()
    var configuration = ImagePipelineConfiguration(
      workers: 2, cacheBytes: 0, helperPath: try FakeHelper.write(in: folder, .valid))
    configuration.pixels = PixelStorage(pool: pool)
    let pipeline = try ImagePipeline(configuration, waker: waker)
    defer { pipeline.shutdown() }
    // It may be known only when the pipeline is at work.
    configuration.pixels.order = .blueFirst
    for round in 0..<3 {
      for number in 0..<4 {
        let path = try folder.write([1, 2, 3], to: "\(number).jpg")
        let key = ImageKey(source: UInt64(round * 4 + number), size: pixels(100, 100))
        pipeline.request(ImageRequest(key: key, source: .file(path: path)), deadline: at(0))
        let image = try #require(try pipeline.waitForArrivals(1, waker).first).outcome.get()
        // The helper draws RGB 7, 8, 9, which is stored here in the reverse order.
        #expect(image.bitmap.withPixels { Array($0.prefix(4)) } == [9, 8, 7, 255])
      }
      // A worker may still hold the last image. In later rounds another worker may still be releasing the memory of the
      // previous round.
      if round == 0 { try Deadline().wait(for: "idle memory") { pool.idleBytes > 0 ? () : nil } }
      pipeline.releaseIdleResources()
      try Deadline().wait(for: "idle memory to be released") { pool.idleBytes == 0 ? () : nil }
    }
  }

  @Test("An idle decoder ends its process, and starts another for the next image")
  func releasesIdleProcess() throws {
    let path = try FakeHelper.write(in: folder, .valid)
    let setup = DecodingProcess.Setup(executable: Array(path.utf8), slotBytes: 1 << 20, priority: .normal)
    let decoder = ProcessDecoder(setup: { setup }, delay: .zero, stop: try StopSignal())
    for number in 0..<3 {
      guard case .success = decoder.decode(try request("\(number).jpg")) else {
        Issue.record("image \(number) was not decoded")
        return
      }
      #expect(decoder.processNumber != nil)
      decoder.releaseIdleResources()
      #expect(decoder.processNumber == nil)
    }
  }

  @Test("A picture of another version of its file than the listed one is shown without a tiny preview to store")
  func otherVersion() throws {
    let path = try FakeHelper.write(in: folder, .valid)
    let setup = DecodingProcess.Setup(executable: Array(path.utf8), slotBytes: 1 << 20, priority: .normal)
    let decoder = ProcessDecoder(setup: { setup }, delay: .zero, stop: try StopSignal())
    var request = try request("0.jpg")
    request.wantsTinyPreview = true
    let file = try ImageFile(request.source)
    for (listed, isStored) in [(nil, true), (file.version.fingerprint, true), (FileFingerprint(words: [1]), false)] {
      request.fingerprint = listed
      #expect((try decoder.decode(request).get().adapted(to: request).tinyPreview != nil) == isStored)
    }
  }

  @Test("The size of the screen limits the cache")
  func screenBoundsCache() throws {
    let pipeline = try pipeline(try FakeHelper.write(in: folder, .valid), TestWaker())
    defer { pipeline.shutdown() }
    let maximum = pipeline.statistics.cacheLimit
    pipeline.screen = pixels(1_000, 700)
    #expect(pipeline.statistics.cacheLimit == min(maximum, 8 * 1_000 * 700 * 4))
    pipeline.screen = nil
    #expect(pipeline.statistics.cacheLimit == maximum)
  }

  @Test(
    "A process that is lost once is replaced, and its image arrives",
    arguments: [
      FakeHelper.Behavior.exits, .crashes, .closesSocket, .randomBytes, .shortRecord, .repliesTwice,
    ])
  func replacesCrashedProcess(first: FakeHelper.Behavior) throws {
    let waker = TestWaker()
    let (pipeline, decoders) = try countingPipeline(try FakeHelper.write(in: folder, first: first, .valid), waker)
    defer { pipeline.shutdown() }
    for number in 0..<3 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    let arrivals = try pipeline.waitForArrivals(3, waker)
    #expect(arrivals.allSatisfy { if case .success = $0.outcome { true } else { false } })
    #expect(folder.contains("was-started"))
    #expect(decoders.crashes <= 1)
  }

  @Test(
    "A file that crashes every process fails, and is finally not retried",
    arguments: [
      (FakeHelper.Behavior.exits, ImageFailure.decoderCrashed), (.crashes, .decoderCrashed),
      (.randomBytes, .invalidDecoderReply),
    ])
  func fails(behavior: FakeHelper.Behavior, failure: ImageFailure) throws {
    let waker = TestWaker()
    let (pipeline, decoders) = try countingPipeline(try FakeHelper.write(in: folder, behavior), waker)
    defer { pipeline.shutdown() }
    let request = try request("a.jpg")
    pipeline.request(request, deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    #expect(decoders.crashes == 2)
    #expect(pipeline.failure(for: request.key) == failure)
    pipeline.request(request, deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    #expect(decoders.crashes == 2)
    // Three attempts in all, of which only the first uses two processes.
    for minute in 1...5 {
      _ = pipeline.collect(at: at(Double(minute) * 60_000))
      pipeline.request(request, deadline: at(0))
      #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    }
    #expect(decoders.crashes == 4)
  }

  @Test("Without an executable every image fails as unavailable", arguments: [true, false])
  func noExecutable(isLive: Bool) throws {
    let waker = TestWaker()
    let pipeline = try pipeline(folder.path(of: "absent"), waker, mode: isLive ? .live : .modelled)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    let arrivals = try isLive ? pipeline.waitForArrivals(1, waker) : pipeline.collect(at: at(1_000))
    #expect(arrivals.map(\.outcome.failure) == [.decoderUnavailable])
  }

  @Test("An executable that appears later makes all images succeed")
  func executableAppearsLater() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(folder.path(of: "helper"), waker)
    defer { pipeline.shutdown() }
    let requests = try (0..<3).map { try request("\($0).jpg") }
    for request in requests { pipeline.request(request, deadline: at(0)) }
    let failures = try pipeline.waitForArrivals(3, waker).map(\.outcome.failure)
    #expect(failures == Array(repeating: .decoderUnavailable, count: 3))
    _ = try FakeHelper.write(in: folder, .valid)
    pipeline.advance(to: at(2_000))
    for request in requests { pipeline.request(request, deadline: at(0)) }
    #expect(try pipeline.waitForArrivals(3, waker).map(\.outcome.failure) == [nil, nil, nil])
  }

  @Test("A helper that never becomes ready fails the image")
  func neverReady() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(try FakeHelper.write(in: folder, greeting: .exiting, .valid), waker)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [.decoderUnavailable])
  }

  @Test(
    "A shutdown does not wait for a process that hangs",
    arguments: [
      FakeHelper.Greeting.ready, .silent,
    ])
  func shutsDown(greeting: FakeHelper.Greeting) throws {
    let pipeline = try pipeline(
      try FakeHelper.write(in: folder, greeting: greeting, first: .hangs, .hangs), TestWaker(), workers: 2)
    for number in 0..<4 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    if greeting == .ready {
      try Deadline().wait(for: "a helper to hang") { folder.contains("was-started") ? () : nil }
    }
    pipeline.shutdown()
    #expect(pipeline.statistics.cancelled == 4)
  }

  @Test("Files that cannot be opened fail in order with the others")
  func filesThatCannotBeOpened() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(try FakeHelper.write(in: folder, .valid), waker, mode: .modelled)
    defer { pipeline.shutdown() }
    var missing = try request("missing.jpg")
    missing.source = .file(path: folder.pathBytes(of: "absent.jpg"))
    var generated = try request("generated.jpg")
    generated.source = .generated(1)
    let requests = [try request("first.jpg"), missing, generated, try request("last.jpg")]
    for request in requests { pipeline.request(request, deadline: at(0)) }
    let arrivals = pipeline.collect(at: at(10))
    #expect(arrivals.map(\.key) == requests.map(\.key))
    #expect(arrivals.map(\.outcome.failure) == [nil, .cannotOpen(ENOENT), .unsupportedSource, nil])
  }

  @Test(
    "A file that changes while it is read is read again, and finally reported as damaged",
    arguments: [
      FakeHelper.Behavior.valid, .refusing,
    ])
  func changingFile(behavior: FakeHelper.Behavior) throws {
    let waker = TestWaker()
    let path = folder.path(of: "a.jpg")
    // This helper appends a byte to the file before it replies.
    let helper = try FakeHelper.write(in: folder, growing: path, behavior)
    let pipeline = try pipeline(helper, waker)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    let arrival = try #require(pipeline.waitForArrivals(1, waker).first)
    switch arrival.outcome {
    case .success(let image): #expect(image.isDamaged && behavior == .valid)
    case .failure(let failure): #expect(failure == .refused(.notAPicture) && behavior == .refusing)
    }
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_size == 13)
  }
}
