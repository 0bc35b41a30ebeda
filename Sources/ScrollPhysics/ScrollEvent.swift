/// What may happen to a scroll position.
///
/// Distances and offsets are in points; positive ones show what comes later.
public enum ScrollEvent: Hashable, Sendable {
  /// A wheel turned or fingers moved on a trackpad.
  ///
  /// A wheel's distance is added to a target that the content is pulled to; a trackpad's is applied at once, and when
  /// no more comes the content may run on.
  case wheel(distance: Double, kind: WheelKind)
  /// A key asked for a distance: like a wheel notch, more slowly.
  case advance(by: Double)
  /// A key asked for a number of pages, each a little less than the viewport.
  case page(by: Double)
  /// Bring an offset; animated, only the last one and a half viewports of a long way are shown.
  case scrollTo(Double, animated: Bool)
  /// Let the content run on with a velocity in points a second, added to what is left of a flick the same way if
  /// `accumulating`; otherwise exactly so.
  case flick(velocity: Double, accumulating: Bool)
  /// Move with constant velocity, in points a second, until an end or another event.
  case steady(velocity: Double)
  /// Be at an offset, now.
  case jump(to: Double)
  /// The thumb of the scroll bar is held, and an offset is under it.
  case thumbDrag(to: Double)
  /// The thumb was let go.
  case thumbRelease
  /// Stand still where you are.
  case stop
  /// The content or the viewport changed its length.
  ///
  /// Whatever moves goes on within the new ends, after every position was moved by the adjustment.
  case rangeChanged(ScrollRange, offsetAdjustment: Double)
  /// Content above changed its length, and what is seen is to stay where it is: every position moves by a distance.
  case offsetAdjusted(by: Double)
}
