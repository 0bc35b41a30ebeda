/// The delegate of a scroll view, which is notified of scrolling.
///
/// The methods are called in the update phase of frames, before layout. A phase ends before the next one begins.
@MainActor
public protocol ScrollViewDelegate: AnyObject {
  /// Called when the content offset differs from that of the last frame.
  func scrollViewDidScroll(_ view: ScrollView)
  /// Called when a drag begins: of fingers on a trackpad or touchscreen, or of the indicator's thumb.
  func scrollViewWillBeginDragging(_ view: ScrollView)
  /// Called when a drag is about to end, to adjust the offset at which the content comes to rest.
  ///
  /// - Parameters:
  ///   - view: The scroll view.
  ///   - velocity: The velocity at the end of the drag, in points per second.
  ///   - targetContentOffset: The projected offset, which can be changed. An offset beyond an edge is clamped, and one
  ///     that is not finite is rejected.
  func scrollViewWillEndDragging(
    _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double)
  /// Called when a drag ended.
  ///
  /// - Parameters:
  ///   - view: The scroll view.
  ///   - willDecelerate: Whether the content continues to move.
  func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool)
  /// Called when the content starts to decelerate after a drag.
  func scrollViewWillBeginDecelerating(_ view: ScrollView)
  /// Called when the content stopped decelerating.
  func scrollViewDidEndDecelerating(_ view: ScrollView)
  /// Called when an animation to an offset starts, by a wheel notch, a key or the program.
  func scrollViewWillBeginScrollingAnimation(_ view: ScrollView)
  /// Called when an animation finished or was interrupted.
  func scrollViewDidEndScrollingAnimation(_ view: ScrollView)
}

extension ScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ view: ScrollView) {}
  /// Does nothing.
  public func scrollViewWillBeginDragging(_ view: ScrollView) {}
  /// Leaves the target offset unchanged.
  public func scrollViewWillEndDragging(
    _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
  ) {}
  /// Does nothing.
  public func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool) {}
  /// Does nothing.
  public func scrollViewWillBeginDecelerating(_ view: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndDecelerating(_ view: ScrollView) {}
  /// Does nothing.
  public func scrollViewWillBeginScrollingAnimation(_ view: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndScrollingAnimation(_ view: ScrollView) {}
}
