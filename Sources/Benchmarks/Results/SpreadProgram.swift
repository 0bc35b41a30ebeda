import BenchmarkSupport
import Glibc

/// `bench spread`: whether what is counted was the same in several runs.
struct SpreadProgram {
  /// The files of figures, one a run.
  let files: [String]

  /// Holds the runs beside each other and prints.
  ///
  /// - Returns: whether all that is counted repeats.
  func run() throws -> Bool {
    let report = RepeatReport(try files.map { try FigureDocument.read($0) })
    for line in report.markdown { Output.line(line) }
    guard !report.failures.isEmpty else { return true }
    Output.write("bench: does not repeat: \(report.failures.joined(separator: ", "))\n", to: STDERR_FILENO)
    return false
  }
}
