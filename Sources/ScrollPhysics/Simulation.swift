/// A motion along one axis as a closed form: position and velocity are functions of the seconds since it began.
///
/// Nothing is integrated step by step, so the path is the same at every frame rate, and the future is known.
/// Seconds before the beginning count as 0, and those after the end as ``duration``.
public protocol Simulation: Hashable, Sendable {
  /// The position in points.
  ///
  /// - Complexity: O(1).
  func position(at seconds: Double) -> Double

  /// The velocity in points a second; 0 from the end on.
  ///
  /// - Complexity: O(1).
  func velocity(at seconds: Double) -> Double

  /// The seconds after which it rests.
  var duration: Double { get }

  /// Where it rests, in points.
  var restPosition: Double { get }

  /// The seconds until it first stands at a position, or nothing when it never does.
  ///
  /// - Complexity: O(1).
  func time(reaching position: Double) -> Double?

  /// The same motion in coordinates whose origin was moved: every position grows by a number of points.
  func translated(by points: Double) -> Self
}
