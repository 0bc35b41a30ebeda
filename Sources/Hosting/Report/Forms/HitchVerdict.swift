/// How good a hitch ratio is, by the bounds that Apple gave in "Eliminate animation hitches with XCTest" (WWDC20).
enum HitchRating: String, Hashable {
  /// At most 5 ms a second: nobody notices.
  case good
  /// Below 10 ms a second: some do.
  case warning
  /// People stop scrolling.
  case critical

  /// Judges a ratio in milliseconds a second.
  init(ratio: Double) { self = ratio <= 5 ? .good : ratio < 10 ? .warning : .critical }
}
