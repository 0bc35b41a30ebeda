import FramePacing
import TestSupport
import Testing

@testable import Hosting

@Suite("Counters tell what changes, and a hitch counts for a second")
struct TraceCountersTests {
  private func values(_ events: [TraceEvent], of name: String) -> [TraceEvent.Value] {
    events.first { $0.name == name }?.arguments.map(\.value) ?? []
  }

  @Test("What stays as it was is told once")
  func changes() {
    var counters = TraceCounters()
    var record = RunReportTests.record(0)
    #expect(counters.events(of: record).count == 3)
    #expect(counters.events(of: RunReportTests.record(1)).isEmpty)
    record = RunReportTests.record(2)
    record.cellsEntered = 4
    record.cellsForced = 1
    #expect(counters.events(of: record).map(\.name) == ["cells"])
    record = RunReportTests.record(3)
    record.cellsEntered = 4
    record.cellsForced = 1
    #expect(counters.events(of: record).isEmpty)
    record = RunReportTests.record(4)
    record.uploads = 2
    record.uploadedBytes = 2_500_000
    let events = counters.events(of: record)
    #expect(values(events, of: "cells") == [.integer(0), .integer(0)])
    #expect(values(events, of: "uploaded") == [.integer(2), .megabytes(2_500_000)])
  }

  @Test("The sum of the hitches of any second that ends with a frame is that of those shown in it", arguments: 0..<4)
  func hitches(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counters = TraceCounters()
    var told = FrameDuration.zero
    var shown: [(at: FrameInstant, hitch: FrameDuration)] = []
    for index in 0..<400 {
      let hitch = Int.random(in: 0..<12, using: &generator) == 0 ? Double.random(in: 0.1...9, using: &generator) : 0
      let record = RunReportTests.record(index, hitchMs: hitch)
      shown.append((record.shown, record.hitch))
      let sum = shown.filter { record.shown - $0.at < TraceCounters.window }.reduce(FrameDuration.zero) {
        $0 + $1.hitch
      }
      if case .milliseconds(let now)? = values(counters.events(of: record), of: "hitches of the last second").first {
        #expect(now != told || index == 0)
        told = now
      }
      #expect(told == sum)
    }
  }

  @Test("Memory that the kernel does not tell of is not told")
  func samples() {
    var counters = TraceCounters()
    var sample = TraceSample(instant: .zero, visibleCells: 9, coldCells: 2, queued: 3, bitmapBytes: 1_500_000)
    let events = counters.events(of: sample)
    #expect(values(events, of: "memory") == [.megabytes(1_500_000), .megabytes(0)])
    #expect(values(events, of: "cells on screen") == [.integer(9), .integer(2)])
    #expect(counters.events(of: sample).isEmpty)
    sample.residentBytes = 7_000_000
    #expect(counters.events(of: sample).map(\.name) == ["memory"])
  }
}
