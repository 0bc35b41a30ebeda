import DataStructures

/// A generator of random numbers that gives the same numbers for the same seed, on every machine.
///
/// `SplitMix64`, with what properties are tested with.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Makes a generator; equal seeds give equal numbers.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 { generator.next() }

  /// True once in a while: with a probability of one in `count`.
  public mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<Swift.max(1, count), using: &self) == 0 }
}
