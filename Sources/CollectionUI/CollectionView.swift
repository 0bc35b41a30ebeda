public import CollectionEngine
public import CollectionLayout
public import FramePacing
public import struct FoundationEssentials.IndexPath
public import Geometry
import Rendering
import ScrollPhysics
public import Views

/// Shows the items of a data source in cells, placed by a layout, as many as are seen.
///
/// Cells are asked for when their items come on screen, and reused when they left it. Positions and ranges are computed,
/// never stored for each item, so that a million items cost what a thousand do.
open class CollectionView: ScrollView {
  /// Is told when cells come and go.
  public weak var delegate: (any CollectionViewDelegate)?
  /// Counts over the view's life.
  public internal(set) var statistics = CellStatistics()
  /// Whether data is prefetched.
  public var isPrefetchingEnabled = true

  /// Where items stand.
  public var collectionViewLayout: any CollectionLayout {
    didSet { invalidateLayout() }
  }

  weak var source: (any CollectionViewSource)?
  var displayed: [CollectionViewCell] = []
  var visible = VisibleWindow()
  var pool = ReusePool<CollectionViewCell>()
  var planner = PrefetchPlanner()
  var registrations: [ObjectIdentifier: (number: Int, held: AnyObject)] = [:]
  var reconfiguredCell: CollectionViewCell?
  private(set) var solution: any SolvedLayout
  /// What stays where it is over changes of layout; chosen anew when the content moves, kept through everything else.
  private var anchor = ContentAnchor.start
  private var needsPlan = false
  private var mostVisible = 0
  private var entered = 0

  /// Makes a view over a layout.
  public init(layout: any CollectionLayout) {
    collectionViewLayout = layout
    solution = layout.solved(in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([]))
    super.init()
    backgroundColor = .clear
  }

  // MARK: Items

  /// All items of all sections.
  public final var itemCount: Int { solution.itemCounts.total }

  /// The items on screen, as flat indices in display order.
  public final var visibleRange: Range<Int> { visible.range }

  /// The cells on screen, in display order.
  public final var visibleCells: [CollectionViewCell] { displayed }

  /// Cells that wait for another item.
  public final var pooledCount: Int { pool.count }

  /// The cell of an item, if it is on screen.
  ///
  /// - Complexity: O(1).
  public final func cell(at index: Int) -> CollectionViewCell? {
    visible.range.contains(index) ? displayed[index - visible.range.lowerBound] : nil
  }

  /// The path of a flat index.
  ///
  /// - Complexity: O(log sections).
  public final func indexPath(at index: Int) -> IndexPath {
    let position = solution.itemCounts.position(of: index) ?? (section: 0, item: index)
    return IndexPath(item: position.item, section: position.section)
  }

  // MARK: Layout

  /// Places everything anew; what is seen first stays where it is.
  public final func invalidateLayout() { relayout() }

  /// The frame of an item in the content's coordinates, if there is such an item.
  public final func frameOfItem(at path: IndexPath) -> Rect? {
    solution.itemCounts.index(section: path.section, item: path.item).map { solution.frame(ofItem: $0) }
  }

  /// Brings an item to a line of the view, as far as the content reaches; nothing for an item that is not there.
  public final func scrollToItem(at path: IndexPath, alignment: ScrollAlignment, animated: Bool) {
    guard let index = solution.itemCounts.index(section: path.section, item: path.item) else { return }
    scroll(to: solution.offset(of: .item(ItemAnchor(item: index, alignment: alignment))), animated: animated)
  }

  /// The size that the first item has, or would have if there were one.
  public final var firstItemSize: Size {
    if solution.itemCounts.total > 0 { return solution.frame(ofItem: 0).size }
    let environment = solution.environment
    return collectionViewLayout.solved(in: environment, for: ItemCounts([1])).frame(ofItem: 0).size
  }

  /// The item that the anchor holds, if it holds one.
  final var anchoredItem: Int? {
    if case .item(let item) = anchor { return item.item }
    return nil
  }

  /// Lets the anchor hold another index: its item was numbered anew.
  final func renumberAnchor(to index: Int) {
    if case .item(var item) = anchor {
      item.item = index
      anchor = .item(item)
    }
  }

  /// Computes places for the present size and counts, and moves the offset so that the anchor's item stays.
  final func relayout() {
    solution = collectionViewLayout.solved(
      in: LayoutEnvironment(containerSize: bounds.size, scale: window?.resources.scale ?? .one),
      for: ItemCounts(source?.sectionCounts ?? []))
    let kept = anchor
    let wanted = solution.offset(of: kept)
    setContentLength(solution.contentSize.height, adjustingOffsetBy: wanted - scroll.offset(at: lastInstant))
    anchor = kept
    lineDistance = rowDistance
    notchDistance = max(48, (lineDistance * 0.5).rounded())
    needsPlan = true
    for index in displayed.indices { place(displayed[index], at: visible.range.lowerBound + index) }
    setNeedsDisplay()
  }

