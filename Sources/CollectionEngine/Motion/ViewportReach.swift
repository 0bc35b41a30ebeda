import Geometry

/// How far from the viewport an element is shown on its way: a viewport's length beyond an edge, and not where it really is.
///
/// From farther away it would come so fast that nobody sees it come.
struct ViewportClamp {
  private let viewport: Rect

  init(_ viewport: Rect) { self.viewport = viewport }

  /// A frame, or where it is shown in its stead.
  func clamped(_ frame: Rect) -> Rect {
    var frame = frame
    for axis in [Axis.horizontal, .vertical] {
      let least = minimumOrigin(of: frame, along: axis)
      let most = maximumOrigin(of: frame, along: axis)
      frame.origin[axis] = max(least, min(most, frame.origin[axis]))
    }
    return frame
  }

  /// A frame moved along an axis to the farthest place before the viewport.
  func frameBeforeViewport(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = minimumOrigin(of: frame, along: axis)
    return frame
  }

  /// A frame moved along an axis to the farthest place behind the viewport.
  func frameAfterViewport(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = maximumOrigin(of: frame, along: axis)
    return frame
  }

  private func minimumOrigin(of frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] - viewport.size[axis] - frame.size[axis]
  }

  private func maximumOrigin(of frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] + 2 * viewport.size[axis]
  }
}
