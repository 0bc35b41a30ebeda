import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Repeated groups")
struct TemplateQueryTests {
  private func rect(in body: any SectionBody, _ container: SectionContainer, _ random: inout SeededGenerator)
    -> PixelFrame
  {
    let (along, across) = (body.length + 60, body.breadth + 60)
    let start = Int.random(in: -60...along, using: &random)
    let side = Int.random(in: -60...across, using: &random)
    let length =
      random.chance(oneIn: 3) ? Int.random(in: 0...4, using: &random) : Int.random(in: 0...600, using: &random)
    let breadth =
      random.chance(oneIn: 3) ? Int.random(in: 0...4, using: &random) : Int.random(in: 0...600, using: &random)
    return container.flow == .vertical
      ? PixelFrame(minX: side, minY: start, maxX: side + breadth, maxY: start + length)
      : PixelFrame(minX: start, minY: side, maxX: start + length, maxY: side + breadth)
  }

  private func compare(_ body: any SectionBody, _ container: SectionContainer, _ random: inout SeededGenerator) {
    let frames = (0..<body.itemCount).map { body.frame(ofItem: $0) }
    #expect(frames.allSatisfy { $0.width >= 1 && $0.height >= 1 })
    #expect(frames.allSatisfy { $0.start(container.flow) >= 0 && $0.end(container.flow) <= body.length })
    #expect(frames.allSatisfy { $0.start(container.flow.cross) >= 0 && $0.end(container.flow.cross) <= body.breadth })
    for _ in 0..<12 {
      let rect = rect(in: body, container, &random)
      let hits = frames.indices.filter { !rect.isEmpty && frames[$0].intersects(rect) }
      #expect(body.firstItem(in: rect) == hits.first)
      #expect(body.lastItem(in: rect) == hits.last)
    }
  }

