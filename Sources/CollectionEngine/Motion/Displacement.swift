public import Geometry

/// How what is shown of an element differs from where it belongs: its middle, its size, and how much it hides.
///
/// Relative to the model, so that whatever moves the model (scrolling, another anchor, a pinned header) moves what is shown
/// with it.
public struct Displacement: Hashable, Sendable {
  /// Points that its middle is to the right of its place.
  public var x: Double
  /// Points that its middle is below its place.
  public var y: Double
  /// Points that it is wider than its place.
  public var width: Double
  /// Points that it is higher than its place.
  public var height: Double
  /// How much more it hides than it is to, 1 being everything.
  public var opacity: Double

  /// At its place.
  public static let zero = Displacement()

  /// Points that a change from nothing to all of an element counts as: then a step of 1/256 is seen as little as a tenth of
  /// a point.
  static let opacityPoints = 32.0

  /// Makes a displacement from its numbers.
  public init(x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0, opacity: Double = 0) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.opacity = opacity
  }

  /// Makes what leads from a place to another one that it is shown at.
  public init(of shown: Rect, from place: Rect, opacity: Double = 0) {
    self.init(
      x: shown.midX - place.midX, y: shown.midY - place.midY, width: shown.width - place.width,
      height: shown.height - place.height, opacity: opacity)
  }

  /// Where an element is shown that belongs at a place; never narrower or lower than nothing.
  public func applied(to place: Rect) -> Rect {
    let size = Size(width: max(0, place.width + width), height: max(0, place.height + height))
    return Rect(
      origin: Point(x: place.midX + x - size.width / 2, y: place.midY + y - size.height / 2), size: size)
  }

  /// The largest of its parts, in points.
  public var extent: Double {
    max(x.magnitude, y.magnitude, width.magnitude, height.magnitude, opacity.magnitude * Displacement.opacityPoints)
  }

  /// The sum of two, part by part.
  public static func + (first: Displacement, second: Displacement) -> Displacement {
    Displacement(
      x: first.x + second.x, y: first.y + second.y, width: first.width + second.width,
      height: first.height + second.height, opacity: first.opacity + second.opacity)
  }

  /// A multiple, part by part.
  public static func * (displacement: Displacement, factor: Double) -> Displacement {
    Displacement(
      x: displacement.x * factor, y: displacement.y * factor, width: displacement.width * factor,
      height: displacement.height * factor, opacity: displacement.opacity * factor)
  }
}
