import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Lists")
struct ListBodyTests {
  private let environment = LayoutEnvironment(containerSize: Size(width: 400, height: 300))

  private func layout(
    _ configuration: CollectionLayoutListConfiguration, _ counts: [Int]
  ) -> SolvedComposition {
    CompositionalLayout.list(using: configuration).solved(in: environment, for: ItemCounts(counts))
  }

  private func elements(_ layout: SolvedComposition, at offset: Double) -> [ElementAttributes] {
    var list: [ElementAttributes] = []
    layout.appendElements(in: layout.visibleRect(at: offset), to: &list)
    return list
  }

  @Test("Ten million rows of a fixed height are computed in closed form")
  func tenMillionFixedRows() {
    var configuration = CollectionLayoutListConfiguration(appearance: .plain)
    configuration.rowHeight = .absolute(25)
    let container = SectionContainer.plain()
    let body = ListContent(configuration: configuration).body(of: 10_000_000, in: container)
    #expect(body is ListBody<FixedRowsBody>)
    #expect(MemoryLayout<FixedRowsBody>.size <= 48)
    #expect(body.length == 250_000_000)
    #expect(body.frame(ofItem: 9_999_999) == PixelFrame(minX: 0, minY: 249_999_975, maxX: 320, maxY: 250_000_000))
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: 125_000_000, maxX: 9, maxY: 125_000_030)) == 5_000_000)
    #expect(body.lastItem(in: PixelFrame(minX: 0, minY: 125_000_000, maxX: 9, maxY: 125_000_030)) == 5_000_001)
  }

  @Test("Fixed rows in a rectangle equal those of a linear search")
  func fixedRectangles() {
    var random = SeededGenerator(seed: 71)
    for _ in 0..<300 {
      let flow: Axis = random.chance(oneIn: 2) ? .vertical : .horizontal
      let container = SectionContainer.plain(30, 30, flow: flow, spacing: Double(Int.random(in: 0...4, using: &random)))
      let count = Int.random(in: 0...20, using: &random)
      let body = FixedRowsBody(
        of: count, row: .random(in: 0...9, using: &random), first: .random(in: 0...20, using: &random), in: container)
      let start = Int.random(in: -30...200, using: &random)
      let end = start + Int.random(in: 0...60, using: &random)
      let rect =
        flow == .vertical
        ? PixelFrame(minX: 3, minY: start, maxX: 9, maxY: end) : PixelFrame(minX: start, minY: 3, maxX: end, maxY: 9)
      let hits = (0..<count).filter { !rect.isEmpty && body.frame(ofItem: $0).intersects(rect) }
      #expect(body.firstItem(in: rect) == hits.first)
      #expect(body.lastItem(in: rect) == hits.last)
      #expect(body.length == (count > 0 ? body.frame(ofItem: count - 1).end(flow) : 0))
    }
  }

  @Test("A plain list pins its header to the top while its section is visible")
  func pinnedHeader() throws {
    var configuration = CollectionLayoutListConfiguration(appearance: .plain)
    configuration.headerMode = .supplementary
    configuration.footerMode = .supplementary
    let layout = layout(configuration, [100, 100])
    #expect(layout.contentSize.height == 2 * (28 + 100 * 44 + 28))
    let header = try #require(
      elements(layout, at: 1_000).first {
        $0.identity.kind == .supplementary(CollectionLayoutListConfiguration.headerKind)
      })
    #expect(header.frame == Rect(x: 0, y: 1_000, width: 400, height: 28))
    #expect(header.isPinned)
    #expect(layout.frame(ofItem: 0).minY == 28)
  }

  private let background = ElementIdentity(
    kind: .decoration(CollectionLayoutListConfiguration.backgroundKind), section: 0)

  @Test("The card of an inset group is behind its rows, without headers, footers and margins")
  func cards() {
    func card(_ count: Int, _ change: (inout CollectionLayoutListConfiguration) -> Void = { _ in })
      -> ElementAttributes?
    {
      var configuration = CollectionLayoutListConfiguration(appearance: .insetGrouped)
      configuration.rowHeight = .absolute(44)
      change(&configuration)
      let layout = layout(configuration, [count])
      let found = layout.attributes(of: background, in: layout.visibleRect(at: 0))
      #expect(elements(layout, at: 0).first { $0.identity == background } == found)
      return found
    }
    #expect(card(2)?.frame == Rect(x: 16, y: 16, width: 368, height: 88) && card(2)?.zIndex == 0)
    let framed = card(2) {
      $0.headerMode = .supplementary
      $0.footerMode = .supplementary
    }
    #expect(framed?.frame == Rect(x: 16, y: 44, width: 368, height: 88))
    // The first item is a header of 28 points.
    #expect(card(3) { $0.headerMode = .firstItemInSection }?.frame == Rect(x: 16, y: 44, width: 368, height: 88))
    #expect(card(1) { $0.headerMode = .firstItemInSection } == nil && card(0) == nil)
    #expect(card(2) { $0.showsSectionBackgrounds = false } == nil)
    #expect(card(2) { $0.rowHeight = nil }?.frame == Rect(x: 16, y: 16, width: 368, height: 88))
  }

  @Test("The first and the last row are at the ends of the card")
  func cardEnds() {
    var configuration = CollectionLayoutListConfiguration(appearance: .insetGrouped)
    let rows = layout(configuration, [3, 1])
    #expect((0..<4).map { rows.backgroundEnds(ofItem: $0) } == [[.first], [], [.last], [.first, .last]])
    configuration.headerMode = .firstItemInSection
    let headed = layout(configuration, [3, 1])
    #expect((0..<4).map { headed.backgroundEnds(ofItem: $0) } == [nil, [.first], [.last], nil])
    let plain = layout(CollectionLayoutListConfiguration(appearance: .plain), [2])
    #expect(plain.backgroundEnds(ofItem: 0) == nil && !plain.hasItemsBackgrounds && rows.hasItemsBackgrounds)
  }

  @Test("Inset groups have side and section margins, and padding above headers")
  func insetGroups() throws {
    var configuration = CollectionLayoutListConfiguration(appearance: .insetGrouped)
    #expect(layout(configuration, [2]).frame(ofItem: 0) == Rect(x: 16, y: 16, width: 368, height: 44))
    #expect(layout(configuration, [2]).contentSize.height == 16 + 88 + 16)
    configuration.headerMode = .supplementary
    let solved = layout(configuration, [2])
    let header = try #require(elements(solved, at: 0).first { $0.identity.kind != background.kind })
    #expect(header.frame == Rect(x: 16, y: 16, width: 368, height: 28))
    #expect(solved.frame(ofItem: 0).minY == 44)
    configuration.headerTopPadding = .infinity
    configuration.headerHeight = 40
    #expect(layout(configuration, [2]).frame(ofItem: 0).minY == 40)
    let narrow = CompositionalLayout.list(using: configuration).solved(
      in: LayoutEnvironment(containerSize: Size(width: 200, height: 300)), for: ItemCounts([2]))
    #expect(narrow.frame(ofItem: 1).minX == 8)
  }

  @Test("Metrics are multiples of four", arguments: CollectionLayoutListConfiguration.Appearance.allCases)
  func metrics(appearance: CollectionLayoutListConfiguration.Appearance) {
    let metrics = ListMetrics(appearance)
    let lengths = [
      metrics.rowHeight, metrics.headerHeight, metrics.footerHeight, metrics.headerTopPadding, metrics.sideMargin,
      metrics.sideMargin(in: Size(width: 100, height: 100)), metrics.sectionMargin, metrics.separatorInset,
    ]
    #expect(lengths.allSatisfy { $0.truncatingRemainder(dividingBy: 4) == 0 })
    #expect(metrics.rowHeight >= 32)
  }

  @Test("Separators are decoration views in front of the cells")
  func separators() throws {
    let layout = layout(CollectionLayoutListConfiguration(appearance: .plain), [1_000])
    let lines = elements(layout, at: 4_400)
    #expect(lines.map(\.identity.item) == Array(100...105))
    #expect(
      lines.allSatisfy {
        $0.identity.kind == .decoration(CollectionLayoutListConfiguration.separatorKind) && $0.zIndex > 0
      })
    let line = try #require(lines.first)
    #expect(line.frame == Rect(x: 16, y: 4_443, width: 384, height: 1))
    #expect(layout.attributes(of: line.identity, in: layout.visibleRect(at: 4_400)) == line)
    var missing = line.identity
    missing.item = 1_000
    #expect(layout.attributes(of: missing, in: layout.visibleRect(at: 4_400)) == nil)
  }

  @Test("Insertions keep measured heights, and another kind of rows is solved from scratch")
  func updates() {
    let container = SectionContainer.plain()
    var configuration = CollectionLayoutListConfiguration(appearance: .plain)
    var body = ListContent(configuration: configuration).body(of: 10, in: container)
    _ = body.setPreferredSize(width: 320, height: 90, ofItem: 4)
    let edits = SectionEdits(section: 0, insertions: [2..<5])
    configuration.itemSeparatorHandler = { _, general in general }
    let isAccepted = body.update(edits, content: ListContent(configuration: configuration), container: container)
    #expect(isAccepted)
    #expect(body.frame(ofItem: 7).height == 90)
    configuration.rowHeight = .absolute(30)
    let isOtherAccepted = body.update(edits, content: ListContent(configuration: configuration), container: container)
    #expect(!isOtherAccepted)
    var fixed = ListContent(configuration: configuration).body(of: 10, in: container)
    let isFixedAccepted = fixed.update(edits, content: ListContent(configuration: configuration), container: container)
    #expect(isFixedAccepted)
    #expect(fixed.itemCount == 13)
    #expect(fixed.length == 390)
  }

  @Test("Rows with a uniform height grow together")
  func sharedHeights() {
    var configuration = CollectionLayoutListConfiguration(appearance: .plain)
    configuration.rowHeight = .uniformAcrossSiblings(estimate: 20)
    var layout = layout(configuration, [1_000_000])
    #expect(layout.contentSize.height == 20_000_000)
    let result = layout.setPreferredSize(Size(width: 400, height: 31), ofItem: 999)
    #expect(result == .changed)
    #expect(layout.contentSize.height == 31_000_000)
    #expect(layout.frame(ofItem: 500_000) == Rect(x: 0, y: 15_500_000, width: 400, height: 31))
  }

  @Test("From right to left, separators start at the right")
  func rightToLeft() throws {
    let layout = CompositionalLayout.list(using: CollectionLayoutListConfiguration(appearance: .plain)).solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300), layoutDirection: .rightToLeft),
      for: ItemCounts([3]))
    let line = try #require(elements(layout, at: 0).first)
    #expect(line.frame == Rect(x: 0, y: 43, width: 384, height: 1))
  }
}
