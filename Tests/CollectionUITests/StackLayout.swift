import CollectionLayout
import Geometry
import Threads

/// Rows below each other whose heights a test tells by item; sections with pinned headers and backgrounds.
///
/// The first section may be a strip across: then its items stand beside each other, 80 points wide.
nonisolated struct StackLayout: CollectionLayout {
  /// What the layout knows of items, and what was asked of it.
  final class Facts: Sendable {
    struct State: Sendable {
      var heights: [Double] = []
      var solved = 0
      /// How often it was asked what is in a rectangle.
      var questions = 0
      /// How often it was asked which views are in one.
      var elementQuestions = 0
      var updates: [LayoutUpdate] = []
    }
    private let state: Lock<State>

    init(heights: [Double] = []) { state = Lock(State(heights: heights)) }

    var now: State { state.withLock { $0 } }
    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    func height(_ index: Int) -> Double {
      state.withLock { $0.heights.indices.contains(index) ? $0.heights[index] : StackLayout.estimate }
    }
  }

  static let estimate = 50.0
  static let headerHeight = 30.0
  static let stripHeight = 60.0

  var facts = Facts()
  /// Heights are multiplied by this.
  var zoom = 1.0
  var hasHeaders = false
  var hasBackgrounds = false
  var hasStrip = false
  /// Whether heights are estimates until they were seen or refined.
  var isEstimated = false
  /// Whether it names an item that there is not.
  var namesOneMore = false

  func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedStack {
    facts.change { $0.solved += 1 }
    return SolvedStack(rules: self, environment: environment, itemCounts: counts)
  }
}

/// A stack that was solved: for tests, everything is summed anew.
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
    rules.facts.change { $0.questions += 1 }
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
    if rules.namesOneMore { visit(tops.count..<(tops.count + 1)) }
  }

  func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {
    rules.facts.change { $0.elementQuestions += 1 }
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

  var isSettled: Bool { !known.contains(false) }

  mutating func settle(in rect: Rect) -> Bool {
    let before = tops
    for item in tops.indices where frame(ofItem: item).intersects(rect) { known[item] = true }
    sum()
    return tops != before
  }

  mutating func refine(atMost items: Int) -> Bool {
    let before = tops
    // A few at a time, whatever the measure, so that a test sees many steps.
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
