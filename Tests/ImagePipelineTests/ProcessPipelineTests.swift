import DecodingProtocol
import FramePacing
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Image pipeline with processes of the tests' own", .enabled(if: FakeHelper.isAvailable))
struct ProcessPipelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A request for a file of this many bytes.
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

  /// A pipeline with one worker in real time, and what tells how many processes it lost.
  private func watchedPipeline(_ helperPath: String, _ waker: TestWaker) throws -> (ImagePipeline, WatchedDecoders) {
    let configuration = ImagePipelineConfiguration(workers: 1)
    let decoders = WatchedDecoders(
      try ProcessDecoderFactory(
        workers: 4, helperPath: helperPath, slotBytes: configuration.slotBytes, takesWhatIsLeft: false, delay: .zero))
    return (try ImagePipeline(configuration, decoders: decoders, waker: waker), decoders)
  }

  @Test("pictures come from the process, on either time line", arguments: [true, false])
  func decodes(isLive: Bool) throws {
    let waker = TestWaker()
    let pipeline = try pipeline(
      try FakeHelper.write(in: folder, .honest), waker, workers: 2, mode: isLive ? .live : .modelled)
    defer { pipeline.shutdown() }
    for number in 0..<20 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    let arrivals = try isLive ? pipeline.waitForArrivals(20, waker) : pipeline.collect(at: at(1_000))
    #expect(arrivals.count == 20)
    #expect(arrivals.allSatisfy { if case .success = $0.outcome { true } else { false } })
  }

  @Test(
    "at rest memory is given back, once, and the next picture is made all the same, in the order that was asked for")
  func rests() throws {
    let waker = TestWaker()
    let pool = PixelPool()
    var configuration = ImagePipelineConfiguration(
      workers: 2, cacheBytes: 0, helperPath: try FakeHelper.write(in: folder, .honest))
    configuration.pixels = PixelStorage(order: .blueFirst, pool: pool)
    let pipeline = try ImagePipeline(configuration, waker: waker)
    defer { pipeline.shutdown() }
    for round in 0..<3 {
      for number in 0..<4 {
        let path = try folder.write([1, 2, 3], to: "\(number).jpg")
        let key = ImageKey(source: UInt64(round * 4 + number), size: pixels(100, 100))
        pipeline.request(ImageRequest(key: key, source: .file(path: path)), deadline: at(0))
        let image = try #require(try pipeline.waitForArrivals(1, waker).first).outcome.get()
        // The helper paints 7, 8, 9, which stand here the other way round.
        #expect(image.bitmap.withPixels { Array($0.prefix(4)) } == [9, 8, 7, 255])
      }
      // The worker may hold the last picture still. Later another worker may be at giving back what the last rest found.
      if round == 0 { try Deadline().wait(for: "memory to wait") { pool.idleBytes > 0 ? () : nil } }
      pipeline.releaseIdleResources()
      try Deadline().wait(for: "memory to be given back") { pool.idleBytes == 0 ? () : nil }
    }
  }

  @Test("a decoder at rest has no process, and starts another for the next picture")
  func restingDecoder() throws {
    let path = try FakeHelper.write(in: folder, .honest)
    let setup = DecodingProcess.Setup(executable: Array(path.utf8), slotBytes: 1 << 20, priority: .normal)
    let decoder = ProcessDecoder(setup: { setup }, delay: .zero, stop: try StopSignal())
    for number in 0..<3 {
      guard case .success = decoder.decode(try request("\(number).jpg")) else {
        Issue.record("picture \(number) was not made")
        return
      }
      #expect(decoder.processNumber != nil)
      decoder.releaseIdleResources()
      #expect(decoder.processNumber == nil)
    }
  }

  @Test("the window's extent bounds what is kept in memory")
  func screen() throws {
    let pipeline = try pipeline(try FakeHelper.write(in: folder, .honest), TestWaker())
    defer { pipeline.shutdown() }
    let most = pipeline.statistics.cacheLimit
    pipeline.screen = pixels(1_000, 700)
    #expect(pipeline.statistics.cacheLimit == min(most, 8 * 1_000 * 700 * 4))
    pipeline.screen = nil
    #expect(pipeline.statistics.cacheLimit == most)
  }

  @Test(
    "a process that is lost once is replaced, and its file shown",
    arguments: [
      FakeHelper.Conduct.dies, .crashes, .hangsUp, .randomBytes, .shortRecord, .answersTwice, .leavesAfterwards,
    ])
  func replaced(first: FakeHelper.Conduct) throws {
    let waker = TestWaker()
    let (pipeline, decoders) = try watchedPipeline(try FakeHelper.write(in: folder, first: first, .honest), waker)
    defer { pipeline.shutdown() }
    for number in 0..<3 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    let arrivals = try pipeline.waitForArrivals(3, waker)
    #expect(arrivals.allSatisfy { if case .success = $0.outcome { true } else { false } })
    #expect(folder.has("was-started"))
    #expect(decoders.deaths <= 1)
  }

  @Test(
    "a file that its process never survives fails, and is left alone in the end",
    arguments: [
      (FakeHelper.Conduct.dies, ImageFailure.decoderCrashed), (.crashes, .decoderCrashed),
      (.randomBytes, .invalidDecoderReply),
    ])
  func fails(conduct: FakeHelper.Conduct, failure: ImageFailure) throws {
    let waker = TestWaker()
    let (pipeline, decoders) = try watchedPipeline(try FakeHelper.write(in: folder, conduct), waker)
    defer { pipeline.shutdown() }
    let request = try request("a.jpg")
    pipeline.request(request, deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    #expect(decoders.deaths == 2)
    #expect(pipeline.failure(for: request.key) == failure)
    pipeline.request(request, deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    #expect(decoders.deaths == 2)
    // Three tries in all, and only the first has two processes.
    for minute in 1...5 {
      _ = pipeline.collect(at: at(Double(minute) * 60_000))
      pipeline.request(request, deadline: at(0))
      #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [failure])
    }
    #expect(decoders.deaths == 4)
  }

  @Test("without an executable every picture fails and says why", arguments: [true, false])
  func noExecutable(isLive: Bool) throws {
    let waker = TestWaker()
    let pipeline = try pipeline(folder.path(of: "absent"), waker, mode: isLive ? .live : .modelled)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    let arrivals = try isLive ? pipeline.waitForArrivals(1, waker) : pipeline.collect(at: at(1_000))
    #expect(arrivals.map(\.outcome.failure) == [.decoderUnavailable])
  }

  @Test("an executable that is there in the end leaves no picture broken")
  func lateExecutable() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(folder.path(of: "helper"), waker)
    defer { pipeline.shutdown() }
    let requests = try (0..<3).map { try request("\($0).jpg") }
    for request in requests { pipeline.request(request, deadline: at(0)) }
    let failures = try pipeline.waitForArrivals(3, waker).map(\.outcome.failure)
    #expect(failures == Array(repeating: .decoderUnavailable, count: 3))
    _ = try FakeHelper.write(in: folder, .honest)
    pipeline.advance(to: at(2_000))
    for request in requests { pipeline.request(request, deadline: at(0)) }
    #expect(try pipeline.waitForArrivals(3, waker).map(\.outcome.failure) == [nil, nil, nil])
  }

  @Test("a helper that never gets ready fails the picture, not the program")
  func neverReady() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(try FakeHelper.write(in: folder, greeting: .leaving, .honest), waker)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [.decoderUnavailable])
  }

  @Test(
    "a shutdown does not wait for a process that hangs",
    arguments: [
      FakeHelper.Greeting.ready, .silent,
    ])
  func shutsDown(greeting: FakeHelper.Greeting) throws {
    let pipeline = try pipeline(
      try FakeHelper.write(in: folder, greeting: greeting, first: .hangs, .hangs), TestWaker(), workers: 2)
    for number in 0..<4 { pipeline.request(try request("\(number).jpg"), deadline: at(0)) }
    if greeting == .ready {
      try Deadline().wait(for: "a helper to hang") { folder.has("was-started") ? () : nil }
    }
    pipeline.shutdown()
    #expect(pipeline.statistics.cancelled == 4)
  }

  @Test("files that cannot be opened fail in order with the others")
  func filesThatCannotBeOpened() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(try FakeHelper.write(in: folder, .honest), waker, mode: .modelled)
    defer { pipeline.shutdown() }
    var gone = try request("gone.jpg")
    gone.source = .file(path: folder.bytes(of: "absent.jpg"))
    var painted = try request("painted.jpg")
    painted.source = .generated(1)
    let requests = [try request("first.jpg"), gone, painted, try request("last.jpg")]
    for request in requests { pipeline.request(request, deadline: at(0)) }
    let arrivals = pipeline.collect(at: at(10))
    #expect(arrivals.map(\.key) == requests.map(\.key))
    #expect(arrivals.map(\.outcome.failure) == [nil, .cannotOpen(ENOENT), .unsupportedSource, nil])
  }

  @Test(
    "a file that changes while it is read is read again, and in the end said to be damaged",
    arguments: [
      FakeHelper.Conduct.honest, .refusing,
    ])
  func changing(conduct: FakeHelper.Conduct) throws {
    let waker = TestWaker()
    let path = folder.path(of: "a.jpg")
    // This helper makes every file it is asked for a byte longer before it answers.
    let helper = try FakeHelper.write(in: folder, growing: path, conduct)
    let pipeline = try pipeline(helper, waker)
    defer { pipeline.shutdown() }
    pipeline.request(try request("a.jpg"), deadline: at(0))
    let arrival = try #require(pipeline.waitForArrivals(1, waker).first)
    switch arrival.outcome {
    case .success(let image): #expect(image.isDamaged && conduct == .honest)
    case .failure(let failure): #expect(failure == .refused(.notAPicture) && conduct == .refusing)
    }
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_size == 13)
  }
}

extension ImageOutcome {
  /// Why there is no picture; nothing where there is one.
  var failure: ImageFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
