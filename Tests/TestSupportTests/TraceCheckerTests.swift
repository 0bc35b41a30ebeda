import TestSupport
import Testing

@Suite("A checker finds what breaks a rule of the trace format, and counts what a trace holds")
struct TraceCheckerTests {
  private static let process = #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"vitrine"}}"#
  private static let frame = #"{"name":"frame 0","ph":"X","ts":0,"dur":10,"pid":1,"tid":1}"#
  private static let upload = #"{"name":"a.jpg","ph":"X","ts":5,"dur":1,"pid":1,"tid":1}"#
  private static let late =
    #"{"name":"frame 0: external","ph":"X","ts":0,"dur":12.5,"pid":1,"tid":3,"args":{"class":"external","hitch_ms":0.1}}"#
  private static let row = #"{"name":"a.jpg","ph":"X","ts":1,"dur":3,"pid":1,"tid":10}"#
  private static let begin =
    #"{"name":"decode","ph":"b","cat":"decode","id":1,"ts":1,"pid":1,"tid":10,"args":{"rung":"full"}}"#
  private static let end = #"{"name":"decode","ph":"e","cat":"decode","id":1,"ts":4,"pid":1,"tid":10}"#
  private static let leaves = #"{"name":"picture","ph":"s","cat":"picture","id":1,"ts":3.999,"pid":1,"tid":10}"#
  private static let comes = #"{"name":"picture","ph":"f","cat":"picture","id":1,"ts":5,"pid":1,"tid":1,"bp":"e"}"#
  private static let counter = #"{"name":"cells","ph":"C","ts":0,"pid":1,"tid":1,"args":{"entered":3}}"#
  private static func heading(_ track: Int, _ name: String) -> String {
    #"{"name":"thread_name","ph":"M","pid":1,"tid":\#(track),"args":{"name":"\#(name)"}}"#
  }
  private static let sound = [
    process, heading(1, "main"), heading(3, "Actual timeline"), heading(10, "decode 0"), frame, upload, late, row,
    begin,
    end, leaves, comes, counter,
  ]

