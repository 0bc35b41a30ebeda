import FramePacing
import Foundation

/// Writes a report where it was asked for, in the form that suits the place.
struct ReportWriter {
  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes the report.
  ///
  /// - Parameters:
  ///   - report: the figures.
  ///   - history: the frames, for graphs.
  ///   - interval: a refresh.
  /// - Throws: ``OutputError`` where it cannot be written, and what the encoder throws.
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
