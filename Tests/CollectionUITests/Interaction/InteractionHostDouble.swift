import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// A double of the collection view for the controllers of interaction, with two items of 100 by 50 points in a row.
final class InteractionHostDouble: ControllerHostDouble, @MainActor DragHost, InteractionDelegate {
  let selection = SelectionController()
  let edgeScrolling = EdgeScrollController()
  private(set) lazy var press = PressController(selection: selection)
  private(set) lazy var focus = FocusController(selection: selection)
  private(set) lazy var band = RubberBandController(selection: selection, edgeScrolling: edgeScrolling)
  private(set) lazy var drag = DragController(selection: selection, edgeScrolling: edgeScrolling)

  /// The calls of the delegate and the notifications, in order.
  private(set) var log: [String] = []
  /// The items that the delegate refuses to select, deselect or highlight.
  var refused: Set<Int> = []
  private let source = SourceDouble()
  /// Whether the first item may be moved too.
  var movesAllItems: Bool {
    get { source.movesAllItems }
    set { source.movesAllItems = newValue }
  }

  init(count: Int = 100) {
    super.init(count: count, columns: 2)
    selection.host = self
    edgeScrolling.host = self
    press.host = self
    focus.host = self
    band.host = self
    drag.host = self
    selection.allowsMultipleSelection = true
  }

  /// Removes and returns the calls so far.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Presses and releases the pointer at an item.
  func click(_ item: Int, clicks: Int = 1, _ modifiers: KeyModifiers = []) {
    let point = self.point(of: item)
    press.beginPress(at: point, clicks: clicks, modifiers, isCatch: false)
    _ = press.endPress(at: point)
  }

  /// Presses a key for the focus.
  @discardableResult
  func key(_ key: Key, _ modifiers: KeyModifiers = []) -> Bool {
    let event = InputEvent(time: lastInstant, kind: .keyDown(key, modifiers: modifiers, isRepeat: false))
    return focus.handle(event, while: .idle)
  }

  /// The center of an item, in the view's coordinates.
  func point(of item: Int) -> Point {
    let frame = solution.frame(ofItem: item)
    return Point(x: frame.midX, y: frame.midY) - contentOrigin
  }

  /// The selected items.
  var selected: [Int] {
    var items: [Int] = []
    selection.selectedItems.forEach { items.append($0) }
    return items
  }

  /// Replaces the items by others, of which `map` says where they were.
  func apply(_ map: IndexMap) {
    solution = Self.layout(of: map.counts.total, columns: 2)
    selection.apply(map)
    focus.apply(map)
    press.apply(map)
    band.apply(map)
    drag.apply(map)
    press.refreshAfterUpdate()
    selection.refreshAfterUpdate()
  }

  // MARK: - InteractionHost

  var contentOrigin: Point { Point(x: 0, y: contentOffset) }
  var viewportLength: Double { 300 }
  var uncoveredViewport: (start: Double, end: Double) { (0, 300) }
  var isRubberBandShown: Bool { band.isDrawing }
  var contentBeginsAtEnd: Bool { false }
  var unobscuredLength: Double { 300 }

  func itemIndex(at point: Point) -> Int? {
    guard bounds.contains(point) else { return nil }
    return (0..<itemCount).first { solution.frame(ofItem: $0).contains(point + contentOrigin) }
  }

  func isItemDisplayed(_ index: Int) -> Bool { solution.frame(ofItem: index).intersects(visibleRect) }

