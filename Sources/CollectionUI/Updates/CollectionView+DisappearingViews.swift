import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// A view that stays on screen during an update animation although it no longer displays an element of the model.
///
/// Its element moved off screen, was deleted, or received another view. A fading copy of a displayed view is also one.
struct DisappearingView {
  /// What happens to the view when its animation ends.
  enum EndAction {
    /// Keeps the cell prepared for its item, which is off screen, or recycles it if there is no capacity.
    case keepsPrepared(item: Int)
    /// Recycles the cell and passes `path` to `didEndDisplaying`.
    ///
    /// `item` received another cell, and this cell moves to its frame while it fades out. It is nil if the item was
    /// deleted.
    case recycles(path: IndexPath, item: Int?)
    /// Ends the display of a supplementary or decoration view.
    ///
    /// The view stays prepared if the layout still contains its element, whose identity is given, and is recycled if
    /// the identity is nil.
    case endsElement(ElementIdentity?)
    /// Has no effect: the view is displayed elsewhere, and this is a copy of its drawing.
    ///
    /// `generation` is the view's reuse count when the copy was made. The copy is not drawn once the view was reused.
    case copy(generation: Int)
  }

  /// The identifier of the view among the animated elements.
  let id: Int
  /// The view, which is still drawn.
  let view: CollectionReusableView
  /// What happens to the view when its animation ends.
  var endAction: EndAction
  /// The final frame, in the content's coordinates.
  var frame: Rect
  /// The final opacity.
  var opacity: Double

  /// The flat index of the off-screen item that the cell is still bound to, or nil.
  var boundItem: Int? {
    if case .keepsPrepared(let item) = endAction { item } else { nil }
  }
}

