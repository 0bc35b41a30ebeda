/// A figure beside its threshold and what it was before.
public struct JudgedFigure: Hashable, Sendable {
  /// The figure's name; where there is none, the threshold's.
  public let name: String
  /// The figure; nothing where the run had none.
  public let figure: BenchmarkFigure?
  /// The threshold.
  public let threshold: FigureThreshold
  /// What became of it.
  public let verdict: FigureVerdict
  /// What it was when the tree's history was last added to.
  public let landed: Double?
  /// What it was in earlier runs on this machine.
  public let earlier: HistoryStatistics?

  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("figure", .left), ("this run", .right), ("threshold", .right), ("landed", .right), ("median here", .right),
    ("least to most", .right), ("verdict", .left),
  ]

  /// The row in the table.
  public var row: [String] {
    let unit = figure?.unit ?? threshold.unit
    let before = landed.map { landed in
      let change = figure.flatMap { FigureText.change(from: landed, to: $0.value) } ?? ""
      return unit.text(landed) + (change.isEmpty ? "" : " (\(change))")
    }
    return [
      "`\(name)`", figure?.text ?? "–", threshold.text, before ?? "–",
      earlier.map { "\(unit.text($0.median)) of \($0.count)" } ?? "–",
      earlier.map { "\(unit.text($0.least)) – \(unit.text($0.most))" } ?? "–", verdict.text,
    ]
  }
}
