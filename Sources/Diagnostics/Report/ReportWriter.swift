import FoundationEssentials
import Glibc
import VitrineFramePacing
import VitrineHosting

/// A writer of reports in the format that the destination implies.
struct ReportWriter {
  /// The path of the file, or `-` for standard output.
  let destination: String

  /// Writes a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - history: The frames, for charts.
  ///   - interval: The refresh interval.
  /// - Throws: `OutputError` if the report cannot be written, or an error of the encoder.
  func write(_ report: RunReport, _ history: FrameHistory, interval: FrameDuration) throws {
    switch ReportFormat(destination: destination) {
    case .json: try writeFile(encodeJSON(report))
    case .table: try writeFile(ReportTable(sections: report.sections).text.utf8)
    case .page:
      let page = ReportPage(
        report: report, chart: FrameChart(history, interval: interval), histogram: CommitHistogram(history))
      try writeFile(page.text.utf8)
    case .line: try OutputFile.append(ReportLine(report: report).text.utf8, to: destination)
    }
  }

  private func encodeJSON(_ report: RunReport) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(report) + Data("\n".utf8)
  }

  private func writeFile(_ bytes: some Collection<UInt8>) throws(OutputError) {
    let file = try OutputFile(destination)
    try file.write(bytes)
    try file.close()
  }
}

/// The format of a report.
enum ReportFormat: Hashable {
  /// A JSON object.
  case json
  /// Aligned rows for a terminal.
  case table
  /// One line of `name=value` pairs, appended to a log.
  case line
  /// A self-contained page with charts.
  case page

  /// Selects a format by the extension of a file, or for standard output by whether it is a terminal.
  ///
  /// - Parameters:
  ///   - destination: The path, or `-` for standard output.
  ///   - isTerminal: Whether standard output is a terminal.
  init(destination: String, isTerminal: Bool) {
    let name = destination.lowercased()
    self =
      destination == "-"
      ? isTerminal ? .table : .json : name.hasSuffix(".html") ? .page : name.hasSuffix(".log") ? .line : .json
  }

  /// Selects the format for a destination in the current process.
  ///
  /// The C function is `isatty`.
  init(destination: String) {
    self.init(destination: destination, isTerminal: isatty(STDOUT_FILENO) == 1)
  }
}

/// A report as aligned rows of text for a terminal.
struct ReportTable {
  /// The sections of the report.
  let sections: [ReportSection]

  /// The text, with a column of names and a column of values, and an empty line between sections.
  var text: String {
    let width = sections.flatMap(\.rows).reduce(0) { max($0, $1.name.count) }
    return sections.map { section in
      section.title + "\n"
        + section.rows.map { row in
          let gap = String(repeating: " ", count: width - row.name.count + 2)
          return "  " + row.name + gap + row.value + (row.rating.map { " (\($0.rawValue))" } ?? "") + "\n"
        }.joined()
    }.joined(separator: "\n")
  }
}

/// A report as one line of `name=value` pairs for log tools.
///
/// Most figures that were not measured are omitted.
struct ReportLine {
  /// The report.
  let report: RunReport

  /// The line, including its line feed.
  var text: String {
    var words = ["vitrine=\(report.version)", "clock=\(report.display.clock)", "frames=\(report.frames.count)"]
    func add(_ name: String, _ value: Double?) {
      if let value { words.append("\(name)=\(value)") }
    }
    // Without spaces, which separate pairs.
    func addMeasured(_ name: String, _ value: Double?) {
      words.append("\(name)=" + (value.map { "\($0)" } ?? "not-measured"))
    }
    func add(_ name: String, _ value: Int?) {
      if let value { words.append("\(name)=\(value)") }
    }
    add("items", report.library?.items)
    add("tracked_s", report.frames.trackedSeconds)
    addMeasured("hitch_ms_per_s", report.hitches?.ratioMsPerS)
    add("hitches", report.hitches?.count)
    add("longest_ms", report.hitches?.longestMs)
    for (name, count) in (report.hitches?.byClass ?? [:]).sorted(by: { $0.key < $1.key }) { add(name, count) }
    addMeasured("commit_p50_us", report.frames.commitUs?.p50)
    addMeasured("commit_p99_us", report.frames.commitUs?.p99)
    addMeasured("overrun_p99_us", report.frames.overrunUs?.p99)
    add("allocations_p50", report.frames.allocations?.p50)
    add("allocations_p99", report.frames.allocations?.p99)
    add("forced", report.cells?.preparedForced)
    add("decoded", report.images?.decoded)
    add("decoded_on_render_thread", report.images?.decodedOnRenderThread)
    add("placeholder_cell_ms", report.images?.placeholderCellMs)
    add("blank_cell_ms", report.images?.blankCellMs)
    addMeasured("first_frame_ms", report.launch.firstFrameMs)
    add("resident_peak_bytes", report.memory.residentPeakBytes)
    if let digest = report.frameDigest { words.append("digest=\(digest)") }
    return words.joined(separator: " ") + "\n"
  }
}

/// A namespace for functions that format numbers for the user.
enum ReportNumberFormatter {
  /// The text in place of a figure that was not measured.
  static let notMeasured = "not measured"

  /// Formats a number with a fixed number of decimals and grouped digits, such as `12,345.6`.
  static func decimal(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    let scaled = Int((abs(number) * factor).rounded())
    let whole = grouped(scaled / Int(factor))
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let rest = String(scaled % Int(factor))
    return sign + whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
  }

  /// Formats an integer with grouped digits.
  static func whole(_ number: Int) -> String { (number < 0 ? "-" : "") + grouped(Int(number.magnitude)) }

  /// Formats microseconds as microseconds or milliseconds.
  static func time(microseconds: Double) -> String {
    abs(microseconds) < 1_000 ? decimal(microseconds, 0) + " µs" : decimal(microseconds / 1_000, 2) + " ms"
  }

  /// Formats milliseconds as milliseconds, or as seconds from 10 s on.
  static func time(milliseconds: Double) -> String {
    abs(milliseconds) < 10_000 ? decimal(milliseconds, 1) + " ms" : decimal(milliseconds / 1_000, 1) + " s"
  }

  /// Formats a number of bytes with a decimal unit prefix.
  static func bytes(_ count: Int) -> String {
    switch count.magnitude {
    case ..<1_000: whole(count) + " B"
    case ..<1_000_000: decimal(Double(count) / 1e3, 1) + " kB"
    case ..<1_000_000_000: decimal(Double(count) / 1e6, 1) + " MB"
    default: decimal(Double(count) / 1e9, 2) + " GB"
    }
  }

  private static func grouped(_ number: Int) -> String {
    var text = String(number)
    var place = text.count - 3
    while place > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: place))
      place -= 3
    }
    return text
  }
}
