import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Image pipeline in real time")
struct LivePipelineTests {
  private func pipeline(
    _ decoders: GatedDecoder, _ waker: TestWaker, workers: Int = 1, cacheBytes: Int = 1 << 20
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: workers, cacheBytes: cacheBytes), decoders: decoders, waker: waker)
  }

  @Test("Images arrive, wake the loop and are cached")
  func arrives() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(GatedDecoder(isOpen: true), waker, workers: 2)
    defer { pipeline.shutdown() }
    #expect(pipeline.image(for: key(1)) == nil)
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.isPending(key(1)))
    let arrivals = try pipeline.waitForArrivals(1, waker)
    #expect(arrivals.map(\.key) == [key(1)])
    #expect(!pipeline.isPending(key(1)))
    #expect(pipeline.image(for: key(1)) != nil)
    #expect(pipeline.statistics.memoryHits == 1)
    #expect(pipeline.statistics.decoded == 1)
    #expect(pipeline.statistics.cacheBytes == 4)
    #expect(pipeline.nextArrival == nil)
  }

  @Test("The request with the earliest deadline is decoded first when a worker is free")
  func mostUrgentFirst() throws {
    let decoders = GatedDecoder()
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(0), deadline: at(0))
    _ = try decoders.waitForStarts(1)
    let tickets = (1...4).map { pipeline.request(request($0), deadline: at(Double(100 - $0))) }
    pipeline.updateDeadline(at(1), for: tickets[1])
    pipeline.cancel(tickets[2])
    #expect(pipeline.statistics.queueDepth == 3)
    #expect(pipeline.statistics.running == 1)
    decoders.open()
    #expect(try pipeline.waitForArrivals(4, waker).map(\.key.source) == [0, 2, 4, 1])
    #expect(decoders.started.map(\.source) == [0, 2, 4, 1])
  }

  @Test("A shutdown with a time limit does not wait for a blocked worker")
  func shutdownTimeout() throws {
    let gate = Lock((isOpen: false, hasStarted: false))
    defer {
      gate.withLock { $0.isOpen = true }
      gate.wakeAll()
    }
    // Like a worker that waits for a file system, it does not notice the interruption.
    let decoders = GatedDecoder(isOpen: true) { request in
      gate.withLock { $0.hasStarted = true }
      gate.wakeAll()
      gate.wait { $0.isOpen ? () : nil }
      return GatedDecoder.generatedImage(for: request.key)
    }
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker)
    pipeline.request(request(0), deadline: at(0))
    gate.wait { $0.hasStarted ? () : nil }
    pipeline.shutdown(within: ShutdownBudget(.zero))
    #expect(pipeline.collect(at: at(1)).isEmpty && !gate.withLock { $0.isOpen })
  }

  @Test("Requests for one key share a decode and an arrival")
  func coalesces() throws {
    let decoders = GatedDecoder()
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker, workers: 2)
    defer { pipeline.shutdown() }
    for _ in 0..<5 { pipeline.request(request(1), deadline: at(0)) }
    decoders.open()
    #expect(try pipeline.waitForArrivals(1, waker).count == 1)
    #expect(decoders.started == [key(1)])
    #expect(pipeline.statistics.requested == 5)
    #expect(pipeline.statistics.coalesced == 4)
  }

  @Test("A decode that is cancelled while it runs is not delivered, but its image is cached")
  func cancelsRunning() throws {
    let decoders = GatedDecoder()
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    let ticket = pipeline.request(request(1), deadline: at(0))
    _ = try decoders.waitForStarts(1)
    pipeline.cancel(ticket)
    pipeline.request(request(2), deadline: at(0))
    decoders.open()
    #expect(try pipeline.waitForArrivals(1, waker).map(\.key) == [key(2)])
    #expect(pipeline.image(for: key(1)) != nil)
    #expect(pipeline.statistics.cancelled == 1)
    #expect(pipeline.statistics.decoded == 2)
  }

  @Test("A request for a cached image is delivered with the next collect, once, and can be cancelled")
  func memoryHit() throws {
    let decoders = GatedDecoder(isOpen: true)
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    pipeline.request(request(1), deadline: at(0))
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.hasPendingArrivals)
    #expect(pipeline.isPending(key(1)))
    #expect(pipeline.collect(at: at(0)).map(\.key) == [key(1)])
    let ticket = pipeline.request(request(1), deadline: at(0))
    pipeline.cancel(ticket)
    #expect(pipeline.collect(at: at(0)).isEmpty)
    #expect(decoders.started.count == 1)
    #expect(pipeline.statistics.requested == 4)
    #expect(pipeline.statistics.memoryHits == 3)
  }

  @Test("The least recently used image is evicted first")
  func evicts() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(GatedDecoder(isOpen: true), waker, cacheBytes: 12)
    defer { pipeline.shutdown() }
    for source in 1...3 { pipeline.request(request(source), deadline: at(Double(source))) }
    _ = try pipeline.waitForArrivals(3, waker)
    #expect(pipeline.image(for: key(1)) != nil)
    pipeline.request(request(4), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    #expect(pipeline.image(for: key(2)) == nil)
    #expect(pipeline.statistics.cacheBytes == 12)
  }

  @Test("A failure is delivered and remembered")
  func fails() throws {
    let waker = TestWaker()
    let decoders = GatedDecoder(isOpen: true) { _ in .failure(.notAFile) }
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.summary) == ["1@1 not a file"])
    #expect(pipeline.failure(for: key(1)) == .notAFile)
    pipeline.request(request(1), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).count == 1)
    pipeline.advance(to: at(1e9))
    #expect(!pipeline.canAttempt(key(1)))
    #expect(decoders.started.count == 1)
    #expect(pipeline.statistics.failed == 2)
  }

  @Test("A transient failure is retried after its pause, and does not wake the loop before")
  func recovers() throws {
    let waker = TestWaker()
    let isShort = Lock(true)
    let decoders = GatedDecoder(isOpen: true) { request in
      isShort.withLock { $0 } ? .failure(.cannotOpen(EMFILE)) : generatedImage(request.key)
    }
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [.cannotOpen(EMFILE)])
    isShort.withLock { $0 = false }
    #expect(!pipeline.canAttempt(key(1)))
    pipeline.advance(to: at(2_000))
    #expect(pipeline.canAttempt(key(1)))
    #expect(waker.pendingWakes == 0 && !pipeline.hasPendingArrivals && pipeline.nextArrival == nil)
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.failure(for: key(1)) == .cannotOpen(EMFILE), "known until the image is decoded")
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [nil])
    #expect(pipeline.failure(for: key(1)) == nil)
  }

  @Test("Three thousand simultaneous requests all complete with a small backlog")
  func manyRequests() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(GatedDecoder(isOpen: true), waker, workers: 3, cacheBytes: 0)
    defer { pipeline.shutdown() }
    for source in 0..<3_000 { pipeline.request(request(source, side: 8), deadline: at(Double(source))) }
    let arrivals = try pipeline.waitForArrivals(3_000, waker)
    #expect(Set(arrivals.map(\.key)).count == 3_000)
    #expect(pipeline.statistics.decoded == 3_000)
  }

  @Test("A shutdown interrupts decodes that never finish")
  func shutsDown() throws {
    let decoders = GatedDecoder()
    let pipeline = try pipeline(decoders, TestWaker(), workers: 2)
    for source in 0..<4 { pipeline.request(request(source), deadline: at(0)) }
    _ = try decoders.waitForStarts(2)
    pipeline.shutdown()
    pipeline.shutdown()
    #expect(pipeline.collect(at: at(0)).isEmpty)
    #expect(decoders.started.count == 2)
    #expect(pipeline.statistics.cancelled == 4)
  }

  @Test("Releasing the pipeline ends its workers")
  func deallocates() throws {
    let decoders = GatedDecoder()
    weak var released: ImagePipeline?
    do {
      let pipeline = try pipeline(decoders, TestWaker())
      released = pipeline
      pipeline.request(request(1), deadline: at(0))
      _ = try decoders.waitForStarts(1)
    }
    #expect(released == nil)
  }

  @Test("While starved background processes prefetch, other workers decode images on screen only")
  func starved() throws {
    let decoders = StarvedDecoders()
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 2), decoders: decoders, waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(5))
    pipeline.request(request(2), deadline: at(-1))
    let keys = try pipeline.waitForArrivals(2, waker).map(\.key)
    #expect(Set(keys) == [key(1), key(2)])
    #expect(decoders.screenKeys == [key(2)])
  }
}

