/// What to write about a painting: a bar that is drawn over and over on a terminal, one line anywhere else.
public struct ProgressReport: Sendable {
  private let bar: ProgressBar
  private let isTerminal: Bool
  private let columns: Int
  private var isBegun = false

  /// A report that nothing was written of yet.
  ///
  /// - Parameters:
  ///   - bar: how a line looks.
  ///   - isTerminal: whether what is written can be drawn over.
  ///   - columns: the terminal's width.
  public init(bar: ProgressBar, isTerminal: Bool, columns: Int) {
    self.bar = bar
    self.isTerminal = isTerminal
    self.columns = columns
  }

  /// What to write for a progress; often nothing.
  public mutating func text(for progress: SampleProgress) -> String {
    defer { isBegun = true }
    if isTerminal {
      // A column stays free: a line that fills the last one may wrap.
      let line = "\r" + bar.line(progress, columns: columns - 1) + "\u{1B}[K"
      return progress.isComplete ? line + "\n" : line
    }
    return isBegun ? "" : bar.line(progress, columns: 60) + "\n"
  }

  /// What to write when the painting ends early, so that the next line stands by itself.
  public var interruption: String { isTerminal && isBegun ? "\n" : "" }
}
