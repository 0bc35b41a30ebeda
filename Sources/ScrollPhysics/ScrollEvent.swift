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
  /// A finger touches the content: whatever moved stands, and is held.
  case hold
  /// A finger that holds the content moved, which follows it one to one, and less and less beyond an end.
  case drag(by: Double)
  /// The finger that held the content left it: it runs on with the finger's velocity, and bounces at an end.
  case release
  /// Come to rest at an offset, and not where it would by itself: after a hand let go, or on the way to a place.
  ///
  /// A flick that would end not too far from there dies away so that it ends there.
  case settle(at: Double)
  /// Let the content run on with a velocity in points a second until it rests or stops at an end.
  ///
  /// Added to what is left of a flick the same way if `accumulating`; otherwise exactly so.
  case flick(velocity: Double, accumulating: Bool)
  /// Move with constant velocity, in points a second, until an end or another event.
  case steady(velocity: Double)
  /// Move with a velocity that is reached within a quarter of a second, until an end or another event.
  ///
  /// Without one it stops as softly.
  case glide(velocity: Double)
  /// Be at an offset, now.
  case jump(to: Double)
  /// The thumb of the scroll bar is held, and an offset is under it.
  case thumbDrag(to: Double)
  /// The thumb was let go.
  case thumbRelease
  /// Stand still where you are; what is beyond an end comes back.
  case stop
  /// The content or the viewport changed its length.
  ///
  /// Whatever moves goes on within the new ends, after every position was moved by the adjustment.
  case rangeChanged(ScrollRange, offsetAdjustment: Double)
  /// Content above changed its length, and what is seen is to stay where it is: every position moves by a distance.
  case offsetAdjusted(by: Double)
}
