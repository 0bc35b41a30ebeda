import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

/// A collection view of numbers in a stack layout, in a window of 400 by 300 points.
final class NumberStack {
  typealias Source = DiffableDataSource<String, Int>

  let view: CollectionView
  let source: Source
  let harness: WindowHarness
  let layout: StackLayout
  private(set) var headers: [HeaderView] = []
  /// Returns the text of a section's header from the section and its number of items.
  var headerText: (String, Int) -> String = { "\($0) \($1)" }

  init(_ sections: [(String, [Int])], layout: StackLayout) {
    self.layout = layout
    let view = CollectionView(layout: layout)
    self.view = view
    // Preparation has separate tests.
    DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    let source = Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    self.source = source
    view.register(BackgroundView.self, forDecorationViewOfKind: "back")
    let header = SupplementaryRegistration<HeaderView>(elementKind: "header") { [weak self] header, _, path in
      guard let self, let section = source.sectionIdentifier(for: path.section) else { return }
      if !headers.contains(where: { $0 === header }) { headers.append(header) }
      header.configured += 1
      header.text = headerText(section, source.displayedSnapshot().numberOfItems(inSection: section))
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
    var snapshot = source.snapshot()
    for (section, items) in sections {
      snapshot.appendSections([section])
      snapshot.appendItems(items, toSection: section)
    }
    source.apply(snapshot)
    harness.runUntilIdle()
  }

  func apply(animated isAnimated: Bool = false, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot, animatingDifferences: isAnimated)
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    harness.run(frames: 1)
  }

  /// The visible headers and their positions in the window, from top to bottom.
  var shownHeaders: [String] {
    view.visibleSupplementaryViews(ofKind: "header").compactMap { $0 as? HeaderView }
      .map { "\($0.text) at \(Int(view.origin(of: $0).y))\($0.isPinned ? ", pinned" : "")" }
  }

  var shown: [Int] { view.visibleCells.compactMap { ($0 as? WordCell).flatMap { Int($0.word) } } }

  /// Returns the top edge of an item in window coordinates.
  func top(of item: Int) -> Double? {
    source.indexPath(for: item).flatMap { view.frameOfItem(at: $0) }.map { $0.minY - view.contentOffset }
  }
}

// MARK: - Layout

/// A layout of rows whose heights a test defines for each item, with pinned headers and section backgrounds.
///
/// The first section may be a horizontal strip of items 80 points wide.
nonisolated struct StackLayout: CollectionLayout {
  /// The heights of the items, and the recorded layout calls.
  final class Facts: Sendable {
    struct State: Sendable {
      var heights: [Double] = []
      var solveCount = 0
      /// The number of queries for the items in a rectangle.
      var itemQueries = 0
      /// The number of queries for the supplementary views in a rectangle.
      var elementQueries = 0
      var updates: [LayoutUpdate] = []
    }
    private let state: Lock<State>

    init(heights: [Double] = []) { state = Lock(State(heights: heights)) }

    var current: State { state.withLock { $0 } }
    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    func height(_ index: Int) -> Double {
      state.withLock { $0.heights.indices.contains(index) ? $0.heights[index] : StackLayout.estimate }
    }
  }

  static let estimate = 50.0
  static let headerHeight = 30.0
  static let stripHeight = 60.0

  var facts = Facts()
  /// The factor by which heights are multiplied.
  var zoom = 1.0
  var hasHeaders = false
  var hasBackgrounds = false
  var hasStrip = false
  /// Whether heights are estimates until they are visible or refined.
  var isEstimated = false
  /// Whether the layout returns an item that does not exist.
  var returnsInvalidItem = false

  func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedStack {
    facts.change { $0.solveCount += 1 }
    return SolvedStack(rules: self, environment: environment, itemCounts: counts)
  }
}

