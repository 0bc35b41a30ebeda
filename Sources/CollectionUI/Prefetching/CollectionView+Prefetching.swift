package import VitrineCollectionEngine
import VitrineCollectionLayout
public import VitrineFramePacing
package import VitrineGeometry
package import VitrineScrollPhysics
import VitrineViews

/// Preparing cells ahead. Its owner is ``PrefetchController``.
extension CollectionView {
  /// The counts of how the slack time of frames was used.
  public final var slackStatistics: SlackStatistics { prefetchController.statistics }

  /// The maximum number of bytes that waiting cells retain, including their images as pixels and textures.
  ///
  /// Above this limit the cells farthest from the viewport are released first. One cell may wait regardless of its
  /// size. While memory is short, the limit is a quarter. The default is 64 MiB.
  public final var maximumPreparedBytes: Int {
    get { prefetchController.maximumBytes }
    set { prefetchController.maximumBytes = newValue }
  }

  /// The number of bytes that waiting cells retain, as of when they were prepared.
  public final var preparedBytes: Int { cellController.waitingBytes }

  /// The policy of preparing cells ahead.
  ///
  /// Another one can be set to measure it.
  package final var preparationPolicy: PreparationPolicy {
    get { prefetchController.policy }
    set { prefetchController.policy = newValue }
  }
}

extension CollectionView: PrefetchHost {
  package final var preparesAhead: Bool { prefetchController.preparesAhead }

  package final var isCallingClient: Bool { deferredUpdates.isCallingClient }

  package final var preparationSource: (any CellSource & PrefetchingSource)? { displayedSource }

  package final func checkForLostSource() {
    if sourceController.isLost { setNeedsVisibleUpdate() }
  }

  package final func isLeaving(_ index: Int) -> Bool { updateAnimator.retainedCell(at: index) != nil }

  package final func motion(ofSection section: Int) -> (scroll: ScrollState, window: KeepWindow)? {
    orthogonalController.motion(of: section)
  }

  package final func updateSectionWindows(lead: FrameDuration) {
    orthogonalController.updateWindows(lead: lead)
  }

  package final func canWait(_ index: Int) -> Bool { prefetchController.canWait(index) }

  package final var remoteness: Remoteness { prefetchController.remoteness }

  package final func region(of interval: ClosedRange<Double>) -> Rect { prefetchController.region(of: interval) }

  package final func setNeedsPreparation() { prefetchController.setNeedsPreparation() }
}
