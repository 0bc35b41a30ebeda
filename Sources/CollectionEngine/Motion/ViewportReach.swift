import Geometry

/// How far from the viewport an element is shown on its way: a viewport's length beyond an edge, and not where it really is.
///
/// From farther away it would come so fast that nobody sees it come.
struct ViewportReach {
  private let viewport: Rect

  init(_ viewport: Rect) { self.viewport = viewport }

  /// A frame, or where it is shown in its stead.
  func clamped(_ frame: Rect) -> Rect {
    var frame = frame
    for axis in [Axis.horizontal, .vertical] {
      let least = start(before: frame, along: axis)
      let most = start(behind: frame, along: axis)
      frame.origin[axis] = max(least, min(most, frame.origin[axis]))
    }
    return frame
  }

  /// A frame moved along an axis to the farthest place before the viewport.
  func justBefore(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = start(before: frame, along: axis)
    return frame
  }

  /// A frame moved along an axis to the farthest place behind the viewport.
  func justBehind(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = start(behind: frame, along: axis)
    return frame
  }

  private func start(before frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] - viewport.size[axis] - frame.size[axis]
  }

  private func start(behind frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] + 2 * viewport.size[axis]
  }
}
