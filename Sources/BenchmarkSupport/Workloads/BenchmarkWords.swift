internal import DataStructures

/// The 128 bits that a number's long identifiers are made of.
struct BenchmarkWords {
  /// One to one with the number.
  let first: UInt64
  /// Follows from the first.
  let second: UInt64

  init(_ number: Int) {
    first = SplitMix64.mix(UInt64(truncatingIfNeeded: number))
    second = SplitMix64.mix(first)
  }
}
