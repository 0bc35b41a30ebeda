import CollectionEngine
import CollectionLayout
import FramePacing
package import Geometry
import Rendering
package import ScrollPhysics
import Views

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

  package final var observesSections: Bool { contentEnvironment.orthogonalDelegate != nil }

  package final func cancelPress() { pressController.cancelPress() }

  package final func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    layoutController.setOrthogonalOffset(offset, ofSection: section)
  }

  package final func sectionDidScroll(_ section: Int) {
    needsVisibleUpdate = true
    hasOrthogonalOffsetChanges = true
    dragController.contentDidChange()
    setNeedsDisplay()
  }

  package final func notifyOfScroll(ofSection section: Int, to offset: Double) {
    contentEnvironment.orthogonalDelegate?.collectionView(self, didScrollSection: section, to: offset)
  }

  package final func notify(_ notice: ScrollNotice, ofSection section: Int) {
    contentEnvironment.orthogonalDelegate?.collectionView(self, didNotice: notice, inSection: section)
  }

  /// Positions the displayed cells after orthogonal sections scrolled.
  final func positionCellsAfterOrthogonalScroll() {
    hasOrthogonalOffsetChanges = false
    cellController.positionDisplayedCells()
  }
}
