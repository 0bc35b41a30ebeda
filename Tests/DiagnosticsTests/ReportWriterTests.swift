import Foundation
import Testing
import VitrineFramePacing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A report is written in the format of its destination")
struct ReportWriterTests {
  /// Returns a history of a hundred frames, one of which was late for a cause whose text needs escaping.
  static func history() -> FrameHistory {
    var records = (0..<100).map { RunReportTests.record($0) }
    records[40] = RunReportTests.record(40, hitchMs: 6.2)
    records[40].cellsForced = 1
    records[40].forcedDuration = .milliseconds(5)
    records[40].slowestForcedType = Array<Int>.self
    return RunReportTests.history(records)
  }

  static func page(_ history: FrameHistory) -> ReportPage {
    ReportPage(
      report: RunReportTests.report(history), chart: FrameChart(history, interval: .milliseconds(10)),
      histogram: CommitHistogram(history))
  }

  @Test(
    "The destination determines the format, and standard output is a table on a terminal",
    arguments: [
      ("-", true, ReportFormat.table), ("-", false, .json), ("a.json", true, .json), ("a", true, .json),
      ("run.HTML", false, .page), ("/tmp/runs.log", true, .line), ("html", true, .json), (".html", false, .page),
    ])
  func format(destination: String, isTerminal: Bool, expected: ReportFormat) {
    #expect(ReportFormat(destination: destination, isTerminal: isTerminal) == expected)
  }

  @Test("Numbers have groups of three digits and the most readable unit")
  func numbers() {
    let texts = [
      (ReportNumberFormatter.decimal(1_234_567.25, 1), "1,234,567.3"), (ReportNumberFormatter.decimal(-0.04, 1), "0.0"),
      (ReportNumberFormatter.decimal(-12.5, 0), "-13"), (ReportNumberFormatter.whole(-1_000), "-1,000"),
      (ReportNumberFormatter.whole(999), "999"),
      (ReportNumberFormatter.decimal(.infinity, 1), "inf"), (ReportNumberFormatter.decimal(2.005, 3), "2.005"),
      (ReportNumberFormatter.time(microseconds: 999), "999 µs"),
      (ReportNumberFormatter.time(microseconds: -15_000), "-15.00 ms"),
      (ReportNumberFormatter.time(milliseconds: 9_999), "9,999.0 ms"),
      (ReportNumberFormatter.time(milliseconds: 61_500), "61.5 s"),
      (ReportNumberFormatter.bytes(999), "999 B"), (ReportNumberFormatter.bytes(43_800_000), "43.8 MB"),
      (ReportNumberFormatter.bytes(2_000_000_000), "2.00 GB"), (ReportNumberFormatter.bytes(1_500), "1.5 kB"),
    ]
    for (text, expected) in texts { #expect(text == expected) }
  }

  @Test("On a terminal, names are in a column, and missing measurements are shown as \"not measured\"")
  func table() {
    let report = RunReportTests.report(RunReportTests.history([RunReportTests.record(0), RunReportTests.record(1)]))
    let text = ReportTable(sections: Array(report.sections.prefix(1)) + Array(report.sections.suffix(1))).text
    #expect(
      text == """
        Motion
          hitch ratio                0.0 ms/s (good)
          hitches                    0
          frames                     2, of which 0.0 s in motion
          time to first frame        not measured
          time to first full screen  not measured

        Environment and resources
          window                     1,280 × 800 points at scale 1.00
          renderer                   dummy, sdl
          clock                      virtual, 60.0 Hz, requested
          peak memory                1 B
          texture memory             2 B
          processor time             0.25 s
          version                    1.2.3

        """)
  }

  @Test("The worst hitches are described in words")
  func worst() throws {
    let sections = RunReportTests.report(Self.history()).sections
    let worst = try #require(sections.first { $0.title == "Worst hitches" })
    #expect(worst.rows.count == 1)
    #expect(worst.rows[0].name == "frame 40")
    #expect(worst.rows[0].value.hasPrefix("6.2 ms late, commitLate, longest phase present: "))
  }

