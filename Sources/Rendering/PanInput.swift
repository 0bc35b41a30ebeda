public import Geometry

/// Fingers that are drawn over a screen, one or two together.
public struct PanInput: Hashable, Sendable {
  /// What happened to it: it began, goes on, ended by lifting the last finger, or was taken away.
  public var phase: TouchInput.Phase
  /// Where it began, in points of the window.
  public var start: Point
  /// Where it is: the finger, or the middle of two.
  public var location: Point
  /// How far it went since the event before; for its beginning which way it went until it was one.
  public var translation: Point

  /// Makes a movement.
  public init(phase: TouchInput.Phase, start: Point, location: Point, translation: Point) {
    self.phase = phase
    self.start = start
    self.location = location
    self.translation = translation
  }
}
