import Testing
import VitrineTestSupport

@Suite("TraceChecker")
struct TraceCheckerTests {
  private static let process = #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"vitrine"}}"#
  private static let frame = #"{"name":"frame 0","ph":"X","ts":0,"dur":10,"pid":1,"tid":1}"#
  private static let upload = #"{"name":"a.jpg","ph":"X","ts":5,"dur":1,"pid":1,"tid":1}"#
  private static let lateFrame =
    #"{"name":"frame 0: external","ph":"X","ts":0,"dur":12.5,"pid":1,"tid":3,"args":{"class":"external","hitch_ms":0.1}}"#
  private static let row = #"{"name":"a.jpg","ph":"X","ts":1,"dur":3,"pid":1,"tid":10}"#
  private static let begin =
    #"{"name":"decode","ph":"b","cat":"decode","id":1,"ts":1,"pid":1,"tid":10,"args":{"representation":"full"}}"#
  private static let end = #"{"name":"decode","ph":"e","cat":"decode","id":1,"ts":4,"pid":1,"tid":10}"#
  private static let flowStart = #"{"name":"picture","ph":"s","cat":"picture","id":1,"ts":3.999,"pid":1,"tid":10}"#
  private static let flowEnd = #"{"name":"picture","ph":"f","cat":"picture","id":1,"ts":5,"pid":1,"tid":1,"bp":"e"}"#
  private static let counter = #"{"name":"cells","ph":"C","ts":0,"pid":1,"tid":1,"args":{"entered":3}}"#
  private static func threadName(_ track: Int, _ name: String) -> String {
    #"{"name":"thread_name","ph":"M","pid":1,"tid":\#(track),"args":{"name":"\#(name)"}}"#
  }
  private static let validTrace = [
    process, threadName(1, "main"), threadName(3, "Actual timeline"), threadName(10, "decode 0"), frame, upload,
    lateFrame, row,
    begin,
    end, flowStart, flowEnd, counter,
  ]

