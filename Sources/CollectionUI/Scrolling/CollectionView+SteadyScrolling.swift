import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry
import Views

/// Steady-state frames: the content scrolls, the same views stay displayed, and the layout is not queried.
extension CollectionView {
  /// Phase 5 of a steady-state frame: notifies the scroll delegate.
  final func notifyScroll() {
    guard steadyScroll.takeHasMoved(), contentEnvironment.hasScrollDelegate,
      let delegate = contentEnvironment.scrollDelegate
    else { return }
    deferringUpdates { delegate.collectionViewDidScroll(self) }
  }

  /// Phase 4 of a steady-state frame: moves pinned views with the viewport.
  final func performSteadyMove() {
    steadyScroll.recordMove()
    supplementaryController.movePinnedViews(to: contentOffset, along: scrollAxis)
  }

  /// Returns whether the frame can be drawn again at another offset: all visible views are displayed, and nothing moves
  /// on its own.
  final func canResampleOffset() -> Bool {
    guard !needsVisibleUpdate, !needsCells, !layoutController.hasSizeRequests, !updateAnimator.isRunning,
      !dragController.isDragging,
      !rubberBandController.isDrawing, orthogonalController.isIdle
    else { return false }
    if steadyScroll.isStale { updateSteadyScrollRange() }
    return true
  }

  /// Moves the views to the content's new offset in a frame that was laid out before.
  ///
  /// The end of scrolling is recomputed in the next frame.
  ///
  /// - Returns: Whether the displayed views are the visible ones at the offset.
  final func resampleOffset() -> Bool {
    guard !needsVisibleUpdate else { return false }
    guard steadyScroll.hasScrolled else { return true }
    defer { needsVisibleUpdate = true }
    guard steadyScroll.isSteady(at: contentOffset) else { return false }
    performSteadyMove()
    notifyScroll()
    // The delegate may have changed anything.
    return !needsVisibleUpdate && !steadyScroll.hasScrolled
  }

  /// Computes how far the content can scroll before the visible views change, or an element does not move with the
  /// content or stay pinned.
  ///
  /// Call this method when all visible views are displayed. The range is empty if section handlers or animations depend
  /// on the offset.
  final func updateSteadyScrollRange() {
    steadyScroll.setRange(.none)
    // Client code may have scrolled since the layout was queried, so that other items are visible.
    guard !steadyScroll.hasScrolled, !needsVisibleUpdate else { return }
    guard arrangement.isEmpty, !updateAnimator.isRunning, layoutController.areFramesFinal, !solution.adjustsVisibleItems
    else { return }
    let reach = CollectionView.lookaheadFactor * viewportLength
    var rect = visibleRect
    rect.origin[scrollAxis] -= reach
    rect.size[scrollAxis] += 2 * reach
    guard let offsets = supplementaryController.steadyOffsets(in: visibleRect, reach: reach) else { return }
    // Read once, because both are used for every item.
    let (axis, shown, solution) = (scrollAxis, cellController.visibleRange, solution)
    var range = SteadyScrollRange(around: contentOffset, length: viewportLength, lookahead: reach)
    range.restrict(to: offsets)
    for cell in cellController.displayedCells { range.recordFrame(cell.frame, along: axis) }
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || cellController.displayedCell(at: item) == nil {
        range.recordFrame(solution.frame(ofItem: item), along: axis)
      }
    }
    steadyScroll.setRange(range)
  }

  /// The distance around the viewport that is examined, in viewport lengths.
  private static var lookaheadFactor: Double { 0.2 }
}

extension SteadyScrollRange {
  fileprivate mutating func recordFrame(_ frame: Rect, along axis: Axis) {
    recordItem(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}
