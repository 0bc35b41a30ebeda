import Geometry
import Rendering

/// What fingers on a screen mean.
nonisolated enum TouchGesture: Hashable, Sendable {
  /// The first finger is there: what moves beneath it stands.
  case touched(Point)
  /// No finger is there any more, and none was drawn over the screen.
  case lifted
  /// A short touch, the second one of two when it says 2.
  case tap(Point, count: Int)
  /// A finger stayed where it is.
  case longPress(Point)
  /// Fingers are drawn over the screen.
  case pan(PanInput)
  /// Two fingers go apart or together.
  case pinch(PinchInput)
}
