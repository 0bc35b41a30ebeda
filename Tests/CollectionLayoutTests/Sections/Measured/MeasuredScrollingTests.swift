import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Measuring does not move visible content")
struct MeasuredAnchorTests {
  private let size = Size(width: 320, height: 480)

  private func list(_ appearance: CollectionLayoutListConfiguration.Appearance = .plain) -> CompositionalLayout {
    .list(using: CollectionLayoutListConfiguration(appearance: appearance))
  }

  /// A layout with two cards per row, each as high as its cell.
  private var cards: CompositionalLayout {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: .estimated(50)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50)), subitems: [item])
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 6
    return CompositionalLayout(section: section)
  }

  /// Returns a deterministic height for the name of an item.
  private func height(_ name: Int) -> Double { Double(20 + (name &* 2_654_435_761 >> 7) & 127) }

  @Test("Measuring items above the viewport in any order keeps the anchored item in place", arguments: [1.0, 1.5, 3])
  func sizesAbove(scale: Double) {
    var random = SeededGenerator(seed: 41)
    for layout in [list(), list(.insetGrouped), cards] {
      var view = MeasuredView(layout, size: size, names: Array(0..<2_000), scale: scale, height: height)
      view.scroll(to: 30_000)
      let before = view.visibleItems
      #expect(before.count > 3)
      let above = view.layout.items(in: view.layout.visibleRect(at: view.offset)).lowerBound
      for (step, item) in (0..<above).shuffled(using: &random).enumerated() {
        _ = view.measure(item)
        guard step % 16 == 0 || step == above - 1 else { continue }
        let moved = zip(before, view.visibleItems).allSatisfy { before, now in
          before.name == now.name && (before.position - now.position).magnitude <= 0.5 / scale
        }
        #expect(moved)
      }
    }
  }

  @Test("Scrolling up over unmeasured cells moves the content by exactly the scroll distance", arguments: 0..<2)
  func scrollingUp(seed: Int) {
    var view = MeasuredView(
      seed == 0 ? list() : cards, size: size, names: Array(0..<3_000), height: height)
    view.scroll(to: 50_000)
    for step in 0..<400 {
      let before = view.visibleItems
      view.scroll(by: -37)
      let now = Dictionary(uniqueKeysWithValues: view.visibleItems.map { ($0.name, $0.position) })
      // Visible items moved down by the scroll distance, whatever the sizes of the cells above them.
      let agrees = before.allSatisfy { item in now[item.name].map { ($0 - item.position - 37).magnitude < 1e-6 } ?? true
      }
      #expect(agrees, "step \(step)")
      #expect(!now.isEmpty)
    }
    #expect(view.maximumPassCount <= 8)
  }

  @Test(
    "Random edits, measurements, scrolling and resizing keep the anchored item in place",
    arguments: TestScale.seeds(0..<4))
  func randomEdits(seed: Int) {
    var random = SeededGenerator(seed: 50 + UInt64(seed))
    var view = MeasuredView(
      seed % 2 == 0 ? list() : cards, size: size, names: Array(0..<2_000), height: height)
    view.scroll(to: 20_000)
    var next = 2_000
    for step in 0..<300 {
      let line = view.anchoredPosition
      let name = view.anchoredName
      switch Int.random(in: 0..<6, using: &random) {
      case 5: view.finalizeFrames(itemBudget: .random(in: 1...500, using: &random))
      case 0:
        view.scroll(to: view.offset + .random(in: -2_000...2_000, using: &random))
        continue
      case 1:
        let edits = random.edits(of: view.names.count)
        let number = edits.insertions.reduce(0) { $0 + $1.count }
        view.update(edits, inserting: Array(next..<(next + number)))
        next += number
      case 2: view.updateFrame()
      case 3: view.resize(to: Size(width: .random(in: 200...900, using: &random), height: 480))
      default:
        let item = Int.random(in: 0..<view.names.count, using: &random)
        let isVisible = view.layout.items(in: view.layout.visibleRect(at: view.offset)).contains(item)
        let before = view.visibleItems
        _ = view.measure(item)
        let agrees = zip(before, view.visibleItems).allSatisfy {
          ($0.position - $1.position).magnitude <= 0.5 && $0.name == $1.name
        }
        #expect(agrees || isVisible || view.offset == 0 || view.offset == view.layout.maximumOffset, "step \(step)")
      }
      // A view displays nothing between a change and the next frame.
      defer { view.updateFrame() }
      guard view.anchoredName == name, let line, let moved = view.anchoredPosition else { continue }
      let isAtEdge = view.offset == 0 || view.offset == view.layout.maximumOffset
      #expect((moved - line).magnitude <= 0.5 || isAtEdge, "step \(step)")
    }
  }

  @Test("The content length converges to the exact sum of all sizes", arguments: [1.0, 2])
  func convergence(scale: Double) {
    var view = MeasuredView(list(), size: size, names: Array(0..<1_500), scale: scale, height: height)
    var random = SeededGenerator(seed: 5)
    for item in (0..<1_500).shuffled(using: &random) { _ = view.measure(item) }
    #expect(view.layout.contentSize.height == (0..<1_500).reduce(0) { $0 + height($1) })
  }

  @Test("Estimates follow measurements, but visible groups keep their length")
  func estimateFollows() {
    let container = SectionContainer.plain()
    var body = MeasuredBody(of: 100_000, group: RowGroup.rows(container), in: container)
    for item in 0..<200 { _ = body.setPreferredSize(width: 320, height: 90 + item % 21, ofItem: item) }
    let expected = body.frame(ofItem: 99_999).height
    #expect((98...101).contains(expected))
    // The first frame far down: the groups before it keep their estimated length.
    _ = body.finalizeFrames(in: body.frame(ofItem: 50_000).minY..<(body.frame(ofItem: 50_000).minY + 480))
    let frame = body.frame(ofItem: 50_000)
    for item in 60_000..<61_000 { _ = body.setPreferredSize(width: 320, height: 300, ofItem: item) }
    #expect(body.frame(ofItem: 50_000) == frame)
    #expect(body.frame(ofItem: 99_999).height > 250)
  }

  @Test("Cells that alternate between sizes come to rest, and each is reported once")
  func oscillation() {
    let calls = CallCounts()
    var view = MeasuredView(list(), size: size, names: Array(0..<500)) { name in
      name % 3 == 0 ? Double(40 + 30 * calls.next(name)) : 50
    }
    view.scroll(to: 4_000)
    for _ in 0..<20 { view.updateFrame() }
    #expect(!view.frozen.isEmpty)
    #expect(Set(view.frozen).count == view.frozen.count)
    #expect(view.maximumPassCount <= 8)
    let offset = view.offset
    view.updateFrame()
    #expect(view.offset == offset)
  }

  /// The parity of the number of calls for each cell.
  private final class CallCounts {
    private var counts: [Int: Int] = [:]
    func next(_ name: Int) -> Int {
      counts[name, default: 0] += 1
      return (counts[name] ?? 0) % 2
    }
  }
}

