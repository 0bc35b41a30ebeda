import DecodingProtocol
import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("What a pipeline learns about files and processes", .enabled(if: FakeHelper.isAvailable))
struct DecoderHealthTests {
  private let folder: TemporaryFolder
  private let waker = TestWaker()

  init() throws { folder = try TemporaryFolder() }

  private func pipeline(_ conduct: FakeHelper.Conduct, workers: Int = 1) throws -> ImagePipeline {
    let path = try FakeHelper.write(in: folder, conduct)
    return try ImagePipeline(ImagePipelineConfiguration(workers: workers, helperPath: path), waker: waker)
  }

  /// Has a file decoded; every call asks for another picture.
  private func decode(_ name: String, as source: Int, side: Int = 8, _ pipeline: ImagePipeline) throws -> ImageFailure?
  {
    pipeline.request(
      RealHelper.request(folder.bytes(of: name), source: source, pixels(side, side)), deadline: at(0))
    return try #require(pipeline.waitForArrivals(1, waker).first).outcome.failure
  }

  @Test(
    "a file that ended two processes ends no third, whatever it is called and however it is asked for",
    arguments: [(FakeHelper.Conduct.dies, ImageFailure.decoderCrashed), (.randomBytes, .invalidDecoderReply)])
  func fatalFile(conduct: FakeHelper.Conduct, failure: ImageFailure) throws {
    let pipeline = try pipeline(conduct)
    defer { pipeline.shutdown() }
    try folder.write([1, 2, 3], to: "a.jpg")
    #expect(try decode("a.jpg", as: 1, pipeline) == failure)
    #expect(pipeline.decoderCondition.deaths == 2)
    try #require(link(folder.path(of: "a.jpg"), folder.path(of: "b.jpg")) == 0)
    #expect(try decode("b.jpg", as: 2, pipeline) == failure)
    #expect(try decode("a.jpg", as: 3, side: 16, pipeline) == failure)
    #expect(pipeline.decoderCondition.deaths == 2)
    // A changed file is another one.
    try folder.write([1, 2, 3, 4], to: "a.jpg")
    #expect(try decode("a.jpg", as: 4, pipeline) == failure)
    #expect(pipeline.decoderCondition.deaths == 4)
  }

  @Test("a process that was killed from outside blames no file")
  func killedFromOutside() throws {
    let health = DecoderHealth()
    let file = FileIdentity(device: 1, node: 2, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<3 { health.recordLoss(.exited, .signal(SIGKILL), of: file) }
    #expect(health.refusal(of: file) == nil)
    for _ in 0..<2 { health.recordLoss(.exited, .signal(SIGSEGV), of: file) }
    #expect(health.refusal(of: file) == .decoderCrashed)
    #expect(health.condition.deaths == 5)
    health.recordLoss(.interrupted, nil, of: file)
    #expect(health.condition.deaths == 5)
  }

  @Test("what work that nobody waits for does to processes is no file's fault for others, and theirs is for it")
  func consulted() throws {
    let health = DecoderHealth()
    let idle = DecoderHealth(consulting: health)
    let file = FileIdentity(device: 1, node: 2, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<DecodingCircuitBreaker.maximumDeaths { idle.recordLoss(.exited, .signal(SIGSEGV), of: file) }
    #expect(idle.refusal(of: file) == .decoderCrashed && idle.isStopped)
    #expect(health.refusal(of: file) == nil && !health.isStopped && health.condition.deaths == 0)
    let other = DecoderHealth(consulting: health)
    let another = FileIdentity(device: 1, node: 3, byteCount: 3, modifiedSeconds: 4, modifiedNanoseconds: 5)
    for _ in 0..<DecodingCircuitBreaker.maximumDeaths { health.recordLoss(.invalidReply, nil, of: another) }
    #expect(other.refusal(of: another) == .invalidDecoderReply && other.isStopped && other.refusal(of: file) == nil)
  }

  @Test("a storm of deaths stops decoding, every request ends all the same, and it begins again when told")
  func storm() throws {
    let pipeline = try pipeline(.crashes, workers: 2)
    defer { pipeline.shutdown() }
    for number in 0..<40 {
      let path = try folder.write([UInt8(number)], to: "\(number).jpg")
      pipeline.request(RealHelper.request(path, source: number, pixels(8, 8)), deadline: at(0))
    }
    let failures = try pipeline.waitForArrivals(40, waker).map(\.outcome.failure)
    #expect(failures.count { $0 == .decodingStopped } >= 25)
    #expect(failures.allSatisfy { $0 == .decodingStopped || $0 == .decoderCrashed })
    #expect(pipeline.decoderCondition.isStopped)
    // Both workers may have had one under way when the twentieth fell.
    #expect((20...22).contains(pipeline.decoderCondition.deaths))
    #expect(try decode("39.jpg", as: 100, pipeline) == .decodingStopped)
    _ = try FakeHelper.write(in: folder, .honest)
    pipeline.resumeDecoding()
    #expect(!pipeline.decoderCondition.isStopped)
    #expect(try decode("39.jpg", as: 101, pipeline) == nil)
    // What failed for that reason alone is tried again when it is asked for.
    pipeline.advance(to: at(2_000))
    #expect(pipeline.canAttempt(ImageKey(source: 39, size: pixels(8, 8))))
    #expect(try decode("39.jpg", as: 39, pipeline) == nil)
  }

  @Test("a process that keeps too much memory is replaced between two pictures")
  func swelling() throws {
    let pipeline = try pipeline(.swells)
    defer { pipeline.shutdown() }
    try folder.write([1], to: "a.jpg")
    for number in 0..<40 { #expect(try decode("a.jpg", as: number, pipeline) == nil) }
    #expect(pipeline.decoderCondition.retired >= 1)
    #expect(pipeline.decoderCondition.deaths == 0)
    #expect(pipeline.decoderCondition.started >= 2)
  }
}
