import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// A view that is displayed until it left the screen or faded out, after its element moved off screen or was deleted.
struct DisappearingView {
  /// The action to perform when the view disappeared.
  enum Completion {
    /// A cell whose item is off screen, which may wait for the item.
    case returnsToWaiting(item: Int)
    /// A cell whose item was deleted or received another cell. It was displayed at the path, and moves to the frame of
    /// the item, if there is one.
    case returnsToPool(path: IndexPath, item: Int?)
    /// A supplementary or decoration view, with its identity if the layout still contains the element.
    case element(ElementIdentity?)
    /// A copy of the drawing of a displayed view, valid as long as the view has the given generation.
    case copy(generation: Int)
  }

  /// The view's number among the animated elements.
  let number: Int
  /// The view, whose drawing is displayed.
  let view: CollectionReusableView
  /// The action to perform when the view disappeared.
  var completion: Completion
  /// The final frame, in the content's coordinates.
  var frame: Rect
  /// The final opacity.
  var opacity: Double

  /// The item off screen that the cell is bound to, or nil.
  var waitingItem: Int? {
    if case .returnsToWaiting(let item) = completion { item } else { nil }
  }
}

/// Views that are displayed until they disappeared.
///
/// Their cells count as displayed, so that `didEndDisplaying` is called after they left the screen, as in UIKit.
extension CollectionView {
  /// Retains a cell whose item is off screen, if it is visible while it leaves.
  ///
  /// - Returns: Whether it was retained.
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
    let element = updateAnimation.addDisappearingView(cell, .returnsToWaiting(item: index), at: frame, opacity: 1)
    updateAnimation.planner?.renameElement(name, to: element)
    updateAnimation.animator.retarget(name, to: element, by: .zero, at: lastInstant)
    return true
  }

  /// Retains a cell that another one replaced, to fade it out, unless the item is being dragged.
  ///
  /// - Returns: Whether it was retained.
  final func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard updateAnimation.planner?.contains(.item(index)) ?? false, index != interaction.draggedItem else {
      return false
    }
    cell.itemIndex = nil
    let completion = DisappearingView.Completion.returnsToPool(path: indexPath(at: index), item: index)
    let element = updateAnimation.addDisappearingView(cell, completion, at: solution.frame(ofItem: index), opacity: 0)
    updateAnimation.planner?.replaceElement(.item(index), leaving: element)
    return true
  }

  /// Retains an element's view that is off screen or whose element was deleted, if it is animated.
  ///
  /// - Returns: Whether it was retained.
  final func retainDisappearingView(_ view: CollectionReusableView, _ identity: ElementIdentity, isGone: Bool) -> Bool {
    guard updateAnimation.planner?.contains(.element(identity)) ?? false else { return false }
    let element = updateAnimation.addDisappearingView(
      view, .element(isGone ? nil : identity), at: view.frame, opacity: isGone ? 0 : 1)
    updateAnimation.planner?.renameElement(.element(identity), to: element)
    updateAnimation.animator.retarget(.element(identity), to: element, by: .zero, at: lastInstant)
    return true
  }

  /// Returns the cell of an item off screen that is still disappearing, or nil.
  final func disappearingCell(at index: Int) -> CollectionViewCell? {
    guard !updateAnimation.disappearing.isEmpty else { return nil }
    return updateAnimation.disappearing.first { $0.waitingItem == index }?.view as? CollectionViewCell
  }

  /// Removes and returns the disappearing cell of an item, which is displayed again, or nil if there is none.
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

  /// Removes and returns the disappearing view of an element, or nil if there is none.
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

  /// Unbinds a disappearing cell from its item, which receives another cell.
  final func detachDisappearingCell(at index: Int) {
    guard let position = updateAnimation.disappearing.firstIndex(where: { $0.waitingItem == index }) else { return }
    (updateAnimation.disappearing[position].view as? CollectionViewCell)?.itemIndex = nil
    updateAnimation.disappearing[position].completion = .returnsToPool(path: indexPath(at: index), item: index)
  }

  // MARK: - Ending

  /// Ends all update animations and removes the disappearing views.
  final func endUpdateAnimation() {
    guard updateAnimation.isRunning || !updateAnimation.disappearing.isEmpty else { return }
    updateAnimation.planner = nil
    updateAnimation.animator.removeAll()
    updateAnimation.originalPath = { $0 }
    updateAnimation.isMoved = { _ in false }
    let leaving = updateAnimation.disappearing
    updateAnimation.disappearing = []
    // It retains views that may be reused.
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
          if let cell { endDisplaying(cell, at: indexPath(at: item), waitingFor: item) }
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
