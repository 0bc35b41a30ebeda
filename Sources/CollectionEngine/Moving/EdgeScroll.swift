/// How fast content goes on beneath an item that is held near an edge, by how near it is.
///
/// A function of places alone: who shows frames evaluates it, and nothing ticks.
public struct EdgeAutoscroll: Hashable, Sendable {
  /// Points from an edge within which content goes on.
  public static let depth = 64.0
  /// Points a second at an edge, and beyond it.
  public static let maximumSpeed = 1_200.0
  /// Points that a hand has gone towards an edge since it took the item: taking one near an edge moves nothing.
  public static let minimumDrag = 8.0

  /// Where what is seen begins, in points along the axis.
  public var start: Double
  /// Where what is seen ends.
  public var end: Double

  /// Makes the edges of what is seen.
  public init(from start: Double, to end: Double) {
    self.start = start
    self.end = end
  }

  /// The velocity in points a second; positive where what comes later is shown.
  ///
  /// It grows with the square of how far into the edge's zone the hand is, so that one may go slowly.
  ///
  /// - Parameters:
  ///   - place: where the hand is.
  ///   - origin: where it took the item.
  public func velocity(at place: Double, from origin: Double) -> Double {
    let depth = min(EdgeAutoscroll.depth, (end - start) / 4)
    guard depth > 0, place.isFinite else { return 0 }
    let (before, behind) = (start + depth - place, place - end + depth)
    if before > 0, origin - place >= EdgeAutoscroll.minimumDrag { return -EdgeAutoscroll.speed(at: before / depth) }
    if behind > 0, place - origin >= EdgeAutoscroll.minimumDrag { return EdgeAutoscroll.speed(at: behind / depth) }
    return 0
  }

  private static func speed(at share: Double) -> Double {
    let share = min(1, share)
    return maximumSpeed * share * share
  }
}
