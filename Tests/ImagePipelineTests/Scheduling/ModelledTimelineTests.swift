import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Modelled timeline")
struct ModelledTimelineTests {
  /// A finished run: its source, worker and end.
  private struct FinishedRun: Equatable {
    var source: UInt64
    var worker: Int
    var microseconds: Double
  }

  /// A megabyte costs 8.333 ms in addition to the fixed 0.3 ms.
  private let megabyte = 1_000_000

  private func requestImage(_ timeline: inout ModelledTimeline, _ source: Int, by milliseconds: Double, bytes: Int = 0)
  {
    _ = timeline.handle(
      .request(
        request(source, fileBytes: bytes), ImageTicket(number: UInt64(source)), deadline: at(milliseconds),
        at: at(milliseconds)))
  }

  /// Finishes all runs that are due by a time, each with its image.
  private func finish(_ timeline: inout ModelledTimeline, by milliseconds: Double) -> [FinishedRun] {
    var finished: [FinishedRun] = []
    while let run = timeline.nextRun(dueBy: at(milliseconds)) {
      let due = (run.due - .zero).microseconds
      finished.append(FinishedRun(source: run.job.request.key.source, worker: run.worker, microseconds: due))
      _ = timeline.finishNextRun(generatedImage(run.job.request.key))
    }
    timeline.advance(to: at(milliseconds))
    return finished
  }

  @Test(
    "A decode costs 0.3 ms plus its bytes at 120 MB per second",
    arguments: [
      (0, 300_000), (12, 300_100), (120_000, 1_300_000), (64 << 20, 559_540_533), (-5, 300_000),
    ])
  func cost(bytes: Int, nanoseconds: Int) {
    #expect(DecodingCost.duration(fileBytes: bytes).nanoseconds == Int64(nanoseconds))
  }

  @Test("Jobs finish after their cost, on the available workers")
  func due() {
    var timeline = ModelledTimeline(workers: 2, delay: .zero)
    timeline.advance(to: at(10))
    requestImage(&timeline, 1, by: 1, bytes: 3 * megabyte)
    requestImage(&timeline, 2, by: 2, bytes: 120_000)
    requestImage(&timeline, 3, by: 3)
    #expect(timeline.nextDue == at(11.3))
    #expect(finish(&timeline, by: 11.2).isEmpty)
    let finished = finish(&timeline, by: 100)
    #expect(
      finished == [
        FinishedRun(source: 2, worker: 1, microseconds: 11_300),
        FinishedRun(source: 3, worker: 1, microseconds: 11_600),
        FinishedRun(source: 1, worker: 0, microseconds: 35_300),
      ])
    #expect(timeline.nextDue == nil)
  }

  @Test("A free worker takes the most urgent request")
  func takesTheMostUrgent() {
    var timeline = ModelledTimeline(workers: 1, delay: .milliseconds(1))
    requestImage(&timeline, 1, by: 50)
    requestImage(&timeline, 2, by: 40)
    requestImage(&timeline, 3, by: 30)
    _ = timeline.handle(.updateDeadline(ImageTicket(number: 2), at(10)))
    #expect(finish(&timeline, by: 20).map(\.source) == [1, 2, 3])
    #expect(timeline.now == at(20))
  }

  @Test("A running job that is cancelled ends immediately, and its worker takes the next")
  func cancelled() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    requestImage(&timeline, 1, by: 0, bytes: 120_000)
    requestImage(&timeline, 2, by: 0)
    timeline.advance(to: at(0.5))
    let effects = timeline.handle(.cancel(ImageTicket(number: 1)))
    guard effects.count == 2, case .interrupt(0, _, key(1)) = effects[0], case .start(0, let job) = effects[1] else {
      Issue.record("unexpected effects: \(effects)")
      return
    }
    #expect(job.request.key == key(2))
    #expect(finish(&timeline, by: 5).map(\.microseconds) == [800])
  }

  @Test("The second attempt after a crash costs nothing on the timeline")
  func secondTry() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    requestImage(&timeline, 1, by: 0)
    requestImage(&timeline, 2, by: 0)
    let first = timeline.nextRun(dueBy: at(1))
    _ = timeline.finishNextRun(.failure(.decoderCrashed))
    let again = timeline.nextRun(dueBy: at(1))
    #expect(again?.job == first?.job)
    #expect(again?.due == first?.due)
    #expect(finish(&timeline, by: 1).map(\.microseconds) == [300, 600])
  }

  @Test("Time never moves backwards, and a result without a run is ignored")
  func monotonic() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    timeline.advance(to: at(5))
    timeline.advance(to: at(3))
    #expect(timeline.now == at(5))
    #expect(timeline.finishNextRun(.failure(.notAFile)).isEmpty)
  }

  @Test("Of jobs that finish simultaneously the earlier request arrives first")
  func simultaneous() {
    var timeline = ModelledTimeline(workers: 4, delay: .zero)
    for source in [3, 1, 2, 0] { requestImage(&timeline, source, by: Double(source)) }
    #expect(finish(&timeline, by: 1).map(\.source) == [3, 1, 2, 0])
  }
}
