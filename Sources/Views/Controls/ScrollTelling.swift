import ScrollPhysics

/// What a scroll view told of its content's movement last.
struct ScrollTelling {
  /// Whether there was a delegate when it was set: in most frames nobody is to be told.
  var hasDelegate = false
  /// What moved it.
  var phase = ScrollPhase.idle
  /// Whether it stands elsewhere than was told.
  var hasScrolled = false
}

extension ScrollView {
  /// Tells the delegate what moves the content now, and whether it moved: what begins before it, what comes to rest after.
  final func tellOfScrolling() {
    guard telling.hasDelegate else { return }
    let (last, phase, didScroll) = (telling.phase, scroll.phase(at: lastInstant), telling.hasScrolled)
    guard didScroll || phase != last else { return }
    telling.phase = phase
    telling.hasScrolled = false
    guard let delegate = scrollDelegate else { return }
    let notices = last.notices(of: phase)
    if phase == .idle, didScroll { delegate.scrollViewDidScroll(self) }
    if let end = notices.end { tell(end, delegate) }
    if let beginning = notices.beginning { tell(beginning, delegate) }
    if phase != .idle, didScroll { delegate.scrollViewDidScroll(self) }
  }

  /// A hand took the content and let go between two frames: what it began is told before its end.
  final func tellOfHand() {
    guard telling.hasDelegate, telling.phase != .tracking, let delegate = scrollDelegate else { return }
    let notices = telling.phase.notices(of: .tracking)
    telling.phase = .tracking
    if let end = notices.end { tell(end, delegate) }
    if let beginning = notices.beginning { tell(beginning, delegate) }
  }

  private func tell(_ notice: ScrollNotice, _ delegate: any ScrollViewDelegate) {
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