  private func check(_ events: [String]) throws -> TraceChecker {
    try TraceChecker(#"{"displayTimeUnit":"ns","traceEvents":[\#(events.joined(separator: ",\n"))]}"#.utf8)
  }

  @Test("A sound trace has no fault, and what it holds is counted")
  func sound() throws {
    let checker = try check(Self.sound)
    #expect(checker.faults == [])
    #expect(checker.frames == 1 && checker.decodes == 1 && checker.flows == 1)
    #expect(checker.hitches == ["external": 1])
    #expect(checker.counters == ["cells": 1])
    #expect(checker.trackNames == [1: "main", 3: "Actual timeline", 10: "decode 0"])
  }

  /// A line in place of another, and the rule that breaks.
  struct Breach: Sendable, CustomTestStringConvertible {
    var line: String
    var replacement: String
    var rule: TraceFault.Rule

    init(_ line: String, _ replacement: String, _ rule: TraceFault.Rule) {
      self.line = line
      self.replacement = replacement
      self.rule = rule
    }

    /// Replaces a part of the line.
    init(_ line: String, _ part: String, with other: String, _ rule: TraceFault.Rule) {
      self.init(line, line.replacing(part, with: other), rule)
    }

    var testDescription: String { replacement }
  }

  static let breaches = [
    Breach(frame, #""name":"frame 0","#, with: "", .fields),
    Breach(frame, #""name":"frame 0""#, with: #""name":"""#, .fields),
    Breach(frame, #""ph":"X""#, with: #""ph":"Q""#, .fields),
    Breach(frame, #","dur":10"#, with: "", .fields),
    Breach(counter, #""ts":0,"#, with: "", .fields),
    Breach(counter, #""pid":1,"#, with: "", .fields),
    Breach(counter, #""tid":1,"#, with: "", .fields),
    Breach(counter, #","args":{"entered":3}"#, with: "", .fields),
    Breach(begin, #""id":1,"#, with: "", .fields),
    Breach(end, #""cat":"decode","#, with: "", .fields),
    Breach(leaves, #""cat":"picture","#, with: "", .fields),
    Breach(comes, #","bp":"e""#, with: "", .fields),
    Breach(counter, #""ts":0"#, with: #""ts":-0.001"#, .times),
    Breach(upload, #""dur":1"#, with: #""dur":-1"#, .times),
    Breach(upload, #""dur":1"#, with: #""dur":5.001"#, .nesting),
    Breach(upload, #""ts":5"#, with: #""ts":9.5"#, .nesting),
    Breach(end, #""id":1"#, with: #""id":2"#, .pairs),
    Breach(end, #""cat":"decode""#, with: #""cat":"other""#, .pairs),
    Breach(end, #""ts":4"#, with: #""ts":0.5"#, .pairs),
    Breach(end, begin, .pairs),
    Breach(counter, begin, .pairs),
    Breach(comes, #""id":1"#, with: #""id":2"#, .flows),
    Breach(counter, comes, .flows),
    Breach(comes, #""ts":5"#, with: #""ts":2"#, .flows),
    Breach(comes, #""ts":5"#, with: #""ts":10.001"#, .flows),
    Breach(leaves, #""tid":10"#, with: #""tid":11"#, .flows),
    Breach(counter, "3", with: #""three""#, .counters),
    Breach(counter, "3", with: "true", .counters),
    Breach(process, counter, .names),
    Breach(process, #"{"name":"vitrine"}"#, with: #"{"name":7}"#, .names),
    Breach(heading(10, "decode 0"), counter, .names),
    Breach(heading(10, "decode 0"), "thread_name", with: "thread_nick", .names),
  ]

  @Test("Each breach is found, and is told of its rule", arguments: breaches)
  func breach(breach: Breach) throws {
    try #require(Self.sound.contains(breach.line) && breach.line != breach.replacement)
    let checker = try check(Self.sound.map { $0 == breach.line ? breach.replacement : $0 })
    #expect(checker.faults.contains { $0.rule == breach.rule }, "\(checker.faults)")
  }

  @Test("Spans may touch, hold each other, be equal and last no time")
  func nesting() throws {
    func span(_ start: Int, _ length: Int) -> String {
      #"{"name":"s","ph":"X","ts":\#(start),"dur":\#(length),"pid":1,"tid":1}"#
    }
    let spans = [(0, 4), (4, 4), (4, 2), (6, 2), (4, 4), (8, 0), (8, 0), (8, 3), (9, 0), (11, 0)]
    let checker = try check([Self.process, Self.heading(1, "main")] + spans.map { span($0.0, $0.1) })
    #expect(checker.faults == [])
  }

  @Test(
    "What is no JSON, or no trace, is an error",
    arguments: [
      "", "[", "[]", "{}", #"{"displayTimeUnit":"ns","traceEvents":[{"ph":"X"}"#,
      #"{"displayTimeUnit":"ns","traceEvents":[{"ph":7}]}"#, #"{"displayTimeUnit":"ns","traceEvents":[{"ts":"0"}]}"#,
      #"{"displayTimeUnit":"ns","traceEvents":[{"ts":NaN}]}"#,
    ])
  func noTrace(text: String) { #expect(throws: (any Error).self) { try TraceChecker(text.utf8) } }

  @Test("Times are shown in nanoseconds or milliseconds, and in nothing else")
  func unit() throws {
    let events = Self.sound.joined(separator: ",")
    #expect(try TraceChecker(#"{"displayTimeUnit":"ms","traceEvents":[\#(events)]}"#.utf8).faults == [])
    #expect(
      try TraceChecker(#"{"displayTimeUnit":"us","traceEvents":[\#(events)]}"#.utf8).faults.map(\.rule) == [.fields])
  }
}
