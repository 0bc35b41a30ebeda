/// A generator of random numbers that gives the same numbers for the same seed, on every machine.
///
/// SplitMix64: every 64-bit state is visited once, so no seed is a bad one.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; equal seeds give equal numbers.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }

  /// True once in a while: with a probability of one in `count`.
  public mutating func once(in count: Int) -> Bool { Int.random(in: 0..<Swift.max(1, count), using: &self) == 0 }
}