  @Test("The first and last item in a rectangle equal those of a linear search, before and after updates")
  func againstBruteForce() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<1_500 {
      let content = GroupContent(group: random.group(estimates: random.chance(oneIn: 3)))
      let container = random.sectionContainer()
      var body = content.body(of: .random(in: 0...60, using: &random), in: container)
      compare(body, container, &random)
      let insertedCount = Int.random(in: 0...40, using: &random)
      let removedCount = Int.random(in: 0...body.itemCount, using: &random)
      let count = body.itemCount + insertedCount - removedCount
      let edits = SectionEdits(section: 0, removals: [0..<removedCount], insertions: [0..<insertedCount])
      if body.update(edits, content: content, container: container) {
        #expect(body.itemCount == count)
        compare(body, container, &random)
      }
    }
  }

  @Test("Queries of mosaics, whose last group is different, equal those of a linear search")
  func mosaics() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<600 {
      let content = MosaicContent(
        spacing: random.number(0...12), minimumUnit: random.number(20...200), ratio: random.number(0.3...2))
      let container = random.sectionContainer()
      var body = content.body(of: .random(in: 0...90, using: &random), in: container)
      compare(body, container, &random)
      let insertedCount = Int.random(in: 0...40, using: &random)
      let isAccepted = body.update(
        SectionEdits(section: 0, insertions: [0..<insertedCount]), content: content, container: container)
      #expect(isAccepted)
      compare(body, container, &random)
    }
  }

  @Test("An update is accepted only with the same rules and container")
  func otherRules() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(5), repeatingSubitem: layoutItem(.absolute(1), .absolute(1)), count: 2)
    var other = group
    other.interItemSpacing = .fixed(1)
    let container = SectionContainer.plain(10, 10)
    var body = GroupContent(group: group).body(of: 7, in: container)
    let edits = SectionEdits(section: 0, removals: [0..<3])
    func accepts(_ content: GroupContent, _ container: SectionContainer) -> Bool {
      body.update(edits, content: content, container: container)
    }
    #expect(!accepts(GroupContent(group: other), container))
    #expect(!accepts(GroupContent(group: group), SectionContainer.plain(11, 10)))
    #expect(body.itemCount == 7 && body.length == 20)
    #expect(accepts(GroupContent(group: group), container))
    #expect(body.itemCount == 4 && body.length == 10)
    #expect(body.cost(of: edits) == 0)
    let custom = GroupContent(group: .custom(layoutSize: .full) { _ in [] })
    body = custom.body(of: 5, in: container)
    #expect(!accepts(custom, container))
  }

  @Test("Rules are equal if all their values are")
  func sameRules() {
    let cell = layoutItem(.absolute(1), .absolute(1))
    let wide = layoutItem(.absolute(2), .absolute(1))
    func list(_ change: (inout CollectionLayoutGroup) -> Void = { _ in }) -> CollectionLayoutGroup {
      var group = CollectionLayoutGroup.horizontal(layoutSize: .high(5), subitems: [cell, wide])
      change(&group)
      return group
    }
    let groups = [
      list(), list { $0.interItemSpacing = .fixed(1) }, list { $0.interItemSpacing = .flexible(1) },
      list { $0.contentInsets.top = 1 }, list { $0.edgeSpacing = .init(top: .fixed(1)) },
      list {
        $0.supplementaryItems = [
          .init(layoutSize: .high(1), elementKind: "line", containerAnchor: .init(edges: .top))
        ]
      },
      .horizontal(layoutSize: .high(6), subitems: [cell, wide]),
      .vertical(layoutSize: .high(5), subitems: [cell, wide]),
      .horizontal(layoutSize: .high(5), subitems: [wide, cell]), .horizontal(layoutSize: .high(5), subitems: [cell]),
      .horizontal(layoutSize: .high(5), subitems: [cell, list()]),
      .horizontal(layoutSize: .high(5), subitems: [cell, list { $0.contentInsets.leading = 1 }]),
      .horizontal(layoutSize: .high(5), repeatingSubitem: cell, count: 2),
      .horizontal(layoutSize: .high(5), repeatingSubitem: cell, count: 3),
      .horizontal(layoutSize: .high(5), repeatingSubitem: wide, count: 2),
      .vertical(layoutSize: .high(5), repeatingSubitem: cell, count: 2),
    ]
    for (one, group) in groups.enumerated() {
      for (other, another) in groups.enumerated() { #expect(group.hasSameRules(as: another) == (one == other)) }
    }
    #expect(!GroupContent(group: list()).hasSameRules(as: MosaicContent(spacing: 0, minimumUnit: 1, ratio: 1)))
  }

  @Test("Group starts before, inside and after the items")
  func groupStarts() throws {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(10), repeatingSubitem: layoutItem(.absolute(1), .fractionalHeight(1)), count: 2)
    let body = GroupContent(group: group).body(of: 5, in: .plain(10, 10, spacing: 3))
    func starts(_ line: Int) throws -> [Int?] {
      let starts = try #require(body.groupStarts(around: line))
      return [starts.atOrBefore, starts.after]
    }
    #expect(try starts(-5) == [0, 0])
    #expect(try starts(0) == [0, 13])
    #expect(try starts(12) == [0, 13])
    #expect(try starts(13) == [13, 26])
    #expect(try starts(26) == [26, nil])
    #expect(try starts(1 << 60) == [26, nil])
    #expect(GroupContent(group: group).body(of: 0, in: .plain(9, 9)).groupStarts(around: 0) == nil)
  }
}

// MARK: - Large sections

@Suite("Sections of ten million items and more than a billion pixels")
struct LargeSectionTests {

