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
  final func exclusively(_ body: () -> Void) {
    depth += 1
    body()
    depth -= 1
    while depth == 0, let update = waitingUpdates.next() { update() }
  }

  /// Carries an update out, now or once the cells that are being prepared are ready.
  final func whenReady(_ update: @escaping () -> Void) {
    demandSolved()
    // Behind those that wait, if these are just being carried out.
    if depth == 0, waitingUpdates.isEmpty { update() } else { waitingUpdates.add(update) }
  }

  /// Phase 3: what the data source has to do in it.
  final func collectUpdates(_ budget: FrameBudget) {
    // Whoever is gone has nothing more to say.
    if hasUpdates, source == nil { hasUpdates = false }
    if hasUpdates { source?.collect(budget) }
  }

  /// No frames come any more: everything is at its place, and who waits for an update is told.
  final func endUpdates() {
    frameClock = nil
    whenReady {
      self.dropMovement()
      self.endMotion()
      self.source?.framesDidEnd()
    }
  }

  /// The items are other ones, or numbered anew: keeps the cells of those that stay.
  func applyUpdate(_ update: ViewUpdate) {
    let invalidation = update.layout.map(LayoutInvalidation.items) ?? .everything
    renameElements(update)
    orthogonal.renumber(update.newSection)
    across.renumber(update.newSection)
    interaction.strip = interaction.strip.flatMap { strip in
      update.newSection(strip.section).map { ($0, strip.velocity) }
    }
    // A step of what is carried is none of the client's: those are bounded, as a layout may go to and fro.
    defer { if !update.holdsOffset { interaction.movement?.contentScrolled() } }
    surroundings.movedSections = surroundings.movedSections.compactMap(update.newSection)
    askAgain()
    guard !update.isAppendOnly else {
      relayout(invalidation)
      noteMoves(update)
      return
    }
    let anchor = update.holdsOffset ? nil : lastingAnchor { update.newIndex(indexPath(at: $0)) }
    let before = anchor.map { offset(of: $0.old) } ?? 0
    // By number alone: names were noted by who has them, and are other ones by now.
    noteShown(of: nil)
    let left = displayed.renumber { update.newIndex(indexPath(at: $0)) }
    let gone = renumberMotion(update, gone: left).map { ($0.cell, indexPath(at: $0.index)) }
    for (index, cell) in displayed.entries { cell.itemIndex = index }
    renumberInteraction(
      askingFor: update.isLarge ? { update.newIndex(self.indexPath(at: $0)) } : nil, update.renumbering)
    reconfiguring.queue.renumber { update.newIndex(indexPath(at: $0)) }
    renumberWaiting { update.newIndex(indexPath(at: $0)) }
    let tell = renumberAnnouncements(update.newIndex)
    relayout(invalidation, keeping: anchor.map { KeptAnchor(anchor: $0.new) }, from: before)
    // What went elsewhere is new there to the layout.
    if update.moveCount > 0 { askAgain { update.isMoved(indexPath(at: $0)) } }
    noteMoves(update)
    exclusively(tell)
    showInteractionAfterUpdate()
    exclusively { for (cell, path) in gone { endDisplaying(cell, at: path) } }
  }

  /// Views beside the cells stay with their sections, and are configured again in the coming frame.
  private func renameElements(_ update: ViewUpdate) {
    elementPreparation.updates += 1
    renameWaitingElements(update.newIdentity)
    guard elements.count > 0 else { return }
    elementPreparation.needsRefresh = true
    retire(elements.rename(update.newIdentity), areGone: true)
  }

  /// What is to stay where it is, as an anchor before and after the update; nothing when nothing on screen stays.
  ///
  /// The first item seen, unless it is gone or went its own way: then the first of those that went with most others.
  private func lastingAnchor(_ newIndex: (Int) -> Int?) -> (old: ContentAnchor, new: ContentAnchor)? {
    let standing = standingAnchor()
    guard case .item(let first) = standing else { return (standing, standing) }
    let staying = displayed.entries.compactMap { entry in newIndex(entry.index).map { (old: entry.index, new: $0) } }
    let candidates = staying.filter { $0.old >= first.item }
    let lasting = candidates.first { item in
      let kept = staying.count { ($0.old < item.old) == ($0.new < item.new) }
      return 2 * kept > staying.count
    }
    guard let item = lasting ?? candidates.first else {
      return newIndex(first.item).map { (standing, standing.renumbered($0)) }
    }
    guard item.old != first.item else { return (standing, standing.renumbered(item.new)) }
    let points = solution.frame(ofItem: item.old).origin[scrollAxis] - anchoringOffset
    let anchor = ContentAnchor.item(ItemAnchor(item: item.old, itemUnit: 0, viewportUnit: 0, points: points))
    return (anchor, anchor.renumbered(item.new))
  }

  /// Gives the item another cell, if it has one.
  func reload(_ path: IndexPath) {
    guard let source = shownSource, let index = solution.itemCounts.index(section: path.section, item: path.item) else {
      return
    }
    if let entry = preparation.waiting.take(index) {
      putBack(entry.cell)
      preparation.hasWork = preparesAhead
    }
    _ = reconfiguring.queue.remove(index)
    releaseLeaving(at: index)
    guard displayed[index] != nil else { return }
    exclusively {
      let next = forceCell(at: index, from: source)
      if let last = displayed.replaceCell(at: index, with: next), !keepReplaced(last, at: index) {
        endDisplaying(last, at: path)
      }
      showState(of: next)
      beginDisplaying(next, at: path)
    }
  }

  /// Gives the items of sections other cells, where they have one.
  func reloadSections(_ isReloaded: (Int) -> Bool) {
    for entry in preparation.waiting.drop(unless: { !isReloaded(indexPath(at: $0).section) }) { putBack(entry.cell) }
    for (index, _) in displayed.entries {
      let path = indexPath(at: index)
      if isReloaded(path.section) { reload(path) }
    }
  }
}

extension ContentAnchor {
  /// The same place of an item that has another number.
  fileprivate func renumbered(_ number: Int) -> ContentAnchor {
    guard case .item(var anchor) = self else { return self }
    anchor.item = number
    return .item(anchor)
  }
}
