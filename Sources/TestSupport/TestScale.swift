import Glibc

/// The extent of the stress tests in a run.
///
/// `scripts/test` runs a part of each stress test, and `scripts/test --long` runs all of it.
public enum TestScale {
  /// Whether stress tests run in full.
  ///
  /// True if the environment variable `VITRINE_LONG_TESTS` is set, as `scripts/test --long` does.
  public static let isLong = getenv("VITRINE_LONG_TESTS") != nil

  /// Returns the seeds to run: all in a long run, otherwise the first third, but at least three if there are so many.
  ///
  /// - Parameter seeds: The seeds of a long run.
  public static func seeds<Seed: FixedWidthInteger>(_ seeds: Range<Seed>) -> Range<Seed>
  where Seed.Stride: SignedInteger {
    isLong ? seeds : seeds.lowerBound..<seeds.lowerBound + Seed(min(max(3, seeds.count / 3), seeds.count))
  }

  /// Returns the seeds to run: all in a long run, otherwise the first third, but at least three if there are so many.
  ///
  /// - Parameter seeds: The seeds of a long run.
  public static func seeds<Seed: FixedWidthInteger>(_ seeds: ClosedRange<Seed>) -> Range<Seed>
  where Seed.Stride: SignedInteger {
    self.seeds(Range(seeds))
  }

  /// Returns `long` in a long run, otherwise `short`.
  ///
  /// - Parameters:
  ///   - long: The number of steps, elements or bytes in a long run.
  ///   - short: The number in any other run.
  public static func count(_ long: Int, short: Int) -> Int { isLong ? long : short }
}
