import CollectionEngine
public import CollectionLayout
public import struct FoundationEssentials.IndexPath
import FramePacing
public import Geometry
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// Invalidates the layout and computes every frame again, preserving the position of the first visible item.
  public final func invalidateLayout() { relayout(.everything) }

  /// Invalidates the layout of items whose properties changed, such as the aspect ratio of an image.
  ///
  /// The position of the first visible item is preserved.
  ///
  /// - Parameter paths: The items, in any order. Paths of items that do not exist are ignored.
  /// - Complexity: O(k log k) for k items, in addition to the layout's work for them.
  public final func invalidateItems(at paths: [IndexPath]) {
    requireSolvedLayout()
    let counts = solution.itemCounts
    let positions = paths.map { (section: $0.section, item: $0.item) }
      .filter { counts.index(section: $0.section, item: $0.item) != nil }
      .sorted { $0 < $1 }
    if !positions.isEmpty { relayout(.items(LayoutUpdate(changing: positions, counts: counts))) }
  }

  /// Changes the layout while preserving the position of an item on screen, to half a pixel, within the scrollable
  /// range.
  ///
  /// While the content is not scrolled, successive layouts, such as the steps of a zoom, preserve the same item. They
  /// do not drift, and they return to the initial position.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - isAnimated: Whether items move from their current positions on screen to their new frames. Default: false.
  ///   - point: The position of the item to preserve, in the view's coordinates, such as that of the pointer. If there
  ///     is no item, the nearest one is used. If nil, the first item that starts inside the viewport is used. Default:
  ///     nil.
  public final func setCollectionViewLayout(
    _ layout: any CollectionLayout, animated isAnimated: Bool = false, anchoredAt point: Point? = nil
  ) {
    if preservedAnchor?.reason != .zoom(point) {
      preservedAnchor = PreservedAnchor(anchor: zoomAnchor(at: point), reason: .zoom(point))
    }
    if isAnimated { updateAnimator.begin() }
    collectionViewLayout = layout
    // Now, because scrolling may continue before the next layout, which resets the preserved anchor.
    finalizeVisibleFrames()
  }

  // MARK: - Solving

  /// Updates the layout after the view's size or scale changed or its data source was deallocated.
  final func updateEnvironment() {
    reloadIfSourceLost()
    guard itemCounts == solution.itemCounts else { return relayout(.everything) }
    guard environment != solution.environment else { return }
    relayout(.environment(environment))
  }

  /// Invalidates the layout while preserving the anchor's position.
  final func relayout(_ invalidation: LayoutInvalidation) {
    requireSolvedLayout()
    // Preferred sizes requested for the last layout are not valid for another one.
    reloadIfSourceLost()
    remeasurePendingItems()
    if case .items = invalidation {} else { cellController.resetLargestBytes() }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: firstVisibleAnchor())
    relayout(invalidation, keeping: anchor, from: offset(of: anchor.anchor))
  }

  /// Invalidates the layout.
  ///
  /// - Parameters:
  ///   - invalidation: The change.
  ///   - anchor: The anchor to preserve, in the new item indices, or nil to keep the offset.
  ///   - before: The offset that the anchor had in the last solution.
  final func relayout(_ invalidation: LayoutInvalidation, keeping anchor: PreservedAnchor?, from before: Double) {
    let discardsSizes = solveLayout(invalidation)
    restoreAnchor(anchor, from: before)
    if discardsSizes { remeasureItems { _ in true } }
    lineDistance = rowDistance
    notchDistance = max(48, (lineDistance * 0.5).rounded())
  }

  /// The environment to solve the layout in.
  final var environment: LayoutEnvironment {
    LayoutEnvironment(
      containerSize: bounds.size, scale: displayScale, layoutDirection: layoutDirection)
  }

  /// The number of items of each section, as displayed.
  private var itemCounts: ItemCounts {
    showsFormerItems ? solution.itemCounts : ItemCounts(source?.sectionCounts ?? [])
  }

  /// Solves the layout or updates its solution.
  ///
  /// - Returns: Whether preferred sizes that were measured before were discarded.
  private func solveLayout(_ invalidation: LayoutInvalidation) -> Bool {
    var discardsSizes = true
    layoutState.solutions += 1
    requireSolvedLayout()
    delegate?.collectionViewWillPrepareLayout(self)
    let environment = environment
    let counts = itemCounts
    switch invalidation {
    case .items(let update) where environment == solution.environment && update.counts == counts:
      solving { solution.invalidate(invalidation) }
      discardsSizes = false
    case .environment where counts == solution.itemCounts:
      solving { solution.invalidate(.environment(environment)) }
    default:
      solution = solving { collectionViewLayout.solved(in: environment, for: counts) }
    }
    applyAllOrthogonalOffsets(at: lastInstant)
    return discardsSizes
  }

  /// The distance from the start of the first row to that of the second, in points.
  private var rowDistance: Double {
    guard solution.itemCounts.total > 0 else { return 80 }
    let first = solution.frame(ofItem: 0)
    var behind = Rect(origin: .zero, size: bounds.size)
    behind.origin[scrollAxis] = first.origin[scrollAxis] + first.size[scrollAxis]
    behind.size[scrollAxis] = .greatestFiniteMagnitude
    guard let next = solution.firstItem(in: behind) else { return max(16, first.size[scrollAxis]) }
    return max(16, solution.frame(ofItem: next).origin[scrollAxis] - first.origin[scrollAxis])
  }

  // MARK: - Finalizing estimated frames

  /// The maximum number of layout passes in a frame.
  ///
  /// Each pass brings fewer estimated frames into the viewport, so few are needed.
  static var maximumLayoutPasses: Int { 8 }

  /// Makes the frames in and near the viewport final, preserving the position of the anchor that was displayed last.
  final func finalizeVisibleFrames() {
    guard !solution.areFramesFinal else { return }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    for _ in 0..<CollectionView.maximumLayoutPasses {
      let before = offset(of: anchor.anchor)
      let rect = rectToFinalize
      guard solving({ solution.finalizeFrames(in: rect) }) else { return }
      restoreAnchor(anchor, from: before)
    }
  }

  /// The rectangle to finalize: the viewport, one screen before it and two after it, so that the sizes of prefetched
  /// items are known.
  private var rectToFinalize: Rect {
    let screen = bounds.height
    let start = max(0, contentOffset - screen)
    return Rect(x: 0, y: start, width: bounds.width, height: contentOffset + 3 * screen - start)
  }

  /// Makes some more estimated frames final, preserving the position of the anchor that was displayed last.
  final func finalizeMoreFrames(_ clock: any FrameClock) {
    let start = clock.now()
    preservingAnchor { solving { solution.finalizeFrames(itemBudget: StepPacing.itemsPerStep) } }
    StepPacing.spendModelledCost(on: clock)
    layoutState.refinementPacing.recordStep(clock.now() - start)
  }

  // MARK: - Access while solving

  /// Calls a closure that solves or changes the layout, which may call closures of the client.
  package final func solving<Result>(_ body: () -> Result) -> Result {
    layoutState.isSolving = true
    defer { layoutState.isSolving = false }
    return body()
  }

  /// Stops the program if a closure of the layout queries the view or invalidates its layout.
  ///
  /// While the layout is being solved, the frames of items are not known.
  final func requireSolvedLayout() {
    if layoutState.isSolving { failAccessWhileSolving() }
  }
}

/// The state of solving a view's layout.
package struct LayoutState {
  /// The pacing of the steps that make estimated frames final.
  var refinementPacing = StepPacing()
  /// Whether frames may have changed since the delegate was notified.
  var hasNewFrames = false
  /// Whether the layout is being solved, so that it must not be queried.
  var isSolving = false
  /// The number of queries for visible items, and of solutions and invalidations, for measurements.
  package var (plans, solutions) = (0, 0)
}
