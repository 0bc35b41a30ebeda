extension Double {
  /// The number moved into `-limit...limit`; 0 when it is not a number.
  func bounded(by limit: Double) -> Double { isNaN ? 0 : Swift.min(limit, Swift.max(-limit, self)) }
}
