public import Geometry

/// What a finger did on a touch screen.
public struct TouchInput: Hashable, Sendable {
  /// What happened to it.
  public enum Phase: Hashable, Sendable {
    /// It touched the screen.
    case began
    /// It moved.
    case moved
    /// It left the screen.
    case ended
    /// The system took it away; it means nothing any more.
    case cancelled
  }

  /// Tells one finger from the others that are on the screen.
  public var finger: Int64
  /// What happened to it.
  public var phase: Phase
  /// Where it is, in points of the window.
  public var location: Point

  /// Makes a touch.
  public init(finger: Int64, phase: Phase, location: Point) {
    self.finger = finger
    self.phase = phase
    self.location = location
  }
}
