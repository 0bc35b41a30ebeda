public import Geometry

/// A wheel or trackpad movement.
public struct WheelInput: Hashable, Sendable {
  /// Where the pointer was.
  public var location: Point
  /// Notches to the right, fractional on trackpads and high-resolution wheels; the content moves left.
  public var deltaX: Double
  /// Notches towards the user's far side; positive shows content above.
  public var deltaY: Double
  /// Which keys were held.
  public var modifiers: KeyModifiers

  /// Makes a movement.
  public init(location: Point, deltaX: Double, deltaY: Double, modifiers: KeyModifiers = []) {
    self.location = location
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.modifiers = modifiers
  }
}