/// Views that are drawn until their animation ends.
///
/// `didEndDisplaying` is called when the animation of a cell ends, as in UIKit. `visibleCells` does not contain these
/// cells.
extension CollectionView {
  /// Keeps drawing a cell whose item moved off screen, if the cell is visible while it moves there.
  ///
  /// - Returns: Whether the cell was retained; if false, the caller ends its display.
  final func retainDisappearingCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard updateAnimation.isRunning else { return false }
    let frame = solution.frame(ofItem: index)
    let element = AnimatedElement.item(index)
    if updateAnimation.planner == nil {
      let displacement = updateAnimation.animator.displacement(of: element, at: lastInstant)
      guard updateAnimation.animator.isMoving(element), displacement.applied(to: frame).intersects(visibleRect) else {
        return false
      }
    }
    let disappearing = updateAnimation.addDisappearingView(cell, .keepsPrepared(item: index), at: frame, opacity: 1)
    updateAnimation.planner?.renameElement(element, to: disappearing)
    updateAnimation.animator.retarget(element, to: disappearing, by: .zero, at: lastInstant)
    return true
  }

  /// Fades out a cell whose item received another cell, if the coming animation recorded the item.
  ///
  /// The cell of a dragged item is replaced without fading.
  ///
  /// - Returns: Whether the cell was retained; if false, the caller ends its display.
  final func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard updateAnimation.planner?.contains(.item(index)) ?? false, index != dragController.draggedItem else {
      return false
    }
    cell.itemIndex = nil
    let endAction = DisappearingView.EndAction.recycles(path: indexPath(at: index), item: index)
    let disappearing = updateAnimation.addDisappearingView(
      cell, endAction, at: solution.frame(ofItem: index), opacity: 0)
    updateAnimation.planner?.replaceElement(.item(index), leaving: disappearing)
    return true
  }

  /// Keeps drawing a supplementary or decoration view whose element moved off screen or was deleted, if the coming
  /// animation recorded the element.
  ///
  /// - Returns: Whether the view was retained; if false, the caller ends its display.
  final func retainDisappearingView(
    _ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool
  ) -> Bool {
    guard updateAnimation.planner?.contains(.element(identity)) ?? false else { return false }
    let disappearing = updateAnimation.addDisappearingView(
      view, .endsElement(isDeleted ? nil : identity), at: view.frame, opacity: isDeleted ? 0 : 1)
    updateAnimation.planner?.renameElement(.element(identity), to: disappearing)
    updateAnimation.animator.retarget(.element(identity), to: disappearing, by: .zero, at: lastInstant)
    return true
  }

  /// Returns the disappearing cell that is still bound to an off-screen item, or nil if there is none.
  final func disappearingCell(at index: Int) -> CollectionViewCell? {
    guard !updateAnimation.disappearing.isEmpty else { return nil }
    return updateAnimation.disappearing.first { $0.boundItem == index }?.view as? CollectionViewCell
  }

  /// Displays an item again with the cell that is disappearing for it; returns nil if there is none.
  ///
  /// The cell continues from the place where it is drawn.
  final func reclaimDisappearingCell(at index: Int) -> CollectionViewCell? {
    guard !updateAnimation.disappearing.isEmpty,
      let entry = updateAnimation.removeDisappearingView(where: { $0.boundItem == index }),
      let cell = entry.view as? CollectionViewCell
    else { return nil }
    restoreElement(entry, as: .item(index), to: solution.frame(ofItem: index))
    positionCell(cell, at: index)
    cell.layoutIfNeeded()
    return cell
  }

  /// Displays an element again with the view that is disappearing for it; returns nil if there is none.
  final func reclaimDisappearingView(_ element: ElementAttributes) -> CollectionReusableView? {
    guard !updateAnimation.disappearing.isEmpty else { return nil }
    let entry = updateAnimation.removeDisappearingView { entry in
      if case .endsElement(element.identity) = entry.endAction { true } else { false }
    }
    if let entry { restoreElement(entry, as: .element(element.identity), to: element.frame) }
    return entry?.view
  }

  private func restoreElement(_ entry: DisappearingView, as element: AnimatedElement, to frame: Rect) {
    let disappearingElement = AnimatedElement.disappearing(entry.id)
    updateAnimation.planner?.renameElement(disappearingElement, to: element)
    updateAnimation.animator.retarget(
      disappearingElement, to: element, by: Displacement(of: entry.frame, from: frame), at: lastInstant)
  }

  /// Unbinds the disappearing cell of a reloaded item, so that it is not displayed again with outdated content.
  final func detachDisappearingCell(at index: Int) {
    guard let position = updateAnimation.disappearing.firstIndex(where: { $0.boundItem == index }) else { return }
    (updateAnimation.disappearing[position].view as? CollectionViewCell)?.itemIndex = nil
    updateAnimation.disappearing[position].endAction = .recycles(path: indexPath(at: index), item: index)
  }

  // MARK: - Ending animations

  /// Ends all update animations immediately, removes the disappearing views, and calls `didEndDisplaying` for each.
  final func endUpdateAnimation() {
    guard updateAnimation.isRunning || !updateAnimation.disappearing.isEmpty else { return }
    updateAnimation.planner = nil
    updateAnimation.animator.removeAll()
    updateAnimation.removeMaps()
    let views = updateAnimation.disappearing
    updateAnimation.disappearing = []
    // The arrangement retains views that may be reused.
    arrangement = []
    if solution.adjustsVisibleItems { needsVisibleUpdate = true }
    setNeedsDisplay()
    endDisplaying(views)
  }

  /// Performs the end actions of views that have disappeared.
  ///
  /// Updates that the delegate makes meanwhile are applied afterwards.
  final func endDisplaying(_ views: [DisappearingView]) {
    guard !views.isEmpty else { return }
    deferringUpdates {
      for entry in views {
        let cell = entry.view as? CollectionViewCell
        switch entry.endAction {
        case .keepsPrepared(let item):
          if let cell { endDisplaying(cell, at: indexPath(at: item), waitingFor: item) }
        case .recycles(let path, _):
          if let cell { endDisplaying(cell, at: path) }
        case .endsElement(let identity):
          endDisplaying(entry.view, identity ?? entry.view.attributes?.identity, mayWait: identity != nil)
        case .copy: break
        }
      }
    }
  }
}
