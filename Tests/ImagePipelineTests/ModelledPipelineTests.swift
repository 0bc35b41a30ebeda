import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Image pipeline on a modelled timeline")
struct ModelledPipelineTests {
  private let configuration = ImagePipelineConfiguration(workers: 3, mode: .modelled, cacheBytes: 2_000)

  /// Returns everything that the client observes in a run of random requests, frame by frame.
  private func log(seed: Int, decoders: GatedDecoder) throws -> [String] {
    var random = SeededGenerator(seed: UInt64(seed))
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    var log: [String] = []
    var tickets: [Int: ImageTicket] = [:]
    for frame in 0..<150 {
      let now = at(Double(frame) * 4)
      for arrival in pipeline.collect(at: now, atMost: 200) { log.append("\(frame) \(arrival.summary)") }
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let source = Int.random(in: 0..<60, using: &random)
        let side = 1 + source % 5
        let deadline = now + .milliseconds(Double.random(in: 0..<50, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<5:
          tickets[source] = pipeline.request(
            request(source, side: side, fileBytes: source * 20_000), deadline: deadline)
        case 5: if let ticket = tickets[source] { pipeline.cancel(ticket) }
        case 6: if let ticket = tickets[source] { pipeline.updateDeadline(deadline, for: ticket) }
        default: log.append("\(frame) has \(source): \(pipeline.image(for: key(source, side: side)) != nil)")
        }
      }
      log.append("\(frame) next \(String(describing: pipeline.nextArrival)) \(pipeline.hasPendingArrivals)")
    }
    log.append("\(pipeline.statistics)")
    return log
  }

  /// Returns the outcome of a request: a failure for every ninth file, otherwise an image.
  private nonisolated static func outcome(_ request: ImageRequest) -> ImageOutcome {
    request.key.source % 9 == 4 ? .failure(.notAFile) : generatedImage(request.key)
  }

  @Test("The results do not depend on the real speed of the decoder", arguments: 0..<6)
  func isDeterministic(seed: Int) throws {
    let quick = try log(seed: seed, decoders: GatedDecoder(isOpen: true) { Self.outcome($0) })
    let slow = try log(
      seed: seed,
      decoders: GatedDecoder(isOpen: true) { request in
        var random = SeededGenerator(seed: request.key.source)
        // Few yields: on a busy machine each of them costs a whole time slice.
        for _ in 0..<Int.random(in: 0..<6, using: &random) { sched_yield() }
        return Self.outcome(request)
      })
    #expect(quick == slow)
    #expect(quick.contains { $0.contains("not a file") })
    #expect(quick.count > 200)
  }

  @Test("A collect waits for a decode that is due but not finished")
  func waits() throws {
    let decoders = GatedDecoder()
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.request(request(1, fileBytes: 120_000), deadline: at(0))
    #expect(pipeline.nextArrival == at(1.3))
    #expect(pipeline.collect(at: at(1.29)).isEmpty)
    let opener = try WorkerThread(name: "opener") {
      // If no decode starts, the collect below returns no image either.
      _ = try? decoders.waitForStarts(1)
      decoders.release(key(1))
    }
    #expect(pipeline.collect(at: at(1.3)).map(\.key) == [key(1)])
    opener.join()
    #expect(pipeline.nextArrival == nil)
  }

  @Test("A request after an advance starts at the new time")
  func advances() throws {
    let pipeline = try ImagePipeline(configuration, decoders: GatedDecoder(isOpen: true), waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.advance(to: at(100))
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.nextArrival == at(100.3))
    pipeline.advance(to: at(200))
    #expect(pipeline.hasPendingArrivals)
    #expect(pipeline.nextArrival == at(200))
    #expect(pipeline.collect(at: at(200)).count == 1)
    #expect(!pipeline.hasPendingArrivals)
  }

  @Test("The decode delay is added to each decode on the timeline and to its statistics")
  func delays() throws {
    var delayed = configuration
    delayed.decodeDelay = .milliseconds(20)
    delayed.workers = 1
    let pipeline = try ImagePipeline(delayed, decoders: GatedDecoder(isOpen: true), waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    pipeline.request(request(2), deadline: at(0))
    #expect(pipeline.nextArrival == at(20.3))
    #expect(pipeline.collect(at: at(20.3)).map(\.key) == [key(1)])
    #expect(pipeline.collect(at: at(40.6)).map(\.key) == [key(2)])
    let median = pipeline.statistics.decodeMedian.milliseconds
    #expect(median >= 20.3 && median <= 20.3 * 1.04)
  }

  @Test("An image whose process is killed once arrives at the same time as without the crash")
  func killedOnce() throws {
    let isFirst = Lock(true)
    let decoders = GatedDecoder(isOpen: true) { request in
      let crashes = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return crashes ? .failure(.decoderCrashed) : generatedImage(request.key)
    }
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.collect(at: at(0.3)).map(\.key) == [key(1)])
    #expect(decoders.started.count == 2)
  }

  @Test("A shutdown cancels all requests, and later collects do not wait")
  func shutsDown() throws {
    let pipeline = try ImagePipeline(configuration, decoders: GatedDecoder(), waker: TestWaker())
    for source in 0..<10 { pipeline.request(request(source), deadline: at(0)) }
    pipeline.shutdown()
    #expect(pipeline.collect(at: at(1_000)).isEmpty)
    #expect(pipeline.statistics.cancelled == 10)
  }
}

// MARK: - `stopWaiting()` on a modelled timeline

@MainActor
@Suite("`stopWaiting()` on a modelled timeline")
struct StopWaitingTests {
  private static func pipeline(
    _ decoders: GatedDecoder = GatedDecoder(isOpen: true)
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 1 << 20),
      decoders: decoders, waker: TestWaker())
  }

  /// Collects, which blocks, while another thread calls `stopWaiting()`.
  private func collect(_ pipeline: ImagePipeline) throws -> [ImageArrival] {
    let thread = try WorkerThread(name: "impatient") { pipeline.stopWaiting() }
    defer { thread.join() }
    return pipeline.collect(at: at(10_000))
  }

  @Test("Ends the wait for an external operation, which completes in a later collect")
  func externalOperations() throws {
    let pipeline = try Self.pipeline()
    defer { pipeline.shutdown() }
    var callbacks: [@Sendable (Int) -> Void] = []
    var delivered: [Int] = []
    for _ in 0..<2 {
      pipeline.startOperation(modelledDuration: .milliseconds(5)) { deliver in
        callbacks.append(deliver)
        return nil
      } completion: { (number: Int) in
        delivered.append(number)
      }
    }
    #expect(try collect(pipeline).isEmpty && delivered.isEmpty)
    callbacks[0](7)
    pipeline.advance(to: at(10_001))
    _ = pipeline.collect(at: at(10_001))
    #expect(delivered == [7] && pipeline.nextArrival == at(5))
    callbacks[1](8)
    _ = pipeline.collect(at: at(10_002))
    #expect(delivered == [7, 8] && pipeline.nextArrival == nil)
  }

  @Test("Ends the wait for a decode")
  func decodes() throws {
    let decoder = GatedDecoder()
    let pipeline = try Self.pipeline(decoder)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: .onScreen)
    _ = try decoder.waitForStarts(1)
    #expect(try collect(pipeline).isEmpty && pipeline.isPending(key(1)))
  }
}
