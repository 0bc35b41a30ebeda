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
  final func retainDisappearingCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard updateAnimation.isRunning else { return false }
    let frame = solution.frame(ofItem: index)
    let name = AnimatedElement.item(index)
    if updateAnimation.planner == nil {
      let displacement = updateAnimation.animator.displacement(of: name, at: lastInstant)
      guard updateAnimation.animator.isMoving(name), displacement.applied(to: frame).intersects(visibleRect) else {
        return false
      }
    }
    let kept = updateAnimation.addDisappearingView(cell, .returnsToWaiting(item: index), at: frame, opacity: 1)
    updateAnimation.planner?.renameElement(name, to: kept)
    updateAnimation.animator.retarget(name, to: kept, by: .zero, at: lastInstant)
    return true
  }

  /// Keeps a cell that another one replaced, to be faded; not in a hand, which goes on meanwhile.
  ///
  /// - Returns: whether it is kept.
  final func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard updateAnimation.planner?.contains(.item(index)) ?? false, index != interaction.draggedItem else {
      return false
    }
    cell.itemIndex = nil
    let end = DisappearingView.Completion.returnsToPool(path: indexPath(at: index), item: index)
    let kept = updateAnimation.addDisappearingView(cell, end, at: solution.frame(ofItem: index), opacity: 0)
    updateAnimation.planner?.replaceElement(.item(index), leaving: kept)
    return true
  }

  /// Keeps a view beside the cells that is off screen now, or gone with its section.
  ///
  /// - Returns: whether it is kept.
  final func retainDisappearingView(_ view: CollectionReusableView, _ identity: ElementIdentity, isGone: Bool) -> Bool {
    guard updateAnimation.planner?.contains(.element(identity)) ?? false else { return false }
    let kept = updateAnimation.addDisappearingView(
      view, .element(isGone ? nil : identity), at: view.frame, opacity: isGone ? 0 : 1)
    updateAnimation.planner?.renameElement(.element(identity), to: kept)
    updateAnimation.animator.retarget(.element(identity), to: kept, by: .zero, at: lastInstant)
    return true
  }

  /// The cell of an item that is off screen and still seen to go.
  final func disappearingCell(at index: Int) -> CollectionViewCell? {
    guard !updateAnimation.disappearing.isEmpty else { return nil }
    return updateAnimation.disappearing.first { $0.waitingItem == index }?.view as? CollectionViewCell
  }

  /// Takes the cell of an item back that was leaving: it is displayed as before.
  final func reclaimDisappearingCell(at index: Int) -> CollectionViewCell? {
    guard !updateAnimation.disappearing.isEmpty,
      let entry = updateAnimation.removeDisappearingView(where: { $0.waitingItem == index }),
      let cell = entry.view as? CollectionViewCell
    else { return nil }
    restoreElement(entry, as: .item(index), to: solution.frame(ofItem: index))
    positionCell(cell, at: index)
    cell.layoutIfNeeded()
    return cell
  }

  /// Takes a view beside the cells back that was leaving.
  final func reclaimDisappearingView(_ element: ElementAttributes) -> CollectionReusableView? {
    guard !updateAnimation.disappearing.isEmpty else { return nil }
    let entry = updateAnimation.removeDisappearingView { entry in
      if case .element(element.identity) = entry.completion { true } else { false }
    }
    if let entry { restoreElement(entry, as: .element(element.identity), to: element.frame) }
    return entry?.view
  }

  private func restoreElement(_ entry: DisappearingView, as name: AnimatedElement, to frame: Rect) {
    let former = AnimatedElement.disappearing(entry.number)
    updateAnimation.planner?.renameElement(former, to: name)
    updateAnimation.animator.retarget(former, to: name, by: Displacement(of: entry.frame, from: frame), at: lastInstant)
  }

  /// An item is to have another cell: the one that is leaving will not wait for it.
  final func detachDisappearingCell(at index: Int) {
    guard let place = updateAnimation.disappearing.firstIndex(where: { $0.waitingItem == index }) else { return }
    (updateAnimation.disappearing[place].view as? CollectionViewCell)?.itemIndex = nil
    updateAnimation.disappearing[place].completion = .returnsToPool(path: indexPath(at: index), item: index)
  }

  // MARK: Ends

  /// Everything stands at its place, and what was leaving has gone.
  final func endUpdateAnimation() {
    guard updateAnimation.isRunning || !updateAnimation.disappearing.isEmpty else { return }
    updateAnimation.planner = nil
    updateAnimation.animator.removeAll()
    updateAnimation.originalPath = { $0 }
    updateAnimation.isMoved = { _ in false }
    let leaving = updateAnimation.disappearing
    updateAnimation.disappearing = []
    // It holds views that may be used again.
    arrangement = []
    if solution.adjustsVisibleItems { needsVisibleUpdate = true }
    setNeedsDisplay()
    finishDisappearing(leaving)
  }

  final func finishDisappearing(_ leaving: [DisappearingView]) {
    guard !leaving.isEmpty else { return }
    deferringUpdates {
      for entry in leaving {
        let cell = entry.view as? CollectionViewCell
        switch entry.completion {
        case .returnsToWaiting(let item):
          if let cell { endDisplaying(cell, at: indexPath(at: item), waitsFor: item) }
        case .returnsToPool(let path, _):
          if let cell { endDisplaying(cell, at: path) }
        case .element(let identity):
          endDisplaying(entry.view, identity ?? entry.view.attributes?.identity, mayWait: identity != nil)
        case .copy: break
        }
      }
    }
  }
}
