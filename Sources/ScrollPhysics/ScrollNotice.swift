/// A beginning or an end of what moves content.
public enum ScrollNotice: Hashable, Sendable {
  /// A hand takes it: fingers on a trackpad, or the thumb of the scroll bar.
  case willBeginDragging
  /// The hand let go; says whether the content runs on.
  case didEndDragging(willDecelerate: Bool)
  /// It runs on after a flick.
  case willBeginDecelerating
  /// It ran on, and does no more.
  case didEndDecelerating
  /// It is being brought to a place: by a wheel's notch, a key or the program.
  case willBeginAnimation
  /// It was brought to a place, or something else took it.
  case didEndAnimation
}

extension ScrollPhase {
  /// What ends and what begins where one phase follows another; nothing for what is idle, and where nothing changes.
  ///
  /// - Complexity: O(1); allocates nothing.
  public func notices(of next: ScrollPhase) -> (end: ScrollNotice?, beginning: ScrollNotice?) {
    guard next != self else { return (nil, nil) }
    let end: ScrollNotice? =
      switch self {
      case .idle: nil
      case .tracking: .didEndDragging(willDecelerate: next == .decelerating)
      case .decelerating: .didEndDecelerating
      case .animating: .didEndAnimation
      }
    let beginning: ScrollNotice? =
      switch next {
      case .idle: nil
      case .tracking: .willBeginDragging
      case .decelerating: .willBeginDecelerating
      case .animating: .willBeginAnimation
      }
    return (end, beginning)
  }
}
