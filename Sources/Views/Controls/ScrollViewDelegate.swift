/// Is told when content moves, and what moves it.
///
/// Called in the update phase of frames, before anything is placed. What begins ends before something else begins.
public protocol ScrollViewDelegate: AnyObject {
  /// The content stands elsewhere than in the last frame.
  func scrollViewDidScroll(_ view: ScrollView)
  /// A hand takes the content: fingers on a trackpad or a screen, or the indicator's thumb.
  func scrollViewWillBeginDragging(_ view: ScrollView)
  /// The hand is about to let go: says where the content is to come to rest.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - velocity: the velocity at which it was let go, in points a second.
  ///   - targetContentOffset: where it would come to rest; to be changed to where it shall. An offset beyond an end is the
  ///     end, and one that is no finite number is refused.
  func scrollViewWillEndDragging(
    _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double)
  /// The hand let go.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - willDecelerate: whether the content runs on.
  func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool)
  /// The content runs on after a flick.
  func scrollViewWillBeginDecelerating(_ view: ScrollView)
  /// The content ran on, and does no more.
  func scrollViewDidEndDecelerating(_ view: ScrollView)
  /// The content is being brought to a place: by a wheel's notch, a key or the program.
  func scrollViewWillBeginScrollingAnimation(_ view: ScrollView)
  /// The content was brought to a place, or something else took it.
  func scrollViewDidEndScrollingAnimation(_ view: ScrollView)
}

extension ScrollViewDelegate {
  /// Not interested.
  public func scrollViewDidScroll(_ view: ScrollView) {}
  /// Not interested.
  public func scrollViewWillBeginDragging(_ view: ScrollView) {}
  /// Leaves it as it is.
  public func scrollViewWillEndDragging(
    _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
  ) {}
  /// Not interested.
  public func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool) {}
  /// Not interested.
  public func scrollViewWillBeginDecelerating(_ view: ScrollView) {}
  /// Not interested.
  public func scrollViewDidEndDecelerating(_ view: ScrollView) {}
  /// Not interested.
  public func scrollViewWillBeginScrollingAnimation(_ view: ScrollView) {}
  /// Not interested.
  public func scrollViewDidEndScrollingAnimation(_ view: ScrollView) {}
}
