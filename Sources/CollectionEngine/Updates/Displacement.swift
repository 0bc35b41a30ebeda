import VitrineCollectionLayout
public import VitrineGeometry

/// The difference between the displayed and the model geometry of an element: center, size, opacity and rotation.
///
/// It is relative to the model, so that changes of the model (scrolling, another anchor, a pinned header) move the
/// displayed element too.
public struct Displacement: Hashable, Sendable {
  /// The horizontal offset of the center, in points.
  public var x: Double
  /// The vertical offset of the center, in points.
  public var y: Double
  /// The additional width, in points.
  public var width: Double
  /// The additional height, in points.
  public var height: Double
  /// The additional opacity, from -1 to 1.
  public var opacity: Double
  /// The additional rotation about the center, in radians, clockwise.
  public var rotation: Double

  /// No displacement.
  public static let zero = Displacement()

  /// The number of points that a full change of opacity counts as.
  ///
  /// An opacity step of 1/256 is then as visible as about a tenth of a point.
  static let opacityPoints = 32.0
  /// The number of points that a rotation by one radian counts as: the distance of an edge from the center.
  static let rotationPoints = 150.0

  /// Creates a displacement from its components.
  public init(
    x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0, opacity: Double = 0, rotation: Double = 0
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.opacity = opacity
    self.rotation = rotation
  }

  /// Creates the displacement from a model frame to a displayed frame.
  public init(of shown: Rect, from frame: Rect, opacity: Double = 0, rotation: Double = 0) {
    self.init(
      x: shown.midX - frame.midX, y: shown.midY - frame.midY, width: shown.width - frame.width,
      height: shown.height - frame.height, opacity: opacity, rotation: rotation)
  }

  /// Creates the displacement from an opaque element in its model frame to the attributes from which it appears.
  init(of attributes: TransitionAttributes, from frame: Rect) {
    self.init(
      of: attributes.scaledFrame, from: frame, opacity: max(0, min(1, attributes.alpha)) - 1,
      rotation: attributes.rotationAngle)
  }

  /// Returns the displayed frame for a model frame.
  ///
  /// Its size is never negative.
  public func applied(to frame: Rect) -> Rect {
    let size = Size(width: max(0, frame.width + width), height: max(0, frame.height + height))
    return Rect(
      origin: Point(x: frame.midX + x - size.width / 2, y: frame.midY + y - size.height / 2), size: size)
  }

  /// The largest component, in points.
  public var extent: Double {
    max(
      x.magnitude, y.magnitude, width.magnitude, height.magnitude, opacity.magnitude * Displacement.opacityPoints,
      rotation.magnitude * Displacement.rotationPoints)
  }

  /// Returns the sum of two displacements by component.
  public static func + (first: Displacement, second: Displacement) -> Displacement {
    Displacement(
      x: first.x + second.x, y: first.y + second.y, width: first.width + second.width,
      height: first.height + second.height, opacity: first.opacity + second.opacity,
      rotation: first.rotation + second.rotation)
  }

  /// Returns a displacement multiplied by a factor.
  public static func * (displacement: Displacement, factor: Double) -> Displacement {
    Displacement(
      x: displacement.x * factor, y: displacement.y * factor, width: displacement.width * factor,
      height: displacement.height * factor, opacity: displacement.opacity * factor,
      rotation: displacement.rotation * factor)
  }
}
