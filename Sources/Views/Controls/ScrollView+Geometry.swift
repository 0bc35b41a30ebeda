public import Geometry
import ScrollPhysics

/// What of the content is seen.
extension ScrollView {
  /// The room before and behind the content along the axis.
  public final var axisInsets: (start: Double, end: Double) {
    scrollAxis == .vertical ? (contentInset.top, contentInset.bottom) : (contentInset.left, contentInset.right)
  }

  /// How much of the content is seen along its axis beside the ``contentInset``, in points.
  public final var unobscuredLength: Double { max(0, viewportLength - axisInsets.start - axisInsets.end) }

  /// The part of the content that is seen, in its own coordinates.
  public final var visibleRect: Rect { Rect(origin: contentOrigin, size: bounds.size) }

  /// The point of the content that is at the view's corner.
  public final var contentOrigin: Point {
    var origin = Point.zero
    origin[scrollAxis] = contentOffset
    return origin
  }

  /// How much of the content is seen along its axis, in points.
  public final var viewportLength: Double { bounds.size[scrollAxis] }
}
