import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineGeometry
import VitrineViews

extension CollectionView {
  /// Whether frames are produced in which this view participates.
  package final var runsFrames: Bool { window?.runsFrames(with: self) ?? false }

  /// Calls a closure that calls client code.
  ///
  /// Updates requested meanwhile are deferred until it returns.
  package final func deferringUpdates(_ body: () -> Void) {
    deferredUpdates.deferringUpdates(body)
  }

  /// Performs an update now, or once the cells in progress are prepared.
  package final func performWhenReady(_ update: @escaping () -> Void) {
    requireSolvedLayout()
    deferredUpdates.perform(update)
  }

  /// Phase 3: performs the data source's work.
  final func collectSourceUpdates(_ budget: FrameBudget) {
    guard sourceController.hasWorkInFrame() else { return }
    sourceController.recordRemappedItems(selectionController.collect(budget.clock))
    source?.collectUpdates(budget)
  }

  /// Phase 8: performs one step of a long update, if one fits.
  final func performUpdateStep(_ budget: FrameBudget) -> Bool {
    if source?.slackStep(budget) == true { return true }
    guard let remapped = selectionController.performSlackStep(budget) else { return false }
    sourceController.recordRemappedItems(remapped)
    return true
  }

  /// Ends animations and calls pending completion handlers, because no more frames will be produced.
  final func endUpdates() {
    stepMeter.removeClock()
    performWhenReady {
      self.dragController.discard()
      self.updateAnimator.end()
      self.source?.framesDidEnd()
    }
  }

  // MARK: - Applying updates

  /// Performs an update.
  final func performUpdate(_ makeUpdate: () -> CollectionUpdate?, showing show: @escaping () -> Void) {
    deferringUpdates {
      guard let update = makeUpdate() else { return }
      guard let changes = update.changes else { return replaceItems(update, showing: show) }
      if update.isAnimated, !changes.isEmpty { updateAnimator.begin() }
      if changes.hasStructuralChanges, !changes.isAppendOnly { dataPrefetchController.indicesWillChange() }
      show()
      sourceController.recordUpdate(changes)
      if changes.hasStructuralChanges { apply(update, changes) }
      reloadCells(changes)
    }
  }

  /// Replaces the items and their cells.
  private func replaceItems(_ update: CollectionUpdate, showing show: @escaping () -> Void) {
    let former = displayedSource
    dragController.discard()
    // First, because it calls client code, which must find the announced items in a consistent state.
    updateAnimator.end()
    // That code may have replaced the data source, whose items are displayed until it returns.
    guard displayedSource === former else { return performWhenReady(show) }
    dataPrefetchController.indicesWillChange()
    removeAllCells()
    if update.map.replacesAll {
      orthogonalController.cancelInput()
      itemScrollController.removeAll()
      resetInteraction(update.map)
    } else {
      itemScrollController.apply(update.map, keepsArrived: true)
      remapInteraction(update)
    }
    show()
    relayout(.everything, keeping: nil, from: 0)
    if update.scrollsToStart {
      scroll(to: layoutController.offset(of: .start), animated: false)
    } else {
      sourceController.recordReload()
    }
    refreshInteractionAfterUpdate()
  }

  /// Applies the changes of indices, keeping the cells of remaining items.
  private func apply(_ update: CollectionUpdate, _ changes: Changeset) {
    let map = update.map
    let invalidation =
      LayoutUpdate(changes, formerSectionCount: map.formerCounts.numberOfSections, counts: map.counts)
      .map(LayoutInvalidation.items) ?? .everything
    supplementaryController.apply(map)
    orthogonalController.apply(map)
    // An update by the client resets the limit on the steps of a drag. A step of the drag does not, because the layout
    // may alternate between two states.
    defer { if !update.keepsOffset { dragController.contentDidScroll() } }
    layoutController.apply(map)
    itemScrollController.discardLimitedScroll()
    guard !changes.isAppendOnly else {
      relayout(invalidation)
      return updateAnimator.recordMoves(map, count: changes.itemMoves.count)
    }
    let remaining = cellController.displayedEntries.compactMap { entry in
      map.newIndex(ofItem: entry.index).map { (old: entry.index, new: $0) }
    }
    let anchor = update.keepsOffset ? nil : persistentAnchor(map, remaining)
    let keepsArrived = anchor.map { anchor in
      itemScrollController.arrivedItem.map { item in
        // Items that are inserted at the start of content at its start are visible. Those that are displayed are of
        // no importance if they have not been scrolled out of the view yet.
        !(anchor.old == .start && item == 0)
          && (!remaining.contains { $0.old == item }
            || isInOrder(item, map.newIndex(ofItem: item) ?? 0, among: remaining, map))
      } ?? false
    }
    let before = anchor.map { layoutController.offset(of: $0.old) } ?? 0
    let left = cellController.applyToDisplayedCells(map)
    let removed = updateAnimator.apply(map, removed: left).map { ($0.cell, indexPath(at: $0.index)) }
    remapInteraction(update)
    cellController.apply(map)
    prefetchController.apply(map)
    let cancelled = dataPrefetchController.apply(map)
    itemScrollController.apply(map, keepsArrived: keepsArrived ?? false)
    relayout(invalidation, keeping: anchor?.new, from: before)
    // The layout has no preferred sizes for moved items at their new indices.
    if !changes.itemMoves.isEmpty { layoutController.remeasureItems { map.isMoved(item: $0) } }
    updateAnimator.recordMoves(map, count: changes.itemMoves.count)
    deferringUpdates { cancelPrefetching(cancelled) }
    refreshInteractionAfterUpdate()
    deferringUpdates { for (cell, path) in removed { cellController.endDisplaying(cell, at: path, waitingFor: nil) } }
  }

