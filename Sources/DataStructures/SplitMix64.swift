/// A deterministic random number generator: Sebastiano Vigna's SplitMix64 (2015).
///
/// Equal seeds produce equal numbers on every machine. The generator visits every 64-bit state once, so no seed is bad.
/// Not cryptographically secure.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// Creates a generator; equal seeds produce equal numbers.
  @inlinable public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  ///
  /// - Complexity: O(1).
  @inlinable public mutating func next() -> UInt64 {
    let number = SplitMix64.mix(state)
    state &+= SplitMix64.step
    return number
  }

  /// Returns the next random fraction in 0..<1, with 53 bits of precision.
  @inlinable public mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a bijective mix of a number's bits: the first number of the generator with this seed.
  ///
  /// - Complexity: O(1).
  @inlinable public static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ step
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The odd number nearest to 2^64 divided by the golden ratio.
  @inlinable static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }
}
