/// What one run of a measurement took, for each operation in it.
public struct Sample: Hashable, Sendable {
  /// Nanoseconds an operation.
  public var nanoseconds: Double
  /// Instructions an operation, where they were counted.
  public var instructions: Double?

  /// Makes a sample from what a number of equal operations took together.
  public init(nanoseconds: Double, instructions: Double? = nil, operations: Int = 1) {
    self.nanoseconds = nanoseconds / Double(operations)
    self.instructions = instructions.map { $0 / Double(operations) }
  }
}
