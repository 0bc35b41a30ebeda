import VitrineCollectionEngine
import VitrineCollectionLayout
package import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

/// What ``SteadyScrollController`` needs from the collection view.
package protocol SteadyScrollHost: ControllerHost {
  /// The length of the viewport, in points.
  var viewportLength: Double { get }
  /// Whether all frames of the layout are final.
  var areFramesFinal: Bool { get }
  /// Whether displayed views are, or will be in the coming frame, away from the frames of the layout.
  var adjustsVisibleItems: Bool { get }
  /// Whether displayed views move without the content, or a cell has not got its preferred size.
  var hasOtherChanges: Bool { get }
  /// Notifies the scroll delegate that the content scrolled.
  func notifyScrollDelegate()
}

/// The owner of steady-state frames: the content scrolls, the same views stay displayed, and the layout is not queried.
///
/// Most frames of a scroll only move what is displayed. After a frame in which views came or went, the controller
/// computes how far the content can scroll before the next one does (``updateRange()``). A frame with an offset within
/// that range (``isSteady(at:)``) moves the pinned views and nothing else (``moveViews(to:along:)``).
///
/// Invariants:
/// - Within the range, the displayed views are those that a query of the layout would find, in the same frames.
/// - The range is empty while a query is needed, frames are not final, or section handlers or animations move views.
/// - The delegate is notified once in a frame in which the content scrolled: by the controller in a steady-state frame,
///   by the view in any other.
/// - A steady-state frame allocates no memory.
package final class SteadyScrollController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any SteadyScrollHost)!
  private let queries: LayoutQueryController
  private let cells: CellController
  private let supplementaryViews: SupplementaryController

  // Unchecked: nothing that changes them calls client code, so that they cannot be read while they are being modified.
  @exclusivity(unchecked) private var state = SteadyScrollState()
  /// Whether there is a delegate that observes scrolling.
  ///
  /// It is read in every frame, where asking for the delegate would retain it.
  @exclusivity(unchecked) private var isObserved = false

  /// The distance around the viewport that is examined, in viewport lengths.
  private static let lookaheadFactor = 0.2

  /// Creates a controller with an empty range.
  ///
  /// - Parameters:
  ///   - queries: The owner of layout queries.
  ///   - cells: The owner of cells.
  ///   - supplementaryViews: The owner of supplementary and decoration views.
  package init(
    queries: LayoutQueryController, cells: CellController, supplementaryViews: SupplementaryController
  ) {
    self.queries = queries
    self.cells = cells
    self.supplementaryViews = supplementaryViews
  }

  // MARK: - State

  /// Whether the content scrolled since the visible items were determined.
  package var hasScrolled: Bool { state.hasScrolled }

  /// Returns whether the content scrolled to an offset at which the displayed views are the visible ones.
  package func isSteady(at offset: Double) -> Bool { !queries.needsQuery && state.isSteady(at: offset) }

  /// Records that the content scrolled.
  package func contentDidScroll() { state.hasScrolled = true }

  /// Records that the visible items were determined.
  package func queryDidBegin() { state.hasScrolled = false }

  /// Empties the range, because views come or go, until the frame has been displayed.
  package func invalidateRange() { state.invalidateRange() }

  /// Sets whether there is a delegate that observes scrolling, which is notified of steady-state frames.
  package func setObserved(_ isObserved: Bool) { self.isObserved = isObserved }

  // MARK: - Steady-state frames

  /// Phase 4 of a steady-state frame: moves pinned views with the viewport.
  package func moveViews(to offset: Double, along axis: Axis) {
    state.recordMove()
    supplementaryViews.movePinnedViews(to: offset, along: axis)
  }

  /// Phase 5 of a frame without other changes: notifies the scroll delegate if the frame was a steady-state frame.
  package func notifyIfMoved() {
    if state.takeHasMoved(), isObserved { host.notifyScrollDelegate() }
  }

  // MARK: - Late input

  /// Returns whether the frame can be drawn again at another offset: all visible views are displayed, and nothing moves
  /// on its own.
  package func canResampleOffset() -> Bool {
    guard !queries.needsQuery, !queries.needsCells, !host.hasOtherChanges else { return false }
    updateRangeIfStale()
    return true
  }

  /// Moves the views to the content's new offset in a frame that was laid out before.
  ///
  /// The end of scrolling is recomputed in the next frame.
  ///
  /// - Returns: Whether the displayed views are the visible ones at the offset.
  package func resampleOffset() -> Bool {
    guard !queries.needsQuery else { return false }
    guard state.hasScrolled else { return true }
    defer { queries.setNeedsQuery() }
    guard state.isSteady(at: host.contentOffset) else { return false }
    moveViews(to: host.contentOffset, along: host.scrollAxis)
    notifyIfMoved()
    // The delegate may have changed anything.
    return !queries.needsQuery && !state.hasScrolled
  }

  // MARK: - The range

  /// Computes the range again if views came or went.
  package func updateRangeIfStale() { if state.isStale { updateRange() } }

  /// Computes how far the content can scroll before the visible views change, or an element does not move with the
  /// content or stay pinned.
  ///
  /// Call this method when all visible views are displayed. The range is empty if section handlers or animations depend
  /// on the offset.
  ///
  /// - Complexity: That of a query of the layout, and O(displayed views).
  package func updateRange() {
    state.setRange(.none)
    // Client code may have scrolled since the layout was queried, so that other items are visible.
    guard !state.hasScrolled, !queries.needsQuery, host.areFramesFinal, !host.adjustsVisibleItems else { return }
    // Read once, because they are used for every item.
    let (solution, axis, viewport, length) = (host.solution, host.scrollAxis, host.visibleRect, host.viewportLength)
    let reach = Self.lookaheadFactor * length
    guard let offsets = supplementaryViews.steadyOffsets(in: viewport, reach: reach) else { return }
    var rect = viewport
    rect.origin[axis] -= reach
    rect.size[axis] += 2 * reach
    var range = SteadyScrollRange(around: host.contentOffset, length: length, lookahead: reach)
    range.restrict(to: offsets)
    for cell in cells.displayedCells { range.recordFrame(cell.frame, along: axis) }
    let shown = cells.visibleRange
    solution.visitItems(in: rect) { items in
      for item in items where !shown.contains(item) || cells.displayedCell(at: item) == nil {
        range.recordFrame(solution.frame(ofItem: item), along: axis)
      }
    }
    state.setRange(range)
  }
}

extension SteadyScrollRange {
  fileprivate mutating func recordFrame(_ frame: Rect, along axis: Axis) {
    recordItem(from: frame.origin[axis], to: frame.origin[axis] + frame.size[axis])
  }
}
