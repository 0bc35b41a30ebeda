import Foundation

/// Writes a report where it was asked for.
struct ReportWriter {
  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes the report, a file by a temporary one and a rename.
  func write(_ report: RunReport) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(report)
    data.append(0x0A)
    if destination == "-" {
      try FileHandle.standardOutput.write(contentsOf: data)
    } else {
      try data.write(to: URL(fileURLWithPath: destination), options: .atomic)
    }
  }
}
