import Foundation

/// Writes a report where it was asked for.
struct ReportWriter {
  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes the report.
  ///
  /// - Throws: ``OutputError`` where it cannot be written, and what the encoder throws.
  func write(_ report: RunReport) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try encoder.encode(report)
    let file = try OutputFile(destination)
    try file.write(text)
    try file.write("\n".utf8)
    try file.close()
  }
}
