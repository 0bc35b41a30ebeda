/// How fast content goes by itself while a pointer is away from where it pressed the wheel.
public enum Autoscroll {
  /// Points from the origin within which nothing moves.
  public static let stillness = 10.0
  /// The highest speed in points a second.
  public static let maximumSpeed = 40_000.0

  /// The velocity in points a second for a distance in points: slow at first, with the square of the distance further out.
  ///
  /// - Complexity: O(1).
  public static func velocity(at distance: Double) -> Double {
    let way = distance.bounded(by: 1e6).magnitude - stillness
    guard way > 0 else { return 0 }
    let speed = min(maximumSpeed, way * 4 + way * way / 4)
    return distance < 0 ? -speed : speed
  }
}
