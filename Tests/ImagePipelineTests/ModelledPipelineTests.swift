import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Image pipeline on a modelled time line")
struct ModelledPipelineTests {
  private let configuration = ImagePipelineConfiguration(workers: 3, mode: .modelled, cacheBytes: 2_000)

  /// Everything that a run of random requests shows to its caller, frame by frame.
  private func log(seed: Int, decoders: GatedDecoder) throws -> [String] {
    var random = SeededGenerator(seed: UInt64(seed))
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    var log: [String] = []
    var tickets: [Int: ImageTicket] = [:]
    for frame in 0..<150 {
      let now = at(Double(frame) * 4)
      for arrival in pipeline.collect(at: now, atMost: 200) { log.append("\(frame) \(arrival.note)") }
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

  /// What becomes of a request: mostly its picture, for some files a failure.
  private nonisolated static func outcome(_ request: ImageRequest) -> ImageOutcome {
    request.key.source % 9 == 4 ? .failure(.notAFile) : picture(request.key)
  }

  @Test("shows the same however fast the decodes really are", arguments: 0..<6)
  func isDeterministic(seed: Int) throws {
    let quick = try log(seed: seed, decoders: GatedDecoder(isOpen: true) { Self.outcome($0) })
    let slow = try log(
      seed: seed,
      decoders: GatedDecoder(isOpen: true) { request in
        var random = SeededGenerator(seed: request.key.source)
        // Few: where others want the core, each costs their whole turn.
        for _ in 0..<Int.random(in: 0..<6, using: &random) { sched_yield() }
        return Self.outcome(request)
      })
    #expect(quick == slow)
    #expect(quick.contains { $0.contains("not a file") })
    #expect(quick.count > 200)
  }

  @Test("waits for a decode that is due and not done")
  func waits() throws {
    let decoders = GatedDecoder()
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.request(request(1, fileBytes: 120_000), deadline: at(0))
    #expect(pipeline.nextArrival == at(1.3))
    #expect(pipeline.collect(at: at(1.29)).isEmpty)
    let opener = try WorkerThread(name: "opener") {
      // Where none starts, nothing arrives below either.
      _ = try? decoders.waitForStarts(1)
      decoders.release(key(1))
    }
    #expect(pipeline.collect(at: at(1.3)).map(\.key) == [key(1)])
    opener.join()
    #expect(pipeline.nextArrival == nil)
  }

  @Test("what is asked for after the time was told begins then")
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

  @Test("the delay is added to each decode on the time line, and to its statistics")
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

  @Test("a file whose process is killed once arrives at the same moment as if it were not")
  func survivesAKill() throws {
    let isFirst = Lock(true)
    let decoders = GatedDecoder(isOpen: true) { request in
      let dies = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return dies ? .failure(.decoderCrashed) : picture(request.key)
    }
    let pipeline = try ImagePipeline(configuration, decoders: decoders, waker: TestWaker())
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    #expect(pipeline.collect(at: at(0.3)).map(\.key) == [key(1)])
    #expect(decoders.started.count == 2)
  }

  @Test("after a shutdown nothing is waited for")
  func shutsDown() throws {
    let pipeline = try ImagePipeline(configuration, decoders: GatedDecoder(), waker: TestWaker())
    for source in 0..<10 { pipeline.request(request(source), deadline: at(0)) }
    pipeline.shutdown()
    #expect(pipeline.collect(at: at(1_000)).isEmpty)
    #expect(pipeline.statistics.cancelled == 10)
  }
}
