import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Groups of self-sizing cells")
struct MeasurableGroupTests {
  private func size(
    _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension
  ) -> CollectionLayoutSize { CollectionLayoutSize(width: width, height: height) }

  private func body(_ group: CollectionLayoutGroup, _ items: Int, in container: SectionContainer) -> any SectionBody {
    GroupContent(group: group).body(of: items, in: container)
  }

  private func drawing(of body: any SectionBody, width: Int, height: Int) -> String {
    CollectionLayoutTests.drawing(
      of: (0..<body.itemCount).map { body.frame(ofItem: $0) }, width: width, height: height)
  }

  @Test("A group is as high as the highest of its columns")
  func columns() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(2)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(2)), subitems: [item])
    var body = body(group, 5, in: .plain(8, 12, spacing: 1))
    #expect(
      drawing(of: body, width: 8, height: 8) == """
        AAAABBBB
        AAAABBBB
        ........
        CCCCDDDD
        CCCCDDDD
        ........
        EEEE....
        EEEE....
        """)
    #expect(body.usesPreferredSize(ofItem: 2))
    _ = body.setPreferredSize(width: 4, height: 1, ofItem: 2)
    _ = body.setPreferredSize(width: 4, height: 4, ofItem: 3)
    #expect(
      drawing(of: body, width: 8, height: 10) == """
        AAAABBBB
        AAAABBBB
        ........
        CCCCDDDD
        ....DDDD
        ....DDDD
        ....DDDD
        ........
        EEEE....
        EEEE....
        """)
    #expect(body.length == 10)
  }

  @Test("Items with estimated widths move the items after them")
  func widths() {
    let item = CollectionLayoutItem(layoutSize: size(.estimated(3), .absolute(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(1)), subitems: [item])
    group.interItemSpacing = .fixed(1)
    var body = body(group, 5, in: .plain(11, 5))
    #expect(
      drawing(of: body, width: 11, height: 2) == """
        AAA.BBB.CCC
        DDD.EEE....
        """)
    let result = body.setPreferredSize(width: 1, height: 9, ofItem: 0)
    #expect(result == .changed)
    #expect(
      drawing(of: body, width: 11, height: 2) == """
        A.BBB.CCC..
        DDD.EEE....
        """)
    #expect(body.length == 2)
  }

  @Test("Uniform siblings have the height of the highest item of their group")
  func siblings() {
    let item = CollectionLayoutItem(
      layoutSize: size(.fractionalWidth(0.5), .uniformAcrossSiblings(estimate: 1)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(1)), subitems: [item])
    var body = body(group, 4, in: .plain(4, 8))
    _ = body.setPreferredSize(width: 2, height: 3, ofItem: 1)
    #expect(
      drawing(of: body, width: 4, height: 4) == """
        AABB
        AABB
        AABB
        CCDD
        """)
  }

  @Test("If the outermost group is uniform, all groups of the section grow together")
  func section() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(2)))
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .uniformAcrossSiblings(estimate: 2)), subitems: [item])
    var body = body(group, 1_000_000, in: .plain(3, 20, spacing: 1))
    #expect(body.length == 3_000_000 - 1)
    let result = body.setPreferredSize(width: 3, height: 5, ofItem: 500_000)
    #expect(result == .changed)
    #expect(body.length == 6_000_000 - 1)
    #expect(body.frame(ofItem: 999_999).minY == 6 * 999_999)
    // A smaller size changes the item itself only.
    _ = body.setPreferredSize(width: 3, height: 1, ofItem: 0)
    #expect(body.length == 6_000_000 - 1)
    #expect(body.frame(ofItem: 0).height == 1)
    #expect(body.frame(ofItem: 1) == PixelFrame(minX: 0, minY: 6, maxX: 3, maxY: 11))
    let line = 6 * 700_000
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: line, maxX: 3, maxY: line + 7)) == 700_000)
    #expect(body.lastItem(in: PixelFrame(minX: 0, minY: line, maxX: 3, maxY: line + 7)) == 700_001)
    #expect(body.groupStarts(around: line + 5)?.after == line + 6)
  }

  @Test("A uniform section comes to rest even if its cells do not")
  func uniformGrowth() {
    let container = SectionContainer.plain()
    let rows = RowGroup(flow: .vertical, breadth: 320, estimate: 20, sharesLength: true)
    var body = SharedLengthBody(MeasuredBody(of: 10, group: rows, in: container))
    var changes = 0
    for height in 1...200 {
      for item in 0..<10
      where body.setPreferredSize(width: 320, height: 20 + height % 2 * 9 + item, ofItem: item) == .changed {
        changes += 1
      }
    }
    #expect(changes <= 40)
    #expect((0..<10).allSatisfy { !body.usesPreferredSize(ofItem: $0) })
    #expect(body.length == 10 * body.frame(ofItem: 0).height)
  }

  @Test("An orthogonal section is as high as its highest cell")
  func orthogonalDepth() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(30)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.absolute(100), .estimated(30)), subitems: [item])
    var section = CollectionLayoutSection(group: group)
    section.orthogonalScrollingBehavior = .continuous
    var layout = CompositionalLayout(section: section)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 250, height: 400)), for: ItemCounts([20, 20]))
    #expect(layout.contentSize.height == 60)
    let result = layout.setPreferredSize(Size(width: 100, height: 75), ofItem: 3)
    #expect(result == .changed)
    #expect(layout.contentSize.height == 105)
    #expect(layout.frame(ofItem: 20).minY == 75)
  }

  @Test("Groups with the same rules keep their measured sizes; other rules are rejected")
  func sameRules() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(20)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(20)), subitems: [item])
    let container = SectionContainer.plain()
    var body = body(group, 9, in: container)
    _ = body.setPreferredSize(width: 160, height: 50, ofItem: 5)
    let edits = SectionEdits(section: 0, insertions: [0..<1])
    let isAccepted = body.update(edits, content: GroupContent(group: group), container: container)
    #expect(isAccepted)
    let hasMoved = body.finalizeFrames(in: 0..<1_000)
    #expect(hasMoved)
    #expect(body.frame(ofItem: 6).height == 50)
    var other = group
    other.interItemSpacing = .fixed(3)
    let isOtherAccepted = body.update(edits, content: GroupContent(group: other), container: container)
    #expect(!isOtherAccepted)
    #expect(body.itemCount == 10)
  }

  @Test("Badges follow their items in measured groups")
  func badges() {
    let container = SectionContainer.plain(flow: .vertical)
    let group = SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: 3, isStack: true)
    var body = MeasuredBody(of: 8, group: group, in: container)
    _ = body.setPreferredSize(width: 1, height: 77, ofItem: 3)
    var badges: [BodySupplementary] = []
    body.appendSupplementaries(of: 2..<8, to: &badges)
    #expect(badges.map(\.item) == [2, 3, 4, 5, 6, 7])
    #expect(badges.allSatisfy { $0.frame == body.frame(ofItem: $0.item).offset(x: 3, y: 3) })
  }
}