// MARK: - Regressions

@Suite("Regression tests for known problems of other collection views")
struct MeasuredRegressionTests {
  private let size = Size(width: 320, height: 480)

  private func list(header: CollectionLayoutDimension? = nil) -> CompositionalLayout {
    CompositionalLayout { _, environment in
      var section = CollectionLayoutSection.list(
        using: CollectionLayoutListConfiguration(appearance: .plain), layoutEnvironment: environment)
      if let header {
        section.boundarySupplementaryItems = [
          CollectionLayoutBoundarySupplementaryItem(
            layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: header), elementKind: "header",
            alignment: .top)
        ]
      }
      return section
    }
  }

  private func header(_ section: Int) -> ElementIdentity {
    ElementIdentity(kind: .supplementary("header"), section: section)
  }

  @Test("A header that is higher than estimated moves the rows after it, but not the anchored row")
  func estimatedHeaders() {
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: size), for: ItemCounts([100, 100, 100]))
    let anchor = layout.anchor(at: layout.frame(ofItem: 150).minY + 10)
    let before = layout.frame(ofItem: 150).minY - layout.offset(of: anchor)
    for section in [2, 0, 1] {
      let result = layout.setPreferredSize(Size(width: 320, height: 64), ofElement: header(section))
      #expect(result == .changed)
      #expect((layout.frame(ofItem: 150).minY - layout.offset(of: anchor) - before).magnitude <= 0.5)
    }
    // Another layout of the same items starts with estimates and keeps the row in place, too.
    let other = list(header: .estimated(90)).solved(
      in: LayoutEnvironment(containerSize: Size(width: 500, height: 480)), for: layout.itemCounts)
    #expect((other.frame(ofItem: 150).minY - other.offset(of: anchor) - before).magnitude <= 0.5)
  }

  @Test("The content length is always the sum of the lengths of rows and headers")
  func contentLength() {
    var random = SeededGenerator(seed: 61)
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: size), for: ItemCounts([40, 0, 60]))
    for _ in 0..<400 {
      if random.chance(oneIn: 5) {
        _ = layout.setPreferredSize(
          Size(width: 320, height: .random(in: 10...90, using: &random)),
          ofElement: header(.random(in: 0..<3, using: &random)))
      } else {
        _ = layout.setPreferredSize(
          Size(width: 320, height: .random(in: 10...200, using: &random)), ofItem: .random(in: 0..<100, using: &random))
      }
      let rect = layout.visibleRect(at: 0)
      let headers = (0..<3).reduce(0.0) { $0 + (layout.attributes(of: header($1), in: rect)?.frame.height ?? 0) }
      let rows = (0..<100).reduce(0.0) { $0 + layout.frame(ofItem: $1).height }
      #expect(layout.contentSize.height == headers + rows)
      #expect(layout.frame(ofItem: 99).maxY == layout.contentSize.height)
    }
  }

  @Test("Measured sizes stay with their items through updates, without layout loops")
  func sizesFollowItems() {
    var view = MeasuredView(list(), size: size, names: Array(0..<300)) { Double(30 + $0 % 7 * 20) }
    view.scroll(to: 3_000)
    for step in 0..<50 {
      view.update(SectionEdits(section: 0, removals: [3..<4], insertions: [0..<1]), inserting: [1_000 + step])
      view.updateFrame()
      for item in view.layout.items(in: view.layout.visibleRect(at: view.offset)) {
        #expect(view.layout.frame(ofItem: item).height == Double(30 + view.names[item] % 7 * 20))
      }
    }
    #expect(view.frozen.isEmpty)
    #expect(view.maximumPassCount <= 8)
  }

  @Test("A saved scroll position is restored with self-sizing rows")
  func restoresPosition() throws {
    func height(_ name: Int) -> Double { Double(30 + name * 37 % 120) }
    var before = MeasuredView(list(), size: size, names: Array(0..<5_000), height: height)
    before.scroll(to: 90_000)
    before.scroll(by: 777)
    let savedAnchor = before.anchor
    let line = try #require(before.visibleItems.first)
    // The anchor is the only state that the new view gets.
    var after = MeasuredView(list(), size: size, names: Array(0..<5_000), height: height)
    after.restore(savedAnchor)
    let now = try #require(after.visibleItems.first { $0.name == line.name })
    #expect((now.position - line.position).magnitude <= 0.5)
    #expect(after.visibleItems.map(\.name) == before.visibleItems.map(\.name))
    after.updateFrame()
    #expect(after.visibleItems.first.map { ($0.position - line.position).magnitude <= 0.5 } == true)
  }

  @Test("A list that is as high as its content measures each row once")
  func unboundedHeight() {
    var view = MeasuredView(list(), size: Size(width: 320, height: 100_000), names: Array(0..<500)) { _ in 44 }
    view.updateFrame()
    #expect(view.layout.contentSize.height == 500 * 44)
    #expect(view.maximumPassCount <= 2)
  }

  @Test("In a container of size zero rows are one pixel wide")
  func zeroSize() {
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([10]))
    _ = layout.finalizeFrames(in: layout.visibleRect(at: 0))
    _ = layout.setPreferredSize(Size(width: 0, height: 30), ofItem: 3)
    #expect(layout.frame(ofItem: 4).minY - layout.frame(ofItem: 3).minY == 30)
    #expect((0..<10).allSatisfy { layout.frame(ofItem: $0).width == 1 })
    #expect(layout.items(in: Rect(x: 0, y: 0, width: 1, height: 1e6)) == 0..<10)
    #expect(layout.items(in: Rect(x: -5, y: 0, width: 5, height: 1e6)).isEmpty)
  }
}

