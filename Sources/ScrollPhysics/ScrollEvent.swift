/// An event that changes a scroll position.
///
/// Distances and offsets are in points; positive distances reveal later content.
public enum ScrollEvent: Hashable, Sendable {
  /// A wheel turned or fingers moved on a trackpad.
  ///
  /// The distance of a wheel moves the target of an animated scroll. That of a trackpad applies immediately, and the
  /// content can coast when no more deltas arrive.
  case wheel(distance: Double, kind: WheelKind)
  /// A key scrolls by a distance: like a wheel notch, but slower.
  case advance(by: Double)
  /// A key scrolls by a number of pages, each slightly shorter than the viewport.
  case page(by: Double)
  /// Scrolls to an offset; if animated, shows only the last one and a half viewports of a long distance.
  case scrollTo(Double, animated: Bool)
  /// A finger touches the content, which stops and follows the finger from now on.
  case hold
  /// The finger on the content moved; the content follows one to one, with growing resistance beyond an edge.
  case drag(by: Double)
  /// The finger left the content, which continues with the finger's velocity and bounces at an edge.
  case release
  /// Comes to rest at an offset instead of the projected one, after a drag or during an animation.
  ///
  /// A flick that would end near the offset decelerates so that it ends there.
  case settle(at: Double)
  /// The target of the animated scroll in progress moved, because more about the content became known.
  ///
  /// The motion continues with its position and velocity, and neither passes its target nor turns before it. If the
  /// target lies between the offset of the last frame, `shown`, and the current one, the content is at the target
  /// immediately: it would have to return otherwise. Content at rest starts to move; a drag or a coasting content
  /// ignores the event.
  case retarget(to: Double, shown: Double)
  /// Coasts with a velocity in points per second until the content comes to rest or hits an edge.
  ///
  /// If `accumulating`, the velocity adds to the remainder of a flick in the same direction.
  case flick(velocity: Double, accumulating: Bool)
  /// Moves with a constant velocity, in points per second, until an edge or another event.
  case steady(velocity: Double)
  /// Moves with a velocity that is reached within a quarter of a second, until an edge or another event.
  ///
  /// A velocity of 0 stops just as smoothly.
  case glide(velocity: Double)
  /// Moves to an offset immediately.
  case jump(to: Double)
  /// The thumb of the scroll bar is being dragged and points to an offset.
  case thumbDrag(to: Double)
  /// The thumb was released.
  case thumbRelease
  /// Stops the content; content beyond an edge returns.
  case stop
  /// The length of the content or the viewport changed.
  ///
  /// All positions move by the adjustment, then motion continues within the new range.
  case rangeChanged(ScrollRange, offsetAdjustment: Double)
  /// Content above the viewport changed its length, so all positions move by a distance to keep the visible content in
  /// place.
  case offsetAdjusted(by: Double)
}

/// The effects of an event on a scroll position, for code that plans ahead.
public struct ScrollEffects: OptionSet, Hashable, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt8

  /// Creates effects from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The current offset changed, apart from a requested adjustment.
  public static let moved = ScrollEffects(rawValue: 1)
  /// The offset changed by a viewport or more, so none of the previously visible content is visible.
  public static let teleported = ScrollEffects(rawValue: 2)
  /// The projected rest offset changed, apart from a requested adjustment.
  public static let projectionChanged = ScrollEffects(rawValue: 4)
}

/// The kind of motion of a scroll position.
public enum ScrollPhase: Hashable, Sendable, CaseIterable {
  /// The content is at rest.
  case idle
  /// A drag is in progress: of fingers on a trackpad or touchscreen, or of the scroll bar's thumb.
  case tracking
  /// The content decelerates after a flick.
  case decelerating
  /// The content returns from beyond an edge.
  case bouncing
  /// An animation moves the content: a spring to a target or a steady motion, for wheel notches, keys and programmatic
  /// scrolling.
  case animating
}

/// A start or an end of a scroll phase, as a delegate sees it.
public enum ScrollNotice: Hashable, Sendable {
  /// A drag starts: of fingers on a trackpad or touchscreen, or of the scroll bar's thumb.
  case willBeginDragging
  /// A drag ended; the associated value indicates whether the content continues to move.
  case didEndDragging(willDecelerate: Bool)
  /// The content starts to decelerate after a flick or to return from beyond an edge.
  case willBeginDecelerating
  /// The content stopped decelerating.
  case didEndDecelerating
  /// An animation to an offset starts, by a wheel notch, a key or the program.
  case willBeginAnimation
  /// An animation finished or was interrupted.
  case didEndAnimation
}

extension ScrollPhase {
  /// Returns the notices for a change from this phase to another; nil for ``idle`` and for an unchanged phase.
  ///
  /// Decelerating and bouncing count as one phase.
  ///
  /// - Complexity: O(1), without allocation.
  public func notices(changingTo next: ScrollPhase) -> (end: ScrollNotice?, start: ScrollNotice?) {
    guard next != self, !(isCoasting && next.isCoasting) else { return (nil, nil) }
    let end: ScrollNotice? =
      switch self {
      case .idle: nil
      case .tracking: .didEndDragging(willDecelerate: next.isCoasting)
      case .decelerating, .bouncing: .didEndDecelerating
      case .animating: .didEndAnimation
      }
    let start: ScrollNotice? =
      switch next {
      case .idle: nil
      case .tracking: .willBeginDragging
      case .decelerating, .bouncing: .willBeginDecelerating
      case .animating: .willBeginAnimation
      }
    return (end, start)
  }

  /// A Boolean value that indicates whether the content moves without a drag or a target: it decelerates or bounces.
  public var isCoasting: Bool { self == .decelerating || self == .bouncing }
}
