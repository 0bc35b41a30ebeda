import Testing

@testable import CollectionLayout

@Suite("Room that is left over goes to what is flexible")
struct FlexibleSpacingTests {
  private typealias D = GroupDrawing

  private func list(
    _ spacing: CollectionLayoutSpacing?, _ edges: [CollectionLayoutEdgeSpacing?], height: Double = 1
  ) -> CollectionLayoutGroup {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(height), subitems: edges.map { D.item(.absolute(3), .absolute(1), edges: $0) })
    group.interItemSpacing = spacing
    return group
  }

  @Test("Flexible gaps share it equally")
  func gaps() {
    #expect(D.picture(list(.flexible(2), [nil]), 17, 9) == "AAA....BBB....CCC")
  }

  @Test("A gap is never less than its least")
  func least() {
    #expect(D.picture(list(.flexible(3), [nil]), 15, 9) == "AAA...BBB...CCC")
    #expect(D.picture(list(.flexible(3), [nil]), 14, 9) == "AAA........BBB")
  }

  @Test("What cannot be shared out in whole pixels differs by one")
  func remainder() {
    #expect(D.picture(list(.flexible(2), [nil]), 16, 9) == "AAA....BBB...CCC")
  }

  @Test("One item alone stays at the beginning")
  func alone() {
    #expect(D.picture(list(.flexible(9), [nil]), 12, 9) == "AAA.........")
  }

  @Test("Fixed gaps leave it at the end")
  func fixed() {
    #expect(D.picture(list(.fixed(2), [nil]), 12, 9) == "AAA..BBB....")
  }

  @Test("Flexible edges share it: at both sides of each item, and before the first alone")
  func edges() {
    let both = CollectionLayoutEdgeSpacing(leading: .flexible(0), trailing: .flexible(0))
    #expect(D.picture(list(.fixed(4), [both]), 14, 9) == ".AAA......BBB.")
    #expect(D.picture(list(.fixed(8), [both]), 9, 9) == "...AAA...")
    let leading = CollectionLayoutEdgeSpacing(leading: .flexible(1))
    #expect(D.picture(list(.fixed(1), [leading]), 11, 9) == "..AAA...BBB")
  }

  @Test("Flexible gaps and edges share equally, each on top of its least")
  func gapsAndEdges() {
    let leading = CollectionLayoutEdgeSpacing(leading: .flexible(2))
    let trailing = CollectionLayoutEdgeSpacing(trailing: .flexible(0))
    #expect(D.picture(list(.flexible(1), [leading, trailing]), 12, 9) == "...AAA..BBB.")
  }

  @Test("Across the line an item goes where its edges push it")
  func across() {
    let down = CollectionLayoutEdgeSpacing(top: .flexible(0))
    let middle = CollectionLayoutEdgeSpacing(top: .flexible(0), bottom: .flexible(0))
    let fixed = CollectionLayoutEdgeSpacing(top: .fixed(1))
    #expect(
      D.picture(list(nil, [nil, down, middle, fixed], height: 5), 12, 9) == """
        AAA.........
        .........DDD
        ......CCC...
        ............
        ...BBB......
        """)
  }

  @Test("The outermost group is in its section what an item is in a group")
  func outermost() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(4), height: .absolute(1)),
      repeatingSubitem: D.item(.absolute(1), .absolute(1)),
      count: 2)
    group.edgeSpacing = .init(leading: .flexible(0), top: .fixed(1), trailing: .flexible(0), bottom: .fixed(1))
    let body = GroupContent(group: group).body(of: 4, in: D.room(10, 30))
    #expect(
      D.picture(body, 10, body.length) == """
        ..........
        ...AABB...
        ..........
        ..........
        ...CCDD...
        ..........
        """)
    #expect(body.breadth == 10)
  }
}
