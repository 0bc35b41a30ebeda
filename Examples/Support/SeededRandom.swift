/// A random number generator whose numbers depend on its seed alone: Sebastiano Vigna's SplitMix64 (2015).
///
/// The examples generate their content with it, so that each run shows the same.
public nonisolated struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; equal seeds produce equal numbers.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    defer { state &+= SeededRandom.step }
    return SeededRandom.mix(state)
  }

  /// Returns the next random fraction in 0..<1, with 53 bits of precision.
  public mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns the first number of the generator with a seed.
  public static func mix(_ seed: UInt64) -> UInt64 {
    var bits = seed &+ step
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The odd number nearest to 2^64 divided by the golden ratio.
  private static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }
}