  /// Returns the anchor to preserve over an update, before and after it, or nil if no visible item remains.
  ///
  /// It is the first visible item, unless that was deleted or moved relative to most others: then it is the first item
  /// that was not.
  ///
  /// - Parameters:
  ///   - map: The index map of the update.
  ///   - remaining: The displayed items that are not deleted, with their indices before and after it.
  private func persistentAnchor(
    _ map: IndexMap, _ remaining: [(old: Int, new: Int)]
  ) -> (old: ContentAnchor, new: ContentAnchor)? {
    let visible = layoutController.firstVisibleAnchor()
    guard case .item(let first) = visible else { return (visible, visible) }
    let candidates = remaining.filter { $0.old >= first.item }
    let stable = candidates.first { isInOrder($0.old, $0.new, among: remaining, map) }
    guard let item = stable ?? candidates.first else {
      return visible.applying(map).map { (visible, $0) }
    }
    let anchor = item.old == first.item ? visible : layoutController.leadingAnchor(of: item.old)
    return anchor.applying(map).map { (anchor, $0) }
  }

  /// Returns whether an item did not move relative to most of the displayed items.
  ///
  /// If it moved relative to half of them, as one of two does, the update says which of the two moved.
  private func isInOrder(_ old: Int, _ new: Int, among items: [(old: Int, new: Int)], _ map: IndexMap) -> Bool {
    let inOrder = 2 * items.count { ($0.old < old) == ($0.new < new) }
    return inOrder > items.count || inOrder == items.count && !map.isMoved(item: new)
  }

  // MARK: - Reloading

  /// Reloads and reconfigures the cells and supplementary views that a changeset lists.
  private func reloadCells(_ changes: Changeset) {
    let sections = changes.sectionReloads
    if !sections.isEmpty {
      cellController.reloadItems { sections.contains(indexPath(at: $0).section) }
      supplementaryController.reloadSections { sections.contains($0) }
    }
    let counts = solution.itemCounts
    for position in changes.reloads where !sections.contains(position.section) {
      if let index = counts.index(section: position.section, item: position.item) { cellController.reloadItem(index) }
    }
    for position in changes.reconfigures where !sections.contains(position.section) {
      if let index = counts.index(section: position.section, item: position.item) {
        cellController.reconfigureItem(index)
      }
    }
  }
}

extension ContentAnchor {
  /// Returns the anchor of the same item after an update, or nil if the item was deleted.
  fileprivate func applying(_ map: IndexMap) -> ContentAnchor? {
    guard case .item(var anchor) = self else { return self }
    guard let index = map.newIndex(ofItem: anchor.item) else { return nil }
    anchor.item = index
    return .item(anchor)
  }
}

// MARK: - Statistics

/// Counts of the updates of a collection view over its lifetime.
public struct UpdateStatistics: Hashable, Sendable {
  /// The number of snapshots that were applied.
  public var applied = 0
  /// The number of applied snapshots that were replaced by later ones before they were displayed.
  public var replaced = 0
  /// The number of snapshots with large differences, which were computed in the slack time of frames.
  public var comparedInSlack = 0
  /// The number of selected items that were remapped in steps before a large update.
  ///
  /// Restarting counts them again.
  public var remappedAhead = 0
  /// The number of updates that changed the items or their order, including provisional orders during drags.
  public var structural = 0
  /// The number of structural updates that only appended items, so that no index changed.
  public var appendOnly = 0
  /// The number of updates that only configured cells again.
  public var reconfigureOnly = 0
  /// The number of updates that reloaded every cell.
  public var reloadedAll = 0
  /// The number of identifiers that were added to a snapshot that contained them, and so were moved.
  public var relocatedItems = 0

  /// Creates counts of zero.
  public init() {}

  /// Adds the counts of a data source.
  mutating func add(_ counts: UpdateStatistics) {
    applied += counts.applied
    replaced += counts.replaced
    comparedInSlack += counts.comparedInSlack
    relocatedItems += counts.relocatedItems
  }
}
