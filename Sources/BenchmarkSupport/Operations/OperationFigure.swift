internal import Glibc

/// What a call of one operation takes at several sizes, beside what is stated of it.
public struct OperationFigure: Hashable, Sendable {
  /// The time of a call at one size.
  public struct Point: Hashable, Sendable {
    /// Items.
    public let count: Int
    /// Nanoseconds.
    public let nanoseconds: Double
  }

  /// The operation, and what it is called on.
  public let name: String
  /// What its documentation says.
  public let stated: StatedCost
  /// The times, in the order of measuring: by size.
  public private(set) var points: [Point] = []

  /// Makes a figure without a time.
  public init(_ name: String, _ stated: StatedCost) {
    self.name = name
    self.stated = stated
  }

  /// Adds the time of a call at a size.
  public mutating func add(count: Int, nanoseconds: Double) {
    points.append(Point(count: count, nanoseconds: nanoseconds))
  }

  /// How many times dearer a call became from each size to the next, brought to ten times the items.
  ///
  /// Nothing for a step that has no time before it or is none.
  public var growths: [Double?] { zip(points, points.dropFirst()).map { OperationFigure.growth(from: $0, to: $1) } }

  /// The same from the first size to the last: the mean of the steps.
  public var meanGrowth: Double? {
    guard let first = points.first, let last = points.last else { return nil }
    return OperationFigure.growth(from: first, to: last)
  }

  /// Whether a call grew by no more than the stated complexity leaves room for, in the mean and in each step.
  ///
  /// Nothing while there is no step between sizes for which the statement is settled. Both are needed: the mean evens out
  /// where a cache ends, and a step shows what a fixed cost hides at small sizes.
  public var keepsWhatIsStated: Bool? {
    var judged = OperationFigure(name, stated)
    judged.points = points.filter { $0.count >= stated.settledFrom }
    guard let mean = judged.meanGrowth else { return nil }
    return mean <= stated.growth.mostInTheMean
      && judged.growths.compactMap(\.self).allSatisfy { $0 <= stated.growth.mostInOneStep }
  }

  /// The verdict in words.
  public var verdict: String {
    switch keepsWhatIsStated {
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
