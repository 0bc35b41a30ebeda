/// What repeated measurements of one thing came to.
public struct Reading: Hashable, Sendable {
  /// Nanoseconds an operation, one number a run, in order of size.
  public private(set) var nanoseconds: [Double] = []
  /// Instructions an operation of the run with the fewest; nothing where they were not counted.
  public private(set) var instructions: Double?

  /// Makes a reading without a run.
  public init() {}

  /// Adds a run.
  ///
  /// - Complexity: O(r) for r runs.
  public mutating func add(_ sample: Sample) {
    let place = nanoseconds.firstIndex { $0 > sample.nanoseconds } ?? nanoseconds.count
    nanoseconds.insert(sample.nanoseconds, at: place)
    guard let count = sample.instructions else { return }
    instructions = min(instructions ?? count, count)
  }

  /// The quickest run, in nanoseconds: what the work costs when nobody disturbs it.
  public var least: Double? { nanoseconds.first }

  /// The slowest run, in nanoseconds.
  public var most: Double? { nanoseconds.last }

  /// The run in the middle, in nanoseconds; of an even number of runs the mean of the two there.
  public var median: Double? {
    guard !nanoseconds.isEmpty else { return nil }
    let middle = nanoseconds.count / 2
    return nanoseconds.count.isMultiple(of: 2)
      ? (nanoseconds[middle - 1] + nanoseconds[middle]) / 2 : nanoseconds[middle]
  }

  /// How many times longer than another's quickest run this one's took; nothing where either is missing or no time.
  public func ratio(to other: Reading) -> Double? {
    guard let mine = least, let others = other.least, others > 0 else { return nil }
    return mine / others
  }
}
