import CollectionEngine
import CollectionLayout
import DataStructures
import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Whether frames come in which this view takes part.
  final var runsFrames: Bool { window?.runsFrames(with: self) ?? false }

  /// Runs a body that calls the client's code; updates asked for meanwhile wait until it has ended.
  final func deferringUpdates(_ body: () -> Void) {
    clientCallDepth += 1
    body()
    clientCallDepth -= 1
    while clientCallDepth == 0, let update = pendingUpdates.next() { update() }
  }

  /// Carries an update out, now or once the cells that are being prepared are ready.
  final func performWhenReady(_ update: @escaping () -> Void) {
    requireSolvedLayout()
    // Behind those that wait, if these are just being carried out.
    if clientCallDepth == 0, pendingUpdates.isEmpty { update() } else { pendingUpdates.add(update) }
  }

  /// Phase 3: what the data source has to do in it.
  final func collectSourceUpdates(_ budget: FrameBudget) {
    // Whoever is gone has nothing more to say.
    if hasUpdates, source == nil { hasUpdates = false }
    if hasUpdates { source?.collectUpdates(budget) }
  }

  /// No frames come any more: everything is at its place, and who waits for an update is told.
  final func endUpdates() {
    frameClock = nil
    performWhenReady {
      self.discardMovement()
      self.endUpdateAnimation()
      self.source?.framesDidEnd()
    }
  }

  /// The items are other ones, or numbered anew: keeps the cells of those that stay.
  func applyUpdate(_ update: CollectionUpdate) {
    let invalidation = update.layout.map(LayoutInvalidation.items) ?? .everything
    remapElements(update)
    orthogonal.remapSections(update.newSection)
    orthogonalInput.remapSections(update.newSection)
    interaction.autoscrolledSection = interaction.autoscrolledSection.flatMap { strip in
      update.newSection(strip.section).map { ($0, strip.velocity) }
    }
    // A step of what is carried is none of the client's: those are bounded, as a layout may go to and fro.
    defer { if !update.keepsOffset { interaction.movement?.contentDidScroll() } }
    contentEnvironment.movedSections = contentEnvironment.movedSections.compactMap(update.newSection)
    remeasurePendingItems()
    guard !update.isAppendOnly else {
      relayout(invalidation)
      recordMoves(update)
      return
    }
    let anchor = update.keepsOffset ? nil : persistentAnchor { update.newIndex(indexPath(at: $0)) }
    let before = anchor.map { offset(of: $0.old) } ?? 0
    // By number alone: names were noted by who has them, and are other ones by now.
    recordShownItems(for: nil)
    let left = displayed.remapIndices { update.newIndex(indexPath(at: $0)) }
    let gone = remapAnimations(update, gone: left).map { ($0.cell, indexPath(at: $0.index)) }
    for (index, cell) in displayed.entries { cell.itemIndex = index }
    remapInteraction(
      askingFor: update.hasManyRuns ? { update.newIndex(self.indexPath(at: $0)) } : nil, update.indexMap)
    reconfiguring.queue.remapIndices { update.newIndex(indexPath(at: $0)) }
    remapWaitingCells { update.newIndex(indexPath(at: $0)) }
    let tell = remapAnnouncements(update.newIndex)
    relayout(invalidation, keeping: anchor.map { PreservedAnchor(anchor: $0.new) }, from: before)
    // What went elsewhere is new there to the layout.
    if update.moveCount > 0 { remeasureItems { update.isMoved(indexPath(at: $0)) } }
    recordMoves(update)
    deferringUpdates(tell)
    refreshInteractionAfterUpdate()
    deferringUpdates { for (cell, path) in gone { endDisplaying(cell, at: path) } }
  }

  /// Views beside the cells stay with their sections, and are configured again in the coming frame.
  private func remapElements(_ update: CollectionUpdate) {
    elementPreparation.updates += 1
    remapWaitingElements(update.newIdentity)
    guard elements.count > 0 else { return }
    elementPreparation.needsRefresh = true
    endDisplayingElements(elements.remapIdentities(update.newIdentity), areGone: true)
  }

  /// What is to stay where it is, as an anchor before and after the update; nothing when nothing on screen stays.
  ///
  /// The first item seen, unless it is gone or went its own way: then the first of those that went with most others.
  private func persistentAnchor(_ newIndex: (Int) -> Int?) -> (old: ContentAnchor, new: ContentAnchor)? {
    let standing = firstVisibleAnchor()
    guard case .item(let first) = standing else { return (standing, standing) }
    let staying = displayed.entries.compactMap { entry in newIndex(entry.index).map { (old: entry.index, new: $0) } }
    let candidates = staying.filter { $0.old >= first.item }
    let lasting = candidates.first { item in
      let kept = staying.count { ($0.old < item.old) == ($0.new < item.new) }
      return 2 * kept > staying.count
    }
    guard let item = lasting ?? candidates.first else {
      return newIndex(first.item).map { (standing, standing.withItemIndex($0)) }
    }
    guard item.old != first.item else { return (standing, standing.withItemIndex(item.new)) }
    let points = solution.frame(ofItem: item.old).origin[scrollAxis] - anchoringOffset
    let anchor = ContentAnchor.item(ItemAnchor(item: item.old, itemUnit: 0, viewportUnit: 0, points: points))
    return (anchor, anchor.withItemIndex(item.new))
  }

  /// Gives the item another cell, if it has one.
  func reloadItem(_ path: IndexPath) {
    guard let source = displayedSource, let index = solution.itemCounts.index(section: path.section, item: path.item)
    else {
      return
    }
    if let entry = preparation.waiting.removeCell(at: index) {
      recycleCell(entry.cell)
      preparation.hasWork = preparesAhead
    }
    _ = reconfiguring.queue.remove(index)
    detachDisappearingCell(at: index)
    guard displayed[index] != nil else { return }
    deferringUpdates {
      let next = prepareCellImmediately(at: index, from: source)
      if let last = displayed.replaceCell(at: index, with: next), !retainReplacedCell(last, at: index) {
        endDisplaying(last, at: path)
      }
      updateConfigurationState(of: next)
      beginDisplaying(next, at: path)
    }
  }

  /// Gives the items of sections other cells, where they have one.
  func reloadCells(inSections isReloaded: (Int) -> Bool) {
    for entry in preparation.waiting.removeCells(unless: { !isReloaded(indexPath(at: $0).section) }) {
      recycleCell(entry.cell)
    }
    for (index, _) in displayed.entries {
      let path = indexPath(at: index)
      if isReloaded(path.section) { reloadItem(path) }
    }
  }
}

extension ContentAnchor {
  /// The same place of an item that has another number.
  fileprivate func withItemIndex(_ number: Int) -> ContentAnchor {
    guard case .item(var anchor) = self else { return self }
    anchor.item = number
    return .item(anchor)
  }
}
