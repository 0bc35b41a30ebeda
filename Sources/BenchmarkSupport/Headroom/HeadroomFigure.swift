/// What a case bears with and without working ahead.
public struct HeadroomFigure: Hashable, Sendable {
  /// The case.
  public let test: HeadroomCase
  /// The largest cost of a cell without working ahead, in nanoseconds.
  public let off: Double
  /// The largest cost of a cell with working ahead, in nanoseconds.
  public let on: Double

  /// Makes a figure.
  public init(_ test: HeadroomCase, off: Double, on: Double) { (self.test, self.off, self.on) = (test, off, on) }

  /// How many times more is borne; nothing where nothing is borne without.
  public var ratio: Double? { off > 0 ? on / off : nil }

  /// The share of what could be borne at best.
  public var share: Double { on / test.bound }

  /// The heads of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("columns", .right), ("a cell is", .left), ("refreshes a cell", .right), ("off", .right), ("on", .right),
    ("on/off", .right), ("bound", .right), ("of the bound", .right), ("aims", .left),
  ]

  /// The row in the table.
  public var row: [String] {
    var verdicts: [String] = []
    if let aim = test.ratioAim, let ratio { verdicts.append("on/off " + aim.verdict(on: ratio)) }
    verdicts.append("bound " + HeadroomCase.shareAim.verdict(on: share))
    return [
      FigureText.count(test.columns), test.cell.label, FigureText.tenths(test.refreshesPerCell),
      FigureText.time(off), FigureText.time(on), ratio.map { FigureText.ratio($0) } ?? "-",
      FigureText.time(test.bound), FigureText.ratio(share), verdicts.joined(separator: ", "),
    ]
  }
}
