import VitrineFramePacing
import VitrineScrollPhysics

/// The owner of a scroll view's delegate: it reports phases and offsets once a frame, and asks where a drag comes to
/// rest.
///
/// Invariants:
/// - A phase ends before the next one begins, and offsets are reported while a phase lasts.
/// - A drag is reported also if it began and ended between two frames.
/// - Without a delegate, paging and a layout that decides, a frame costs two comparisons.
final class ScrollNotifier {
  /// The scroll view, which owns the notifier and outlives it.
  @exclusivity(unchecked) unowned(unsafe) var view: ScrollView!
  /// The delegate.
  weak var delegate: (any ScrollViewDelegate)? {
    didSet { hasDelegate = delegate != nil }
  }
  /// Whether the content comes to rest at multiples of the viewport after a drag.
  @exclusivity(unchecked) var isPagingEnabled = false
  /// Whether the view may change where a drag ends.
  @exclusivity(unchecked) var adjustsTargetContentOffset = false
  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  /// Whether a delegate has been set, so that frames without one skip notifications.
  @exclusivity(unchecked) private var hasDelegate = false
  /// The phase that was last reported.
  @exclusivity(unchecked) private var phase = ScrollPhase.idle
  /// Whether the offset changed since the last report.
  @exclusivity(unchecked) private var hasScrolled = false
  /// Whether a drag was in progress since the content last came to rest.
  @exclusivity(unchecked) private var wasTracking = false
  /// The time at which the drag is assumed to end, or ended.
  @exclusivity(unchecked) private var releaseInstant: FrameInstant?

  /// Records that the offset changed.
  func recordScroll() { hasScrolled = true }

  /// Records the start or continuation of a drag, which is observed until the content comes to rest.
  ///
  /// - Parameter release: The time at which the drag is assumed to end, or nil if its end is reported.
  func recordDrag(until release: FrameInstant?) {
    wasTracking = true
    releaseInstant = release
  }

  /// Records that a drag ended.
  func recordRelease(at instant: FrameInstant) { releaseInstant = instant }

  // MARK: - Frames

  /// Determines the target offset at the end of a drag, from the delegate or the page size.
  func settleAfterDrag() {
    guard wasTracking || isPagingEnabled || hasDelegate else { return }
    guard isPagingEnabled || hasDelegate || adjustsTargetContentOffset else {
      wasTracking = false
      return
    }
    let (scroll, shown) = (view.scroll, view.lastInstant)
    let phase = scroll.phase(at: shown)
    let hadTracked = wasTracking
    wasTracking = phase == .tracking
    if wasTracking {
      releaseInstant = scroll.releaseInstant
      return
    }
    guard hadTracked else { return }
    notifyOfDrag()
    guard phase != .animating else { return }
    let instant = releaseInstant ?? shown
    let velocity = scroll.velocity(at: instant)
    let proposed = scroll.projectedOffset
    var target = proposed
    if isPagingEnabled {
      target = PageRule.offset(from: scroll.offset(at: instant), velocity: velocity, in: scroll.range)
    }
    if adjustsTargetContentOffset {
      let adjusted = view.targetContentOffset(forProposedContentOffset: target, withScrollingVelocity: velocity)
      if adjusted.isFinite { target = adjusted } else { view.didRejectInvalidNumber() }
    }
    delegate?.scrollViewWillEndDragging(view, withVelocity: velocity, targetContentOffset: &target)
    guard target.isFinite else { return view.didRejectInvalidNumber() }
    if target != proposed { view.applyScrollEvent(.settle(at: target), at: instant) }
  }

  /// Notifies the delegate of changes of phase and offset: starts before the movement, ends after it.
  func notifyOfScrolling() {
    guard hasDelegate else { return }
    let (last, next, didScroll) = (phase, view.scroll.phase(at: view.lastInstant), hasScrolled)
    guard didScroll || next != last else { return }
    phase = next
    hasScrolled = false
    guard let delegate else { return }
    let notices = last.notices(changingTo: next)
    if next == .idle, didScroll { delegate.scrollViewDidScroll(view) }
    if let end = notices.end { notify(end, delegate) }
    if let start = notices.start { notify(start, delegate) }
    if next != .idle, didScroll { delegate.scrollViewDidScroll(view) }
  }

  /// Notifies the delegate of a drag that began and ended between two frames.
  private func notifyOfDrag() {
    guard hasDelegate, phase != .tracking, let delegate else { return }
    let notices = phase.notices(changingTo: .tracking)
    phase = .tracking
    if let end = notices.end { notify(end, delegate) }
    if let start = notices.start { notify(start, delegate) }
  }

  private func notify(_ notice: ScrollNotice, _ delegate: any ScrollViewDelegate) {
    switch notice {
    case .willBeginDragging: delegate.scrollViewWillBeginDragging(view)
    case .didEndDragging(let willDecelerate):
      delegate.scrollViewDidEndDragging(view, willDecelerate: willDecelerate)
    case .willBeginDecelerating: delegate.scrollViewWillBeginDecelerating(view)
    case .didEndDecelerating: delegate.scrollViewDidEndDecelerating(view)
    case .willBeginAnimation: delegate.scrollViewWillBeginScrollingAnimation(view)
    case .didEndAnimation: delegate.scrollViewDidEndScrollingAnimation(view)
    }
  }
}
