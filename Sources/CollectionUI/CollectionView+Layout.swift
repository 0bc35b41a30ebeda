public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
public import VitrineCollectionLayout
public import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The layout. Its owner is ``LayoutController``.
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
    itemScrollController.discardArrivedScroll()
    layoutController.preserveAnchorForZoom(at: point)
    if isAnimated { updateAnimator.begin() }
    collectionViewLayout = layout
    // Now, because scrolling may continue before the next layout, which resets the preserved anchor.
    layoutController.finalizeVisibleFrames()
  }

  /// The sentences that describe how the layouts of sections violated rules, each rule once.
  ///
  /// A violating answer is replaced by a valid one, and counted in ``statistics``. A host prints the sentences at the end
  /// of a run.
  public final var layoutWarnings: [String] { layoutController.warnings }

  /// The layout of the displayed items.
  package final var solution: any SolvedLayout { layoutController.solution }

  /// The number of queries for visible items, and of solutions and invalidations of the layout, for measurements.
  package final var layoutCounts: (queries: Int, solutions: Int) {
    (layoutQueries.queryCount, layoutController.solutionCount)
  }

  // MARK: - Solving

  /// Updates the layout after the view's size or scale changed or its data source was deallocated.
  final func updateEnvironment() {
    sourceController.removeItemsIfLost()
    guard itemCountsToSolve == solution.itemCounts else { return relayout(.everything) }
    let environment = layoutEnvironment
    if environment != solution.environment { relayout(.environment(environment)) }
  }

  /// Invalidates the layout while preserving the anchor's position.
  final func relayout(_ invalidation: LayoutInvalidation) {
    requireSolvedLayout()
    sourceController.removeItemsIfLost()
    layoutController.relayout(invalidation)
    updateScrollDistances()
  }

  /// Invalidates the layout while preserving an anchor's position.
  ///
  /// - Parameters:
  ///   - invalidation: The change.
  ///   - anchor: The anchor to preserve, in the new item indices, or nil to keep the offset.
  ///   - before: The offset that the anchor had in the last solution.
  final func relayout(_ invalidation: LayoutInvalidation, keeping anchor: ContentAnchor?, from before: Double) {
    layoutController.relayout(invalidation, keeping: anchor, from: before)
    updateScrollDistances()
  }

  /// Stops the program if a closure of the layout queries the view or invalidates its layout.
  final func requireSolvedLayout() { layoutController.requireSolvedLayout() }

  /// Updates the distances of arrow keys and wheel notches.
  private func updateScrollDistances() {
    lineDistance = rowDistance
    notchDistance = max(48, (lineDistance * 0.5).rounded())
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

  /// Provides visible items with their cells, repeating if preferred sizes bring more items into view.
  final func fillVisibleViews() {
    layoutController.measureInvalidatedCells()
    for round in 0..<LayoutController.maximumPasses {
      fillVisibleCells()
      supplementaryController.fillVisibleElements()
      guard layoutController.applyPreferredSizes(), round < LayoutController.maximumPasses - 1 else { return }
      layout()
    }
  }
}

extension CollectionView: LayoutHost {
  package final var layoutEnvironment: LayoutEnvironment {
    LayoutEnvironment(
      containerSize: bounds.size, contentInsets: crossInsets, scale: displayScale, layoutDirection: layoutDirection)
  }

  /// The content's inset across the scroll axis, by which the layout insets its sections.
  private var crossInsets: Insets {
    var insets = contentInset
    if scrollAxis == .vertical { (insets.top, insets.bottom) = (0, 0) } else { (insets.left, insets.right) = (0, 0) }
    return insets
  }

  package final var itemCountsToSolve: ItemCounts { sourceController.itemCounts }

  package final var uncoveredStart: Double {
    supplementaryController.elements.reduce(contentOffset + axisInsets.start) { start, element in
      let frame = element.frame
      guard element.attributes.isPinned, frame.origin[scrollAxis] <= start else { return start }
      return max(start, frame.origin[scrollAxis] + frame.size[scrollAxis])
    }
  }

  package final func willPrepareLayout() { delegate?.collectionViewWillPrepareLayout(self) }

  package final func layoutWasSolved() {
    adjustsTargetContentOffset = solution.adjustsTargetContentOffset
    if solution.hasItemsBackgrounds { updateBackgroundEnds() }
    updatePinningInsets()
    orthogonalController.applyAllOffsets(at: lastInstant)
  }

  /// Draws the cells again whose positions on the background of their section's items changed.
  private func updateBackgroundEnds() {
    let solution = solution
    for cell in visibleCells + preparedCells {
      guard let index = cell.itemIndex, index < solution.itemCounts.total else { continue }
      cell.updateBackgroundEnds(solution.backgroundEnds(ofItem: index))
    }
  }

  /// Moves pinned views to their distances from the edges of the view.
  final func updatePinningInsets() {
    let insets = axisInsets
    layoutController.setPinningInsets(start: pinningInset ?? insets.start, end: insets.end)
  }

  package final func moveContent(by delta: Double) {
    let origin = contentOrigin
    scrollAxis = solution.scrollAxis
    setContentLength(solution.contentSize[scrollAxis], adjustingOffsetBy: delta)
    updateAnimator.shiftContent(by: contentOrigin - origin)
    rubberBandController.shiftContent(by: contentOrigin - origin)
    dragController.contentDidChange()
    prefetchController.shiftContent(by: delta)
    itemScrollController.shiftContent(by: delta)
  }

  package final func framesDidChange() {
    setNeedsVisibleUpdate()
    dataPrefetchController.setNeedsUpdate()
    scrollIndicator.reloadScrubber()
    cellController.layOutCells()
    pressController.updateHoveredItem()
    itemScrollController.framesDidChange()
    setNeedsDisplay()
  }

  package final func shiftSection(_ section: Int, by points: Double) {
    orthogonalController.shift(section, by: points, at: lastInstant)
    itemScrollController.shiftSection(section, by: points)
  }

  package final func takeArrivedDistance() -> Double? { itemScrollController.takeArrivedDistance() }

  package final func setNeedsMeasuring() {
    layoutQueries.setNeedsCells()
    setNeedsDisplay()
  }

  package final func solving<Result>(_ body: () -> Result) -> Result { layoutController.solving(body) }

  package final func requestPreferredSize(_ cell: CollectionViewCell, at index: Int) {
    layoutController.requestPreferredSize(cell, at: index)
  }

  package final func unfreezeSize(ofItem index: Int) { layoutController.unfreezeSize(ofItem: index) }

  package final func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {
    layoutController.requestPreferredSize(view, element)
  }
}