// MARK: - Support

/// A factory whose background decoders are starved until the screen's decoder has decoded an image.
private struct StarvedDecoders: DecoderFactory {
  let usesBackgroundPriority = true
  private let isReleased = Lock(false)
  private let decodedForScreen = Lock<[ImageKey]>([])

  /// The keys that the screen's decoder has decoded, in order.
  var screenKeys: [ImageKey] { decodedForScreen.withLock { $0 } }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder { makeDecoder(worker: worker, isForScreen: false) {} }

  func makeDecoder(worker: Int, isForScreen: Bool, onStarvation: @escaping () -> Void) -> any PipelineImageDecoder {
    StarvedDecoder(factory: self, isForScreen: isForScreen, onStarvation: onStarvation)
  }

  func interrupt() { release() }

  private func release() {
    isReleased.withLock { $0 = true }
    isReleased.wakeAll()
  }

  private struct StarvedDecoder: PipelineImageDecoder {
    let factory: StarvedDecoders
    let isForScreen: Bool
    let onStarvation: () -> Void

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome {
      if isForScreen {
        factory.decodedForScreen.withLock { $0.append(request.key) }
        factory.release()
      } else {
        onStarvation()
        factory.isReleased.wait { $0 ? () : nil }
      }
      return generatedImage(request.key)
    }
  }
}
