public import CollectionEngine
public import CollectionLayout
public import FramePacing
public import struct FoundationEssentials.IndexPath
public import Geometry
public import Rendering
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
  public var layout: any CollectionLayout {
    didSet { invalidateLayout() }
  }

  weak var source: (any CollectionViewSource)?
  var displayed: [CollectionViewCell] = []
  var visible = VisibleWindow()
  var pool = ReusePool<CollectionViewCell>()
  var planner = PrefetchPlanner()
  var registrations: [ObjectIdentifier: (number: Int, held: AnyObject)] = [:]
  var reconfiguredCell: CollectionViewCell?
  var geometry: LayoutGeometry
  private var needsPlan = false
  private var mostVisible = 0
  private var entered = 0

  /// Makes a view over a layout.
  public init(layout: any CollectionLayout) {
    self.layout = layout
    geometry = LayoutGeometry(layout: layout)
    super.init()
    backgroundColor = .clear
  }

  // MARK: Items

  /// All items of all sections.
  public final var itemCount: Int { geometry.itemCount }

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
  public final func indexPath(at index: Int) -> IndexPath { geometry.indexPath(at: index) }

  // MARK: Layout

  /// Places everything anew; what is seen first stays where it is.
  public final func invalidateLayout() {
    let anchor = currentAnchor
    geometry = LayoutGeometry(layout: layout)
    relayout(keeping: anchor)
  }

  /// What is to stay where it is over a change.
  final var currentAnchor: ContentAnchor? {
    geometry.anchor(at: contentOffset, visible: visible.range)
  }

  /// Recomputes places for the present size and counts, and moves the offset so that an anchor's item stays.
  final func relayout(keeping anchor: ContentAnchor?) {
    geometry.prepare(
      size: bounds.size, scale: window?.resources.scale ?? .one, sectionCounts: source?.sectionCounts ?? [])
    let adjustment = anchor.map { geometry.offset(keeping: $0) - contentOffset } ?? 0
    setContentLength(geometry.contentLength, adjustingOffsetBy: adjustment)
    lineDistance = geometry.lineDistance
    notchDistance = max(48, (geometry.lineDistance * 0.5).rounded())
    needsPlan = true
    for index in displayed.indices { place(displayed[index], at: visible.range.lowerBound + index) }
    setNeedsDisplay()
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    relayout(keeping: currentAnchor)
  }

  open override func contentOffsetDidChange() { needsPlan = true }

  private func place(_ cell: CollectionViewCell, at index: Int) {
    cell.itemIndex = index
    cell.frame = geometry.frame(of: index)
  }

  open override func origin(of view: View) -> Point {
    guard view is CollectionViewCell else { return super.origin(of: view) }
    return Point(x: view.frame.minX, y: view.frame.minY - contentOffset)
  }

  // MARK: Frames

  /// Phase 4: the visible rectangle becomes a range, and what left it goes to the pool.
  open func layout() {
    guard needsPlan else { return }
    let next = geometry.indices(in: visibleRect)
    let last = visible.range
    let change = visible.move(to: next)
    guard !change.isEmpty else { return }
    retire(change, from: last)
    mostVisible = max(mostVisible, next.count)
  }

  /// Phase 5: cells are prepared for what came in, and what will be seen is announced.
  open func commit(_ record: inout FrameRecord) {
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
    delegate?.collectionView(self, didEndDisplaying: cell, at: geometry.indexPath(at: min(index, max(0, itemCount - 1))))
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
    delegate?.collectionView(self, willDisplay: cell, at: geometry.indexPath(at: index))
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
