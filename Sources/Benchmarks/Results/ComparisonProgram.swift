import BenchmarkSupport

/// `bench compare`: what two revisions' runs found out, beside each other.
struct ComparisonProgram {
  let options: ComparisonOptions

  init(_ options: ComparisonOptions) { self.options = options }

  /// Compares and prints.
  func run() throws {
    let report = ComparisonReport(
      base: (options.baseName, try options.base.map { try FigureDocument.read($0) }),
      now: (options.nowName, try options.now.map { try FigureDocument.read($0) }))
    for line in report.markdown { Output.line(line) }
    if let path = options.markdown {
      try ResultFile.write(report.markdown.joined(separator: "\n") + "\n", to: path)
    }
  }
}
