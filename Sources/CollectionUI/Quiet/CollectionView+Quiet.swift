import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry
import Views

/// Frames in which the content moves and the same cells stay on screen: they ask the layout nothing.
extension CollectionView {
  /// Phase 5 of such a frame.
  final func tellOfMove() {
    guard course.takesNotice(), surroundings.hasMovement, let movement = surroundings.movement else { return }
    exclusively { movement.collectionViewDidScroll(self) }
  }

  /// Phase 4 of such a frame: views that are pinned go along with what is seen.
  final func moveQuietly() {
    course.noteMove()
    guard elements.count > 0 else { return }
    let (axis, offset) = (scrollAxis, contentOffset)
    for view in pinnedViews.elements { view.follow(to: offset, along: axis) }
  }

  /// Whether what is on screen can be drawn once more at another offset: all that belongs there is there, and nothing else
  /// moves.
  final func mayMoveLate() -> Bool {
    guard !needsPlan, !needsCells, wishes.isEmpty, !motion.isRunning, !interaction.isCarrying, interaction.band == nil,
      !across.isHolding, orthogonal.liveCount == 0
    else { return false }
    if course.isStale { findQuietStretch() }
    return true
  }

  /// The content moved once more in a frame that was drawn before; where it will come to rest is for the next frame to see to.
  ///
  /// - Returns: whether the cells on screen are those that belong there.
  final func moveLate() -> Bool {
    guard !needsPlan else { return false }
    guard course.hasScrolled else { return true }
    defer { needsPlan = true }
    guard course.isQuiet(at: contentOffset) else { return false }
    moveQuietly()
    tellOfMove()
    // Whoever was told may have done anything.
    return !needsPlan && !course.hasScrolled
  }

  /// Other views beside the cells are on screen, or will be.
  final func loseElementScenery() {
    memory.hasElementScenery = false
    sceneryBehind.removeAll()
    sceneryInFront.removeAll()
    pinnedViews.removeAll()
    course.loseStretch()
  }

  /// Finds how far the content can move before a cell enters or leaves, or a view beside the cells does anything but go
  /// along with the content or stay where it is seen; to be asked once all on screen are there.
  ///
  /// Nowhere where sections' handlers or motion make more of the offset than that.
  final func findQuietStretch() {
    course.take(.none)
    pinnedViews.removeAll()
    // The client's code may have scrolled since the layout was asked: other items are on screen then.
    guard !course.hasScrolled, !needsPlan else { return }
    guard arrangement.isEmpty, !motion.isRunning, isSettled, !solution.adjustsVisibleItems else { return }
    let reach = CollectionView.quietReach * viewportLength
    var rect = visibleRect
    rect.origin[scrollAxis] -= reach
    rect.size[scrollAxis] += 2 * reach
    memory.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &memory.nearby)
    // Read once: both are asked of every item.
    let (axis, shown, solution) = (scrollAxis, displayed.range, solution)
    var stretch = QuietStretch(around: contentOffset, length: viewportLength, reach: reach)
    if !memory.nearby.isEmpty || elements.count > 0 {
      guard notePinned() else { return }
      stretch.limit(to: (contentOffset - way(upTo: -reach).magnitude)...(contentOffset + way(upTo: reach)))
    }
    for cell in displayed.cells { stretch.note(cell.frame, along: axis) }
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || displayed[item] == nil {
        stretch.note(solution.frame(ofItem: item), along: axis)
      }
    }
    course.take(stretch)
  }

  /// Notes the views that are pinned.
  ///
  /// - Returns: whether all views beside the cells are there, and stand where the layout has them now.
  private func notePinned() -> Bool {
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
  private func way(upTo reach: Double) -> Double {
    guard !hasSameElements(after: reach) else { return reach }
    var (same, other) = (0.0, reach)
    for _ in 0..<CollectionView.quietSteps {
      let middle = (same + other) / 2
      if hasSameElements(after: middle) { same = middle } else { other = middle }
    }
    return same
  }

  /// Whether the layout has the views beside the cells that are on screen, and no others, where they went along to.
  private func hasSameElements(after way: Double) -> Bool {
    var rect = visibleRect
    rect.origin[scrollAxis] += way
    memory.nearby.removeAll(keepingCapacity: true)
    solution.appendElements(in: rect, to: &memory.nearby)
    guard memory.nearby.count == elements.count else { return false }
    for place in memory.nearby.indices {
      let next = memory.nearby[place]
      var last = elements.attributes[place]
      if last.isPinned { last.frame.origin[scrollAxis] += way }
      guard (next.frame.origin[scrollAxis] - last.frame.origin[scrollAxis]).magnitude < CollectionView.sameness else {
        return false
      }
      last.frame.origin[scrollAxis] = next.frame.origin[scrollAxis]
      if next != last { return false }
    }
    return true
  }

  /// How often a way on which the views beside the cells are not the same is halved.
  private static var quietSteps: Int { 5 }

  /// Points by which sums of places may differ that are the same.
  private static var sameness: Double { 1e-6 }

  /// How far the items around the screen are looked at, in screens.
  private static var quietReach: Double { 0.2 }
}

extension QuietStretch {
  fileprivate mutating func note(_ frame: Rect, along axis: Axis) {
    note(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}
