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
  public var growths: [Double?] {
    zip(points, points.dropFirst()).map { before, after in
      guard before.nanoseconds > 0, after.nanoseconds > 0, before.count > 0, after.count > before.count else {
        return nil
      }
      let tenfolds = log10(Double(after.count) / Double(before.count))
      return pow(after.nanoseconds / before.nanoseconds, 1 / tenfolds)
    }
  }

  /// Whether no step grew by more than the stated complexity leaves room for; nothing while there is no step.
  public var keepsWhatIsStated: Bool? {
    let known = growths.compactMap(\.self)
    return known.isEmpty ? nil : known.allSatisfy { $0 <= stated.growth.mostPerTenfold }
  }

  /// The verdict in words.
  public var verdict: String {
    switch keepsWhatIsStated {
    case true?: "as stated"
    case false?: "SLOWER THAN STATED"
    case nil: "-"
    }
  }
}
