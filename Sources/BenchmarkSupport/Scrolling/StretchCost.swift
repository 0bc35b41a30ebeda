/// What a frame's phases from update to upload took.
public struct StretchCost: Hashable, Sendable {
  /// Processor time of the thread, in nanoseconds; 0 where an instrument makes times meaningless.
  public var nanoseconds: Double
  /// Instructions outside the kernel, where they were counted.
  public var instructions: Double?
  /// Calls by their kind, in the order of all kinds, where they were counted.
  public var calls: [Int]?

  /// Makes a cost.
  public init(nanoseconds: Double, instructions: Double? = nil, calls: [Int]? = nil) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
    self.calls = calls
  }

  /// What a profile of callgrind says.
  public init(_ profile: CallgrindProfile) {
    self.init(
      nanoseconds: 0, instructions: profile.instructions,
      calls: RuntimeCall.allCases.map { profile.count(of: $0) })
  }
}
