public import CollectionEngine
package import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The lifecycle of supplementary and decoration views: created or reused, prepared, displayed, waiting off screen,
/// pooled.
extension CollectionView {
  /// The counts of supplementary and decoration views over the view's lifetime, as ``statistics`` are for cells.
  public final var supplementaryStatistics: CellStatistics { elementPreparation.lifecycle.statistics }

  /// The prepared supplementary and decoration views that are not displayed, in order of preparation.
  public final var preparedSupplementaryViews: [CollectionReusableView] {
    elementPreparation.waiting.entries.map(\.view)
  }

  /// The number of supplementary and decoration views in the reuse pools.
  public final var pooledSupplementaryCount: Int { elementPreparation.pool.count }

  /// Records and notifies the delegate that a view is about to be displayed.
  final func beginDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    elementPreparation.lifecycle.handle(.willDisplay, of: view.number)
    guard case .supplementary(let kind) = identity.kind else { return }
    delegate?.collectionView(self, willDisplaySupplementaryView: view, forElementKind: kind, at: identity.path)
  }

  /// Ends the display of a view, which then waits for its element or goes to the pool.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - identity: The element that it showed.
  ///   - mayWait: Whether it may wait for the element to become visible again.
  package final func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {
    elementPreparation.lifecycle.handle(.didEndDisplaying, of: view.number)
    if let identity, case .supplementary(let kind) = identity.kind {
      delegate?.collectionView(self, didEndDisplayingSupplementaryView: view, forElementOfKind: kind, at: identity.path)
    }
    if mayWait, let identity, elements.index(of: identity) == nil, elementPreparation.waiting[identity] == nil,
      self.canWait(identity)
    {
      // The items may have changed since it was configured, if it left before it was configured again.
      let isCurrent = view.configuredUpdate == elementPreparation.updates
      elementPreparation.waiting.insert(
        view, of: identity, progress: isCurrent ? .ready : PreparationProgress(next: .configure))
      if !isCurrent { preparation.hasWork = preparesAhead }
    } else {
      recycleView(view)
    }
  }

  /// Unbinds a view from its element and puts it into its pool.
  final func recycleView(_ view: CollectionReusableView) {
    view.attributes = nil
    view.isPrepared = false
    view.removeFromSuperview()
    let isPooled = elementPreparation.pool.enqueue(
      view, of: view.registration, keepingAtMost: elementPreparation.maximumVisibleCount + maximumWaitingElements)
    view.isPooled = true
    elementPreparation.lifecycle.handle(isPooled ? .pool : .discard, of: view.number)
  }

  /// The maximum number of elements' views that may wait off screen.
  final var maximumWaitingElements: Int {
    preparation.window.extent(at: lastInstant).maximumCells(visible: elementPreparation.maximumVisibleCount)
  }

  /// Returns whether the view of an element may wait at the element's current position.
  final func canWait(_ identity: ElementIdentity) -> Bool {
    guard preparesAhead, elementPreparation.waiting.count < maximumWaitingElements else { return false }
    return isWithinKeepLimits(identity)
  }

  private func isWithinKeepLimits(_ identity: ElementIdentity) -> Bool {
    let limits = preparation.window.limits
    return isElementVisible(limits.aroundViewport, identity)
      || limits.landing.map { isElementVisible($0, identity) } ?? false
  }

  /// Returns whether an element is visible in a viewport that covers the given interval.
  private func isElementVisible(_ interval: ClosedRange<Double>, _ identity: ElementIdentity) -> Bool {
    let region = region(of: interval)
    return solution.attributes(of: identity, in: region)?.frame.intersects(region) ?? false
  }

  // MARK: - Eviction

  /// Evicts waiting views that are too far away or no longer needed, after the content scrolled or its layout changed.
  final func evictDistantElements() {
    guard !elementPreparation.waiting.isEmpty else { return }
    let retainsViews = preparesAhead
    // Moved out of the storage, because the predicate reads it.
    var waiting = WaitingElements<CollectionReusableView>()
    swap(&waiting, &elementPreparation.waiting)
    let evicted = waiting.removeViews { retainsViews && self.isWithinKeepLimits($0) }
    swap(&waiting, &elementPreparation.waiting)
    for view in evicted { recycleView(view) }
  }

  /// Evicts every waiting view.
  final func discardWaitingElements() {
    for view in elementPreparation.waiting.removeAll() { recycleView(view) }
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
  }

  /// Empties the pools when memory is short.
  final func emptyElementPools() {
    for view in elementPreparation.pool.removeAll() { elementPreparation.lifecycle.handle(.discard, of: view.number) }
  }

  /// Updates the waiting views after an update of the items.
  ///
  /// Views of remaining elements are configured again.
  final func remapWaitingElements(_ map: IndexMap) {
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
    for view in elementPreparation.waiting.apply(map) { recycleView(view) }
    elementPreparation.waiting.resetProgress(to: .configure)
    if !elementPreparation.waiting.isEmpty { preparation.hasWork = preparesAhead }
  }
}
