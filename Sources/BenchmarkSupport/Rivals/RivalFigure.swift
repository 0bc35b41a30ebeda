/// What two policies make of the same script.
public struct RivalFigure: Hashable, Sendable {
  /// Who was late for less.
  public enum Verdict: String, Hashable, Sendable {
    /// Ours was.
    case less = "less: reached"
    /// Both were late for the same.
    case tie = "a tie"
    /// The rival was.
    case more = "more: MISSED"
  }

  /// The script.
  public let test: RivalCase
  /// What ours made of it.
  public let ours: PolicyOutcome
  /// What the rival made of it.
  public let rival: PolicyOutcome

  /// Makes a figure.
  public init(_ test: RivalCase, ours: PolicyOutcome, rival: PolicyOutcome) {
    (self.test, self.ours, self.rival) = (test, ours, rival)
  }

  /// Who was late for less, in time.
  public var verdict: Verdict {
    if ours.hitchRatio == rival.hitchRatio { return .tie }
    return ours.hitchRatio < rival.hitchRatio ? .less : .more
  }

  /// The heads of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("script", .left), ("ours ms/s", .right), ("late", .right), ("overrun", .right), ("forced", .right),
    ("rival ms/s", .right), ("late", .right), ("forced", .right), ("ours hitches", .left),
  ]

  /// The row in the table.
  public var row: [String] {
    [
      test.label, FigureText.tenths(ours.hitchRatio), FigureText.count(ours.late), FigureText.count(ours.slackOverruns),
      FigureText.count(ours.forced), FigureText.tenths(rival.hitchRatio), FigureText.count(rival.late),
      FigureText.count(rival.forced), verdict.rawValue,
    ]
  }
}
