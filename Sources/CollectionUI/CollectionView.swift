public import CollectionEngine
public import CollectionLayout
import DataStructures
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
  /// Counts of what the data source was given, over the view's life.
  public internal(set) var updateStatistics = UpdateStatistics()
  /// Whether data is prefetched.
  public var isPrefetchingEnabled = true

  /// Where items stand.
  public var collectionViewLayout: any CollectionLayout {
    didSet { invalidateLayout() }
  }

  weak var source: (any CollectionViewSource)? {
    didSet {
      guard source !== oldValue else { return }
      whenReady { self.replaceAllItems() }
    }
  }
  /// The cells on screen; each knows its item's index.
  var displayed = DisplayedCells<CollectionViewCell>() {
    didSet { drawings.removeAll(keepingCapacity: true) }
  }
  /// What these cells drew, made of them when a frame needs it.
  private var drawings: [KeptDrawing] = []
  var pool = ReusePool<CollectionViewCell>()
  var planner = PrefetchPlanner()
  var registrations: [ObjectIdentifier: (number: Int, held: AnyObject)] = [:]
  var reconfiguredCell: CollectionViewCell?
  /// The cell that was dequeued last, until its provider returns it.
  var dequeuedCell: CollectionViewCell?
  var solution: any SolvedLayout
  /// What stays where it is over changes of layout; nothing once the content moved, as it is chosen anew then.
  var keptAnchor: ContentAnchor?
  var mostVisible = 0
  var entered = 0
  private var needsPlan = false
  private var needsCells = false
  private var depth = 0
  private var waitingUpdates = Deque<() -> Void>()

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
  public final var visibleRange: Range<Int> { displayed.range }

  /// The cells on screen, in display order.
  public final var visibleCells: [CollectionViewCell] { displayed.cells }

  /// Cells that wait for another item.
  public final var pooledCount: Int { pool.count }

  /// The cell of an item, if it is on screen.
  ///
  /// - Complexity: O(1), or O(log cells) between an update and the next frame.
  public final func cell(at index: Int) -> CollectionViewCell? { displayed[index] }

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

  /// Computes places for the present size and counts, and moves the offset so that the anchor's place stays.
  final func relayout() {
    let anchor = keptAnchor ?? solution.anchor(at: contentOffset)
    let before = solution.offset(of: anchor)
    relayout(keeping: anchor, from: before)
  }

  /// Computes places for the present size and counts.
  ///
  /// - Parameters:
  ///   - anchor: what is to stay where it is, in the new numbers of items; nothing leaves the offset as it is.
  ///   - before: the offset that the anchor had in the last solution. The content moves by the difference, never to a
  ///     place: many layouts in a row do not creep, and what moves goes on.
  final func relayout(keeping anchor: ContentAnchor?, from before: Double) {
    solution = collectionViewLayout.solved(
      in: LayoutEnvironment(containerSize: bounds.size, scale: window?.resources.scale ?? .one),
      for: ItemCounts(source?.sectionCounts ?? []))
    let adjustment = anchor.map { solution.offset(of: $0) - before } ?? 0
    setContentLength(solution.contentSize.height, adjustingOffsetBy: adjustment)
    keptAnchor = anchor
    lineDistance = rowDistance
    notchDistance = max(48, (lineDistance * 0.5).rounded())
    needsPlan = true
    // A data source that went away took its items along.
    if displayed.range.upperBound > itemCount { removeAllCells() }
    for cell in displayed.cells {
      guard let index = cell.itemIndex else { continue }
      place(cell, at: index)
      cell.layoutIfNeeded()
    }
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
    keptAnchor = nil
    needsPlan = true
  }

  final func place(_ cell: CollectionViewCell, at index: Int) {
    let frame = solution.frame(ofItem: index)
    cell.itemIndex = index
    cell.drawing.corner = frame.origin
    cell.frame = frame
  }

  open override func origin(of view: View) -> Point {
    guard view is CollectionViewCell else { return super.origin(of: view) }
    return Point(x: view.frame.minX, y: view.frame.minY - contentOffset)
  }

  // MARK: Frames

  /// Whether the content will move, items came on screen that have no cell yet, or an update is on its way.
  open override var needsFrames: Bool {
    needsPlan || needsCells || source?.needsFrames ?? false || super.needsFrames
  }

  /// Whether frames come in which this view takes part.
  final var runsFrames: Bool { window?.runsFrames(with: self) ?? false }

  /// Phase 3: updates that are ready are carried out, and told to those who wait for them.
  open override func collect(_ budget: FrameBudget) { source?.collect(budget) }

  /// Phase 4: the visible rectangle becomes a range, and what left it goes to the pool.
  open override func layout() {
    guard needsPlan else { return }
    needsPlan = false
    needsCells = true
    let next = solution.items(in: visibleRect)
    guard next != displayed.range else { return }
    retire(displayed.move(to: next))
    mostVisible = max(mostVisible, next.count)
  }

  /// Phase 5: cells are prepared for what came in, and what will be seen is announced.
  open override func commit(_ record: inout FrameRecord) {
    source?.frameBegins()
    // Nothing, unless an update came after this frame's layout.
    layout()
    guard needsCells else { return }
    needsCells = false
    entered = 0
    exclusively {
      fill()
      announce()
      delegate?.collectionViewDidScroll(self)
    }
    record.cellsEntered += Int32(entered)
    record.cellsForced += Int32(entered)
  }

  /// Phase 8: a long update is prepared.
  open override func slackStep(_ budget: FrameBudget) -> Bool { source?.slackStep(budget) ?? false }

  private func announce() {
    guard isPrefetchingEnabled, let source else { return }
    let plan = planner.handle(visible: displayed.range, count: itemCount, offset: contentOffset)
    source.announce(plan, wanted: planner.wanted)
  }

  // MARK: Updates

  /// Runs a body that calls the client's code; updates asked for meanwhile wait until it has ended.
  final func exclusively(_ body: () -> Void) {
    depth += 1
    body()
    depth -= 1
    while depth == 0, let update = waitingUpdates.popFirst() { update() }
  }

  /// Carries an update out, now or once the cells that are being prepared are ready.
  final func whenReady(_ update: @escaping () -> Void) {
    if depth == 0 { update() } else { waitingUpdates.append(update) }
  }

  // MARK: Drawing and input

  open override func render(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    context.clipped(to: bounds) { renderCells(in: $0) }
    for view in subviews where !view.isHidden {
      context.translated(by: view.frame.origin) { view.render(in: $0) }
    }
  }

  /// Appends the cells' kept drawings, moved to where the cells stand now.
  private func renderCells(in context: DrawContext) {
    // Read once: the loop below is most of what a frame does while nothing enters.
    let (list, resources, scale) = (context.list, context.resources, context.scale)
    let generation = resources.generation
    let left = context.origin.x
    let top = context.origin.y - contentOffset
    let cells = displayed.cells
    if drawings.count != cells.count { drawings += cells.map(\.drawing) }
    for (place, drawing) in drawings.enumerated() {
      if !drawing.holds(generation) { cells[place].redraw(in: resources) }
      let corner = drawing.corner
      list.append(drawing.list, movedByX: scale.pixel(left + corner.x), y: scale.pixel(top + corner.y))
    }
  }

  open override func hitTest(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(point - view.frame.origin) { return hit }
    }
    for cell in displayed.cells {
      let corner = origin(of: cell)
      if let hit = cell.hitTest(point - corner) { return hit }
    }
    return isInteractive ? self : nil
  }
}
