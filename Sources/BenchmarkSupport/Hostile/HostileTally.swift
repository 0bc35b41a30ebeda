/// Counts what became of pictures, beside what was expected of them.
public struct HostileTally: Hashable, Sendable {
  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("expected", .left), ("files", .right), ("shown", .right), ("refused", .right), ("wrong", .right),
    ("longest", .right),
  ]

  /// The longest that a picture's end may take.
  public static let mostNanoseconds = 5e9
  /// The most memory of a decoding process, in bytes.
  public static let mostDecoderBytes = 256 << 20
  /// The most by which the program may grow, in bytes: what allocators keep.
  public static let mostGrowth = 8 << 20

  private struct Line: Hashable {
    var files = 0
    var shown = 0
    var wrong = 0
    var longest = 0.0
  }

  private var lines: [PictureExpectation.Verdict: Line] = [:]
  /// The largest memory of a decoding process so far, in bytes.
  public private(set) var decoderBytes = 0
  /// How far the program has grown, in bytes.
  public var growth = 0

  /// Nothing has been counted.
  public init() {}

  /// Notes a picture's end.
  ///
  /// - Parameters:
  ///   - nanoseconds: how long it took.
  ///   - decoderBytes: the most memory that a decoding process had so far.
  /// - Returns: what is wrong with it; nothing where all is as expected.
  public mutating func note(
    _ expected: PictureExpectation, _ end: PictureEnd, nanoseconds: Double, decoderBytes: Int
  ) -> String? {
    var line = lines[expected.verdict] ?? Line()
    line.files += 1
    if case .shown = end { line.shown += 1 }
    line.longest = max(line.longest, nanoseconds)
    var complaint = HostileTally.complaint(expected, end)
    if nanoseconds > HostileTally.mostNanoseconds { complaint = "took \(FigureText.time(nanoseconds))" }
    if decoderBytes > max(self.decoderBytes, HostileTally.mostDecoderBytes) {
      complaint = "the decoding process took \(HostileTally.megabytes(decoderBytes))"
    }
    self.decoderBytes = max(self.decoderBytes, decoderBytes)
    if complaint != nil { line.wrong += 1 }
    lines[expected.verdict] = line
    return complaint
  }

  private static func complaint(_ expected: PictureExpectation, _ end: PictureEnd) -> String? {
    switch (expected.verdict, end) {
    case (_, .fatal(let reason)): "ended its decoding process: \(reason)"
    case (.ok, .refused(let reason)): "refused: \(reason)"
    case (_, .refused("")): "refused without a reason"
    case (.ok, .shown(let width, let height, let orientation, _)):
      (width, height, orientation) == (expected.width, expected.height, expected.orientation)
        ? nil
        : "shown as \(width) x \(height) in orientation \(orientation), not \(expected.width) x \(expected.height) in "
          + "\(expected.orientation)"
    case (.error, .shown(_, _, _, let isDamaged)): isDamaged ? nil : "shown as if nothing were wrong"
    case (.bomb, .shown): "shown"
    case (.foreign, .shown): "shown, of a format without a decoder"
    case (.either, _), (_, .refused): nil
    }
  }

  /// How many pictures were counted.
  public var count: Int { lines.values.reduce(0) { $0 + $1.files } }

  /// How many things are wrong: pictures, and the program's growth.
  public var wrongCount: Int {
    lines.values.reduce(0) { $0 + $1.wrong } + (growth > HostileTally.mostGrowth ? 1 : 0)
  }

  /// The table's rows, and one of all.
  public var rows: [[String]] {
    var all = Line()
    var rows: [[String]] = []
    for verdict in PictureExpectation.Verdict.allCases {
      guard let line = lines[verdict] else { continue }
      rows.append(HostileTally.row(verdict.rawValue, line))
      all.files += line.files
      all.shown += line.shown
      all.wrong += line.wrong
      all.longest = max(all.longest, line.longest)
    }
    return rows + [HostileTally.row("all", all)]
  }

  private static func row(_ name: String, _ line: Line) -> [String] {
    [
      name, FigureText.count(line.files), FigureText.count(line.shown), FigureText.count(line.files - line.shown),
      FigureText.count(line.wrong), FigureText.time(line.longest),
    ]
  }

  /// The bounds on time and memory, and what became of them.
  public var bounds: [String] {
    let longest = lines.values.map(\.longest).max() ?? 0
    return [
      "longest until a picture's end: \(FigureText.time(longest)), "
        + Aim(.time, HostileTally.mostNanoseconds).verdict(on: longest),
      "largest decoding process: \(HostileTally.megabytes(decoderBytes)), <= "
        + HostileTally.megabytes(HostileTally.mostDecoderBytes)
        + (decoderBytes <= HostileTally.mostDecoderBytes ? " reached" : " MISSED"),
      "growth of the program: \(HostileTally.megabytes(growth)), <= \(HostileTally.megabytes(HostileTally.mostGrowth))"
        + (growth <= HostileTally.mostGrowth ? " reached" : " MISSED"),
    ]
  }

  private static func megabytes(_ bytes: Int) -> String { FigureText.tenths(Double(bytes) / Double(1 << 20)) + " MB" }
}