  @Test("A log line consists of name=value pairs and is appended to the file")
  func line() throws {
    let line = ReportLine(report: RunReportTests.report(Self.history())).text
    let start =
      "vitrine=1.2.3 clock=virtual frames=100 tracked_s=1.0 hitch_ms_per_s=6.2 hitches=1 longest_ms=6.2 commitLate=1 "
    #expect(line.hasPrefix(start))
    #expect(line.hasSuffix("\n") && line.filter(\.isNewline).count == 1)
    #expect(line.dropLast().split(separator: " ").allSatisfy { $0.split(separator: "=").count == 2 })
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appendingPathComponent("runs.log")
    try Data("before\n".utf8).write(to: log)
    let writer = ReportWriter(destination: log.path)
    for _ in 0..<2 {
      try writer.write(RunReportTests.report(Self.history()), Self.history(), interval: .milliseconds(10))
    }
    #expect(try String(contentsOf: log, encoding: .utf8) == "before\n" + line + line)
    #expect(throws: OutputError.self) { try OutputFile.append([1], to: folder.path) }
  }

  @Test("A report is one JSON object and a line feed")
  func json() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("report.json")
    try ReportWriter(destination: file.path)
      .write(RunReportTests.report(Self.history()), Self.history(), interval: .milliseconds(10))
    let written = try Data(contentsOf: file)
    #expect(written.first == UInt8(ascii: "{") && written.suffix(2) == Data("}\n".utf8))
    let object = try JSONSerialization.jsonObject(with: written) as? [String: Any]
    #expect(object?["schema"] as? Int == 1 && object?["version"] as? String == "1.2.3")
  }

  @Test("The page is well-formed, loads no external resources and escapes external text")
  func page() throws {
    var report = RunReportTests.report(Self.history())
    report.display.drawnBy = "<script>\"a\" & b\u{1}"
    let text = ReportPage(
      report: report, chart: FrameChart(Self.history(), interval: .milliseconds(10)),
      histogram: CommitHistogram(Self.history())
    ).text
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains("&lt;script&gt;&quot;a&quot; &amp; b<") && !text.contains("<script"))
    for word in ["http://", "https://", "src=", "@import", "url("] {
      #expect(text.ranges(of: word).count == (word == "http://" ? 1 : 0), "\(word)")
    }
    #expect(text.contains("1 frame, 6.2 ms late") == false)
    #expect(text.contains("<title>frame 40, 6.2 ms late, commitLate: "))
    // An empty history makes a well-formed page too.
    #expect(XMLParser(data: Data(Self.page(FrameHistory()).text.utf8)).parse())
  }

  @Test("A column of many frames shows the late one, and each frame is in one column")
  func columns() {
    let few = FrameChart(Self.history(), interval: .milliseconds(10))
    #expect(few.columns.map(\.frame) == Array(0..<100))
    #expect(few.columns[40].hitch == 6.2 && few.columns[39].hitch == 0)
    #expect(abs(few.columns[0].total - 4.5) < 0.001)
    #expect(few.deadline == 10 && few.interval == 10)
    let many = FrameChart(
      RunReportTests.history((0..<4_801).map { RunReportTests.record($0, hitchMs: $0 == 4_000 ? 1 : 0) }),
      interval: .milliseconds(10))
    #expect(many.columns.count == FrameChart.maximumColumnCount)
    #expect(many.columns.filter { $0.hitch > 0 }.map(\.frame) == [4_000])
    #expect(FrameChart(FrameHistory(), interval: .milliseconds(10)).columns.isEmpty)
  }

  @Test("Commit times are counted in bins of a quarter of a doubling, and none is lost")
  func histogram() {
    let histogram = CommitHistogram(Self.history())
    #expect(histogram.counts.reduce(0, +) == 100)
    // Phases 1 to 7 take 2.8 ms.
    #expect(histogram.counts[CommitHistogram.binIndex(of: 2_800)] == 100)
    #expect(CommitHistogram.binIndex(of: 0) == 0 && CommitHistogram.binIndex(of: 8) == 0)
    #expect(CommitHistogram.binIndex(of: 16.01) == 4 && CommitHistogram.binIndex(of: 15.9) == 3)
    #expect(CommitHistogram.binIndex(of: 1e12) == CommitHistogram.binCount - 1)
    #expect(CommitHistogram(FrameHistory()).svg == nil && histogram.svg != nil)
  }
}
