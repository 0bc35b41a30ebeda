import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Decoder health")
struct DecoderHealthTests {
  private let folder: TemporaryFolder
  private let waker = TestWaker()

  init() throws { folder = try TemporaryFolder() }

  private func pipeline(_ behavior: FakeHelper.Behavior, workers: Int = 1) throws -> ImagePipeline {
    let path = try FakeHelper.write(in: folder, behavior)
    return try ImagePipeline(ImagePipelineConfiguration(workers: workers, helperPath: path), waker: waker)
  }

  /// Decodes a file and returns its failure.
  ///
  /// Every call must use another source number.
  private func decode(_ name: String, as source: Int, side: Int = 8, _ pipeline: ImagePipeline) throws -> ImageFailure?
  {
    pipeline.request(
      fileRequest(folder.pathBytes(of: name), source: source, pixels(side, side)), deadline: at(0))
    return try #require(pipeline.waitForArrivals(1, waker).first).outcome.failure
  }

  @Test(
    "A file that crashed two processes is refused, also under another name or size",
    arguments: [(FakeHelper.Behavior.exits, ImageFailure.decoderCrashed), (.randomBytes, .invalidDecoderReply)])
  func crashingFile(behavior: FakeHelper.Behavior, failure: ImageFailure) throws {
    let pipeline = try pipeline(behavior)
    defer { pipeline.shutdown() }
    try folder.write([1, 2, 3], to: "a.jpg")
    #expect(try decode("a.jpg", as: 1, pipeline) == failure)
    #expect(pipeline.decoderStatus.deaths == 2)
    try #require(link(folder.path(of: "a.jpg"), folder.path(of: "b.jpg")) == 0)
    #expect(try decode("b.jpg", as: 2, pipeline) == failure)
    #expect(try decode("a.jpg", as: 3, side: 16, pipeline) == failure)
    #expect(pipeline.decoderStatus.deaths == 2)
    // A changed file is a different file.
    try folder.write([1, 2, 3, 4], to: "a.jpg")
    #expect(try decode("a.jpg", as: 4, pipeline) == failure)
    #expect(pipeline.decoderStatus.deaths == 4)
  }

