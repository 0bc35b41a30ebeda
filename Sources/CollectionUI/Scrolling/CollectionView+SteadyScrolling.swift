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
    guard elements.count > 0 else { return }
    let (axis, offset) = (scrollAxis, contentOffset)
    for view in pinnedViews.elements { view.updatePosition(to: offset, along: axis) }
  }

  /// Returns whether the frame can be drawn again at another offset: all visible views are displayed, and nothing moves
  /// on its own.
  final func canResampleOffset() -> Bool {
    guard !needsVisibleUpdate, !needsCells, sizeRequests.isEmpty, !updateAnimator.isRunning,
      !dragController.isDragging,
      !rubberBandController.isDrawing, !orthogonalInput.isDragging, orthogonal.activeCount == 0
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

  /// Invalidates the display lists of elements, because other elements are displayed.
  final func invalidateElementDisplayLists() {
    scratch.hasElementDisplayLists = false
    displayListBehind.removeAll()
    displayListInFront.removeAll()
    pinnedViews.removeAll()
    steadyScroll.invalidateRange()
  }

  /// Computes how far the content can scroll before the visible views change, or an element does not move with the
  /// content or stay pinned.
  ///
  /// Call this method when all visible views are displayed. The range is empty if section handlers or animations depend
  /// on the offset.
  final func updateSteadyScrollRange() {
    steadyScroll.setRange(.none)
    pinnedViews.removeAll()
    // Client code may have scrolled since the layout was queried, so that other items are visible.
    guard !steadyScroll.hasScrolled, !needsVisibleUpdate else { return }
    guard arrangement.isEmpty, !updateAnimator.isRunning, areFramesFinal, !solution.adjustsVisibleItems else { return }
    let reach = CollectionView.lookaheadFactor * viewportLength
    var rect = visibleRect
    rect.origin[scrollAxis] -= reach
    rect.size[scrollAxis] += 2 * reach
    scratch.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &scratch.nearby)
    // Read once, because both are used for every item.
    let (axis, shown, solution) = (scrollAxis, displayed.range, solution)
    var range = SteadyScrollRange(around: contentOffset, length: viewportLength, lookahead: reach)
    if !scratch.nearby.isEmpty || elements.count > 0 {
      guard recordPinnedViews() else { return }
      range.restrict(
        to: (contentOffset - steadyDistance(upTo: -reach).magnitude)...(contentOffset + steadyDistance(upTo: reach)))
    }
    for cell in displayed.cells { range.recordFrame(cell.frame, along: axis) }
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || displayed[item] == nil {
        range.recordFrame(solution.frame(ofItem: item), along: axis)
      }
    }
    steadyScroll.setRange(range)
  }

  /// Records the pinned views.
  ///
  /// - Returns: Whether all visible elements are displayed at the layout's positions.
  private func recordPinnedViews() -> Bool {
    guard hasSameElements(after: 0) else { return false }
    for position in 0..<elements.count {
      guard let view = elements.view(at: position) else { return false }
      let element = elements.attributes[position]
      guard element.isPinned else { continue }
      pinnedViews.append(PinnedView(view, distance: element.frame.origin[scrollAxis] - contentOffset))
    }
    return true
  }

  /// Returns how far the content can scroll in one direction with the same elements, in points, up to a limit.
  private func steadyDistance(upTo reach: Double) -> Double {
    guard !hasSameElements(after: reach) else { return reach }
    var (same, other) = (0.0, reach)
    for _ in 0..<CollectionView.bisectionSteps {
      let middle = (same + other) / 2
      if hasSameElements(after: middle) { same = middle } else { other = middle }
    }
    return same
  }

  /// Returns whether the layout has exactly the displayed elements, at the positions they move to, after scrolling by a
  /// distance.
  private func hasSameElements(after distance: Double) -> Bool {
    var rect = visibleRect
    rect.origin[scrollAxis] += distance
    scratch.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &scratch.nearby)
    guard scratch.nearby.count == elements.count else { return false }
    for position in scratch.nearby.indices {
      let next = scratch.nearby[position]
      var last = elements.attributes[position]
      if last.isPinned { last.frame.origin[scrollAxis] += distance }
      guard (next.frame.origin[scrollAxis] - last.frame.origin[scrollAxis]).magnitude < CollectionView.positionTolerance
      else {
        return false
      }
      last.frame.origin[scrollAxis] = next.frame.origin[scrollAxis]
      if next != last { return false }
    }
    return true
  }

  /// The number of bisections of a distance on which the elements change.
  private static var bisectionSteps: Int { 5 }

  /// The tolerance for comparing positions, in points.
  private static var positionTolerance: Double { 1e-6 }

  /// The distance around the viewport that is examined, in viewport lengths.
  private static var lookaheadFactor: Double { 0.2 }
}

extension SteadyScrollRange {
  fileprivate mutating func recordFrame(_ frame: Rect, along axis: Axis) {
    recordItem(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}

/// An unretained reference to a view that is pinned to the viewport.
///
/// It is valid only while the view is displayed, which retains it.
struct PinnedView: BitwiseCopyable {
  private unowned(unsafe) let view: CollectionReusableView
  /// The distance from the start of the viewport, in points on the scroll axis.
  private let distance: Double

  /// Creates a reference to a view at a distance from the start of the viewport.
  init(_ view: CollectionReusableView, distance: Double) {
    self.view = view
    self.distance = distance
  }

  /// Moves the view with the viewport after the content scrolled to an offset.
  func updatePosition(to offset: Double, along axis: Axis) {
    // In one call, because each call retains the view.
    view.pin(at: offset + distance, along: axis)
  }
}
