import CollectionEngine
import CollectionLayout
import Geometry
import Views

/// Frames in which the content moves and the same cells stay on screen: they ask the layout nothing.
extension CollectionView {
  /// Phase 5 of such a frame.
  final func tellOfMove() {
    if course.takesNotice(), hasDelegate, let delegate { exclusively { delegate.collectionViewDidScroll(self) } }
  }

  /// Finds how far the content can move before a cell enters or leaves; to be asked once all on screen have cells.
  ///
  /// Nowhere where something on screen depends on the offset itself: views that are pinned, sections' handlers.
  final func findQuietStretch() {
    course.take(.none)
    // The client's code may have scrolled since the layout was asked: other items are on screen then.
    guard !course.hasScrolled, !needsPlan else { return }
    guard arrangement.isEmpty, !motion.isRunning, elements.count == 0, isSettled, !solution.adjustsVisibleItems else {
      return
    }
    let reach = CollectionView.quietReach * viewportLength
    var rect = visibleRect
    rect.origin[scrollAxis] -= reach
    rect.size[scrollAxis] += 2 * reach
    nearbyElements.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &nearbyElements)
    guard nearbyElements.isEmpty else { return }
    // Read once: both are asked of every item.
    let (axis, shown, solution) = (scrollAxis, displayed.range, solution)
    var stretch = QuietStretch(around: contentOffset, length: viewportLength, reach: reach)
    for cell in displayed.cells { stretch.note(cell.frame, along: axis) }
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || displayed[item] == nil {
        stretch.note(solution.frame(ofItem: item), along: axis)
      }
    }
    course.take(stretch)
  }

  /// How far the items around the screen are looked at, in screens.
  private static var quietReach: Double { 0.2 }
}

extension QuietStretch {
  fileprivate mutating func note(_ frame: Rect, along axis: Axis) {
    note(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}
