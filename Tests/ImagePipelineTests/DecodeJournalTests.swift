import FramePacing
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("A journal tells where each decode ran and when")
struct DecodeJournalTests {
  private func span(_ source: Int) -> DecodeSpan {
    DecodeSpan(
      place: DecodeSpan.ExecutionContext(worker: 0, thread: 1, process: nil, isDrawingThread: false), key: key(source),
      source: .generated(UInt64(source)), rung: .full, began: at(0), ended: at(1))
  }

  @Test("A journal that is full lets the oldest go", arguments: [0, 1, 4, 5, 9, 12])
  func capacity(count: Int) {
    let journal = DecodeJournal(capacity: 5)
    for source in 0..<count { journal.record(span(source)) }
    #expect(journal.count == count)
    #expect(journal.spans.map(\.key.source) == (max(0, count - 5)..<count).map { UInt64($0) })
  }

  @Test("A decode and its bitmap have the number by which it was noted; later ones are found by their moment")
  func numbers() throws {
    let journal = DecodeJournal(capacity: 3)
    let bitmaps = try (0..<5).map { _ in try Bitmap.square(1, .white) }
    #expect(bitmaps.allSatisfy { $0.traceNumber == 0 })
    for (place, bitmap) in bitmaps.enumerated() {
      var span = span(place)
      span.ended = at(Double(place))
      journal.record(span, of: place == 3 ? nil : bitmap)
    }
    #expect(bitmaps.map(\.traceNumber) == [1, 2, 3, 0, 5])
    #expect(journal.spans.map(\.number) == [3, 4, 5])
    #expect(journal.spans(since: at(3)).map(\.number) == [4, 5])
    #expect(journal.spans(since: at(9)).isEmpty)
  }

  @Test("In real time each decode is noted on its worker's thread, never on the one that draws")
  func live() throws {
    let journal = DecodeJournal()
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, journal: journal),
      decoders: GatedDecoder(isOpen: true) { request in
        request.key.source == 3 ? .failure(.notAFile) : picture(request.key)
      }, waker: waker)
    defer { pipeline.shutdown() }
    for source in 0..<10 { pipeline.request(request(source), deadline: at(Double(source))) }
    _ = try pipeline.waitForArrivals(10, waker)
    let spans = journal.spans
    #expect(Set(spans.map(\.key.source)) == Set(0..<10))
    #expect(spans.allSatisfy { !$0.context.isDrawingThread && $0.context.process == nil && $0.context.thread > 0 })
    #expect(spans.allSatisfy { $0.ended >= $0.began && (0..<2).contains($0.context.worker) })
    #expect(spans.filter { $0.failure != nil }.map(\.key.source) == [3])
    // A thread is one worker's.
    #expect(
      Set(spans.map { [Int($0.context.thread), $0.context.worker] }).count == Set(spans.map(\.context.thread)).count)
  }

  @Test("On a modelled time line decodes have the time line's moments, and those of one worker do not overlap")
  func modelled() throws {
    let journal = DecodeJournal()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, mode: .modelled, decodeDelay: .milliseconds(30), journal: journal),
      decoders: GatedDecoder(isOpen: true) { picture($0.key) }, waker: TestWaker())
    defer { pipeline.shutdown() }
    for source in 0..<8 { pipeline.request(request(source, fileBytes: 1_000), deadline: at(Double(source))) }
    let arrivals = pipeline.collect(at: at(10_000))
    #expect(arrivals.count == 8)
    for arrival in arrivals {
      let number = try arrival.outcome.get().bitmap.traceNumber
      #expect(journal.spans.first { $0.number == number }?.key == arrival.key)
    }
    for worker in 0..<2 {
      let spans = journal.spans.filter { $0.context.worker == worker }
      #expect(spans.count == 4)
      #expect(spans.allSatisfy { $0.ended - $0.began >= .milliseconds(30) })
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.ended == $1.began })
    }
    #expect(journal.spans.map(\.began).min() == at(0))
  }
}
