public import Geometry

/// Where an element goes in an update, and from where.
public struct ElementTransition: Hashable, Sendable {
  /// What lies over what while elements move.
  public enum Level: Int, Hashable, Comparable, Sendable {
    /// It leaves: everything goes over it.
    case disappearing
    /// It stays, or makes way for others.
    case staying
    /// It went to another place among the others.
    case moved
    /// It is new.
    case appearing

    /// Whether one lies under the other.
    public static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// Which one it is.
  public var element: AnimatedElement
  /// Where it belongs in the end, in the content's coordinates.
  public var finalFrame: Rect
  /// How much it hides in the end: 0 for what fades away, 1 for all else.
  public var opacity: Double
  /// How far from that it is shown when the update begins.
  public var initialDisplacement: Displacement
  /// What lies over what.
  public var level: Level
  /// Where a picture of it is left behind that fades; nothing where none is.
  public var fadingCopy: Rect?

  /// Makes a transition.
  public init(
    element: AnimatedElement, place: Rect, opacity: Double = 1, start: Displacement = .zero, level: Level = .staying
  ) {
    self.element = element
    self.finalFrame = place
    self.opacity = opacity
    self.initialDisplacement = start
    self.level = level
  }
}
