import Glibc

/// How a report is written, which its destination says.
enum ReportFormat: Hashable {
  /// One JSON object, for programs.
  case json
  /// Aligned rows, for somebody at a terminal.
  case table
  /// One line of `name=value`, appended to a log.
  case line
  /// A page with graphs that needs nothing else.
  case page

  /// Chooses a form: by the end of a file's name, and for standard output by who reads it.
  ///
  /// - Parameters:
  ///   - destination: a path, or `-` for standard output.
  ///   - isTerminal: whether standard output is a terminal.
  init(destination: String, isTerminal: Bool) {
    let name = destination.lowercased()
    self =
      destination == "-"
      ? isTerminal ? .table : .json : name.hasSuffix(".html") ? .page : name.hasSuffix(".log") ? .line : .json
  }

  /// Chooses a form as things are now; the C function is `isatty`.
  init(destination: String) {
    self.init(destination: destination, isTerminal: isatty(STDOUT_FILENO) == 1)
  }
}
