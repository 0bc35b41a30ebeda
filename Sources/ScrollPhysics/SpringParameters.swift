/// How hard a critically damped spring of mass 1 pulls.
public struct SpringParameters: Hashable, Sendable {
  /// The stiffness k in 1/s².
  public let stiffness: Double

  /// The angular frequency `√k` in 1/s: after `4.74 / ω` seconds 5 % of the way is left.
  public let frequency: Double

  /// A wheel notch amid others: 95 % of the way in 150 ms.
  public static let wheel = SpringParameters(stiffness: 1_000)
  /// The first wheel notch after rest: 95 % in 134 ms.
  public static let wheelBegin = SpringParameters(stiffness: 1_250)
  /// The last notches of a slowing wheel: 95 % in 106 ms.
  public static let wheelSlowing = SpringParameters(stiffness: 2_000)
  /// Keys and scrolling to a place: 95 % in 250 ms.
  public static let keyboard = SpringParameters(stiffness: 360)
  /// The return from beyond an edge: 95 % in 474 ms.
  public static let edgeBounce = SpringParameters(stiffness: 100)

  /// Makes parameters; a stiffness outside 1...1,000,000 is moved to its nearest bound, and NaN counts as 1.
  public init(stiffness: Double) {
    self.stiffness = max(1, stiffness.bounded(by: 1_000_000))
    frequency = self.stiffness.squareRoot()
  }
}
