/// The result of repeated measurements of one operation.
public struct Reading: Hashable, Sendable {
  /// The time per operation of each run, in nanoseconds, in ascending order.
  public private(set) var nanoseconds: [Double] = []
  /// The instructions per operation of the run with the fewest, or nil if they were not counted.
  public private(set) var instructions: Double?

  /// Creates a reading without runs.
  public init() {}

  /// Adds a run.
  ///
  /// - Complexity: O(r) for r runs.
  public mutating func add(_ sample: Sample) {
    let index = nanoseconds.firstIndex { $0 > sample.nanoseconds } ?? nanoseconds.count
    nanoseconds.insert(sample.nanoseconds, at: index)
    guard let count = sample.instructions else { return }
    instructions = min(instructions ?? count, count)
  }

  /// The time of the fastest run, in nanoseconds, which is the one least disturbed by other load.
  public var least: Double? { nanoseconds.first }

  /// The time of the slowest run, in nanoseconds.
  public var most: Double? { nanoseconds.last }

  /// The median time, in nanoseconds: the middle run, or the mean of the two middle ones if their number is even.
  public var median: Double? {
    guard !nanoseconds.isEmpty else { return nil }
    let middle = nanoseconds.count / 2
    return nanoseconds.count.isMultiple(of: 2)
      ? (nanoseconds[middle - 1] + nanoseconds[middle]) / 2 : nanoseconds[middle]
  }

  /// Returns the time of the fastest run divided by that of another reading, or nil if either is missing or the other
  /// is 0.
  public func ratio(to other: Reading) -> Double? {
    guard let mine = least, let others = other.least, others > 0 else { return nil }
    return mine / others
  }
}

/// The cost of one run of a measurement, per operation.
public struct Sample: Hashable, Sendable {
  /// The time per operation, in nanoseconds.
  public var nanoseconds: Double
  /// The instructions per operation, or nil if they were not counted.
  public var instructions: Double?

  /// Creates a sample from the total cost of a number of equal operations.
  public init(nanoseconds: Double, instructions: Double? = nil, operations: Int = 1) {
    self.nanoseconds = nanoseconds / Double(operations)
    self.instructions = instructions.map { $0 / Double(operations) }
  }
}

/// The minimum cost of each step over several equal runs.
///
/// Other load on the machine only makes a step more expensive, so the minimum is the cost of the step itself.
public struct RepeatedCosts: Hashable, Sendable {
  private var least: [Double] = []

  /// Creates costs without runs.
  public init() {}

  /// Adds a run: the costs of its steps, in order and in the same number as those of the first run.
  public mutating func add(_ costs: [Double]) {
    least = least.isEmpty ? costs : zip(least, costs).map { min($0, $1) }
  }

  /// Returns a percentile of the minimum costs of the steps, or nil if there are no steps.
  ///
  /// - Parameter share: The percentile as a share: 0 for the smallest cost, 0.5 for the median, 1 for the largest cost.
  /// - Complexity: O(s log s) for s steps.
  public func cost(at share: Double) -> Double? {
    let sorted = least.sorted()
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[max(0, min(sorted.count - 1, rank))]
  }
}

/// A performance goal: a bound that a figure should meet.
public struct Aim: Hashable, Sendable {
  /// The measured quantity.
  public enum Measure: Hashable, Sendable {
    /// Nanoseconds, with an upper bound.
    case time
    /// Bytes per item, with an upper bound.
    case bytes
    /// A number of things, with an upper bound.
    case count
    /// The speedup over the baseline, with a lower bound.
    case ratio
  }

  /// The measured quantity.
  public let measure: Measure
  /// The bound, inclusive.
  public let bound: Double

  /// Creates a goal.
  public init(_ measure: Measure, _ bound: Double) {
    self.measure = measure
    self.bound = bound
  }

  /// Returns whether a figure meets the bound.
  public func isReached(by figure: Double) -> Bool { measure == .ratio ? figure >= bound : figure <= bound }

  /// Returns the bound and whether a figure meets it, such as `<= 5.00 µs reached`.
  public func verdict(on figure: Double) -> String {
    let text =
      switch measure {
      case .time: "<= " + FigureText.time(bound)
      case .bytes: "<= " + FigureText.bytes(bound)
      case .count: "<= " + FigureText.count(bound)
      case .ratio: ">= " + FigureText.ratio(bound)
      }
    return text + (isReached(by: figure) ? " reached" : " MISSED")
  }
}
