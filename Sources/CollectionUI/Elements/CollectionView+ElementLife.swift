public import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The life of a supplementary or decoration view: made or used again, ready, on screen, waiting beside it, in its pool.
extension CollectionView {
  /// Counts of the supplementary and decoration views over the view's life, as ``statistics`` has them of cells.
  public final var supplementaryStatistics: CellStatistics { elementPreparation.lifecycle.statistics }

  /// The supplementary and decoration views that are prepared and not on screen, in the order in which they came to be.
  public final var preparedSupplementaryViews: [CollectionReusableView] {
    elementPreparation.waiting.entries.map(\.view)
  }

  /// Supplementary and decoration views that wait for another place.
  public final var pooledSupplementaryCount: Int { elementPreparation.pool.count }

  /// Tells of a view that is about to come on screen.
  final func beginDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    elementPreparation.lifecycle.handle(.willDisplay, of: view.number)
    guard case .supplementary(let kind) = identity.kind else { return }
    delegate?.collectionView(self, willDisplaySupplementaryView: view, forElementKind: kind, at: identity.path)
  }

  /// Lets a view that is no longer among those displayed wait for its element, where it may, or else puts it into the pool.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - identity: the element that it showed.
  ///   - mayWait: whether it may wait for that one.
  final func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {
    elementPreparation.lifecycle.handle(.didEndDisplaying, of: view.number)
    if let identity, case .supplementary(let kind) = identity.kind {
      delegate?.collectionView(self, didEndDisplayingSupplementaryView: view, forElementOfKind: kind, at: identity.path)
    }
    if mayWait, let identity, elements.index(of: identity) == nil, elementPreparation.waiting[identity] == nil,
      self.canWait(identity)
    {
      // The items may be other ones since it was configured: it left before its turn, or was seen to leave meanwhile.
      let isTrue = view.configuredUpdate == elementPreparation.updates
      elementPreparation.waiting.insert(
        view, of: identity, progress: isTrue ? .ready : PreparationProgress(next: .configure))
      if !isTrue { preparation.hasWork = preparesAhead }
    } else {
      recycleView(view)
    }
  }

  /// Takes a view's element from it and puts it into its pool.
  final func recycleView(_ view: CollectionReusableView) {
    view.attributes = nil
    view.isPrepared = false
    view.removeFromSuperview()
    let isKept = elementPreparation.pool.enqueue(
      view, of: view.registration, keepingAtMost: elementPreparation.maximumVisibleCount + maximumWaitingElements)
    view.isPooled = true
    elementPreparation.lifecycle.handle(isKept ? .pool : .discard, of: view.number)
  }

  /// How many views beside cells may wait.
  final var maximumWaitingElements: Int {
    preparation.window.extent(at: lastInstant).maximumCells(visible: elementPreparation.maximumVisibleCount)
  }

  /// Whether the view of an element may wait where the element stands now.
  final func canWait(_ identity: ElementIdentity) -> Bool {
    guard preparesAhead, elementPreparation.waiting.count < maximumWaitingElements else { return false }
    return isWithinKeepLimits(identity)
  }

  private func isWithinKeepLimits(_ identity: ElementIdentity) -> Bool {
    let limits = preparation.window.limits
    return isElementVisible(limits.aroundViewport, identity)
      || limits.landing.map { isElementVisible($0, identity) } ?? false
  }

  /// Whether an element would be seen on a screen that reaches from one point to another.
  private func isElementVisible(_ interval: ClosedRange<Double>, _ identity: ElementIdentity) -> Bool {
    let region = region(of: interval)
    return solution.attributes(of: identity, in: region)?.frame.intersects(region) ?? false
  }

  // MARK: Letting go

  /// The content stands elsewhere or is laid out anew: lets go of views that wait too far away, or for nothing.
  final func evictDistantElements() {
    guard !elementPreparation.waiting.isEmpty else { return }
    let isKept = preparesAhead
    // Taken out, as the question looks at what is prepared.
    var waiting = WaitingElements<CollectionReusableView>()
    swap(&waiting, &elementPreparation.waiting)
    let dropped = waiting.removeViews { isKept && self.isWithinKeepLimits($0) }
    swap(&waiting, &elementPreparation.waiting)
    for view in dropped { recycleView(view) }
  }

  /// Lets go of every view that waits.
  final func discardWaitingElements() {
    for view in elementPreparation.waiting.removeAll() { recycleView(view) }
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
  }

  /// Memory is short: nothing stays in pools.
  final func emptyElementPools() {
    for view in elementPreparation.pool.removeAll() { elementPreparation.lifecycle.handle(.discard, of: view.number) }
  }

  /// The items are other ones: views wait on for the elements that stay, and are configured again.
  final func remapWaitingElements(_ newIdentity: (ElementIdentity) -> ElementIdentity?) {
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
    for view in elementPreparation.waiting.remapIdentities(newIdentity) { recycleView(view) }
    elementPreparation.waiting.resetProgress(to: .configure)
    if !elementPreparation.waiting.isEmpty { preparation.hasWork = preparesAhead }
  }
}
