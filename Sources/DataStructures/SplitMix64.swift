/// Random numbers that are the same for the same seed, on every machine: Sebastiano Vigna's SplitMix64 (2015).
///
/// Every 64-bit state is visited once, so no seed is a bad one. No defence against an adversary.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// Makes a generator; equal seeds give equal numbers.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  ///
  /// - Complexity: O(1).
  @inlinable public mutating func next() -> UInt64 {
    let number = SplitMix64.mix(state)
    state &+= SplitMix64.step
    return number
  }

  /// The next random fraction, in 0..<1, of 53 bits.
  @inlinable public mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Spreads a number's bits over all of a word, one to one: the first number of the generator with this seed.
  ///
  /// - Complexity: O(1).
  @inlinable public static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ step
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The odd number next to 2^64 divided by the golden ratio.
  @inlinable static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }
}
