import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
package import VitrineGeometry
import VitrineRendering
package import VitrineScrollPhysics
import VitrineViews

/// Frames in which displayed views only move. Their owner is ``SteadyScrollController``.
extension CollectionView: SteadyScrollHost {
  package final var areFramesFinal: Bool { layoutController.areFramesFinal }

  package final var adjustsVisibleItems: Bool {
    visibleItemController.isAdjusted || updateAnimator.isRunning || solution.adjustsVisibleItems
  }

  package final var hasOtherChanges: Bool {
    layoutController.hasSizeRequests || updateAnimator.isRunning || dragController.isDragging
      || rubberBandController.isDrawing || !orthogonalController.isIdle
  }

  package final func notifyScrollDelegate() {
    deferringUpdates { delegate?.collectionViewDidScroll(self) }
  }

  /// Stops calling the delegate in frames that only scroll, because it does nothing then.
  final func delegateIgnoresScrolling() { steadyScrollController.setObserved(false) }
}

/// Scrolls to items. Their owner is ``ItemScrollController``.
extension CollectionView: ItemScrollHost {
  package final var destinationViewport: ItemDestination.Viewport {
    let insets = axisInsets
    return ItemDestination.Viewport(insets: insets, pinning: (pinningInset ?? insets.start, insets.end))
  }

  package final func stopScrolling() { applyScrollEvent(.stop) }

  package final func stopSection(_ section: Int) {
    orthogonalController.stop(section, at: max(lastInstant, stepMeter.clock?.now() ?? lastInstant))
  }

  package final func isSectionMoving(_ section: Int) -> Bool {
    orthogonalController.motion(of: section)?.scroll.isMoving(at: lastInstant) ?? false
  }
}

/// Sections that scroll across. Their owner is ``OrthogonalScrollController``.
extension CollectionView: OrthogonalScrollHost {
  package final var pointerLocation: Point? { pressController.pointerLocation }

  package final var focusedSection: Int? { selectionController.focusedItem.map { indexPath(at: $0).section } }

  package final var sectionDragStart: Point? {
    guard let (item, start) = pressController.sectionDrag, !dragController.isDragging,
      displayedSource?.canMoveItem(at: item) != true
    else { return nil }
    return start
  }

  package final var observesSections: Bool { delegate != nil }

  package final func cancelPress() { pressController.cancelPress() }

  package final func sectionWillScroll(_ section: Int, by event: ScrollEvent) {
    itemScrollController.sectionWillScroll(section, by: event)
  }

  package final func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    layoutController.setOrthogonalOffset(offset, ofSection: section)
  }

  package final func sectionDidScroll(_ section: Int) {
    layoutQueries.setNeedsPositioning()
    dragController.contentDidChange()
    setNeedsDisplay()
  }

  package final func notifyOfScroll(ofSection section: Int, to offset: Double) {
    delegate?.collectionView(self, didScrollSection: section, to: offset)
  }

  package final func notify(_ notice: ScrollNotice, ofSection section: Int) {
    delegate?.collectionView(self, didNotice: notice, inSection: section)
  }
}
