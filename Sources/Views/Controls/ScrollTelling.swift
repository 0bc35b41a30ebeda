import ScrollPhysics

/// What a scroll view told of its content's movement last.
struct ScrollNotificationState {
  /// Whether there was a delegate when it was set: in most frames nobody is to be told.
  var hasDelegate = false
  /// What moved it.
  var phase = ScrollPhase.idle
  /// Whether it stands elsewhere than was told.
  var hasScrolled = false
}

extension ScrollView {
  /// Tells the delegate what moves the content now, and whether it moved: what begins before it, what comes to rest after.
  final func notifyOfScrolling() {
    guard notificationState.hasDelegate else { return }
    let (last, phase, didScroll) = (
      notificationState.phase, scroll.phase(at: lastInstant), notificationState.hasScrolled
    )
    guard didScroll || phase != last else { return }
    notificationState.phase = phase
    notificationState.hasScrolled = false
    guard let delegate = scrollDelegate else { return }
    let notices = last.notices(of: phase)
    if phase == .idle, didScroll { delegate.scrollViewDidScroll(self) }
    if let end = notices.end { notify(end, delegate) }
    if let beginning = notices.beginning { notify(beginning, delegate) }
    if phase != .idle, didScroll { delegate.scrollViewDidScroll(self) }
  }

  /// A hand took the content and let go between two frames: what it began is told before its end.
  final func notifyOfDrag() {
    guard notificationState.hasDelegate, notificationState.phase != .tracking, let delegate = scrollDelegate else {
      return
    }
    let notices = notificationState.phase.notices(of: .tracking)
    notificationState.phase = .tracking
    if let end = notices.end { notify(end, delegate) }
    if let beginning = notices.beginning { notify(beginning, delegate) }
  }

  private func notify(_ notice: ScrollNotice, _ delegate: any ScrollViewDelegate) {
    switch notice {
    case .willBeginDragging: delegate.scrollViewWillBeginDragging(self)
    case .didEndDragging(let willDecelerate):
      delegate.scrollViewDidEndDragging(self, willDecelerate: willDecelerate)
    case .willBeginDecelerating: delegate.scrollViewWillBeginDecelerating(self)
    case .didEndDecelerating: delegate.scrollViewDidEndDecelerating(self)
    case .willBeginAnimation: delegate.scrollViewWillBeginScrollingAnimation(self)
    case .didEndAnimation: delegate.scrollViewDidEndScrollingAnimation(self)
    }
  }
}