  private func body(_ count: Int) -> any SectionBody {
    let hero = layoutItem(.fractionalWidth(0.5), .fractionalHeight(1))
    let pair = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      repeatingSubitem: layoutItem(.fractionalWidth(1), .fractionalHeight(1)), count: 2)
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(301), subitems: [hero, pair])
    return GroupContent(group: group).body(of: count, in: .plain(1_001, 800, scale: 1.25, spacing: 8))
  }

  @Test("All frames are exact: three items every 386 pixels")
  func exact() {
    let body = body(10_000_000)
    // 301 points are 376.25 pixels, so groups are 376 pixels high, with a spacing of 10.
    #expect(body.length == 3_333_333 * 386 + 376)
    #expect(body.length > 1_000_000_000)
    let last = 9_999_999
    #expect(
      body.frame(ofItem: last) == PixelFrame(minX: 0, minY: 3_333_333 * 386, maxX: 626, maxY: 3_333_333 * 386 + 376))
    var random = SeededGenerator(seed: 9)
    for _ in 0..<4_000 {
      let item = Int.random(in: 0...last, using: &random)
      let frame = body.frame(ofItem: item)
      #expect(frame.minY == item / 3 * 386 + (item % 3 == 2 ? 188 : 0))
      #expect(body.firstItem(in: frame) == item && body.lastItem(in: frame) == item)
      let pixel = PixelFrame(minX: frame.maxX - 1, minY: frame.maxY - 1, maxX: frame.maxX, maxY: frame.maxY)
      #expect(body.firstItem(in: pixel) == item && body.lastItem(in: pixel) == item)
      #expect(body.firstItem(in: pixel.offset(x: frame.width, y: 0)) != item)
    }
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: 376, maxX: 2_000, maxY: 386)) == nil)
  }

  @Test("The maximum number of items and the largest rectangles do not overflow")
  func maximumItemCount() {
    let body = body(ItemCounts.maximumTotal)
    let limit = 1 << 60
    let everything = PixelFrame(minX: -limit, minY: -limit, maxX: limit, maxY: limit)
    #expect(body.firstItem(in: everything) == 0)
    #expect(body.lastItem(in: everything) == ItemCounts.maximumTotal - 1)
    #expect(body.firstItem(in: PixelFrame(minX: -limit, minY: limit - 1, maxX: limit, maxY: limit)) == nil)
    #expect(body.lastItem(in: PixelFrame(minX: -limit, minY: -limit, maxX: limit, maxY: 0)) == nil)
    let item = ItemCounts.maximumTotal - 7
    #expect(body.firstItem(in: body.frame(ofItem: item)) == item)
  }

  @Test("The longest possible groups do not overflow")
  func longestGroups() {
    var group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(1e300), height: .absolute(1e300)), subitems: [layoutItem(.full, .full)])
    group.edgeSpacing = .init(top: .fixed(1e300), bottom: .fixed(1e300))
    let container = SectionContainer.plain(1e300, 1e300, spacing: 1e300)
    let body = GroupContent(group: group).body(of: ItemCounts.maximumTotal, in: container)
    #expect(body.length == ItemCounts.maximumTotal * 4_000_000 - 1_000_000)
    let last = body.frame(ofItem: ItemCounts.maximumTotal - 1)
    #expect(body.firstItem(in: last.offset(x: 0, y: -4_000_000)) == ItemCounts.maximumTotal - 2)
  }

  @Test("The maximum number of the longest groups does not overflow in an orthogonal section with centered paging")
  func longestStrip() {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .estimated(1e6), height: .fractionalHeight(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .estimated(1e6), height: .absolute(50)), subitems: [item])
    group.edgeSpacing = CollectionLayoutEdgeSpacing(leading: .fixed(1e6), trailing: .fixed(1e6))
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 1e6
    section.orthogonalScrollingBehavior = .groupPagingCentered
    let solved = CompositionalLayout(section: section).solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 600)), for: ItemCounts([ItemCounts.maximumTotal]))
    #expect(solved.orthogonalSection(0)?.contentLength == 4e18 - 1e6)
    #expect(solved.frame(ofItem: ItemCounts.maximumTotal - 1).width == 1e6)
  }
}

extension CollectionLayoutDimension {
  fileprivate static let full = CollectionLayoutDimension.fractionalHeight(1)
}
