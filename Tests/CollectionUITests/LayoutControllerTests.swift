@testable import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The layout controller, without a view")
struct LayoutControllerTests {
  @Test("The first visible item stays where it is when the view's size changes")
  func resizing() {
    let host = LayoutHostDouble(count: 1_000)
    host.scroll(to: 5_000)
    let item = host.layout.solution.items(in: host.visibleRect).first
    host.resize(to: Size(width: 100, height: 300))
    #expect(item != nil && host.layout.solution.items(in: host.visibleRect).first == item)
    #expect(host.delegateCalls == 2, "before the first solution and before the second")
  }

  @Test("Layouts exchanged around a point return to the initial offset, unless the content was scrolled meanwhile")
  func zooming() {
    let host = LayoutHostDouble(count: 1_000)
    host.scroll(to: 5_021)
    let point = Point(x: 10, y: 120)
    for height in [93.0, 17, 61, 50] { host.zoom(to: height, at: point) }
    #expect(host.contentOffset == 5_021)
    host.zoom(to: 93, at: point)
    host.scroll(to: host.contentOffset + 30)
    host.zoom(to: 50, at: point)
    #expect((host.contentOffset - 5_021 - 30 * 50 / 93).magnitude <= 1, "another position of the item is preserved")
  }

  @Test("The item at a point stays there to half a pixel, and content moves by whole pixels", arguments: 0..<8)
  func anchoring(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let host = LayoutHostDouble(count: 5_000)
    for _ in 0..<40 {
      host.scroll(to: Double.random(in: 2_000...40_000, using: &generator).rounded())
      let y = Double.random(in: 1..<299, using: &generator).rounded()
      let before = host.relativePosition(at: y)
      host.zoom(to: Double.random(in: 20...120, using: &generator).rounded(), at: Point(x: 5, y: y))
      let frame = host.layout.solution.frame(ofItem: before.item)
      #expect((frame.minY + before.unit * frame.height - host.contentOffset - y).magnitude <= 0.5, "seed \(seed)")
      #expect(host.contentOffset == host.contentOffset.rounded(), "seed \(seed)")
    }
  }

