public import Geometry

/// Two fingers that go apart or together on a screen.
public struct PinchInput: Hashable, Sendable {
  /// What happened to it.
  public var phase: TouchInput.Phase
  /// The middle of the two, in points of the window.
  public var location: Point
  /// How many times as far apart they are as when it began, above 0.
  public var scale: Double

  /// Makes a movement.
  public init(phase: TouchInput.Phase, location: Point, scale: Double) {
    self.phase = phase
    self.location = location
    self.scale = scale
  }
}
