import Foundation
import Testing
import VitrineFramePacing
import VitrineTestSupport

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("Counters are written when they change, and a hitch counts for a second")
struct TraceCountersTests {
  private func values(_ events: [TraceEvent], of name: String) -> [TraceEvent.Value] {
    events.first { $0.name == name }?.arguments.map(\.value) ?? []
  }

  @Test("Unchanged values are written once")
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

  @Test("The hitch counter is the sum of the hitches that were shown in the last second", arguments: 0..<4)
  func hitches(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counters = TraceCounters()
    var lastValue = FrameDuration.zero
    var shown: [(at: FrameInstant, hitch: FrameDuration)] = []
    for index in 0..<400 {
      let hitch = Int.random(in: 0..<12, using: &generator) == 0 ? Double.random(in: 0.1...9, using: &generator) : 0
      let record = RunReportTests.record(index, hitchMs: hitch)
      shown.append((record.shown, record.hitch))
      let sum = shown.filter { record.shown - $0.at < TraceCounters.window }.reduce(FrameDuration.zero) {
        $0 + $1.hitch
      }
      if case .milliseconds(let now)? = values(counters.events(of: record), of: "hitches of the last second").first {
        #expect(now != lastValue || index == 0)
        lastValue = now
      }
      #expect(lastValue == sum)
    }
  }

  @Test("Resident memory is omitted if the kernel does not report it")
  func samples() {
    var counters = TraceCounters()
    var sample = TraceSample(instant: .zero, visibleCells: 9, cellsWithoutImage: 2, queued: 3, bitmapBytes: 1_500_000)
    let events = counters.events(of: sample)
    #expect(values(events, of: "memory") == [.megabytes(1_500_000), .megabytes(0)])
    #expect(values(events, of: "cells on screen") == [.integer(9), .integer(2)])
    #expect(counters.events(of: sample).isEmpty)
    sample.residentBytes = 7_000_000
    #expect(counters.events(of: sample).map(\.name) == ["memory"])
  }
}

@Suite("A line of a trace is valid JSON, for any file name")
struct TraceJSONWriterTests {
  private func text(_ write: (inout TraceJSONWriter) -> Void) -> String {
    var text = TraceJSONWriter()
    text.openObject()
    write(&text)
    text.closeObject()
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("Fields are separated by commas, and objects can be nested")
  func fields() {
    let line = text {
      $0.writeField("a", integer: -3)
      $0.openObjectField("b")
      $0.writeField("c", flag: true)
      $0.writeField("d", flag: false)
      $0.closeObject()
      $0.openObjectField("e")
      $0.closeObject()
      $0.writeField("f", text: "g")
    }
    #expect(line == #"{"a":-3,"b":{"c":true,"d":false},"e":{},"f":"g"}"#)
  }

  @Test(
    "Thousandths are exact",
    arguments: [
      (0, "0.000"), (1, "0.001"), (-1, "-0.001"), (1_000, "1.000"), (-12_345, "-12.345"),
      (Int64.max, "9223372036854775.807"), (Int64.min, "-9223372036854775.808"),
    ])
  func thousandths(value: Int64, written: String) {
    #expect(text { $0.writeField("x", thousandths: value) } == #"{"x":\#(written)}"#)
  }

  @Test("Names are read back unchanged", arguments: ["", "a\"b\\c", "line\nfeed\u{1}\u{1F}", "Ölpfütze 🏞", "\u{7F}"])
  func quoting(name: String) throws {
    let line = text { $0.writeField(name, text: name) }
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(read == [name: name])
  }
}