  /// From the top of the first row to the top of the second.
  private var rowDistance: Double {
    guard solution.itemCounts.total > 0 else { return 80 }
    let first = solution.frame(ofItem: 0)
    let below = Rect(x: 0, y: first.maxY, width: bounds.width, height: .greatestFiniteMagnitude)
    guard let next = solution.firstItem(in: below) else { return max(16, first.height) }
    return max(16, solution.frame(ofItem: next).minY - first.minY)
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    relayout()
  }

  open override func contentOffsetDidChange() {
    anchor = solution.anchor(at: contentOffset)
    needsPlan = true
  }

  private func place(_ cell: CollectionViewCell, at index: Int) {
    cell.itemIndex = index
    cell.frame = solution.frame(ofItem: index)
  }

  open override func origin(of view: View) -> Point {
    guard view is CollectionViewCell else { return super.origin(of: view) }
    return Point(x: view.frame.minX, y: view.frame.minY - contentOffset)
  }

  // MARK: Frames

  /// Phase 4: the visible rectangle becomes a range, and what left it goes to the pool.
  open override func layout() {
    guard needsPlan else { return }
    let next = solution.items(in: visibleRect)
    let last = visible.range
    let change = visible.move(to: next)
    guard !change.isEmpty else { return }
    retire(change, from: last)
    mostVisible = max(mostVisible, next.count)
  }

  /// Phase 5: cells are prepared for what came in, and what will be seen is announced.
  open override func commit(_ record: inout FrameRecord) {
    guard needsPlan else { return }
    needsPlan = false
    entered = 0
    fill()
    record.cellsEntered += Int32(entered)
    record.cellsForced += Int32(entered)
    announce()
    delegate?.collectionViewDidScroll(self)
  }

  /// Ends the display of what left.
  private func retire(_ change: VisibleWindow.Change, from last: Range<Int>) {
    let leavingAfter = change.leavingAfter.count
    let leavingBefore = change.leavingBefore.count
    let ending = displayed.suffix(leavingAfter) + displayed.prefix(leavingBefore)
    displayed.removeLast(leavingAfter)
    displayed.removeFirst(leavingBefore)
    for cell in ending { endDisplaying(cell) }
  }

  final func endDisplaying(_ cell: CollectionViewCell) {
    let index = cell.itemIndex ?? 0
    cell.itemIndex = nil
    delegate?.collectionView(self, didEndDisplaying: cell, at: indexPath(at: index))
    cell.removeFromSuperview()
    pool.put(cell, of: cell.registration, keepingAtMost: max(16, mostVisible))
  }

  /// Prepares the cells that the visible range lacks, before and after those that are displayed.
  private func fill() {
    guard let source else { return }
    let range = visible.range
    guard displayed.count < range.count else { return }
    let firstKept = displayed.first?.itemIndex ?? range.upperBound
    let before = (range.lowerBound..<min(firstKept, range.upperBound)).map { prepareForDisplay($0, source) }
    displayed.insert(contentsOf: before, at: 0)
    while displayed.count < range.count {
      displayed.append(prepareForDisplay(range.lowerBound + displayed.count, source))
    }
  }

  final func prepareForDisplay(_ index: Int, _ source: any CollectionViewSource) -> CollectionViewCell {
    let cell = source.cell(at: index, in: self)
    place(cell, at: index)
    adopt(cell)
    cell.layoutIfNeeded()
    delegate?.collectionView(self, willDisplay: cell, at: indexPath(at: index))
    statistics.displayed += 1
    entered += 1
    return cell
  }

  private func announce() {
    guard isPrefetchingEnabled, let source else { return }
    let plan = planner.handle(visible: visible.range, count: itemCount, offset: contentOffset)
    if !plan.cancel.isEmpty { source.cancelPrefetching(plan.cancel) }
    if !plan.prefetch.isEmpty { source.prefetch(plan.prefetch) }
  }

  // MARK: Drawing and input

  open override func render(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    context.clipped(to: bounds) { context in
      for cell in displayed {
        context.translated(by: Point(x: cell.frame.minX, y: cell.frame.minY - contentOffset)) {
          cell.render(in: $0)
        }
      }
    }
    for view in subviews where !view.isHidden {
      context.translated(by: view.frame.origin) { view.render(in: $0) }
    }
  }

  open override func hitTest(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(point - view.frame.origin) { return hit }
    }
    for cell in displayed {
      let corner = origin(of: cell)
      if let hit = cell.hitTest(point - corner) { return hit }
    }
    return self
  }
}
