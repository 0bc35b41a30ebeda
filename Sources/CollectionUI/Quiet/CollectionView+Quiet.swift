import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry
import Views

/// Frames in which the content moves and the same cells stay on screen: they ask the layout nothing.
extension CollectionView {
  /// Phase 5 of such a frame.
  final func notifyScroll() {
    guard steadyScroll.takeHasMoved(), contentEnvironment.hasScrollDelegate,
      let movement = contentEnvironment.scrollDelegate
    else { return }
    deferringUpdates { movement.collectionViewDidScroll(self) }
  }

  /// Phase 4 of such a frame: views that are pinned go along with what is seen.
  final func performSteadyMove() {
    steadyScroll.recordMove()
    guard elements.count > 0 else { return }
    let (axis, offset) = (scrollAxis, contentOffset)
    for view in pinnedViews.elements { view.updatePosition(to: offset, along: axis) }
  }

  /// Whether what is on screen can be drawn once more at another offset: all that belongs there is there, and nothing else
  /// moves.
  final func canResampleOffset() -> Bool {
    guard !needsVisibleUpdate, !needsCells, sizeRequests.isEmpty, !updateAnimation.isRunning, !interaction.isDragging,
      interaction.rubberBand == nil,
      !orthogonalInput.isDragging, orthogonal.activeCount == 0
    else { return false }
    if steadyScroll.isStale { updateSteadyScrollRange() }
    return true
  }

  /// The content moved once more in a frame that was drawn before; where it will come to rest is for the next frame to see to.
  ///
  /// - Returns: whether the cells on screen are those that belong there.
  final func resampleOffset() -> Bool {
    guard !needsVisibleUpdate else { return false }
    guard steadyScroll.hasScrolled else { return true }
    defer { needsVisibleUpdate = true }
    guard steadyScroll.isSteady(at: contentOffset) else { return false }
    performSteadyMove()
    notifyScroll()
    // Whoever was told may have done anything.
    return !needsVisibleUpdate && !steadyScroll.hasScrolled
  }

  /// Other views beside the cells are on screen, or will be.
  final func invalidateElementDisplayLists() {
    scratch.hasElementDisplayLists = false
    displayListBehind.removeAll()
    displayListInFront.removeAll()
    pinnedViews.removeAll()
    steadyScroll.invalidateRange()
  }

  /// Finds how far the content can move before a cell enters or leaves, or a view beside the cells does anything but go
  /// along with the content or stay where it is seen; to be asked once all on screen are there.
  ///
  /// Nowhere where sections' handlers or motion make more of the offset than that.
  final func updateSteadyScrollRange() {
    steadyScroll.setRange(.none)
    pinnedViews.removeAll()
    // The client's code may have scrolled since the layout was asked: other items are on screen then.
    guard !steadyScroll.hasScrolled, !needsVisibleUpdate else { return }
    guard arrangement.isEmpty, !updateAnimation.isRunning, isSettled, !solution.adjustsVisibleItems else { return }
    let reach = CollectionView.lookaheadFactor * viewportLength
    var rect = visibleRect
    rect.origin[scrollAxis] -= reach
    rect.size[scrollAxis] += 2 * reach
    scratch.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &scratch.nearby)
    // Read once: both are asked of every item.
    let (axis, shown, solution) = (scrollAxis, displayed.range, solution)
    var stretch = SteadyScrollRange(around: contentOffset, length: viewportLength, reach: reach)
    if !scratch.nearby.isEmpty || elements.count > 0 {
      guard recordPinnedViews() else { return }
      stretch.restrict(
        to: (contentOffset - steadyDistance(upTo: -reach).magnitude)...(contentOffset + steadyDistance(upTo: reach)))
    }
    for cell in displayed.cells { stretch.recordFrame(cell.frame, along: axis) }
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || displayed[item] == nil {
        stretch.recordFrame(solution.frame(ofItem: item), along: axis)
      }
    }
    steadyScroll.setRange(stretch)
  }

  /// Notes the views that are pinned.
  ///
  /// - Returns: whether all views beside the cells are there, and stand where the layout has them now.
  private func recordPinnedViews() -> Bool {
    guard hasSameElements(after: 0) else { return false }
    for place in 0..<elements.count {
      guard let view = elements.view(at: place) else { return false }
      let element = elements.attributes[place]
      guard element.isPinned else { continue }
      pinnedViews.append(PinnedView(view, distance: element.frame.origin[scrollAxis] - contentOffset))
    }
    return true
  }

  /// How far the content can move one way with the same views beside the cells, of so many points at most.
  private func steadyDistance(upTo reach: Double) -> Double {
    guard !hasSameElements(after: reach) else { return reach }
    var (same, other) = (0.0, reach)
    for _ in 0..<CollectionView.bisectionSteps {
      let middle = (same + other) / 2
      if hasSameElements(after: middle) { same = middle } else { other = middle }
    }
    return same
  }

  /// Whether the layout has the views beside the cells that are on screen, and no others, where they went along to.
  private func hasSameElements(after way: Double) -> Bool {
    var rect = visibleRect
    rect.origin[scrollAxis] += way
    scratch.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &scratch.nearby)
    guard scratch.nearby.count == elements.count else { return false }
    for place in scratch.nearby.indices {
      let next = scratch.nearby[place]
      var last = elements.attributes[place]
      if last.isPinned { last.frame.origin[scrollAxis] += way }
      guard (next.frame.origin[scrollAxis] - last.frame.origin[scrollAxis]).magnitude < CollectionView.positionTolerance
      else {
        return false
      }
      last.frame.origin[scrollAxis] = next.frame.origin[scrollAxis]
      if next != last { return false }
    }
    return true
  }

  /// How often a way on which the views beside the cells are not the same is halved.
  private static var bisectionSteps: Int { 5 }

  /// Points by which sums of places may differ that are the same.
  private static var positionTolerance: Double { 1e-6 }

  /// How far the items around the screen are looked at, in screens.
  private static var lookaheadFactor: Double { 0.2 }
}

extension SteadyScrollRange {
  fileprivate mutating func recordFrame(_ frame: Rect, along axis: Axis) {
    recordItem(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}
