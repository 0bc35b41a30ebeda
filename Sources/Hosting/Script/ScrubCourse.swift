/// Where a hand holds the thumb of a scroll bar: to the end and back in 4 seconds, with rests half of the way there, at the
/// end, and half of the way back.
enum ScrubTrajectory {
  /// Seconds and shares of the way, between which the thumb goes evenly.
  private static let keyframes: [(seconds: Double, fraction: Double)] = [
    (0, 0), (0.75, 0.5), (1, 0.5), (1.75, 1), (2.25, 1), (3, 0.5), (3.25, 0.5), (4, 0),
  ]

  /// The share of the way, 0 to 1, after so many seconds.
  static func fraction(at seconds: Double) -> Double {
    let time = max(0, seconds).truncatingRemainder(dividingBy: 4)
    for (from, to) in zip(keyframes, keyframes.dropFirst()) where time < to.seconds {
      return from.fraction + (to.fraction - from.fraction) * (time - from.seconds) / (to.seconds - from.seconds)
    }
    return 0
  }
}
