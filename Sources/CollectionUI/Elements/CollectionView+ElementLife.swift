public import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The life of a supplementary or decoration view: made or used again, ready, on screen, waiting beside it, in its pool.
extension CollectionView {
  /// Counts of the supplementary and decoration views over the view's life, as ``statistics`` has them of cells.
  public final var supplementaryStatistics: CellStatistics { elementPreparation.ledger.statistics }

  /// The supplementary and decoration views that are prepared and not on screen, in the order in which they came to be.
  public final var preparedSupplementaryViews: [CollectionReusableView] {
    elementPreparation.waiting.entries.map(\.view)
  }

  /// Supplementary and decoration views that wait for another place.
  public final var pooledSupplementaryCount: Int { elementPreparation.pool.count }

  /// Tells of a view that is about to come on screen.
  final func beginDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    elementPreparation.ledger.handle(.willDisplay, of: view.number)
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
    elementPreparation.ledger.handle(.didEndDisplaying, of: view.number)
    if let identity, case .supplementary(let kind) = identity.kind {
      delegate?.collectionView(self, didEndDisplayingSupplementaryView: view, forElementOfKind: kind, at: identity.path)
    }
    if mayWait, let identity, elements.place(of: identity) == nil, elementPreparation.waiting[identity] == nil,
      self.mayWait(identity)
    {
      // The items may be other ones since it was configured: it left before its turn, or was seen to leave meanwhile.
      let isTrue = view.configuredUpdate == elementPreparation.updates
      elementPreparation.waiting.insert(
        view, of: identity, progress: isTrue ? .ready : PreparationProgress(next: .configure))
      if !isTrue { preparation.hasWork = preparesAhead }
    } else {
      putBack(view)
    }
  }

  /// Takes a view's element from it and puts it into its pool.
  final func putBack(_ view: CollectionReusableView) {
    view.attributes = nil
    view.isPrepared = false
    view.removeFromSuperview()
    let isKept = elementPreparation.pool.put(
      view, of: view.registration, keepingAtMost: elementPreparation.mostSeen + mostWaitingElements)
    view.isPooled = true
    elementPreparation.ledger.handle(isKept ? .pool : .discard, of: view.number)
  }

  /// How many views beside cells may wait.
  final var mostWaitingElements: Int {
    preparation.window.reach(at: lastInstant).mostCells(visible: elementPreparation.mostSeen)
  }

  /// Whether the view of an element may wait where the element stands now.
  final func mayWait(_ identity: ElementIdentity) -> Bool {
    guard preparesAhead, elementPreparation.waiting.count < mostWaitingElements else { return false }
    return isNear(identity)
  }

  private func isNear(_ identity: ElementIdentity) -> Bool {
    let limits = preparation.window.limits
    return isIn(limits.near, identity) || limits.landing.map { isIn($0, identity) } ?? false
  }

  /// Whether an element would be seen on a screen that reaches from one point to another.
  private func isIn(_ interval: ClosedRange<Double>, _ identity: ElementIdentity) -> Bool {
    let region = region(of: interval)
    return solution.attributes(of: identity, in: region)?.frame.intersects(region) ?? false
  }

  // MARK: Letting go

  /// The content stands elsewhere or is laid out anew: lets go of views that wait too far away, or for nothing.
  final func dropFarElements() {
    guard !elementPreparation.waiting.isEmpty else { return }
    let isKept = preparesAhead
    // Taken out, as the question looks at what is prepared.
    var waiting = WaitingElements<CollectionReusableView>()
    swap(&waiting, &elementPreparation.waiting)
    let dropped = waiting.drop { isKept && self.isNear($0) }
    swap(&waiting, &elementPreparation.waiting)
    for view in dropped { putBack(view) }
  }

  /// Lets go of every view that waits.
  final func dropWaitingElements() {
    for view in elementPreparation.waiting.removeAll() { putBack(view) }
    elementPreparation.coming.removeAll(keepingCapacity: true)
  }

  /// Memory is short: nothing stays in pools.
  final func emptyElementPools() {
    for view in elementPreparation.pool.removeAll() { elementPreparation.ledger.handle(.discard, of: view.number) }
  }

  /// The items are other ones: views wait on for the elements that stay, and are configured again.
  final func renameWaitingElements(_ newIdentity: (ElementIdentity) -> ElementIdentity?) {
    elementPreparation.coming.removeAll(keepingCapacity: true)
    for view in elementPreparation.waiting.rename(newIdentity) { putBack(view) }
    elementPreparation.waiting.reset(to: .configure)
    if !elementPreparation.waiting.isEmpty { preparation.hasWork = preparesAhead }
  }
}
