/// What became of a threshold.
public enum FigureVerdict: String, CaseIterable, Sendable {
  /// The figure keeps it.
  case kept
  /// The figure does not.
  case missed
  /// The figure does not, and says as much of the machine as of the program.
  case beyond
  /// The run had no such figure.
  case absent
  /// The figure is a number of something else.
  case otherUnit

  /// What becomes of a figure.
  public init(_ figure: BenchmarkFigure, _ threshold: FigureThreshold) {
    if figure.unit != threshold.unit {
      self = .otherUnit
    } else if threshold.isKept(by: figure.value) {
      self = .kept
    } else {
      self = threshold.isSteady ? .missed : .beyond
    }
  }

  /// Whether the run fails by it.
  public var fails: Bool { self == .missed || self == .absent || self == .otherUnit }

  /// The words in the table.
  public var text: String {
    switch self {
    case .kept: "kept"
    case .missed: "**MISSED**"
    case .beyond: "beyond (not judged)"
    case .absent: "**NOT MEASURED**"
    case .otherUnit: "**OTHER UNIT**"
    }
  }
}
