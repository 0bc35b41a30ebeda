import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Decode journal")
struct DecodeJournalTests {
  private func span(_ source: Int) -> DecodeSpan {
    DecodeSpan(
      context: DecodeSpan.ExecutionContext(worker: 0, thread: 1, process: nil, isDrawingThread: false),
      key: key(source),
      source: .generated(UInt64(source)), representation: .full, start: at(0), end: at(1))
  }

  @Test("A full journal discards the oldest spans", arguments: [0, 1, 4, 5, 9, 12])
  func capacity(count: Int) {
    let journal = DecodeJournal(capacity: 5)
    for source in 0..<count { journal.record(span(source)) }
    #expect(journal.count == count)
    #expect(journal.spans.map(\.key.source) == (max(0, count - 5)..<count).map { UInt64($0) })
  }

  @Test("Bitmaps have the numbers of their spans, and spans can be queried by time")
  func numbers() throws {
    let journal = DecodeJournal(capacity: 3)
    let bitmaps = try (0..<5).map { _ in try Bitmap.square(1, .white) }
    #expect(bitmaps.allSatisfy { $0.traceNumber == 0 })
    for (index, bitmap) in bitmaps.enumerated() {
      var span = span(index)
      span.end = at(Double(index))
      journal.record(span, of: index == 3 ? nil : bitmap)
    }
    #expect(bitmaps.map(\.traceNumber) == [1, 2, 3, 0, 5])
    #expect(journal.spans.map(\.number) == [3, 4, 5])
    #expect(journal.spans(since: at(3)).map(\.number) == [4, 5])
    #expect(journal.spans(since: at(9)).isEmpty)
  }

  @Test("In real time each decode is recorded with its worker's thread, never the render thread")
  func live() throws {
    let journal = DecodeJournal()
    let waker = TestWaker()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, journal: journal),
      decoders: GatedDecoder(isOpen: true) { request in
        request.key.source == 3 ? .failure(.notAFile) : generatedImage(request.key)
      }, waker: waker)
    defer { pipeline.shutdown() }
    for source in 0..<10 { pipeline.request(request(source), deadline: at(Double(source))) }
    _ = try pipeline.waitForArrivals(10, waker)
    let spans = journal.spans
    #expect(Set(spans.map(\.key.source)) == Set(0..<10))
    #expect(spans.allSatisfy { !$0.context.isDrawingThread && $0.context.process == nil && $0.context.thread > 0 })
    #expect(spans.allSatisfy { $0.end >= $0.start && (0..<2).contains($0.context.worker) })
    #expect(spans.filter { $0.failure != nil }.map(\.key.source) == [3])
    // No two workers share a thread.
    #expect(
      Set(spans.map { [Int($0.context.thread), $0.context.worker] }).count == Set(spans.map(\.context.thread)).count)
  }

  @Test("On a modelled timeline spans have modelled times, and those of one worker do not overlap")
  func modelled() throws {
    let journal = DecodeJournal()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, mode: .modelled, decodeDelay: .milliseconds(30), journal: journal),
      decoders: GatedDecoder(isOpen: true) { generatedImage($0.key) }, waker: TestWaker())
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
      #expect(spans.allSatisfy { $0.end - $0.start >= .milliseconds(30) })
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start })
    }
    #expect(journal.spans.map(\.start).min() == at(0))
  }
}

@Suite("Decode counter of the render thread")
struct RenderThreadDecodeCounterTests {
  @Test("Decodes are counted on the counter's thread only")
  func counts() throws {
    let counter = RenderThreadDecodeCounter()
    let thread = try WorkerThread(name: "other") { counter.recordDecode() }
    thread.join()
    #expect(counter.decodeCount == 0)
    counter.recordDecode()
    #expect(counter.decodeCount == 1)
  }
}