  @Test("Sizes that cells request are passed to the layout together, and what is visible stays where it is")
  func preferredSizes() throws {
    let host = LayoutHostDouble(count: 100, estimatedHeight: 50)
    host.scroll(to: 1_010)
    func position(of item: Int) -> Double { host.layout.solution.frame(ofItem: item).minY - host.contentOffset }
    let before = position(of: 22)
    host.preferredHeights = [20: 90, 21: 20]
    for item in 20...21 { host.layout.requestPreferredSize(try #require(host.cells.displayedCell(at: item)), at: item) }
    #expect(host.layout.hasSizeRequests && host.layout.applyPreferredSizes() && !host.layout.hasSizeRequests)
    #expect(host.layout.solution.frame(ofItem: 20).height == 90)
    #expect(host.layout.solution.frame(ofItem: 21).height == 20)
    #expect(position(of: 22) == before, "the first item whose size did not change")
    #expect(host.layout.takeHasNewFrames() && !host.layout.takeHasNewFrames())
    host.resize(to: Size(width: 150, height: 300))
    #expect(host.layout.solution.frame(ofItem: 20).height == 50, "measured for another width")
  }

  @Test(
    "Sizes that are not usable are replaced by the layout's and counted", arguments: [.nan, -1, .infinity] as [Double])
  func refusedSizes(height: Double) throws {
    let host = LayoutHostDouble(count: 100, estimatedHeight: 50)
    host.scroll(to: 0)
    host.preferredHeights = [2: height]
    host.layout.requestPreferredSize(try #require(host.cells.displayedCell(at: 2)), at: 2)
    _ = host.layout.applyPreferredSizes()
    #expect(host.layout.solution.frame(ofItem: 2).height == 50 && host.layout.solution.frame(ofItem: 3).minY == 150)
    #expect(host.cells.statistics.refusedSizes == 1)
  }
}

/// A double of the collection view for the layout controller, with items in one column.
final class LayoutHostDouble: CellHostDouble, @MainActor LayoutHost {
  var collectionViewLayout: any CollectionLayout
  private(set) lazy var layout = LayoutController(layout: collectionViewLayout, cells: cells)
  /// The heights that cells prefer, by item; otherwise the layout's.
  var preferredHeights: [Int: Double] = [:]
  /// The number of notifications before the layout is solved.
  private(set) var delegateCalls = 0
  /// The names of items by index, or nil if their names are their indices.
  ///
  /// An item keeps the height that is preferred for its name.
  private var names: [Int: Int]?
  private var counts: ItemCounts
  private lazy var registration = CellRegistration<MeasuredCell, Int> { [unowned self] cell, _, item in
    let name = names.map { $0[item] ?? -1 } ?? item
    cell.preferredHeight = { [unowned self] in preferredHeights[name] }
  }

  /// Creates a double with items of 50 points height.
  ///
  /// - Parameter estimatedHeight: The height that rows have until their cells are measured, or nil for a grid.
  convenience init(count: Int, estimatedHeight: Double? = nil) {
    self.init(ItemCounts([count]), estimatedHeight: estimatedHeight)
  }

  init(_ counts: ItemCounts, names: [Int: Int]? = nil, estimatedHeight: Double?) {
    self.counts = counts
    self.names = names
    collectionViewLayout =
      estimatedHeight.map { height -> any CollectionLayout in
        let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(height))
        let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
        return CompositionalLayout(section: CollectionLayoutSection(group: group))
      } ?? Self.grid(of: 50)
    super.init()
    waitingArea = 0..<0
    layout.host = self
    layout.relayout(.everything)
  }

  private static func grid(of height: Double) -> GridLayout {
    GridLayout(columns: .count(1), heightRatio: 0, captionHeight: height)
  }

  override var solution: any SolvedLayout {
    get { layout.solution }
    set {}
  }

  override func scroll(to offset: Double) {
    layout.contentDidScroll()
    scroll = ScrollState(range: scroll.range, offset: offset)
    showVisibleItems()
  }

  func takeArrivedDistance() -> Double? { nil }
  func shiftSection(_ section: Int, by points: Double) {}

  private func showVisibleItems() {
    let items = layout.solution.items(in: visibleRect)
    if let first = items.first, let last = items.last { show(first..<last + 1) }
  }

  func resize(to size: Size) {
    bounds.size = size
    layout.relayout(.environment(layoutEnvironment))
  }

  /// Displays all items, as a frame of a very high view does, and passes the sizes that their cells prefer to the layout.
  func showAll() {
    show(0..<itemCount)
    requestSizesOfAllCells()
    _ = layout.applyPreferredSizes()
  }

  func requestSizesOfAllCells() {
    for (index, cell) in cells.displayedEntries { layout.requestPreferredSize(cell, at: index) }
  }

  /// Replaces the items by others, and displays and measures in the next frame what has no size yet.
  func apply(_ map: IndexMap, _ changes: Changeset) {
    layout.apply(map)
    for (index, cell) in cells.applyToDisplayedCells(map) {
      cells.endDisplaying(cell, at: indexPath(at: index), waitingFor: nil)
    }
    cells.apply(map)
    let former = names ?? [:]
    names = [:]
    for (index, name) in former { if let index = map.newIndex(ofItem: index) { names?[index] = name } }
    counts = map.counts
    let update = LayoutUpdate(changes, formerSectionCount: map.formerCounts.numberOfSections, counts: map.counts)
    layout.relayout(update.map(LayoutInvalidation.items) ?? .everything, keeping: nil, from: 0)
    layout.remeasureItems { map.isMoved(item: $0) }
    layout.cellSizeDidBecomeInvalid()
    layout.measureInvalidatedCells()
    let entered = Set(0..<itemCount).subtracting(cells.displayedEntries.map(\.index))
    show(0..<itemCount)
    for index in entered.sorted() {
      if let cell = cells.displayedCell(at: index) { layout.requestPreferredSize(cell, at: index) }
    }
    _ = layout.applyPreferredSizes()
  }

  func zoom(to height: Double, at point: Point) {
    layout.preserveAnchorForZoom(at: point)
    collectionViewLayout = Self.grid(of: height)
    layout.relayout(.everything)
  }

  /// Returns the item at a position in the viewport, and the position as a fraction of its height.
  func relativePosition(at y: Double) -> (item: Int, unit: Double) {
    let point = Rect(x: 5, y: contentOffset + y, width: 1e-6, height: 1e-6)
    let item = layout.solution.items(in: point).first ?? 0
    let frame = layout.solution.frame(ofItem: item)
    return (item, (contentOffset + y - frame.minY) / frame.height)
  }

  override func provideCell(at index: Int, from source: any CellSource) -> CollectionViewCell {
    cells.dequeueCell(using: registration, for: indexPath(at: index), at: index, item: index)
  }

  // MARK: - LayoutHost

  var layoutEnvironment: LayoutEnvironment { LayoutEnvironment(containerSize: bounds.size) }
  var itemCountsToSolve: ItemCounts { counts }
  var axisInsets: (start: Double, end: Double) { (0, 0) }
  var uncoveredStart: Double { contentOffset }
  func willPrepareLayout() { delegateCalls += 1 }
  func layoutWasSolved() {}
  func moveContent(by delta: Double) {
    let range = ScrollRange(
      minimum: 0, maximum: max(0, layout.solution.contentSize.height - bounds.height), viewportLength: bounds.height)
    scroll = ScrollState(range: range, offset: range.clamp(contentOffset + delta))
  }
  func framesDidChange() { showVisibleItems() }
  func setNeedsMeasuring() {}
}

/// A cell with a preferred height.
private final class MeasuredCell: CollectionViewCell {
  var preferredHeight: () -> Double? = { nil }

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    if let height = preferredHeight() { attributes.frame.size.height = height }
    return attributes
  }
}
