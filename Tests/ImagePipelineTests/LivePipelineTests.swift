import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Image pipeline in real time")
struct LivePipelineTests {
  private func pipeline(
    _ decoders: GatedDecoder, _ waker: TestWaker, workers: Int = 1, cacheBytes: Int = 1 << 20
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: workers, cacheBytes: cacheBytes), decoders: decoders, waker: waker)
  }

  @Test("pictures arrive, wake the loop and stay in memory")
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

  @Test("the most urgent request goes first, as a worker becomes free")
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

  @Test("a shutdown with a limit leaves a worker behind that does not end")
  func leavesWorkers() throws {
    let gate = Lock((isOpen: false, hasBegun: false))
    defer {
      gate.withLock { $0.isOpen = true }
      gate.wakeAll()
    }
    // As one is that waits for a file system, it does not hear of the interrupt.
    let decoders = GatedDecoder(isOpen: true) { request in
      gate.withLock { $0.hasBegun = true }
      gate.wakeAll()
      gate.wait { $0.isOpen ? () : nil }
      return GatedDecoder.generatedImage(for: request.key)
    }
    let waker = TestWaker()
    let pipeline = try pipeline(decoders, waker)
    pipeline.request(request(0), deadline: at(0))
    gate.wait { $0.hasBegun ? () : nil }
    pipeline.shutdown(within: ShutdownBudget(.zero))
    #expect(pipeline.collect(at: at(1)).isEmpty && !gate.withLock { $0.isOpen })
  }

  @Test("requests for one key are decoded once and end together")
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

  @Test("a decode that is cancelled while it runs gives no arrival, and its picture is kept")
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

  @Test("a request for what is in memory arrives with the next collect, once, and can be cancelled")
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

  @Test("pictures leave memory in the order of their last use")
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

  @Test("a failure is an arrival and is known from then on")
  func fails() throws {
    let waker = TestWaker()
    let decoders = GatedDecoder(isOpen: true) { _ in .failure(.notAFile) }
    let pipeline = try pipeline(decoders, waker)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.note) == ["1@1 not a file"])
    #expect(pipeline.failure(for: key(1)) == .notAFile)
    pipeline.request(request(1), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).count == 1)
    pipeline.advance(to: at(1e9))
    #expect(!pipeline.canAttempt(key(1)))
    #expect(decoders.started.count == 1)
    #expect(pipeline.statistics.failed == 2)
  }

  @Test("a failure that passes is tried again after its pause, by the time that is told, and wakes nobody before")
  func recovers() throws {
    let waker = TestWaker()
    let isShort = Lock(true)
    let decoders = GatedDecoder(isOpen: true) { request in
      isShort.withLock { $0 } ? .failure(.cannotOpen(EMFILE)) : picture(request.key)
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
    #expect(pipeline.failure(for: key(1)) == .cannotOpen(EMFILE), "known until the picture is had")
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [nil])
    #expect(pipeline.failure(for: key(1)) == nil)
  }

  @Test("three thousand requests at once all end, with little memory waiting")
  func bulk() throws {
    let waker = TestWaker()
    let pipeline = try pipeline(GatedDecoder(isOpen: true), waker, workers: 3, cacheBytes: 0)
    defer { pipeline.shutdown() }
    for source in 0..<3_000 { pipeline.request(request(source, side: 8), deadline: at(Double(source))) }
    let arrivals = try pipeline.waitForArrivals(3_000, waker)
    #expect(Set(arrivals.map(\.key)).count == 3_000)
    #expect(pipeline.statistics.decoded == 3_000)
  }

  @Test("a shutdown ends decodes that would never end")
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

  @Test("letting go of the pipeline ends its workers too")
  func letsGo() throws {
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

  @Test("While processes that decode ahead get no processor, others decode what is on screen, and that alone")
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
