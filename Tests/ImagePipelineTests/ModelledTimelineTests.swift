import DecodingProtocol
import FramePacing
import Testing

@testable import ImagePipeline

@Suite("Modelled time line")
struct ModelledTimelineTests {
  /// What the worker of a job's run is, and when it is done.
  private struct Done: Equatable {
    var source: UInt64
    var worker: Int
    var microseconds: Double
  }

  /// A megabyte costs 8.333 ms beside the fixed 0.3 ms.
  private let megabyte = 1_000_000

  private func ask(_ timeline: inout ModelledTimeline, _ source: Int, by milliseconds: Double, bytes: Int = 0) {
    _ = timeline.handle(
      .request(
        request(source, fileBytes: bytes), ImageTicket(number: UInt64(source)), deadline: at(milliseconds),
        at: at(milliseconds)))
  }

  /// Finishes what is due by a moment, each with its picture.
  private func finish(_ timeline: inout ModelledTimeline, by milliseconds: Double) -> [Done] {
    var done: [Done] = []
    while let run = timeline.nextRun(dueBy: at(milliseconds)) {
      let due = (run.due - .zero).microseconds
      done.append(Done(source: run.job.request.key.source, worker: run.worker, microseconds: due))
      _ = timeline.finishNextRun(picture(run.job.request.key))
    }
    timeline.advance(to: at(milliseconds))
    return done
  }

  @Test(
    "a decode costs 0.3 ms and its bytes at 120 MB a second",
    arguments: [
      (0, 300_000), (12, 300_100), (120_000, 1_300_000), (64 << 20, 559_540_533), (-5, 300_000),
    ])
  func cost(bytes: Int, nanoseconds: Int) {
    #expect(DecodingCost.duration(fileBytes: bytes).nanoseconds == Int64(nanoseconds))
  }

  @Test("jobs are done when their cost has passed since they were begun, on as many workers as there are")
  func due() {
    var timeline = ModelledTimeline(workers: 2, delay: .zero)
    timeline.advance(to: at(10))
    ask(&timeline, 1, by: 1, bytes: 3 * megabyte)
    ask(&timeline, 2, by: 2, bytes: 120_000)
    ask(&timeline, 3, by: 3)
    #expect(timeline.nextDue == at(11.3))
    #expect(finish(&timeline, by: 11.2).isEmpty)
    let done = finish(&timeline, by: 100)
    #expect(
      done == [
        Done(source: 2, worker: 1, microseconds: 11_300), Done(source: 3, worker: 1, microseconds: 11_600),
        Done(source: 1, worker: 0, microseconds: 35_300),
      ])
    #expect(timeline.nextDue == nil)
  }

  @Test("a worker that becomes free takes the most urgent request there is then")
  func takesTheMostUrgent() {
    var timeline = ModelledTimeline(workers: 1, delay: .milliseconds(1))
    ask(&timeline, 1, by: 50)
    ask(&timeline, 2, by: 40)
    ask(&timeline, 3, by: 30)
    _ = timeline.handle(.updateDeadline(ImageTicket(number: 2), at(10)))
    #expect(finish(&timeline, by: 20).map(\.source) == [1, 2, 3])
    #expect(timeline.now == at(20))
  }

  @Test("a job that is cancelled while it runs ends at once, and its worker takes another")
  func cancelled() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    ask(&timeline, 1, by: 0, bytes: 120_000)
    ask(&timeline, 2, by: 0)
    timeline.advance(to: at(0.5))
    let effects = timeline.handle(.cancel(ImageTicket(number: 1)))
    guard effects.count == 2, case .interrupt(0, _, key(1)) = effects[0], case .start(0, let job) = effects[1] else {
      Issue.record("not what was expected: \(effects)")
      return
    }
    #expect(job.request.key == key(2))
    #expect(finish(&timeline, by: 5).map(\.microseconds) == [800])
  }

  @Test("the second try after a dead process costs nothing on the time line")
  func secondTry() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    ask(&timeline, 1, by: 0)
    ask(&timeline, 2, by: 0)
    let first = timeline.nextRun(dueBy: at(1))
    _ = timeline.finishNextRun(.failure(.decoderCrashed))
    let again = timeline.nextRun(dueBy: at(1))
    #expect(again?.job == first?.job)
    #expect(again?.due == first?.due)
    #expect(finish(&timeline, by: 1).map(\.microseconds) == [300, 600])
  }

  @Test("time never goes back, and a result without a run is nothing")
  func monotonic() {
    var timeline = ModelledTimeline(workers: 1, delay: .zero)
    timeline.advance(to: at(5))
    timeline.advance(to: at(3))
    #expect(timeline.now == at(5))
    #expect(timeline.finishNextRun(.failure(.notAFile)).isEmpty)
  }

  @Test("of jobs that are done together the one asked for first arrives first")
  func together() {
    var timeline = ModelledTimeline(workers: 4, delay: .zero)
    for source in [3, 1, 2, 0] { ask(&timeline, source, by: Double(source)) }
    #expect(finish(&timeline, by: 1).map(\.source) == [3, 1, 2, 0])
  }
}
