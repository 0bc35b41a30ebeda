/// Makes steps of a wheel's notches, and of the fractions of notches that trackpads tell.
nonisolated struct ZoomWheel: Hashable, Sendable {
  private var remainder = 0.0

  /// Takes a movement in, in notches.
  ///
  /// What was collected one way is forgotten when the other way begins. What is no number counts as nothing, and a
  /// movement counts as ten notches at most.
  /// - Returns: how many steps that makes, larger where positive.
  mutating func steps(of notches: Double) -> Int {
    guard notches.isFinite, notches != 0 else { return 0 }
    if (notches > 0) != (remainder > 0) { remainder = 0 }
    remainder += min(10, max(-10, notches))
    // A whole notch told in parts may add up to a little less.
    let steps = (remainder + (remainder > 0 ? 1e-6 : -1e-6)).rounded(.towardZero)
    remainder -= steps
    return Int(steps)
  }
}