  func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant?) {
    _ = scroll.handle(event, at: instant ?? lastInstant)
  }

  func scroll(to offset: Double, animated: Bool) {
    applyScrollEvent(.scrollTo(offset, animated: false), at: nil)
  }

  func scrollToEnd(_ isStart: Bool, showing item: Int) {
    scroll(to: isStart ? scroll.range.minimum : scroll.range.maximum, animated: true)
  }

  func revealItem(_ index: Int, margin: Double, animated: Bool) {
    let frame = solution.frame(ofItem: index)
    scroll(to: min(frame.minY - margin, max(contentOffset, frame.maxY + margin - 300)), animated: animated)
  }

  func stopDeceleration(at instant: FrameInstant) {}
  func updateConfigurationStates() {}
  func becomeFirstResponder() { log.append("first responder") }
  func addSubview(_ view: View) {}
  var interactionDelegate: (any InteractionDelegate)? { self }
  func selectionDidChange(by change: SelectionChange) {}
  func selectionDidChange() { log.append("changed") }

  // MARK: - DragHost

  var reorderingSource: (any ReorderingSource)? { source }
  /// The moves that were displayed, ended or cancelled.
  var moves: [String] { source.moves }
  var isContentScrolling: Bool { false }
  var isUpdateAnimationPlanned: Bool { false }
  func isAnimatingItem(_ index: Int) -> Bool { false }
  func displayedFrame(ofItem index: Int) -> Rect { solution.frame(ofItem: index).offset(by: .zero - contentOrigin) }
  func beginSettling(_ index: Int, from frame: Rect) { log.append("settle \(index)") }
  func movementDidEnd() { log.append("ended") }
  func solving<Result>(_ body: () -> Result) -> Result { body() }
  func scrollSection(_ section: OrthogonalSection, by event: ScrollEvent) {}

  // MARK: - InteractionDelegate

  var decidesOnEachItem: Bool { true }
  func shouldSelectItem(at path: IndexPath) -> Bool { !refused.contains(path.item) }
  func shouldDeselectItem(at path: IndexPath) -> Bool { !refused.contains(path.item) }
  func didSelectItem(at path: IndexPath) { log.append("select \(path.item)") }
  func didDeselectItem(at path: IndexPath) { log.append("deselect \(path.item)") }
  func shouldHighlightItem(at path: IndexPath) -> Bool { !refused.contains(path.item) }
  func didHighlightItem(at path: IndexPath) { log.append("highlight \(path.item)") }
  func didUnhighlightItem(at path: IndexPath) { log.append("unhighlight \(path.item)") }
  func didHoverItem(at path: IndexPath?) { log.append("hover \(path.map { "\($0.item)" } ?? "none")") }
  func performPrimaryAction(at path: IndexPath) { log.append("open \(path.item)") }
  func targetOfMove(from original: IndexPath, at current: IndexPath, proposed: IndexPath) -> IndexPath { proposed }
  func showContextMenu(for paths: IndexPathRuns, at point: Point) -> Bool {
    log.append("menu \(paths.count)")
    return true
  }
}

/// A data source whose items may be moved, by default all except the first.
private final class SourceDouble: ReorderingSource {
  var movesAllItems = false
  private(set) var moves: [String] = []
  var hasPendingUpdate: Bool { false }
  private(set) var originalPathOfMove: IndexPath?
  func canMoveItem(at index: Int) -> Bool { index > 0 || movesAllItems }
  func beginMove(of index: Int) { originalPathOfMove = IndexPath(item: index, section: 0) }
  func showMove(to path: IndexPath) {
    let move = "show \(path.item)"
    // The items of the double do not move, so that the same position stays the nearest.
    if moves.last != move { moves.append(move) }
  }
  func endMove() { moves.append("end") }
  func cancelMove() { moves.append("cancel") }
  func moveItem(at index: Int, to path: IndexPath) -> Bool {
    moves.append("\(index) to \(path.item)")
    return true
  }
}

extension IndexMap {
  /// The map of an update that deletes one item of a section.
  static func deleting(_ item: Int, of count: Int) -> IndexMap {
    editing(count) { $0.deleteItems([item]) }
  }

  /// The map of an update that inserts items at the start of a section.
  static func inserting(_ inserted: Int, into count: Int) -> IndexMap {
    editing(count) { $0.insertItems((0..<inserted).map { 1_000_000 + $0 }, beforeItem: 0) }
  }

  /// The map of an update of one section, whose items are named by their indices.
  private static func editing(_ count: Int, _ edit: (inout DiffableDataSourceSnapshot<Int, Int>) -> Void) -> IndexMap {
    var before = DiffableDataSourceSnapshot<Int, Int>()
    before.appendSections([0])
    before.appendItems(Array(0..<count))
    var after = before
    edit(&after)
    return IndexMap(
      after.changeset(from: before), from: ItemCounts([count]), to: ItemCounts([after.numberOfItems]))
  }
}
