import Glibc

/// An affine transform of points: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
///
/// It is named differently from Foundation's `AffineTransform`, so that programs can import both.
public struct Transform: Hashable, Sendable, BitwiseCopyable {
  /// The part of the new x-coordinate that comes from x.
  public var a: Double
  /// The part of the new y-coordinate that comes from x.
  public var b: Double
  /// The part of the new x-coordinate that comes from y.
  public var c: Double
  /// The part of the new y-coordinate that comes from y.
  public var d: Double
  /// The horizontal translation in points.
  public var tx: Double
  /// The vertical translation in points.
  public var ty: Double

  /// The transform that changes nothing.
  public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Creates a transform from its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Creates a translation by distances in points.
  public init(translationX x: Double, y: Double) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

  /// Creates a scaling about the origin.
  public init(scaleX x: Double, y: Double) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Creates a rotation about the origin by an angle in radians, clockwise on the screen, because the y-axis points
  /// down.
  public init(rotationAngle angle: Double) {
    let (sine, cosine) = (sin(angle), cos(angle))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// Whether the transform only translates and scales, with positive factors, so that rectangles stay upright.
  public var isUpright: Bool { b == 0 && c == 0 && a > 0 && d > 0 }

  /// Whether all six numbers are finite.
  public var isFinite: Bool { (a + b + c + d + tx + ty).isFinite }

  /// The factor by which areas grow; negative if the transform mirrors, and 0 if it cannot be inverted.
  public var determinant: Double { a * d - b * c }

  /// Returns the transform that applies this one first, and then another one.
  public func concatenating(_ next: Transform) -> Transform {
    Transform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// Returns the transform that translates first and then applies this one.
  public func translatedBy(x: Double, y: Double) -> Transform {
    Transform(translationX: x, y: y).concatenating(self)
  }

  /// Returns the transform that scales first and then applies this one.
  public func scaledBy(x: Double, y: Double) -> Transform { Transform(scaleX: x, y: y).concatenating(self) }

  /// Returns the transform that rotates first, by an angle in radians, and then applies this one.
  public func rotated(by angle: Double) -> Transform { Transform(rotationAngle: angle).concatenating(self) }

  /// Returns this transform about a point other than the origin.
  public func about(_ center: Point) -> Transform {
    Transform(translationX: -center.x, y: -center.y).concatenating(self)
      .concatenating(Transform(translationX: center.x, y: center.y))
  }

  /// Returns the transform that reverts this one, or nil if there is none, as for a scaling by 0.
  public func inverted() -> Transform? {
    let determinant = determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    return Transform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }
}

extension Point {
  /// Returns the transformed point.
  public func applying(_ transform: Transform) -> Point {
    Point(
      x: transform.a * x + transform.c * y + transform.tx, y: transform.b * x + transform.d * y + transform.ty)
  }
}

extension Rect {
  /// Returns the smallest rectangle that contains the transformed corners.
  public func applying(_ transform: Transform) -> Rect {
    let corners = [
      origin, Point(x: maxX, y: minY), Point(x: minX, y: maxY), Point(x: maxX, y: maxY),
    ].map { $0.applying(transform) }
    let (left, right) = corners.reduce((Double.infinity, -Double.infinity)) { (min($0.0, $1.x), max($0.1, $1.x)) }
    let (top, bottom) = corners.reduce((Double.infinity, -Double.infinity)) { (min($0.0, $1.y), max($0.1, $1.y)) }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
