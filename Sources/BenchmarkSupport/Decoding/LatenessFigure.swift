/// How late a loop of frames wakes, while nothing is decoded and while every core decodes.
public struct LatenessFigure: Hashable, Sendable {
  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("frames", .right), ("decoded", .right), ("p95 idle", .right), ("p95 decoding", .right), ("longest", .right),
    ("later by", .right), ("aim", .left),
  ]

  /// By how much later than an idle one's the 95th of a hundred frames may begin.
  public static let aim = Aim(.time, 1_000_000)

  /// Nanoseconds from when a frame was to begin, frame by frame, while nothing is decoded.
  public var idle: [Double] = []
  /// The same while every core decodes.
  public var decoding: [Double] = []
  /// Pictures that were decoded meanwhile.
  public var decoded = 0

  /// A figure without any frame.
  public init() {}

  /// The number that 95 of a hundred do not exceed; 0 of none.
  public static func percentile95(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count * 95 + 99) / 100 - 1]
  }

  /// By how much later 95 of a hundred frames begin while every core decodes, in nanoseconds.
  public var laterBy: Double { LatenessFigure.percentile95(decoding) - LatenessFigure.percentile95(idle) }

  /// The row in the table.
  public var row: [String] {
    let (calm, busy) = (LatenessFigure.percentile95(idle), LatenessFigure.percentile95(decoding))
    return [
      FigureText.count(decoding.count), FigureText.count(decoded), FigureText.time(calm), FigureText.time(busy),
      FigureText.time(decoding.max() ?? 0), FigureText.time(busy - calm), LatenessFigure.aim.verdict(on: busy - calm),
    ]
  }
}
