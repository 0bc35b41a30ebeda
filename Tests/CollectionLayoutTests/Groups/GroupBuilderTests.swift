import Testing
import VitrineGeometry

@testable import VitrineCollectionLayout

@Suite("Layout groups: counts, lists and nesting")
struct GroupBuilderTests {
  private let cell = layoutItem(.fractionalWidth(1), .fractionalHeight(1))

  @Test("Fractions refer to either axis of the group's container without its insets")
  func fractions() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(0.8), height: .fractionalWidth(0.4)),
      subitems: [
        layoutItem(.fractionalWidth(0.5), .fractionalHeight(1)),
        layoutItem(.fractionalHeight(1), .fractionalWidth(0.25)),
      ])
    group.contentInsets = DirectionalEdgeInsets(top: 1, leading: 2, bottom: 2, trailing: 2)
    #expect(
      layoutDrawing(group, 20, 30) == """
        ....................
        ..AAAAAABBBBB.......
        ..AAAAAABBBBB.......
        ..AAAAAABBBBB.......
        ..AAAAAA............
        ..AAAAAA............
        ....................
        ....................
        """)
  }

  @Test("A count divides the group equally, whatever the subitem's own width, and edges are rounded, not widths")
  func count() {
    let narrow = layoutItem(.absolute(1), .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(2), repeatingSubitem: narrow, count: 3)
    #expect(
      layoutDrawing(group, 20, 9) == """
        AAAAAAABBBBBBCCCCCCC
        AAAAAAABBBBBBCCCCCCC
        """)
  }

  @Test("Spacing is subtracted before a count divides the group, so that all gaps are equal")
  func countWithSpacing() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: cell, count: 4)
    group.interItemSpacing = .fixed(2)
    #expect(layoutDrawing(group, 21, 9) == "AAAA..BBBB..CCC..DDDD")
    group.interItemSpacing = .flexible(2)
    #expect(layoutDrawing(group, 21, 9) == "AAAA..BBBB..CCC..DDDD")
  }

  @Test("In a vertical group a count divides the height, and the width is that of the subitem")
  func verticalCount() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .high(5), repeatingSubitem: layoutItem(.fractionalWidth(0.5), .absolute(400)), count: 2)
    #expect(
      layoutDrawing(group, 8, 9) == """
        AAAA....
        AAAA....
        AAAA....
        BBBB....
        BBBB....
        """)
  }

  @Test("Content insets shrink the item in its slot")
  func insetsComeLast() {
    let inset = layoutItem(
      .fractionalWidth(1), .fractionalHeight(1), insets: .init(top: 1, leading: 1, bottom: 0, trailing: 2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(3), repeatingSubitem: inset, count: 3)
    #expect(
      layoutDrawing(group, 18, 9) == """
        ..................
        .AAA...BBB...CCC..
        .AAA...BBB...CCC..
        """)
  }

  @Test("Edge spacing of counted items takes additional space")
  func countWithEdges() {
    let spaced = layoutItem(
      .fractionalWidth(1), .fractionalHeight(1), edges: .init(leading: .fixed(1), trailing: .fixed(1)))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: spaced, count: 3)
    #expect(layoutDrawing(group, 15, 9) == ".AAA..BBB..CCC.")
  }

  @Test("Fewer items are laid out if they would be less than one pixel long")
  func tooMany() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: cell, count: 500)
    #expect(layoutDrawing(group, 5, 9) == "ABCDE")
    group.interItemSpacing = .fixed(1)
    #expect(layoutDrawing(group, 5, 9) == "A.B.C")
    group.interItemSpacing = .fixed(70)
    #expect(layoutDrawing(group, 5, 9) == "AAAAA")
  }

  @Test("A list of subitems repeats until the next one does not fit")
  func cyclicList() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2),
      subitems: [layoutItem(.absolute(5), .absolute(1)), layoutItem(.absolute(2), .fractionalHeight(1))])
    #expect(
      layoutDrawing(group, 20, 9) == """
        AAAAABBCCCCCDDEEEEE.
        .....BB.....DD......
        """)
  }

  @Test("Spacing is between items only")
  func listWithSpacing() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1), subitems: [layoutItem(.absolute(4), .absolute(1))])
    group.interItemSpacing = .fixed(3)
    #expect(layoutDrawing(group, 18, 9) == "AAAA...BBBB...CCCC")
    #expect(layoutDrawing(group, 17, 9) == "AAAA...BBBB......")
  }

  @Test("Edge spacing counts when items are fitted")
  func listWithEdges() {
    let spaced = layoutItem(.absolute(4), .absolute(1), edges: .init(leading: .fixed(1), trailing: .fixed(2)))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), subitems: [spaced])
    #expect(layoutDrawing(group, 14, 9) == ".AAAA...BBBB..")
    #expect(layoutDrawing(group, 13, 9) == ".AAAA........")
  }

  @Test("Items are fitted after rounding, so that fractions never lose a column", arguments: 2...60)
  func comparedAfterRounding(columns: Int) {
    let item = layoutItem(.fractionalWidth(1 / Double(columns)), .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(10), subitems: [item])
    for width in stride(from: 61.0, to: 2_000, by: 71.25) {
      for scale in [1, 1.25, 1.5, 2] {
        let template = GroupSolver.solve(group, in: .plain(width, 100, scale: scale))
        #expect(template.slots.count == columns)
        #expect(template.slots.last?.frame.maxX == Int(width * scale))
      }
    }
  }

  @Test("The first item has a slot even if it does not fit, and is clipped")
  func firstThatDoesNotFit() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2),
      subitems: [layoutItem(.absolute(40), .absolute(40)), layoutItem(.absolute(1), .absolute(1))])
    #expect(
      layoutDrawing(group, 6, 9) == """
        AAAAAA
        AAAAAA
        """)
  }

  @Test("Nested groups: a large item with two items next to it, and a row below")
  func nested() {
    let column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)), repeatingSubitem: cell, count: 2)
    let top = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(2 / 3)),
      subitems: [layoutItem(.fractionalWidth(2 / 3), .fractionalHeight(1)), column])
    let row = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(1 / 3)), repeatingSubitem: cell, count: 3)
    let group = CollectionLayoutGroup.vertical(layoutSize: .high(6), subitems: [top, row])
    #expect(
      layoutDrawing(group, 12, 30) == """
        AAAAAAAABBBB
        AAAAAAAABBBB
        AAAAAAAACCCC
        AAAAAAAACCCC
        DDDDEEEEFFFF
        DDDDEEEEFFFF
        """)
  }

  @Test("A nested group has its own insets, spacing and edge spacing")
  func nestedWithInsets() {
    var pair = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(6), height: .fractionalHeight(1)), repeatingSubitem: cell, count: 2)
    pair.contentInsets = DirectionalEdgeInsets(all: 1)
    pair.interItemSpacing = .fixed(1)
    pair.edgeSpacing = .init(leading: .fixed(2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(7), subitems: [pair])
    #expect(
      layoutDrawing(group, 17, 30) == """
        .................
        ...AAAA....CCCC..
        ...AAAA....CCCC..
        .................
        ...BBBB....DDDD..
        ...BBBB....DDDD..
        .................
        """)
  }

  @Test("With k slots per group, item i has slot i mod k of group i / k along either axis")
  func repetition() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2), subitems: [layoutItem(.absolute(3), .absolute(1)), layoutItem(.absolute(5), .absolute(2))])
    let body = GroupContent(group: group).body(of: 6, in: .plain(8, 30, spacing: 1))
    #expect(
      layoutDrawing(body, 8, body.length) == """
        AAABBBBB
        ...BBBBB
        ........
        CCCDDDDD
        ...DDDDD
        ........
        EEEFFFFF
        ...FFFFF
        """)
    let column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(3), height: .fractionalHeight(1)), repeatingSubitem: cell, count: 2)
    let across = GroupContent(group: column).body(of: 5, in: .plain(8, 4, flow: .horizontal, spacing: 2))
    #expect(
      layoutDrawing(across, across.length, 4) == """
        AAA..CCC..EEE
        AAA..CCC..EEE
        BBB..DDD.....
        BBB..DDD.....
        """)
  }

  @Test("An incomplete last group uses the first slots, even with flexible spacing")
  func partialGroup() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1), subitems: [layoutItem(.absolute(2), .absolute(1))])
    group.interItemSpacing = .flexible(3)
    let body = GroupContent(group: group).body(of: 5, in: .plain(16, 30))
    #expect(
      layoutDrawing(body, 16, body.length) == """
        AA.....BB.....CC
        DD.....EE.......
        """)
  }
}