  private func check(_ events: [String]) throws -> TraceChecker {
    try TraceChecker(#"{"displayTimeUnit":"ns","traceEvents":[\#(events.joined(separator: ",\n"))]}"#.utf8)
  }

  @Test("A valid trace has no faults, and its events are counted")
  func valid() throws {
    let checker = try check(Self.validTrace)
    #expect(checker.faults == [])
    #expect(checker.frames == 1 && checker.decodes == 1 && checker.flows == 1)
    #expect(checker.hitches == ["external": 1])
    #expect(checker.counters == ["cells": 1])
    #expect(checker.trackNames == [1: "main", 3: "Actual timeline", 10: "decode 0"])
  }

  /// A replacement of one line of the valid trace, and the rule that it violates.
  struct Violation: Sendable, CustomTestStringConvertible {
    var line: String
    var replacement: String
    var rule: TraceFault.Rule

    init(_ line: String, _ replacement: String, _ rule: TraceFault.Rule) {
      self.line = line
      self.replacement = replacement
      self.rule = rule
    }

    init(_ line: String, _ part: String, with other: String, _ rule: TraceFault.Rule) {
      self.init(line, line.replacing(part, with: other), rule)
    }

    var testDescription: String { replacement }
  }

  static let violations = [
    Violation(frame, #""name":"frame 0","#, with: "", .fields),
    Violation(frame, #""name":"frame 0""#, with: #""name":"""#, .fields),
    Violation(frame, #""ph":"X""#, with: #""ph":"Q""#, .fields),
    Violation(frame, #","dur":10"#, with: "", .fields),
    Violation(counter, #""ts":0,"#, with: "", .fields),
    Violation(counter, #""pid":1,"#, with: "", .fields),
    Violation(counter, #""tid":1,"#, with: "", .fields),
    Violation(counter, #","args":{"entered":3}"#, with: "", .fields),
    Violation(begin, #""id":1,"#, with: "", .fields),
    Violation(end, #""cat":"decode","#, with: "", .fields),
    Violation(flowStart, #""cat":"picture","#, with: "", .fields),
    Violation(flowEnd, #","bp":"e""#, with: "", .fields),
    Violation(counter, #""ts":0"#, with: #""ts":-0.001"#, .times),
    Violation(upload, #""dur":1"#, with: #""dur":-1"#, .times),
    Violation(upload, #""dur":1"#, with: #""dur":5.001"#, .nesting),
    Violation(upload, #""ts":5"#, with: #""ts":9.5"#, .nesting),
    Violation(end, #""id":1"#, with: #""id":2"#, .pairs),
    Violation(end, #""cat":"decode""#, with: #""cat":"other""#, .pairs),
    Violation(end, #""ts":4"#, with: #""ts":0.5"#, .pairs),
    Violation(end, begin, .pairs),
    Violation(counter, begin, .pairs),
    Violation(flowEnd, #""id":1"#, with: #""id":2"#, .flows),
    Violation(counter, flowEnd, .flows),
    Violation(flowEnd, #""ts":5"#, with: #""ts":2"#, .flows),
    Violation(flowEnd, #""ts":5"#, with: #""ts":10.001"#, .flows),
    Violation(flowStart, #""tid":10"#, with: #""tid":11"#, .flows),
    Violation(counter, "3", with: #""three""#, .counters),
    Violation(counter, "3", with: "true", .counters),
    Violation(process, counter, .names),
    Violation(process, #"{"name":"vitrine"}"#, with: #"{"name":7}"#, .names),
    Violation(threadName(10, "decode 0"), counter, .names),
    Violation(threadName(10, "decode 0"), "thread_name", with: "thread_nick", .names),
  ]

  @Test("Each violation is reported with its rule", arguments: violations)
  func detectsViolation(violation: Violation) throws {
    try #require(Self.validTrace.contains(violation.line) && violation.line != violation.replacement)
    let checker = try check(Self.validTrace.map { $0 == violation.line ? violation.replacement : $0 })
    #expect(checker.faults.contains { $0.rule == violation.rule }, "\(checker.faults)")
  }

  @Test("Spans may touch, nest, be equal and have no duration")
  func nesting() throws {
    func span(_ start: Int, _ length: Int) -> String {
      #"{"name":"s","ph":"X","ts":\#(start),"dur":\#(length),"pid":1,"tid":1}"#
    }
    let spans = [(0, 4), (4, 4), (4, 2), (6, 2), (4, 4), (8, 0), (8, 0), (8, 3), (9, 0), (11, 0)]
    let checker = try check([Self.process, Self.threadName(1, "main")] + spans.map { span($0.0, $0.1) })
    #expect(checker.faults == [])
  }

  @Test(
    "A text that is not JSON or not a trace throws an error",
    arguments: [
      "", "[", "[]", "{}", #"{"displayTimeUnit":"ns","traceEvents":[{"ph":"X"}"#,
      #"{"displayTimeUnit":"ns","traceEvents":[{"ph":7}]}"#, #"{"displayTimeUnit":"ns","traceEvents":[{"ts":"0"}]}"#,
      #"{"displayTimeUnit":"ns","traceEvents":[{"ts":NaN}]}"#,
    ])
  func malformed(text: String) { #expect(throws: (any Error).self) { try TraceChecker(text.utf8) } }

  @Test("Time units other than nanoseconds and milliseconds are reported")
  func timeUnit() throws {
    let events = Self.validTrace.joined(separator: ",")
    #expect(try TraceChecker(#"{"displayTimeUnit":"ms","traceEvents":[\#(events)]}"#.utf8).faults == [])
    #expect(
      try TraceChecker(#"{"displayTimeUnit":"us","traceEvents":[\#(events)]}"#.utf8).faults.map(\.rule) == [.fields])
  }
}
