import DecodingProtocol
import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Image scheduler: properties over random events")
struct ImageSchedulerPropertyTests {
  /// Random events, checked one by one by the harness; at the end everything is finished and collected.
  private func run(seed: Int, workers: Int) -> SchedulerHarness {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = SchedulerHarness(workers: workers, backlogLimit: 40)
    for _ in 0..<1_500 {
      let source = Int.random(in: 0..<40, using: &random)
      let moment = Double.random(in: 0..<100, using: &random)
      let busy = harness.jobs.indices.filter { harness.jobs[$0] != nil }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8: harness.ask(source, by: moment)
      case 8..<10: harness.cancel(key(source))
      case 10..<12: harness.move(key(source), to: moment)
      case 12..<17:
        if let worker = busy.randomElement(using: &random) { harness.finish(worker, outcome(&random)) }
      case 17..<19: harness.tell(.collect(atMost: Int.random(in: 0..<20, using: &random), at: harness.now))
      default: harness.now = harness.now + .seconds(1)
      }
      let mayStart = harness.scheduler.waitingCount > 0 && harness.scheduler.arrivedCount == 0
      #expect(!mayStart || harness.scheduler.running == workers, "a worker rests while requests wait")
    }
    while harness.scheduler.running + harness.scheduler.waitingCount + harness.scheduler.arrivedCount > 0 {
      for worker in harness.jobs.indices where harness.jobs[worker] != nil { harness.finish(worker) }
      harness.collect()
    }
    return harness
  }

  private func outcome(_ random: inout SeededGenerator) -> ImageOutcome? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .failure(.refused(.damaged))
    case 1: .failure(.decoderCrashed)
    case 2: .failure(.interrupted)
    default: nil
    }
  }

  @Test("every request ends exactly once, and no cancelled one is delivered", arguments: 0..<30)
  func endsOnce(seed: Int) {
    let harness = run(seed: seed, workers: 1 + seed % 4)
    #expect(harness.wanted.isEmpty)
    #expect(harness.scheduler.counts.delivered + harness.scheduler.counts.failed == harness.deliveries.count)
    #expect(harness.scheduler.counts.requested > 300)
    #expect(harness.scheduler.counts.cancelled > 0)
    #expect(harness.scheduler.counts.coalesced > 0)
  }

  @Test("the same events have the same effects", arguments: 0..<10)
  func isDeterministic(seed: Int) {
    let first = run(seed: seed, workers: 3)
    let second = run(seed: seed, workers: 3)
    #expect(first.log == second.log)
    #expect(first.scheduler.counts == second.scheduler.counts)
    #expect(first.log.count > 500)
  }
}
