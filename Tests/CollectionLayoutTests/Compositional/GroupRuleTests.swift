import Geometry
import Testing

@testable import CollectionLayout

@Suite("One group: counts, lists and nesting")
struct GroupRuleTests {
  private typealias D = GroupDrawing
  private let cell = GroupDrawing.item(.fractionalWidth(1), .fractionalHeight(1))

  @Test("Shares are shares of the container within the group's insets, along either of its axes")
  func container() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(0.8), height: .fractionalWidth(0.4)),
      subitems: [
        D.item(.fractionalWidth(0.5), .fractionalHeight(1)), D.item(.fractionalHeight(1), .fractionalWidth(0.25)),
      ])
    group.contentInsets = DirectionalInsets(top: 1, leading: 2, bottom: 2, trailing: 2)
    #expect(
      D.picture(group, 20, 30) == """
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

  @Test("A count shares the group out equally, whatever the subitem's own width; edges are rounded, not widths")
  func count() {
    let narrow = D.item(.absolute(1), .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(2), repeatingSubitem: narrow, count: 3)
    #expect(
      D.picture(group, 20, 9) == """
        AAAAAAABBBBBBCCCCCCC
        AAAAAAABBBBBBCCCCCCC
        """)
  }

  @Test("Fixed spacing is taken off before a count shares out: gaps are equal")
  func countWithSpacing() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: cell, count: 4)
    group.interItemSpacing = .fixed(2)
    #expect(D.picture(group, 21, 9) == "AAAA..BBBB..CCC..DDDD")
    group.interItemSpacing = .flexible(2)
    #expect(D.picture(group, 21, 9) == "AAAA..BBBB..CCC..DDDD")
  }

  @Test("Downwards, the height is shared out, and the other side is the subitem's own")
  func countDown() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .high(5), repeatingSubitem: D.item(.fractionalWidth(0.5), .absolute(400)), count: 2)
    #expect(
      D.picture(group, 8, 9) == """
        AAAA....
        AAAA....
        AAAA....
        BBBB....
        BBBB....
        """)
  }

  @Test("Insets come last: they shrink a cell, not its place")
  func insetsComeLast() {
    let inset = D.item(
      .fractionalWidth(1), .fractionalHeight(1), insets: .init(top: 1, leading: 1, bottom: 0, trailing: 2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(3), repeatingSubitem: inset, count: 3)
    #expect(
      D.picture(group, 18, 9) == """
        ..................
        .AAA...BBB...CCC..
        .AAA...BBB...CCC..
        """)
  }

  @Test("Edge spacing of what is counted takes room of its own")
  func countWithEdges() {
    let spaced = D.item(
      .fractionalWidth(1), .fractionalHeight(1), edges: .init(leading: .fixed(1), trailing: .fixed(1)))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: spaced, count: 3)
    #expect(D.picture(group, 15, 9) == ".AAA..BBB..CCC.")
  }

  @Test("Where not even a pixel is left for each, there are fewer")
  func tooMany() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), repeatingSubitem: cell, count: 500)
    #expect(D.picture(group, 5, 9) == "ABCDE")
    group.interItemSpacing = .fixed(1)
    #expect(D.picture(group, 5, 9) == "A.B.C")
    group.interItemSpacing = .fixed(70)
    #expect(D.picture(group, 5, 9) == "AAAAA")
  }

  @Test("A list is walked again and again, until the next would reach out of the group")
  func cyclicList() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2), subitems: [D.item(.absolute(5), .absolute(1)), D.item(.absolute(2), .fractionalHeight(1))])
    #expect(
      D.picture(group, 20, 9) == """
        AAAAABBCCCCCDDEEEEE.
        .....BB.....DD......
        """)
  }

  @Test("Spacing stands between items only: the last needs none behind it")
  func listWithSpacing() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), subitems: [D.item(.absolute(4), .absolute(1))])
    group.interItemSpacing = .fixed(3)
    #expect(D.picture(group, 18, 9) == "AAAA...BBBB...CCCC")
    #expect(D.picture(group, 17, 9) == "AAAA...BBBB......")
  }

  @Test("Edge spacing counts when items are fitted")
  func listWithEdges() {
    let spaced = D.item(.absolute(4), .absolute(1), edges: .init(leading: .fixed(1), trailing: .fixed(2)))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), subitems: [spaced])
    #expect(D.picture(group, 14, 9) == ".AAAA...BBBB..")
    #expect(D.picture(group, 13, 9) == ".AAAA........")
  }

  @Test("Whether an item still fits is compared after rounding: no share of a width costs a column", arguments: 2...60)
  func comparedAfterRounding(columns: Int) {
    let item = D.item(.fractionalWidth(1 / Double(columns)), .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(10), subitems: [item])
    for width in stride(from: 61.0, to: 2_000, by: 71.25) {
      for scale in [1, 1.25, 1.5, 2] {
        let template = GroupSolver.solve(group, in: D.room(width, 100, scale: scale))
        #expect(template.slots.count == columns)
        #expect(template.slots.last?.frame.maxX == Int(width * scale))
      }
    }
  }

  @Test("The first item has a place even where it does not fit: it is cut")
  func firstThatDoesNotFit() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2), subitems: [D.item(.absolute(40), .absolute(40)), D.item(.absolute(1), .absolute(1))])
    #expect(
      D.picture(group, 6, 9) == """
        AAAAAA
        AAAAAA
        """)
  }

  @Test("Groups in groups: a hero with two beside it, and a row below")
  func nested() {
    let beside = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)), repeatingSubitem: cell, count: 2)
    let top = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(2 / 3)),
      subitems: [D.item(.fractionalWidth(2 / 3), .fractionalHeight(1)), beside])
    let row = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(1 / 3)), repeatingSubitem: cell, count: 3)
    let group = CollectionLayoutGroup.vertical(layoutSize: .high(6), subitems: [top, row])
    #expect(
      D.picture(group, 12, 30) == """
        AAAAAAAABBBB
        AAAAAAAABBBB
        AAAAAAAACCCC
        AAAAAAAACCCC
        DDDDEEEEFFFF
        DDDDEEEEFFFF
        """)
  }

  @Test("A nested group has its own insets, spacing and edges")
  func nestedWithInsets() {
    var pair = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(6), height: .fractionalHeight(1)), repeatingSubitem: cell, count: 2)
    pair.contentInsets = DirectionalInsets(all: 1)
    pair.interItemSpacing = .fixed(1)
    pair.edgeSpacing = .init(leading: .fixed(2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(7), subitems: [pair])
    #expect(
      D.picture(group, 17, 30) == """
        .................
        ...AAAA....CCCC..
        ...AAAA....CCCC..
        .................
        ...BBBB....DDDD..
        ...BBBB....DDDD..
        .................
        """)
  }

  @Test("Item i has place i mod k of group i / k, along either axis")
  func repetition() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(2), subitems: [D.item(.absolute(3), .absolute(1)), D.item(.absolute(5), .absolute(2))])
    let body = GroupContent(group: group).body(of: 6, in: D.room(8, 30, spacing: 1))
    #expect(
      D.picture(body, 8, body.length) == """
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
    let across = GroupContent(group: column).body(of: 5, in: D.room(8, 4, flow: .horizontal, spacing: 2))
    #expect(
      D.picture(across, across.length, 4) == """
        AAA..CCC..EEE
        AAA..CCC..EEE
        BBB..DDD.....
        BBB..DDD.....
        """)
  }

  @Test("A last group that is not whole keeps the places of those it has, flexible spacing and all")
  func partialGroup() {
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(1), subitems: [D.item(.absolute(2), .absolute(1))])
    group.interItemSpacing = .flexible(3)
    let body = GroupContent(group: group).body(of: 5, in: D.room(16, 30))
    #expect(
      D.picture(body, 16, body.length) == """
        AA.....BB.....CC
        DD.....EE.......
        """)
  }
}
