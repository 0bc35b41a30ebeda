/// The figures of many operations, by the type that has them, in the order in which they first came.
public struct OperationLedger: Hashable, Sendable {
  private struct Group: Hashable, Sendable {
    let type: String
    var figures: [OperationFigure] = []
  }

  private let sizes: [Int]
  private var groups: [Group] = []

  /// Makes an empty ledger for sizes that are measured one after the other.
  public init(sizes: [Int]) { self.sizes = sizes }

  /// Adds the time of a call at a size.
  ///
  /// - Complexity: O(f) for f figures.
  public mutating func add(
    type: String, operation: String, stated: StatedCost, count: Int, nanoseconds: Double
  ) {
    let group = groups.firstIndex { $0.type == type } ?? groups.count
    if group == groups.count { groups.append(Group(type: type)) }
    let place = groups[group].figures.firstIndex { $0.name == operation } ?? groups[group].figures.count
    if place == groups[group].figures.count { groups[group].figures.append(OperationFigure(operation, stated)) }
    groups[group].figures[place].add(count: count, nanoseconds: nanoseconds)
  }

  /// A table for each type, and a line that counts the verdicts.
  public var lines: [String] {
    groups.flatMap { ["", $0.type] + table(of: $0.figures).map { "  " + $0 } } + ["", summary]
  }

  private func table(of figures: [OperationFigure]) -> [String] {
    var table = TextTable(
      [("operation", .left)] + sizes.map { (FigureText.count($0), .right) }
        + sizes.dropFirst().map { _ in ("x10", .right) } + [("mean", .right), ("stated", .left), ("verdict", .left)])
    for figure in figures {
      let times = sizes.map { size in
        figure.points.first { $0.count == size }.map { FigureText.callTime($0.nanoseconds) } ?? "-"
      }
      let growths = figure.growths.map { $0.map(FigureText.ratio) ?? "-" }
      let missing = [String](repeating: "-", count: max(0, sizes.count - 1 - growths.count))
      table.add(
        [figure.name] + times + growths + missing + [
          figure.meanGrowth.map(FigureText.ratio) ?? "-", figure.stated.text, figure.verdict,
        ])
    }
    return table.lines
  }

  private var summary: String {
    let verdicts = groups.flatMap(\.figures).map(\.keepsWhatIsStated)
    let slower = verdicts.count { $0 == false }
    return "\(verdicts.count) figures: \(verdicts.count { $0 == true }) as stated, \(slower) slower than stated."
  }
}
