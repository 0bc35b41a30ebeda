import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// Views that the model has no more and that are shown until they have gone: cells are displayed all that time, so
/// `didEndDisplaying` comes when they have left the screen, as UIKit's does.
extension CollectionView {
  /// Keeps a cell whose item is off screen now, as long as it is seen to go.
  ///
  /// - Returns: whether it is kept.
  final func keepLeaving(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard motion.isRunning else { return false }
    let frame = solution.frame(ofItem: index)
    let name = MovingElement.item(index)
    if motion.transaction == nil {
      let displacement = motion.motions.displacement(of: name, at: lastInstant)
      guard motion.motions.isMoving(name), displacement.applied(to: frame).intersects(visibleRect) else { return false }
    }
    let kept = motion.keep(cell, .waits(item: index), at: frame, opacity: 1)
    motion.transaction?.rename(name, to: kept)
    motion.motions.move(name, to: kept, by: .zero, at: lastInstant)
    return true
  }

  /// Keeps a cell that another one replaced, to be faded; not in a hand, which goes on meanwhile.
  ///
  /// - Returns: whether it is kept.
  final func keepReplaced(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard motion.transaction?.knows(.item(index)) ?? false, index != interaction.carriedItem else { return false }
    cell.itemIndex = nil
    let end = LeavingView.End.pools(path: indexPath(at: index), item: index)
    let kept = motion.keep(cell, end, at: solution.frame(ofItem: index), opacity: 0)
    motion.transaction?.replace(.item(index), leaving: kept)
    return true
  }

  /// Keeps a view beside the cells that is off screen now, or gone with its section.
  ///
  /// - Returns: whether it is kept.
  final func keepLeaving(_ view: CollectionReusableView, _ identity: ElementIdentity, isGone: Bool) -> Bool {
    guard motion.transaction?.knows(.element(identity)) ?? false else { return false }
    let kept = motion.keep(
      view, .element(isGone ? nil : identity), at: view.frame, opacity: isGone ? 0 : 1)
    motion.transaction?.rename(.element(identity), to: kept)
    motion.motions.move(.element(identity), to: kept, by: .zero, at: lastInstant)
    return true
  }

  /// The cell of an item that is off screen and still seen to go.
  final func leavingCell(at index: Int) -> CollectionViewCell? {
    guard !motion.leaving.isEmpty else { return nil }
    return motion.leaving.first { $0.waitingItem == index }?.view as? CollectionViewCell
  }

  /// Takes the cell of an item back that was leaving: it is displayed as before.
  final func takeLeaving(at index: Int) -> CollectionViewCell? {
    guard !motion.leaving.isEmpty, let entry = motion.takeBack(where: { $0.waitingItem == index }),
      let cell = entry.view as? CollectionViewCell
    else { return nil }
    bringBack(entry, as: .item(index), to: solution.frame(ofItem: index))
    place(cell, at: index)
    cell.layoutIfNeeded()
    return cell
  }

  /// Takes a view beside the cells back that was leaving.
  final func takeLeaving(_ element: ElementAttributes) -> CollectionReusableView? {
    guard !motion.leaving.isEmpty else { return nil }
    let entry = motion.takeBack { entry in
      if case .element(element.identity) = entry.end { true } else { false }
    }
    if let entry { bringBack(entry, as: .element(element.identity), to: element.frame) }
    return entry?.view
  }

  private func bringBack(_ entry: LeavingView, as name: MovingElement, to frame: Rect) {
    let former = MovingElement.leaving(entry.number)
    motion.transaction?.rename(former, to: name)
    motion.motions.move(former, to: name, by: Displacement(of: entry.place, from: frame), at: lastInstant)
  }

  /// An item is to have another cell: the one that is leaving will not wait for it.
  final func releaseLeaving(at index: Int) {
    guard let place = motion.leaving.firstIndex(where: { $0.waitingItem == index }) else { return }
    (motion.leaving[place].view as? CollectionViewCell)?.itemIndex = nil
    motion.leaving[place].end = .pools(path: indexPath(at: index), item: index)
  }

  // MARK: Ends

  /// Everything stands at its place, and what was leaving has gone.
  final func endMotion() {
    guard motion.isRunning || !motion.leaving.isEmpty else { return }
    motion.transaction = nil
    motion.motions.removeAll()
    motion.origin = { $0 }
    motion.isMoved = { _ in false }
    let leaving = motion.leaving
    motion.leaving = []
    // It holds views that may be used again.
    arrangement = []
    if solution.adjustsVisibleItems { needsPlan = true }
    setNeedsDisplay()
    endLeaving(leaving)
  }

  final func endLeaving(_ leaving: [LeavingView]) {
    guard !leaving.isEmpty else { return }
    exclusively {
      for entry in leaving {
        let cell = entry.view as? CollectionViewCell
        switch entry.end {
        case .waits(let item):
          if let cell { endDisplaying(cell, at: indexPath(at: item), waitsFor: item) }
        case .pools(let path, _):
          if let cell { endDisplaying(cell, at: path) }
        case .element(let identity):
          endDisplaying(entry.view, identity ?? entry.view.attributes?.identity, mayWait: identity != nil)
        case .copy: break
        }
      }
    }
  }
}
