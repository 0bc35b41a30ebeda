import CollectionEngine
public import CollectionLayout
import FramePacing
public import struct FoundationEssentials.IndexPath
public import Geometry
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// Places everything anew; what is seen first stays where it is.
  public final func invalidateLayout() { relayout(.everything) }

  /// What the layout knows of items is different, such as the shape of a picture; what is seen first stays where it is.
  ///
  /// - Parameter paths: the items, in any order; those that are not there are ignored.
  /// - Complexity: O(k log k) for k items, and what the layout takes to look at them.
  public final func invalidateItems(at paths: [IndexPath]) {
    requireSolvedLayout()
    let counts = solution.itemCounts
    let places = paths.map { (section: $0.section, item: $0.item) }
      .filter { counts.index(section: $0.section, item: $0.item) != nil }
      .sorted { $0 < $1 }
    if !places.isEmpty { relayout(.items(LayoutUpdate(changing: places, counts: counts))) }
  }

  /// Takes another layout and keeps an item at its place on screen, to half a pixel, as far as the content reaches.
  ///
  /// While the content is not scrolled meanwhile, layouts one after the other, as steps of a zoom, keep the same item: they
  /// do not creep, and come back to where they began.
  ///
  /// - Parameters:
  ///   - layout: the layout.
  ///   - isAnimated: whether items are shown on their way to their places, from where they are on screen.
  ///   - point: where the item is that is to stay, in the view's coordinates, such as the pointer's place; the nearest one
  ///     where none is there. Nothing keeps the first item that begins on screen.
  public final func setCollectionViewLayout(
    _ layout: any CollectionLayout, animated isAnimated: Bool = false, anchoredAt point: Point? = nil
  ) {
    if preservedAnchor?.reason != .zoom(point) {
      preservedAnchor = PreservedAnchor(anchor: zoomAnchor(at: point), reason: .zoom(point))
    }
    if isAnimated { beginUpdateAnimation() }
    collectionViewLayout = layout
    // Now, as what moves goes on before the next layout, and the item that is to stay would be forgotten.
    settleVisibleFrames()
  }

  /// The flat index of an item, if there is such an item.
  ///
  /// - Complexity: O(1).
  public final func flatIndex(at path: IndexPath) -> Int? {
    requireSolvedLayout()
    return solution.itemCounts.index(section: path.section, item: path.item)
  }

  /// The frame of an item in the content's coordinates, if there is such an item.
  public final func frameOfItem(at path: IndexPath) -> Rect? {
    flatIndex(at: path).map { solution.frame(ofItem: $0) }
  }

  /// Brings an item to a line of the view, as far as the content reaches; nothing for an item that is not there.
  public final func scrollToItem(at path: IndexPath, alignment: ScrollAlignment, animated: Bool) {
    guard let index = flatIndex(at: path) else { return }
    scrollToItem(index, at: ScrollEdge(alignment), animated: animated)
  }

  /// The size that the first item has, or would have if there were one.
  public final var firstItemSize: Size {
    requireSolvedLayout()
    if solution.itemCounts.total > 0 { return solution.frame(ofItem: 0).size }
    let environment = solution.environment
    return solving { collectionViewLayout.solved(in: environment, for: ItemCounts([1])).frame(ofItem: 0).size }
  }

  // MARK: Solving

  /// The view has another size or scale, or its data source went away.
  final func updateEnvironment() {
    reloadIfSourceLost()
    guard itemCounts == solution.itemCounts else { return relayout(.everything) }
    guard environment != solution.environment else { return }
    relayout(.environment(environment))
  }

  /// Takes in what changed, and moves the offset so that the anchor's place stays.
  final func relayout(_ invalidation: LayoutInvalidation) {
    requireSolvedLayout()
    // Sizes that cells asked for of the last layout mean nothing to another one.
    reloadIfSourceLost()
    remeasurePendingItems()
    if case .items = invalidation {} else { preparation.waiting.resetLargestBytes() }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: firstVisibleAnchor())
    relayout(invalidation, keeping: anchor, from: offset(of: anchor.anchor))
  }

  /// Takes in what changed.
  ///
  /// - Parameters:
  ///   - invalidation: what changed.
  ///   - anchor: what is to stay where it is, in the new numbers of items; nothing leaves the offset as it is.
  ///   - before: the offset that the anchor had in the last solution.
  final func relayout(_ invalidation: LayoutInvalidation, keeping anchor: PreservedAnchor?, from before: Double) {
    let isAnew = solveLayout(invalidation)
    restoreAnchor(anchor, from: before)
    if isAnew { remeasureItems { _ in true } }
    lineDistance = rowDistance
    notchDistance = max(48, (lineDistance * 0.5).rounded())
  }

  /// What the layout is to be solved in now.
  final var environment: LayoutEnvironment {
    LayoutEnvironment(
      containerSize: bounds.size, scale: displayScale, layoutDirection: layoutDirection)
  }

  /// How many items there are, as of what is shown.
  private var itemCounts: ItemCounts {
    showsFormerItems ? solution.itemCounts : ItemCounts(source?.sectionCounts ?? [])
  }

  /// Takes in what changed.
  ///
  /// - Returns: whether sizes that cells asked for are not known any more.
  private func solveLayout(_ invalidation: LayoutInvalidation) -> Bool {
    var isAnew = true
    layoutState.solutions += 1
    requireSolvedLayout()
    delegate?.collectionViewWillPrepareLayout(self)
    let environment = environment
    let counts = itemCounts
    switch invalidation {
    case .items(let update) where environment == solution.environment && update.counts == counts:
      solving { solution.invalidate(invalidation) }
      isAnew = false
    case .environment where counts == solution.itemCounts:
      solving { solution.invalidate(.environment(environment)) }
    default:
      solution = solving { collectionViewLayout.solved(in: environment, for: counts) }
    }
    applyAllOrthogonalOffsets(at: lastInstant)
    return isAnew
  }

  /// Items stand elsewhere: moves the offset with its anchor, and the cells on screen to their places.
  ///
  /// The content moves by the anchor's way, never to a place: what moves goes on. The way is one of whole pixels, from what
  /// was shown to what will be, so that many layouts in a row do not creep.
  private func restoreAnchor(_ anchor: PreservedAnchor?, from before: Double) {
    let scale = solution.environment.scale
    let way = anchor.map { scale.snapped(offset(of: $0.anchor)) - scale.snapped(before) } ?? 0
    let origin = contentOrigin
    scrollAxis = solution.scrollAxis
    setContentLength(solution.contentSize[scrollAxis], adjustingOffsetBy: way)
    shiftAnimations(by: contentOrigin - origin)
    interaction.rubberBand?.band.shiftContent(by: contentOrigin - origin)
    interaction.movement?.contentDidChange()
    preparation.window.shiftContent(by: way)
    preservedAnchor = anchor
    needsVisibleUpdate = true
    prefetch.needsUpdate = true
    layoutState.hasNewFrames = true
    indicator.reloadScrubber()
    for cell in displayed.cells {
      guard let index = cell.itemIndex else { continue }
      positionCell(cell, at: index)
      cell.layoutIfNeeded()
    }
    positionWaitingCells()
    updateHoveredItem()
    setNeedsDisplay()
  }

  /// From the beginning of the first row to that of the second.
  private var rowDistance: Double {
    guard solution.itemCounts.total > 0 else { return 80 }
    let first = solution.frame(ofItem: 0)
    var behind = Rect(origin: .zero, size: bounds.size)
    behind.origin[scrollAxis] = first.origin[scrollAxis] + first.size[scrollAxis]
    behind.size[scrollAxis] = .greatestFiniteMagnitude
    guard let next = solution.firstItem(in: behind) else { return max(16, first.size[scrollAxis]) }
    return max(16, solution.frame(ofItem: next).origin[scrollAxis] - first.origin[scrollAxis])
  }

  // MARK: Places that are not final

  /// More than a few rounds are not needed: each brings less that was not final into sight.
  static var maximumLayoutPasses: Int { 8 }

  /// Makes the places of what is and will soon be seen final, with what was seen last where it is.
  final func settleVisibleFrames() {
    guard !solution.isSettled else { return }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    for _ in 0..<CollectionView.maximumLayoutPasses {
      let before = offset(of: anchor.anchor)
      let rect = rectToSettle
      guard solving({ solution.settle(in: rect) }) else { return }
      restoreAnchor(anchor, from: before)
    }
  }

  /// A screen before what is seen and two behind it: what is prefetched knows its size.
  private var rectToSettle: Rect {
    let screen = bounds.height
    let start = max(0, contentOffset - screen)
    return Rect(x: 0, y: start, width: bounds.width, height: contentOffset + 3 * screen - start)
  }

  /// Changes places with what was seen last where it is.
  ///
  /// - Parameter change: returns whether anything moved.
  final func preservingAnchor(_ change: () -> Bool) {
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    let before = offset(of: anchor.anchor)
    if change() { restoreAnchor(anchor, from: before) }
  }

  /// Makes some more places final, with what is seen where it is.
  final func refineLayout(_ clock: any FrameClock) {
    let start = clock.now()
    preservingAnchor { solving { solution.refine(atMost: StepPacing.itemsPerStep) } }
    StepPacing.spendModelledCost(on: clock)
    layoutState.refinementPacing.recordStep(clock.now() - start)
  }

  /// The first item that was seen in the last frame and still is: unlike one that enters, its place is final.
  ///
  /// Never one whose cell just asked for another size, as it might grow to either side: that is what is to be settled.
  private func displayedAnchor() -> ContentAnchor {
    let standing = firstVisibleAnchor()
    guard standing != .start else { return standing }
    let seen = displayed.cells.lazy.compactMap(\.itemIndex).first { item in
      !self.sizeRequests.items.contains { $0.item == item }
        && self.solution.frame(ofItem: item).intersects(self.visibleRect)
    }
    return seen.map(leadingAnchor) ?? standing
  }

  // MARK: Anchors

  /// The beginning of an item, where it stands.
  private func leadingAnchor(of item: Int) -> ContentAnchor {
    let points = solution.frame(ofItem: item).origin[scrollAxis] - anchoringOffset
    return .item(ItemAnchor(item: item, itemUnit: 0, viewportUnit: 0, points: points))
  }

  private func zoomAnchor(at point: Point?) -> ContentAnchor {
    guard let point else {
      let standing = firstVisibleAnchor()
      guard standing != .start else { return standing }
      let uncovered = uncoveredStart
      let first = solution.items(in: visibleRect).first {
        solution.frame(ofItem: $0).origin[scrollAxis] >= uncovered
      }
      return first.map(leadingAnchor) ?? standing
    }
    let place = point + contentOrigin
    guard let item = nearestItem(to: place) else { return firstVisibleAnchor() }
    let frame = solution.frame(ofItem: item)
    let start = frame.origin[scrollAxis]
    let length = frame.size[scrollAxis]
    let unit = min(1, max(0, (place[scrollAxis] - start) / length))
    return .item(
      ItemAnchor(item: item, itemUnit: unit, viewportUnit: 0, points: start + unit * length - anchoringOffset))
  }

  /// Where views end that are pinned at the beginning of what is seen: they hide what is beneath them.
  final var uncoveredStart: Double {
    (0..<elements.count).reduce(contentOffset + axisInsets.start) { start, place in
      let frame = displayedFrame(ofElementAt: place)
      guard elements.attributes[place].isPinned, frame.origin[scrollAxis] <= start else { return start }
      return max(start, frame.origin[scrollAxis] + frame.size[scrollAxis])
    }
  }

  /// The item at a point of the content, or the nearest of those around it.
  private func nearestItem(to place: Point) -> Int? {
    for reach in [1, 32, 128, max(bounds.width, bounds.height)] {
      let around = Rect(x: place.x - reach / 2, y: place.y - reach / 2, width: reach, height: reach)
      var nearest: (item: Int, distance: Double)?
      for item in solution.items(in: around) {
        let distance = solution.frame(ofItem: item).distance(to: place)
        if distance < nearest?.distance ?? .infinity { nearest = (item, distance) }
      }
      if let nearest { return nearest.item }
    }
    return nil
  }
}

extension Rect {
  /// How far a point lies outside, horizontally and vertically together, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }
}
