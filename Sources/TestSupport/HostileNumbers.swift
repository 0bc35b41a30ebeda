/// Numbers that a driver, a file or a careless caller may hand in, for tests that must see no trap and no NaN.
public enum EdgeCaseNumbers {
  /// Zeros, tiny, huge, infinite and not a number.
  public static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e-300, -1e-300, .leastNonzeroMagnitude, 1e9, -1e9, 1e18, -1e18, 1e300, -1e300,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  /// Counts from nothing to what would overflow when it is multiplied.
  public static let integers: [Int] = [0, 1, -1, 2, 1_000, 10_000_000, -10_000_000, .max, .min, .max - 1]
}
