import Geometry

/// The pointer that says how fast content goes.
struct AutoscrollSession {
  /// Where the wheel was pressed, in the view's coordinates.
  var origin: Point
  /// Whether the button may have been let go at once: it then goes on until the next press.
  var isClick = true
  /// What shows where the origin is.
  var indicator: AutoscrollIndicator
  /// The window whose grabber the view is for that.
  weak var window: Window?
}
