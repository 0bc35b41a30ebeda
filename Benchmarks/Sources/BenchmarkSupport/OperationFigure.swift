internal import Glibc

/// The time of a call of one operation at several sizes, with its documented complexity.
public struct OperationFigure: Hashable, Sendable {
  /// The time of a call at one size.
  public struct Point: Hashable, Sendable {
    /// The number of items.
    public let count: Int
    /// The time, in nanoseconds.
    public let nanoseconds: Double
  }

  /// The name of the operation and the value on which it is called.
  public let name: String
  /// The documented complexity.
  public let stated: StatedComplexity
  /// The times, in the order of measurement, which is by size.
  public private(set) var points: [Point] = []

  /// Creates a figure without times.
  public init(_ name: String, _ stated: StatedComplexity) {
    self.name = name
    self.stated = stated
  }

  /// Adds the time of a call at a size.
  public mutating func add(count: Int, nanoseconds: Double) {
    points.append(Point(count: count, nanoseconds: nanoseconds))
  }

  /// The growth of the time from each size to the next, normalized to ten times the items.
  ///
  /// A step without valid times is nil.
  public var growths: [Double?] { zip(points, points.dropFirst()).map { OperationFigure.growth(from: $0, to: $1) } }

  /// The growth from the first size to the last, normalized to ten times the items, or nil if there is none.
  public var meanGrowth: Double? {
    guard let first = points.first, let last = points.last else { return nil }
    return OperationFigure.growth(from: first, to: last)
  }

  /// Whether the growth is within the bounds of the documented complexity, in the mean and in each step.
  ///
  /// Nil if the documented complexity applies to fewer than two sizes. Both checks are needed: the mean compensates for
  /// the end of a cache, and a step reveals what a fixed cost hides at small sizes.
  public var meetsStatedComplexity: Bool? {
    var judged = OperationFigure(name, stated)
    judged.points = points.filter { $0.count >= stated.validFrom }
    guard let mean = judged.meanGrowth else { return nil }
    return mean <= stated.growth.maximumMeanGrowth
      && judged.growths.compactMap(\.self).allSatisfy { $0 <= stated.growth.maximumStepGrowth }
  }

  /// The outcome in words.
  public var verdict: String {
    switch meetsStatedComplexity {
    case true?: "as stated"
    case false?: "SLOWER THAN STATED"
    case nil: "-"
    }
  }

  private static func growth(from before: Point, to after: Point) -> Double? {
    guard before.nanoseconds > 0, after.nanoseconds > 0, before.count > 0, after.count > before.count else {
      return nil
    }
    return pow(after.nanoseconds / before.nanoseconds, 1 / log10(Double(after.count) / Double(before.count)))
  }
}

/// The documented complexity of an operation.
public struct StatedComplexity: Hashable, Sendable {
  /// The complexity in short form, such as `k log n`.
  public let text: String
  /// The growth with the number of items while each call does the same amount of work.
  public let growth: CostGrowth
  /// The number of items from which the growth applies, if a documented constant is only reached by larger values.
  public let validFrom: Int

  /// Creates a complexity from its short form and its growth.
  public init(_ text: String, _ growth: CostGrowth, validFrom: Int = 0) {
    self.text = text
    self.growth = growth
    self.validFrom = validFrom
  }

  /// Returns a complexity that hardly grows.
  public static func flat(_ text: String, validFrom: Int = 0) -> StatedComplexity {
    StatedComplexity(text, .flat, validFrom: validFrom)
  }

  /// Returns a complexity that is proportional to the number of items.
  public static func linear(_ text: String) -> StatedComplexity { StatedComplexity(text, .linear) }

  /// Returns a complexity that is proportional to the number of items times its logarithm.
  public static func linearithmic(_ text: String) -> StatedComplexity { StatedComplexity(text, .linearithmic) }
}

/// The growth of the cost of a call with the number of items according to its documentation.
public enum CostGrowth: Hashable, Sendable {
  /// Constant, logarithmic, or independent of the number of items.
  case flat
  /// Proportional to the number of items.
  case linear
  /// Proportional to the number of items times its logarithm.
  case linearithmic

  /// The maximum growth of the cost for ten times the items, in the mean over all sizes.
  ///
  /// The theoretical growth is 1 or a little more, 10, and at most 13.4 from a thousand items on. The remainder allows
  /// for caches that hold small values and not large ones.
  public var maximumMeanGrowth: Double {
    switch self {
    case .flat: 3
    case .linear: 15
    case .linearithmic: 20
    }
  }

  /// The maximum growth in a single tenfold step, such as one that exceeds a cache.
  public var maximumStepGrowth: Double { 2 * maximumMeanGrowth }
}

// MARK: - Report

/// A report on many operations, grouped by type, in the order in which they were first added.
public struct OperationReport: Hashable, Sendable {
  private struct Group: Hashable, Sendable {
    let type: String
    var figures: [OperationFigure] = []
  }

  private let sizes: [Int]
  private var groups: [Group] = []

  /// Creates an empty report for sizes that are measured in succession.
  public init(sizes: [Int]) { self.sizes = sizes }

  /// Adds the time of a call at a size.
  ///
  /// - Complexity: O(f) for f figures.
  public mutating func add(
    type: String, operation: String, stated: StatedComplexity, count: Int, nanoseconds: Double
  ) {
    let group = groups.firstIndex { $0.type == type } ?? groups.count
    if group == groups.count { groups.append(Group(type: type)) }
    let index = groups[group].figures.firstIndex { $0.name == operation } ?? groups[group].figures.count
    if index == groups[group].figures.count { groups[group].figures.append(OperationFigure(operation, stated)) }
    groups[group].figures[index].add(count: count, nanoseconds: nanoseconds)
  }

  /// A table for each type, and a summary line.
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
    let verdicts = groups.flatMap(\.figures).map(\.meetsStatedComplexity)
    let slower = verdicts.count { $0 == false }
    return "\(verdicts.count) figures: \(verdicts.count { $0 == true }) as stated, \(slower) slower than stated."
  }
}

// MARK: - Options

/// The options of `bench operations`, which measures the growth of the cost of operations.
public struct OperationsOptions: Hashable, Sendable {
  /// The numbers of items of a value, in ascending order.
  public var sizes = [1_000, 10_000, 100_000, 1_000_000]
  /// The types of identifiers.
  public var kinds = [IdentifierKind.int]
  /// The number of runs of each measurement.
  public var repeats = 4

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--n": sizes = Set(try words.numbers(of: name, in: 1_000...10_000_000)).sorted()
      case "--ids": kinds = try words.kinds(of: name)
      case "--repeat": repeats = try words.repeats(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
