import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDiffableData
package import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

/// Animated updates. Their owner is ``UpdateAnimator``.
extension CollectionView {
  /// A Boolean value that indicates whether changes are displayed without animation, for users sensitive to motion.
  ///
  /// Setting it to true ends running update animations. Scrolling by wheel steps, keys and the program is also
  /// immediate, and content does not bounce. Scrolling by touch and trackpad, and its deceleration, are not affected.
  /// The default is false.
  public final var reducesMotion: Bool {
    get { updateAnimator.isReduced }
    set {
      scrollIndicator.reducesMotion = newValue
      scrollTuning.reducesMotion = newValue
      updateAnimator.setReduced(newValue)
    }
  }

  /// A Boolean value that indicates whether items or other elements are being animated to their final frames.
  ///
  /// The model is updated immediately: the view's properties and methods return final frames.
  public final var isAnimatingUpdates: Bool { updateAnimator.isRunning }

  /// Phase 5 of a frame without other changes: displays the current state of animations.
  final func showAnimations() {
    guard updateAnimator.isRunning || dragController.isActive else { return }
    deferringUpdates {
      updateAnimator.advance()
      visibleItemController.adjust()
    }
  }
}

extension CollectionView: UpdateAnimatorHost {
  package final var canAnimateUpdates: Bool { runsFrames && !bounds.isEmpty }

  package final var displayedItems: [(index: Int, cell: CollectionViewCell)] { cellController.displayedEntries }

  package final func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {
    supplementaryController.endDisplaying(view, identity, mayWait: mayWait)
  }

  package final var displayedElements: [UpdateAnimatorHost.Element] {
    supplementaryController.elements
  }

  package final func displayedCell(at index: Int) -> CollectionViewCell? { cellController.displayedCell(at: index) }

  package final func displayedElement(_ identity: ElementIdentity) -> UpdateAnimatorHost.Element? {
    supplementaryController.element(identity)
  }

  package final var draggedItem: Int? { dragController.draggedItem }

  package final func draggedFrame(ofItem index: Int) -> Rect? {
    dragController.movingItem == index ? dragController.draggedFrame : nil
  }

  package final func restoreCell(_ cell: CollectionViewCell, at index: Int) {
    cellController.position(cell, at: index)
    cell.layoutIfNeeded()
  }

  package final func updateAnimationDidEnd() {
    visibleItemController.discardAdjustments()
    if solution.adjustsVisibleItems { setNeedsVisibleUpdate() }
  }
}