/// A solved stack layout, which recomputes all positions after each change.
nonisolated struct SolvedStack: SolvedLayout {
  private(set) var rules: StackLayout
  private(set) var environment: LayoutEnvironment
  private(set) var itemCounts: ItemCounts
  private var known: [Bool] = []
  private var tops: [Double] = []
  private var sections: [Rect] = []

  init(rules: StackLayout, environment: LayoutEnvironment, itemCounts: ItemCounts) {
    self.rules = rules
    self.environment = environment
    self.itemCounts = itemCounts
    known = [Bool](repeating: !rules.isEstimated, count: itemCounts.total)
    sum()
  }

  private mutating func sum() {
    var y = 0.0
    tops = []
    sections = []
    for section in 0..<itemCounts.numberOfSections {
      let top = y
      if rules.hasHeaders { y += StackLayout.headerHeight }
      for item in itemCounts.items(inSection: section) {
        tops.append(y)
        if !(rules.hasStrip && section == 0) { y += height(of: item) }
      }
      if rules.hasStrip, section == 0 { y += StackLayout.stripHeight }
      sections.append(Rect(x: 0, y: top, width: environment.containerSize.width, height: y - top))
    }
    contentSize = Size(width: environment.containerSize.width, height: y)
  }

  private func height(of item: Int) -> Double {
    ((known[item] ? rules.facts.height(item) : StackLayout.estimate) * rules.zoom).rounded()
  }

  private(set) var contentSize = Size(width: 0, height: 0)
  var scrollAxis: Axis { .vertical }

  func frame(ofItem index: Int) -> Rect {
    if rules.hasStrip, itemCounts.items(inSection: 0).contains(index) {
      return Rect(x: Double(index) * 80, y: tops[index], width: 80, height: StackLayout.stripHeight)
    }
    return Rect(x: 0, y: tops[index], width: environment.containerSize.width, height: height(of: index))
  }

  func firstItem(in rect: Rect) -> Int? { tops.indices.first { frame(ofItem: $0).intersects(rect) } }
  func lastItem(in rect: Rect) -> Int? { tops.indices.last { frame(ofItem: $0).intersects(rect) } }

  func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void) {
    rules.facts.change { $0.itemQueries += 1 }
    var run = 0..<0
    for item in tops.indices where frame(ofItem: item).intersects(rect) {
      if run.upperBound == item, !run.isEmpty {
        run = run.lowerBound..<(item + 1)
      } else {
        if !run.isEmpty { visit(run) }
        run = item..<(item + 1)
      }
    }
    if !run.isEmpty { visit(run) }
    if rules.returnsInvalidItem { visit(tops.count..<(tops.count + 1)) }
  }

  func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {
    rules.facts.change { $0.elementQueries += 1 }
    for (section, area) in sections.enumerated() where rules.hasBackgrounds && area.intersects(viewport) {
      list.append(
        ElementAttributes(identity: ElementIdentity(kind: .decoration("back"), section: section), frame: area))
    }
    for (section, area) in sections.enumerated() where rules.hasHeaders && area.intersects(viewport) {
      list.append(header(of: section, in: viewport))
    }
  }

  private func header(of section: Int, in viewport: Rect) -> ElementAttributes {
    let area = sections[section]
    let y = min(max(area.minY, viewport.minY), area.maxY - StackLayout.headerHeight)
    return ElementAttributes(
      identity: ElementIdentity(kind: .supplementary("header"), section: section),
      frame: Rect(x: 0, y: y, width: area.width, height: StackLayout.headerHeight), zIndex: 2,
      isPinned: y != area.minY)
  }

  func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes? {
    guard let section = element.section, sections.indices.contains(section) else { return nil }
    switch element.kind {
    case .supplementary("header") where rules.hasHeaders: return header(of: section, in: viewport)
    case .decoration("back") where rules.hasBackgrounds:
      return ElementAttributes(identity: element, frame: sections[section])
    default: return nil
    }
  }

  var areFramesFinal: Bool { !known.contains(false) }

  mutating func finalizeFrames(in rect: Rect) -> Bool {
    let before = tops
    for item in tops.indices where frame(ofItem: item).intersects(rect) { known[item] = true }
    sum()
    return tops != before
  }

  mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    let before = tops
    // Only a few items at a time, so that a test observes many steps.
    for item in known.indices.filter({ !known[$0] }).prefix(max(1, items / 400)) { known[item] = true }
    sum()
    return tops != before
  }

  func cost(of invalidation: LayoutInvalidation) -> InvalidationCost {
    InvalidationCost(sections: itemCounts.numberOfSections, items: itemCounts.total)
  }

  mutating func invalidate(_ invalidation: LayoutInvalidation) {
    switch invalidation {
    case .everything: break
    case .environment(let environment): self.environment = environment
    case .items(let update):
      rules.facts.change { $0.updates.append(update) }
      itemCounts = update.counts
      known = [Bool](repeating: !rules.isEstimated, count: itemCounts.total)
    }
    sum()
  }
}

// MARK: - Supplementary views

/// A header that records its state and calls.
final class HeaderView: CollectionReusableView {
  static let color = Color(hex: 0x102030)

  var text = "" {
    didSet { if text != oldValue { setNeedsDisplay() } }
  }
  private(set) var isPinned = false
  private(set) var drawings = 0
  private(set) var reuses = 0
  var configured = 0

  override func prepareForReuse() {
    super.prepareForReuse()
    reuses += 1
  }

  override var accessibilityLabel: String { text }

  override func apply(_ attributes: ElementAttributes) { isPinned = attributes.isPinned }

  override func draw(in context: DrawContext) {
    drawings += 1
    context.fill(bounds, HeaderView.color)
  }
}

/// A section background of one color.
final class BackgroundView: CollectionReusableView {
  static let color = Color(hex: 0x405060)

  override func draw(in context: DrawContext) { context.fill(bounds, BackgroundView.color) }
}
