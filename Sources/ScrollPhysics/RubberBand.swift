/// How far content follows a finger beyond its edge: less and less, never a whole viewport.
///
/// `shown = (1 - 1 / (pulled c / d + 1)) d` with the viewport's length d and c = 0.55, as UIKit's.
public struct RubberBand: Hashable, Sendable {
  /// The viewport's length in points.
  public let viewportLength: Double
  /// The share of a small pull that is followed, above 0 and at most 1.
  public let coefficient: Double

  /// Makes a band; a length below 0 counts as 0, and a coefficient outside 0.01...1 is moved to its nearest bound.
  public init(viewportLength: Double, coefficient: Double = 0.55) {
    self.viewportLength = max(0, viewportLength.bounded(by: ScrollLimits.position))
    self.coefficient = max(0.01, coefficient.bounded(by: 1))
  }

  /// The points that are shown beyond the edge when the finger pulled this far beyond it; signs agree.
  ///
  /// - Complexity: O(1).
  public func shown(pulled: Double) -> Double {
    guard viewportLength > 0 else { return 0 }
    let pull = pulled.bounded(by: ScrollLimits.position)
    let scaled = min(1e300, pull.magnitude * coefficient / viewportLength)
    return (pull < 0 ? -1 : 1) * viewportLength * scaled / (scaled + 1)
  }

  /// The inverse: how far the finger must have pulled for this many points to be shown beyond the edge.
  ///
  /// Needed when content is caught while it returns. A whole viewport or more, which no pull shows, counts as the
  /// longest pull that is told apart.
  ///
  /// - Complexity: O(1).
  public func pulled(shown: Double) -> Double {
    let distance = shown.bounded(by: ScrollLimits.position)
    let rest = viewportLength - distance.magnitude
    let sign = distance < 0 ? -1.0 : 1.0
    guard distance != 0, viewportLength > 0 else { return 0 }
    guard rest > 0 else { return sign * ScrollLimits.position }
    return sign * min(ScrollLimits.position, viewportLength * distance.magnitude / (coefficient * rest))
  }
}
