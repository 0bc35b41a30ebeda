import Geometry
import Testing

@testable import CollectionLayout

@Suite("Groups whose cells are asked")
struct EstimatedGroupTests {
  private typealias D = GroupDrawing

  private func row(_ items: [any CollectionLayoutSubitem]) -> CollectionLayoutGroup {
    .horizontal(layoutSize: .init(width: .fractionalWidth(1), height: .estimated(2)), subitems: items)
  }

  @Test("Until cells said their sizes, estimates hold; then the group is as high as its highest")
  func measured() {
    let group = row([D.item(.absolute(4), .estimated(2))])
    #expect(
      D.picture(group, 12, 9) == """
        AAAABBBBCCCC
        AAAABBBBCCCC
        """)
    #expect(
      D.picture(group, 12, 9, measured: { (nil, $0 == 1 ? 4 : nil) }) == """
        AAAABBBBCCCC
        AAAABBBBCCCC
        ....BBBB....
        ....BBBB....
        """)
    #expect(D.picture(group, 12, 9, measured: { _ in (nil, 1) }) == "AAAABBBBCCCC")
  }

  @Test("A stack grows, and what is behind moves; its number of places stays")
  func stack() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(3)),
      subitems: [
        D.item(.absolute(2), .estimated(1)), D.item(.absolute(3), .absolute(1)), D.item(.absolute(1), .estimated(1)),
      ])
    let grown = D.picture(group, 3, 9, measured: { (77, [3, 88, 2][$0]) })
    #expect(
      grown == """
        AA.
        AA.
        AA.
        BBB
        C..
        C..
        """)
  }

  @Test("A list has all its items in a group that is as long as they say, however small the estimate")
  func wholeList() {
    let items = (1...3).map { D.item(.absolute(Double($0)), .estimated(1)) }
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(1)), subitems: items)
    #expect(
      D.picture(group, 3, 9) == """
        A..
        BB.
        CCC
        """)
  }

  @Test("Insets are ignored along an axis that is estimated, and count along the other")
  func insets() {
    let group = row([D.item(.absolute(4), .estimated(2), insets: .init(all: 1))])
    #expect(
      D.picture(group, 8, 9) == """
        .AA..BB.
        .AA..BB.
        """)
    var inset = row([D.item(.absolute(3), .estimated(2))])
    inset.contentInsets = .init(all: 1)
    #expect(
      D.picture(inset, 8, 9) == """
        .AAABBB.
        .AAABBB.
        """)
  }

  @Test("A share of an estimated side is a share of what it came to be")
  func shareOfEstimate() {
    let group = row([D.item(.absolute(3), .estimated(2)), D.item(.absolute(2), .fractionalHeight(1))])
    #expect(
      D.picture(group, 5, 9, measured: { _ in (nil, 3) }) == """
        AAABB
        AAABB
        AAABB
        """)
    let stack = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(4)),
      subitems: [D.item(.absolute(3), .estimated(2)), D.item(.absolute(2), .fractionalHeight(0.5))])
    #expect(
      D.picture(stack, 3, 9, measured: { _ in (nil, 3) }) == """
        AAA
        AAA
        AAA
        BB.
        BB.
        BB.
        """)
    let nothingElse = row([D.item(.absolute(2), .fractionalHeight(1))])
    #expect(
      D.picture(nothingElse, 4, 9) == """
        AABB
        AABB
        """)
  }

  @Test("Uniform siblings grow to the largest of them; others do not")
  func uniform() {
    let group = row([
      D.item(.absolute(2), .uniformAcrossSiblings(estimate: 1)), D.item(.absolute(2), .estimated(1)),
    ])
    #expect(
      D.picture(group, 8, 9, measured: { (nil, [1, 2, 3, 4][$0]) }) == """
        AABBCCDD
        AABBCCDD
        AA..CCDD
        ......DD
        """)
  }

  @Test("Nested groups are siblings too: two columns end at the same line")
  func uniformGroups() {
    let column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(3), height: .uniformAcrossSiblings(estimate: 2)),
      subitems: [D.item(.fractionalWidth(1), .estimated(1)), D.item(.fractionalWidth(0.5), .fractionalHeight(0.5))])
    let group = row([column])
    #expect(
      D.picture(group, 6, 9, measured: { (nil, $0 == 0 ? 1 : 3) }) == """
        AAACCC
        BB.CCC
        BB.CCC
        BB.DD.
        ...DD.
        ...DD.
        """)
  }

  @Test("The outermost group grows to what its section says, and never below what it needs")
  func extent() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .uniformAcrossSiblings(estimate: 2)),
      subitems: [D.item(.absolute(3), .fractionalHeight(1)), D.item(.absolute(1), .estimated(2))])
    let solver = GroupSolver(group, in: D.room(4, 9))
    func heights(_ extent: (Int?, Int?)) -> [Int] {
      let template = solver.template(measured: { _ in (nil, 3) }, extent: extent)
      return [template.height] + template.slots.map(\.frame.height)
    }
    #expect(heights((nil, nil)) == [3, 3, 3])
    #expect(heights((99, 7)) == [7, 7, 3])
    #expect(heights((nil, 1)) == [3, 3, 3])
  }

  @Test("A count of estimated cells in an estimated group: each is as long as it says")
  func countOfEstimated() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(9)),
      repeatingSubitem: D.item(.fractionalWidth(1), .estimated(1)), count: 3)
    #expect(
      D.picture(group, 3, 9, measured: { (nil, $0 + 1) }) == """
        AAA
        BBB
        BBB
        CCC
        CCC
        CCC
        """)
    let fixed = CollectionLayoutGroup.vertical(
      layoutSize: .high(3), repeatingSubitem: D.item(.fractionalWidth(1), .estimated(7)), count: 3)
    let template = GroupSolver.solve(fixed, in: D.room(3, 9), measured: { _ in (nil, 5) })
    #expect(!template.asksCells)
    #expect(template.slots.map(\.frame.height) == [1, 1, 1])
  }

  @Test("Cells that want more than a line has give up the same share of it")
  func overfull() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1), subitems: [D.item(.estimated(3), .absolute(1)), D.item(.absolute(2), .absolute(1))])
    #expect(D.picture(group, 10, 9) == "AAABBCCCDD")
    #expect(D.picture(group, 10, 9, measured: { ($0 == 0 ? 8 : 4, nil) }) == "AAAABBCCDD")
    #expect(D.picture(group, 10, 9, measured: { _ in (1, nil) }) == "ABBCDD....")
  }

  @Test("Which sizes are asked for is known of each place")
  func asks() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1),
      subitems: [
        D.item(.estimated(1), .absolute(1)), D.item(.absolute(1), .uniformAcrossSiblings(estimate: 1)),
        D.item(.absolute(1), .absolute(1)), D.item(.estimated(1), .estimated(1)),
      ])
    let slots = GroupSolver.solve(group, in: D.room(4, 9)).slots
    #expect(slots.map(\.asksForWidth) == [true, false, false, true])
    #expect(slots.map(\.asksForHeight) == [false, true, false, true])
  }
}
