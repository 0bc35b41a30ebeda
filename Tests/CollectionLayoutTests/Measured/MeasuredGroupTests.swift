import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Groups of cells that tell their size")
struct MeasuredGroupTests {
  private func size(
    _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension
  ) -> CollectionLayoutSize { CollectionLayoutSize(width: width, height: height) }

  private func body(_ group: CollectionLayoutGroup, _ items: Int, in room: SectionRoom) -> any SectionBody {
    GroupContent(group: group).body(of: items, in: room)
  }

  private func picture(of body: any SectionBody, width: Int, height: Int) -> String {
    CollectionLayoutTests.picture(
      of: (0..<body.itemCount).map { body.frame(ofItem: $0) }, width: width, height: height)
  }

  @Test("A group is as high as the highest of its columns")
  func columns() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(2)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(2)), subitems: [item])
    var body = body(group, 5, in: .plain(8, 12, spacing: 1))
    #expect(
      picture(of: body, width: 8, height: 8) == """
        AAAABBBB
        AAAABBBB
        ........
        CCCCDDDD
        CCCCDDDD
        ........
        EEEE....
        EEEE....
        """)
    #expect(body.asksForSize(ofItem: 2))
    _ = body.setPreferredSize(width: 4, height: 1, ofItem: 2)
    _ = body.setPreferredSize(width: 4, height: 4, ofItem: 3)
    #expect(
      picture(of: body, width: 8, height: 10) == """
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

  @Test("In a group of estimated widths the others move over")
  func widths() {
    let item = CollectionLayoutItem(layoutSize: size(.estimated(3), .absolute(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(1)), subitems: [item])
    group.interItemSpacing = .fixed(1)
    var body = body(group, 5, in: .plain(11, 5))
    #expect(
      picture(of: body, width: 11, height: 2) == """
        AAA.BBB.CCC
        DDD.EEE....
        """)
    let verdict = body.setPreferredSize(width: 1, height: 9, ofItem: 0)
    #expect(verdict == .changed)
    #expect(
      picture(of: body, width: 11, height: 2) == """
        A.BBB.CCC..
        DDD.EEE....
        """)
    #expect(body.length == 2)
  }

  @Test("Items that are uniform across siblings share the height of the highest in their group")
  func siblings() {
    let item = CollectionLayoutItem(
      layoutSize: size(.fractionalWidth(0.5), .uniformAcrossSiblings(estimate: 1)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(1)), subitems: [item])
    var body = body(group, 4, in: .plain(4, 8))
    _ = body.setPreferredSize(width: 2, height: 3, ofItem: 1)
    #expect(
      picture(of: body, width: 4, height: 4) == """
        AABB
        AABB
        AABB
        CCDD
        """)
  }

  @Test("Where the outermost group is uniform, all groups of the section grow together")
  func section() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(2)))
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .uniformAcrossSiblings(estimate: 2)), subitems: [item])
    var body = body(group, 1_000_000, in: .plain(3, 20, spacing: 1))
    #expect(body.length == 3_000_000 - 1)
    let verdict = body.setPreferredSize(width: 3, height: 5, ofItem: 500_000)
    #expect(verdict == .changed)
    #expect(body.length == 6_000_000 - 1)
    #expect(body.frame(ofItem: 999_999).minY == 6 * 999_999)
    // A smaller one changes itself, and no other.
    _ = body.setPreferredSize(width: 3, height: 1, ofItem: 0)
    #expect(body.length == 6_000_000 - 1)
    #expect(body.frame(ofItem: 0).height == 1)
    #expect(body.frame(ofItem: 1) == PixelFrame(minX: 0, minY: 6, maxX: 3, maxY: 11))
    let line = 6 * 700_000
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: line, maxX: 3, maxY: line + 7)) == 700_000)
    #expect(body.lastItem(in: PixelFrame(minX: 0, minY: line, maxX: 3, maxY: line + 7)) == 700_001)
    #expect(body.groupStarts(around: line + 5)?.behind == line + 6)
  }

  @Test("A uniform section of cells that grow without end comes to rest")
  func uniformGrowth() {
    let room = SectionRoom.plain()
    let rows = RowGroup(flow: .vertical, breadth: 320, estimate: 20, sharesLength: true)
    var body = SharedLengthBody(MeasuredBody(of: 10, group: rows, in: room))
    var changes = 0
    for height in 1...200 {
      for item in 0..<10
      where body.setPreferredSize(width: 320, height: 20 + height + item, ofItem: item) == .changed {
        changes += 1
      }
    }
    #expect(changes <= 40)
    #expect((0..<10).allSatisfy { !body.asksForSize(ofItem: $0) })
    #expect(body.length == 10 * body.frame(ofItem: 0).height)
  }

  @Test("A strip that scrolls across is as deep as the deepest of its cells")
  func orthogonalDepth() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(30)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.absolute(100), .estimated(30)), subitems: [item])
    var section = CollectionLayoutSection(group: group)
    section.orthogonalScrollingBehavior = .continuous
    var layout = CompositionalLayout(section: section)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 250, height: 400)), for: ItemCounts([20, 20]))
    #expect(layout.contentSize.height == 60)
    let verdict = layout.setPreferredSize(Size(width: 100, height: 75), ofItem: 3)
    #expect(verdict == .changed)
    #expect(layout.contentSize.height == 105)
    #expect(layout.frame(ofItem: 20).minY == 75)
  }

  @Test("Custom groups are placed anew, and others keep what was measured when their rules come again")
  func sameRules() {
    let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(20)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(20)), subitems: [item])
    let room = SectionRoom.plain()
    var body = body(group, 9, in: room)
    _ = body.setPreferredSize(width: 160, height: 50, ofItem: 5)
    let edits = SectionEdits(section: 0, insertions: [0..<1])
    let isTaken = body.update(edits, content: GroupContent(group: group), room: room)
    #expect(isTaken)
    let hasMoved = body.settle(0..<1_000)
    #expect(hasMoved)
    #expect(body.frame(ofItem: 6).height == 50)
    var other = group
    other.interItemSpacing = .fixed(3)
    let isOtherTaken = body.update(edits, content: GroupContent(group: other), room: room)
    #expect(!isOtherTaken)
    #expect(body.itemCount == 10)
  }

  @Test("Badges stay with their items in groups that were measured")
  func badges() {
    let room = SectionRoom.plain(flow: .vertical)
    let group = SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: 3, isStack: true)
    var body = MeasuredBody(of: 8, group: group, in: room)
    _ = body.setPreferredSize(width: 1, height: 77, ofItem: 3)
    var badges: [BodySupplementary] = []
    body.appendSupplementaries(of: 2..<8, to: &badges)
    #expect(badges.map(\.item) == [2, 3, 4, 5, 6, 7])
    #expect(badges.allSatisfy { $0.frame == body.frame(ofItem: $0.item).offset(x: 3, y: 3) })
  }
}