// MARK: - Helpers

/// A minimal collection view with self-sizing cells, which stores an anchor and derives the offset from it.
private struct MeasuredView {
  private(set) var layout: SolvedComposition
  private(set) var anchor = ContentAnchor.start
  private(set) var offset = 0.0
  /// Returns the preferred height of a cell, by the name of its item.
  private let height: (Int) -> Double
  /// The names of the items.
  private(set) var names: [Int]
  /// The names of the items whose sizes were reported as frozen.
  private(set) var frozen: [Int] = []
  /// The maximum number of measurement passes of a frame.
  private(set) var maximumPassCount = 0

  init(_ layout: CompositionalLayout, size: Size, names: [Int], scale: Double = 1, height: @escaping (Int) -> Double) {
    self.names = names
    self.height = height
    self.layout = layout.solved(
      in: LayoutEnvironment(containerSize: size, scale: DisplayScale(pixelsPerPoint: scale)),
      for: ItemCounts([names.count]))
  }

  /// The distance between the top of the viewport and the anchored point of the item, or nil if there is no anchored
  /// item.
  var anchoredPosition: Double? {
    guard case .item(let anchor) = anchor, anchor.item < names.count else { return nil }
    let frame = layout.frame(ofItem: anchor.item)
    return frame.minY + anchor.itemUnit * frame.height - offset
  }

