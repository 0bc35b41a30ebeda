internal import Glibc
public import VitrineGeometry

/// The geometry and the opacity from which an element appears in an animated update, or to which it disappears.
///
/// In the layout of a section (``SectionLayout``), the frame is in the coordinates of the section's items. In a handler of a
/// section (``CollectionLayoutSection/initialLayoutAttributesHandler``), it is in those of the content.
public struct TransitionAttributes: Hashable, Sendable {
  /// The frame in points, before the transform.
  ///
  /// It may be outside of the section.
  public var frame: Rect
  /// The opacity, in 0...1.
  public var alpha: Double
  /// The transform about the center of the frame.
  ///
  /// Translation, scaling and rotation apply. A reflection or a shear has no effect. A rotated view is painted into an
  /// image again in each frame of its animation.
  public var transform: Transform

  /// Creates attributes.
  ///
  /// - Parameters:
  ///   - frame: The frame in points.
  ///   - alpha: The opacity. Default: 1.
  ///   - transform: The transform. Default: identity.
  public init(frame: Rect, alpha: Double = 1, transform: Transform = .identity) {
    self.frame = frame
    self.alpha = alpha
    self.transform = transform
  }

  /// The factor by which an inserted item is scaled at first, unless the layout decides otherwise.
  public static let defaultScale = 0.85

  /// Returns the default attributes of an item that is inserted: smaller, and transparent.
  public static func appearing(at frame: Rect) -> TransitionAttributes {
    TransitionAttributes(frame: frame, alpha: 0, transform: Transform(scaleX: defaultScale, y: defaultScale))
  }

  /// Returns the default attributes of an item that is deleted, and of a supplementary view that appears or disappears:
  /// transparent.
  public static func transparent(at frame: Rect) -> TransitionAttributes {
    TransitionAttributes(frame: frame, alpha: 0)
  }
}

extension TransitionAttributes {
  /// Whether all numbers are finite, and the width and height are not negative.
  public var isValid: Bool {
    let sum = frame.minX + frame.minY + frame.width + frame.height + alpha
    return sum.isFinite && frame.width >= 0 && frame.height >= 0 && transform.isFinite
  }

  /// The frame after translation and scaling, about the same center.
  public var scaledFrame: Rect {
    let horizontal = (transform.a * transform.a + transform.b * transform.b).squareRoot()
    let vertical = horizontal == 0 ? 0 : (transform.determinant / horizontal).magnitude
    let size = Size(width: frame.width * horizontal, height: frame.height * vertical)
    return Rect(
      origin: Point(
        x: frame.midX + transform.tx - size.width / 2, y: frame.midY + transform.ty - size.height / 2), size: size)
  }

  /// The rotation in radians, clockwise.
  public var rotationAngle: Double { transform.b == 0 && transform.a >= 0 ? 0 : atan2(transform.b, transform.a) }

  /// Returns the attributes as they are in a mirrored layout, with another frame.
  func mirrored(at frame: Rect) -> TransitionAttributes {
    let (a, b, c, d, tx, ty) = (transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty)
    return TransitionAttributes(
      frame: frame, alpha: alpha, transform: Transform(a: a, b: -b, c: -c, d: d, tx: -tx, ty: ty))
  }
}
