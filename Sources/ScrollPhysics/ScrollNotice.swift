/// A beginning or an end of what moves content.
public enum ScrollNotice: Hashable, Sendable {
  /// A hand takes it: fingers on a trackpad or a screen, or the thumb of the scroll bar.
  case willBeginDragging
  /// The hand let go; says whether the content runs on.
  case didEndDragging(willDecelerate: Bool)
  /// It runs on after a flick, or comes back from beyond an end.
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
  /// Running on and coming back from beyond an end are one to who is told.
  ///
  /// - Complexity: O(1); allocates nothing.
  public func notices(of next: ScrollPhase) -> (end: ScrollNotice?, beginning: ScrollNotice?) {
    guard next != self, !(runsFree && next.runsFree) else { return (nil, nil) }
    let end: ScrollNotice? =
      switch self {
      case .idle: nil
      case .tracking: .didEndDragging(willDecelerate: next.runsFree)
      case .decelerating, .bouncing: .didEndDecelerating
      case .animating: .didEndAnimation
      }
    let beginning: ScrollNotice? =
      switch next {
      case .idle: nil
      case .tracking: .willBeginDragging
      case .decelerating, .bouncing: .willBeginDecelerating
      case .animating: .willBeginAnimation
      }
    return (end, beginning)
  }

  /// Whether nobody holds it and it was sent nowhere: it runs on, or comes back from beyond an end.
  public var runsFree: Bool { self == .decelerating || self == .bouncing }
}