  /// The name of the anchored item.
  var anchoredName: Int? {
    guard case .item(let anchor) = anchor else { return nil }
    return names[anchor.item]
  }

  mutating func scroll(to target: Double) {
    offset = min(max(0, target), layout.maximumOffset)
    anchor = layout.anchor(at: offset)
    updateFrame()
  }

  /// Scrolls by a distance.
  ///
  /// The anchor is not changed until the cells that become visible are measured.
  mutating func scroll(by distance: Double) {
    guard case .item(var itemAnchor) = anchor else { return scroll(to: offset + distance) }
    itemAnchor.points -= distance
    anchor = .item(itemAnchor)
    updateFrame()
    anchor = layout.anchor(at: offset)
  }

  /// Restores the scroll position of another view.
  mutating func restore(_ savedAnchor: ContentAnchor) {
    anchor = savedAnchor
    updateFrame()
  }

  /// The names and the positions in the viewport of the visible items.
  var visibleItems: [(name: Int, position: Double)] {
    layout.items(in: layout.visibleRect(at: offset)).map { (names[$0], layout.frame(ofItem: $0).minY - offset) }
  }

  /// Performs one frame: measures visible cells until nothing changes.
  mutating func updateFrame() {
    var rounds = 0
    repeat {
      rounds += 1
      offset = layout.offset(of: anchor)
      _ = layout.finalizeFrames(in: layout.visibleRect(at: offset))
      offset = layout.offset(of: anchor)
    } while measureVisible() && rounds < 100
    maximumPassCount = max(maximumPassCount, rounds)
  }

  private mutating func measureVisible() -> Bool {
    var hasChanged = false
    for item in layout.items(in: layout.visibleRect(at: offset)) where measure(item) { hasChanged = true }
    return hasChanged
  }

  /// Measures a cell.
  ///
  /// - Returns: Whether anything moved.
  mutating func measure(_ item: Int) -> Bool {
    guard layout.usesPreferredSize(ofItem: item) else { return false }
    let old = layout.frame(ofItem: item)
    let result = layout.setPreferredSize(
      Size(width: old.width, height: height(names[item])), ofItem: item)
    if case .frozen = result { frozen.append(names[item]) }
    if result != .unchanged { offset = layout.offset(of: anchor) }
    return result != .unchanged
  }

  /// Removes and inserts items, and keeps the anchored one if it still exists.
  mutating func update(_ edits: SectionEdits, inserting newNames: [Int]) {
    let name = anchoredName
    for range in edits.removals.reversed() { names.removeSubrange(range) }
    var rest = newNames[...]
    for range in edits.insertions {
      names.insert(contentsOf: rest.prefix(range.count), at: range.lowerBound)
      rest.removeFirst(range.count)
    }
    layout.invalidate(.items(LayoutUpdate(counts: ItemCounts([names.count]), edits: [edits])))
    if case .item(var anchor) = anchor, let name {
      if let index = names.firstIndex(of: name) {
        anchor.item = index
        self.anchor = .item(anchor)
      } else {
        offset = min(offset, layout.maximumOffset)
        self.anchor = layout.anchor(at: offset)
      }
    }
    offset = layout.offset(of: anchor)
  }

  /// Finalizes more frames.
  mutating func finalizeFrames(itemBudget items: Int) {
    guard layout.finalizeFrames(itemBudget: items) else { return }
    offset = layout.offset(of: anchor)
  }

  mutating func resize(to size: Size) {
    layout.invalidate(.environment(LayoutEnvironment(containerSize: size, scale: layout.environment.scale)))
    offset = layout.offset(of: anchor)
  }
}