  @Test("A process that was killed from outside is not attributed to a file")
  func killedFromOutside() throws {
    let health = DecoderHealth()
    let file = ImageFileIdentity(device: 1, node: 2, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<3 { health.recordLoss(.exited, .signal(SIGKILL), of: file) }
    #expect(health.refusal(of: file) == nil)
    for _ in 0..<2 { health.recordLoss(.exited, .signal(SIGSEGV), of: file) }
    #expect(health.refusal(of: file) == .decoderCrashed)
    #expect(health.status.deaths == 5)
    health.recordLoss(.interrupted, nil, of: file)
    #expect(health.status.deaths == 5)
  }

  @Test("A file that hangs is refused after its first timeout, unless it had less time because other images waited")
  func hangingFile() throws {
    let health = DecoderHealth()
    let files = (1...3).map {
      ImageFileIdentity(device: 1, node: UInt64($0), byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    }
    health.recordLoss(.timedOut, nil, of: files[0], timeout: .computing)
    #expect(health.refusal(of: files[0]) == .decoderTimedOut && health.status.deaths == 1)
    for _ in 0..<3 {
      health.recordLoss(.timedOut, nil, of: files[1], timeout: .hurried)
      #expect(health.refusal(of: files[1]) == nil && health.hasHurried(files[1]))
    }
    health.recordLoss(.timedOut, nil, of: files[1], timeout: .waiting)
    #expect(health.refusal(of: files[1]) == .decoderTimedOut)
    // A process that does not end after its reply has taken its time too.
    health.recordLoss(.invalidReply, nil, of: files[2], timeout: .computing)
    #expect(health.refusal(of: files[2]) == .invalidDecoderReply)
    // Timeouts count as deaths, those of a disk that does not answer a sixth.
    for _ in 0..<40 { health.recordLoss(.timedOut, nil, of: nil, timeout: .waiting) }
    #expect(!health.isStopped)
    for _ in 0..<DecodingCircuitBreaker.maximumDeaths - 8 {
      health.recordLoss(.timedOut, nil, of: nil, timeout: .computing)
    }
    #expect(health.isStopped)
  }

  @Test("Losses of idle work do not affect the parent, and losses of the parent affect idle work")
  func parentHealth() throws {
    let health = DecoderHealth()
    let idle = DecoderHealth(parent: health)
    let file = ImageFileIdentity(device: 1, node: 2, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<DecodingCircuitBreaker.maximumDeaths { idle.recordLoss(.exited, .signal(SIGSEGV), of: file) }
    #expect(idle.refusal(of: file) == .decoderCrashed && idle.isStopped)
    #expect(health.refusal(of: file) == nil && !health.isStopped && health.status.deaths == 0)
    let other = DecoderHealth(parent: health)
    let another = ImageFileIdentity(device: 1, node: 3, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<DecodingCircuitBreaker.maximumDeaths { health.recordLoss(.invalidReply, nil, of: another) }
    #expect(other.refusal(of: another) == .invalidDecoderReply && other.isStopped && other.refusal(of: file) == nil)
  }

  @Test("A series of crashes stops decoding, every request still ends, and decoding can be resumed")
  func crashSeries() throws {
    let pipeline = try pipeline(.crashes, workers: 2)
    defer { pipeline.shutdown() }
    for number in 0..<40 {
      let path = try folder.write([UInt8(number)], to: "\(number).jpg")
      pipeline.request(fileRequest(path, source: number, pixels(8, 8)), deadline: at(0))
    }
    let failures = try pipeline.waitForArrivals(40, waker).map(\.outcome.failure)
    #expect(failures.count { $0 == .decodingStopped } >= 25)
    #expect(failures.allSatisfy { $0 == .decodingStopped || $0 == .decoderCrashed })
    #expect(pipeline.decoderStatus.isStopped)
    // Both workers may have had a decode in progress at the twentieth loss.
    #expect((20...22).contains(pipeline.decoderStatus.deaths))
    #expect(try decode("39.jpg", as: 100, pipeline) == .decodingStopped)
    _ = try FakeHelper.write(in: folder, .valid)
    pipeline.resumeDecoding()
    #expect(!pipeline.decoderStatus.isStopped)
    #expect(try decode("39.jpg", as: 101, pipeline) == nil)
    // An image that failed only because decoding was stopped can be retried.
    pipeline.advance(to: at(2_000))
    #expect(pipeline.canAttempt(ImageKey(source: 39, size: pixels(8, 8))))
    #expect(try decode("39.jpg", as: 39, pipeline) == nil)
  }
}

// MARK: - Decoding circuit breaker

@Suite("Decoding circuit breaker")
struct DecodingCircuitBreakerTests {
  private func second(_ number: Double) -> FrameInstant { .zero + .seconds(number) }

  /// Records deaths at equal intervals, and returns the time at which decoding stopped, or nil.
  private func stopTime(
    of breaker: inout DecodingCircuitBreaker, _ cause: DecodingCircuitBreaker.Cause, from start: Double,
    every seconds: Double, count: Int
  ) -> Double? {
    for number in 0..<count {
      let instant = start + Double(number) * seconds
      breaker.recordDeath(cause, at: second(instant))
      if breaker.isStopped(at: second(instant)) { return instant }
    }
    return nil
  }

  @Test("Twenty deaths in a minute stop decoding, nineteen do not")
  func twenty() {
    var breaker = DecodingCircuitBreaker()
    #expect(!breaker.isStopped(at: second(0)))
    #expect(stopTime(of: &breaker, .internalFailure, from: 0, every: 2, count: 40) == 38)
    breaker = DecodingCircuitBreaker()
    #expect(stopTime(of: &breaker, .internalFailure, from: 0, every: 60.0 / 19, count: 500) == nil)
  }

  @Test("Decoding resumes after a pause of thirty seconds")
  func pause() {
    var breaker = DecodingCircuitBreaker()
    for _ in 0..<20 { breaker.recordDeath(.internalFailure, at: second(100)) }
    #expect(breaker.isStopped(at: second(129.9)))
    #expect(!breaker.isStopped(at: second(130)))
  }

  @Test("On probation two deaths stop decoding again, for twice as long, up to sixteen minutes")
  func probation() {
    var breaker = DecodingCircuitBreaker()
    for _ in 0..<20 { breaker.recordDeath(.internalFailure, at: second(0)) }
    var start = 30.0
    for pause in [60.0, 120, 240, 480, 960, 960, 960] {
      breaker.recordDeath(.internalFailure, at: second(start))
      #expect(!breaker.isStopped(at: second(start)))
      breaker.recordDeath(.internalFailure, at: second(start + 59))
      #expect(breaker.isStopped(at: second(start + 59 + pause - 0.001)))
      start += 59 + pause
      #expect(!breaker.isStopped(at: second(start)))
    }
  }

  @Test("A quiet minute after the pause resets everything")
  func resetsAfterQuietMinute() {
    var breaker = DecodingCircuitBreaker()
    for _ in 0..<20 { breaker.recordDeath(.internalFailure, at: second(0)) }
    breaker.recordDeath(.internalFailure, at: second(40))
    #expect(stopTime(of: &breaker, .internalFailure, from: 90, every: 0.1, count: 18) == nil)
    breaker.recordDeath(.internalFailure, at: second(95))
    #expect(breaker.isStopped(at: second(95)))
    // As long as the first pause.
    #expect(!breaker.isStopped(at: second(125)))
  }

  @Test("The user can resume decoding earlier, also on probation")
  func resumed() {
    var breaker = DecodingCircuitBreaker()
    breaker.resume(at: second(0))
    for _ in 0..<20 { breaker.recordDeath(.internalFailure, at: second(0)) }
    breaker.resume(at: second(5))
    #expect(!breaker.isStopped(at: second(5)))
    for _ in 0..<2 { breaker.recordDeath(.internalFailure, at: second(6)) }
    #expect(breaker.isStopped(at: second(65.9)))
    #expect(!breaker.isStopped(at: second(66)))
  }

  @Test("One process killed per second from outside does not stop decoding, two do")
  func externalKills() {
    var breaker = DecodingCircuitBreaker()
    #expect(stopTime(of: &breaker, .externalKill, from: 0, every: 1, count: 3_600) == nil)
    breaker = DecodingCircuitBreaker()
    #expect(stopTime(of: &breaker, .externalKill, from: 0, every: 0.4, count: 3_600) != nil)
  }

  @Test("Decoding never stops for fewer deaths than the minimum, in any order", arguments: TestScale.seeds(0..<20))
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var breaker = DecodingCircuitBreaker()
    var deaths: [(at: Double, weight: Int)] = []
    var time = 0.0
    for _ in 0..<2_000 {
      time += Double.random(in: 0...12, using: &random)
      let cause: DecodingCircuitBreaker.Cause = Bool.random(using: &random) ? .internalFailure : .externalKill
      breaker.recordDeath(cause, at: second(time))
      deaths.append((time, cause == .internalFailure ? 6 : 1))
      let weight = deaths.filter { time - $0.at < 60 }.reduce(0) { $0 + $1.weight }
      guard breaker.isStopped(at: second(time)) else {
        #expect(weight < 120)
        continue
      }
      #expect(weight >= 12)
      // After a long quiet period the state is the initial one.
      time += 2_000
      deaths = []
      #expect(!breaker.isStopped(at: second(time)))
    }
  }
}

// MARK: - Crashing files

@Suite("Crashing files")
struct CrashingFilesTests {
  private func file(_ node: Int, bytes: Int = 100, modified: Int = 7) -> ImageFileIdentity {
    ImageFileIdentity(
      device: 1, node: UInt64(node), byteCount: bytes, modifiedSeconds: modified, modifiedNanoseconds: 5)
  }

  @Test("A file is refused after its second crash, with the reason of the last one")
  func secondCrash() {
    var files = CrashingFiles()
    #expect(files.refusal(of: file(1)) == nil)
    files.recordDeath(of: file(1), .decoderCrashed)
    #expect(files.refusal(of: file(1)) == nil)
    files.recordDeath(of: file(1), .decoderTimedOut)
    #expect(files.refusal(of: file(1)) == .decoderTimedOut)
    #expect(files.refusal(of: file(2)) == nil)
  }

  @Test("A file that was changed in any way is a different file")
  func changed() {
    var files = CrashingFiles()
    for _ in 0..<2 { files.recordDeath(of: file(1), .decoderCrashed) }
    #expect(files.refusal(of: file(1, bytes: 101)) == nil)
    #expect(files.refusal(of: file(1, modified: 8)) == nil)
    var other = file(1)
    other.device = 2
    #expect(files.refusal(of: other) == nil)
    other = file(1)
    other.modifiedNanoseconds = 6
    #expect(files.refusal(of: other) == nil)
  }

  @Test("A successful decode clears the first crash of a file")
  func cleared() {
    var files = CrashingFiles()
    for _ in 0..<5 {
      files.recordDeath(of: file(1), .decoderCrashed)
      files.recordSuccess(of: file(1))
      #expect(files.refusal(of: file(1)) == nil)
    }
  }

  @Test("Thousands of crashes and decodes match a simple table")
  func model() {
    var random = SeededGenerator(seed: 18)
    var files = CrashingFiles()
    var deaths: [ImageFileIdentity: (count: Int, failure: ImageFailure)] = [:]
    let reasons: [ImageFailure] = [.decoderCrashed, .invalidDecoderReply, .decoderTimedOut]
    for _ in 0..<5_000 {
      let identity = file(Int.random(in: 0..<30, using: &random), modified: Int.random(in: 0..<3, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        files.recordSuccess(of: identity)
        deaths[identity] = nil
      } else {
        let failure = reasons[Int.random(in: 0..<3, using: &random)]
        files.recordDeath(of: identity, failure)
        deaths[identity] = ((deaths[identity]?.count ?? 0) + 1, failure)
      }
      let queried = file(Int.random(in: 0..<30, using: &random), modified: Int.random(in: 0..<3, using: &random))
      let known = deaths[queried].flatMap { $0.count >= 2 ? $0.failure : nil }
      #expect(files.refusal(of: queried) == known)
    }
  }

  @Test("The least recently used file is forgotten when there are too many")
  func bounded() {
    var files = CrashingFiles()
    for number in 0...65_536 {
      for _ in 0..<2 { files.recordDeath(of: file(number), .decoderCrashed) }
      #expect(number % 1_000 > 0 || files.refusal(of: file(0)) == .decoderCrashed)
    }
    #expect(files.refusal(of: file(0)) == .decoderCrashed)
    #expect(files.refusal(of: file(1)) == nil)
    #expect(files.refusal(of: file(2)) == .decoderCrashed)
  }
}
