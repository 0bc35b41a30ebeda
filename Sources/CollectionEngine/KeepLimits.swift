/// Where along the scrolled axis items may have a waiting cell, in points of the content.
public struct KeepLimits: Hashable, Sendable {
  /// Around what is on screen.
  public var aroundViewport: ClosedRange<Double>
  /// Around where the content will come to rest, while it is on its way there.
  public var landing: ClosedRange<Double>?

  /// Makes limits.
  public init(near: ClosedRange<Double>, landing: ClosedRange<Double>? = nil) {
    self.aroundViewport = near
    self.landing = landing
  }

  /// Whether an item that lies between two points may wait: a part of it is within the limits.
  public func contains(start: Double, end: Double) -> Bool {
    KeepLimits.overlaps(aroundViewport, start, end) || landing.map { KeepLimits.overlaps($0, start, end) } ?? false
  }

  /// Whether a part of an item lies in an interval; one without a length counts as its place.
  static func overlaps(_ interval: ClosedRange<Double>, _ start: Double, _ end: Double) -> Bool {
    if end <= start { return interval.contains(start) }
    return start < interval.upperBound && end > interval.lowerBound
  }
}
