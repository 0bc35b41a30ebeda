public import VitrineGeometry
import VitrineScrollPhysics

// MARK: - Visible content

/// The content, its visible part, and how it moves.
extension ScrollView {
  /// Whether the user drags the content: by fingers on a trackpad or touchscreen, or by the scroll bar's thumb.
  public final var isDragging: Bool { scroll.phase(at: lastInstant) == .tracking }

  /// Whether the content moves on after a drag, or returns from beyond an edge.
  public final var isDecelerating: Bool {
    let phase = scroll.phase(at: lastInstant)
    return phase == .decelerating || phase == .bouncing
  }

  /// Scrolls by the shortest distance that makes a rectangle visible inside the content inset.
  ///
  /// If the rectangle is longer than the viewport, its start becomes visible. It does nothing if the rectangle is visible.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, in the content's coordinates.
  ///   - animated: Whether scrolling is animated.
  public final func scrollRectToVisible(_ rect: Rect, animated: Bool) {
    let insets = axisInsets
    let (start, length) = (rect.origin[scrollAxis], rect.size[scrollAxis])
    guard start.isFinite, length.isFinite else { return didRejectInvalidNumber() }
    // At the target of a scroll in progress, so that successive calls agree.
    let offset = scroll.isMoving(at: lastInstant) ? scroll.projectedOffset : contentOffset
    let (first, last) = (start - insets.start, start + length - viewportLength + insets.end)
    let target = offset > first || last > first ? first : max(offset, last)
    if target != offset { setContentOffset(target, animated: animated) }
  }

  /// The content insets along the scroll axis.
  public final var axisInsets: (start: Double, end: Double) {
    scrollAxis == .vertical
      ? (contentInset.top + refreshInset, contentInset.bottom) : (contentInset.left, contentInset.right)
  }

  /// The length of the viewport along the scroll axis without the ``contentInset``, in points.
  public final var unobscuredLength: Double { max(0, viewportLength - axisInsets.start - axisInsets.end) }

  /// The visible part of the content, in content coordinates.
  public final var visibleRect: Rect { Rect(origin: contentOrigin, size: bounds.size) }

  /// The point of the content at the view's origin.
  public final var contentOrigin: Point {
    var origin = Point.zero
    origin[scrollAxis] = contentOffset
    return origin
  }

  /// The length of the viewport along the scroll axis, in points.
  public final var viewportLength: Double { bounds.size[scrollAxis] }
}
