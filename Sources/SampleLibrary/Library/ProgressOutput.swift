import Glibc

/// Writes the progress of a painting to standard error.
public struct ProgressOutput {
  private var report: ProgressReport

  /// Looks at what standard error is.
  ///
  /// The C functions are `isatty` and `ioctl`.
  public init(bar: ProgressBar) {
    let isTerminal = isatty(STDERR_FILENO) == 1
    var size = winsize()
    let isKnown = isTerminal && ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    report = ProgressReport(bar: bar, isTerminal: isTerminal, columns: isKnown ? Int(size.ws_col) : 80)
  }

  /// Writes what there is to write about a progress.
  ///
  /// The C function is `write`.
  public mutating func show(_ progress: SampleProgress) { put(report.text(for: progress)) }

  /// Ends a bar that will not be drawn to its end.
  public func interrupt() { put(report.interruption) }

  private func put(_ text: String) {
    var text = text
    // What cannot be written about progress is not worth an error.
    _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
