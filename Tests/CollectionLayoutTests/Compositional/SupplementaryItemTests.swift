import Geometry
import Testing

@testable import CollectionLayout

@Suite("Views that are placed by items and groups")
struct SupplementaryItemTests {
  private typealias D = GroupDrawing

  private func view(
    _ kind: String, _ width: Double, _ height: Double, _ container: CollectionLayoutAnchor,
    _ item: CollectionLayoutAnchor? = nil
  ) -> CollectionLayoutSupplementaryItem {
    CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .absolute(width), height: .absolute(height)), elementKind: kind,
      containerAnchor: container, itemAnchor: item)
  }

  private func picture(_ views: [CollectionLayoutSupplementaryItem], _ names: [String: Character]) -> String {
    var item = D.item(.absolute(5), .absolute(3), views: views)
    item.edgeSpacing = .init(leading: .fixed(2), top: .fixed(2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(7), subitems: [item])
    return D.picture(GroupContent(group: group).body(of: 1, in: D.room(9, 9)), 9, 7, views: names)
  }

  @Test("A badge at a corner: half of it outside, by a share of its own size")
  func badge() {
    let badge = view("badge", 2, 2, .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    #expect(
      picture([badge], ["badge": "o"]) == """
        .........
        ......oo.
        ..AAAAoo.
        ..AAAAA..
        ..AAAAA..
        .........
        .........
        """)
  }

  @Test("Without an own anchor it lies within, at the edges named; where none is, in the middle")
  func within() {
    let views = [
      view("a", 1, 1, .init(edges: [.bottom, .leading])), view("b", 1, 1, .init(edges: [])),
      view("c", 1, 1, .init(edges: .trailing)), view("d", 3, 1, .init(edges: [.top, .leading, .trailing])),
    ]
    #expect(
      picture(views, ["a": "a", "b": "b", "c": "c", "d": "d"]) == """
        .........
        .........
        ..AdddA..
        ..AAbAc..
        ..aAAAA..
        .........
        .........
        """)
  }

  @Test("With an own anchor that point of it comes to lie on the container's")
  func ownAnchor() {
    let views = [
      view("below", 5, 1, .init(edges: .bottom), .init(edges: .top)),
      view("before", 1, 3, .init(edges: .leading), .init(edges: .trailing, absoluteOffset: Point(x: -1, y: 0))),
      view(
        "corner", 2, 1, .init(edges: [.top, .trailing], absoluteOffset: Point(x: 1, y: -1)),
        .init(edges: [.bottom, .leading])),
    ]
    #expect(
      picture(views, ["below": "_", "before": "|", "corner": "*"]) == """
        ........*
        .........
        |.AAAAA..
        |.AAAAA..
        |.AAAAA..
        .._____..
        .........
        """)
  }

  @Test("Its size is in its item: shares are shares of the item's")
  func shares() {
    let bar = CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .fractionalWidth(0.6), height: .fractionalHeight(0.34)), elementKind: "bar",
      containerAnchor: .init(edges: .bottom))
    #expect(
      picture([bar], ["bar": "="]) == """
        .........
        .........
        ..AAAAA..
        ..AAAAA..
        ..A===A..
        .........
        .........
        """)
  }

  @Test("A view of a group is placed by the whole group, and there as long as its first item is")
  func ofGroup() {
    var pair = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      repeatingSubitem: D.item(.fractionalWidth(1), .absolute(2)), count: 2)
    pair.supplementaryItems = [view("line", 4, 1, .init(edges: .bottom))]
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(3), subitems: [pair])
    group.supplementaryItems = [view("dot", 1, 1, .init(edges: [.top, .trailing]))]
    let body = GroupContent(group: group).body(of: 6, in: D.room(12, 30))
    #expect(
      D.picture(body, 12, body.length, views: ["line": "-", "dot": "*"]) == """
        AAABBBCCCDD*
        AAABBBCCCDDD
        .----..----.
        EEEFFF.....*
        EEEFFF......
        .----.......
        """)
    var list: [BodySupplementary] = []
    body.appendSupplementaries(of: 1..<2, to: &list)
    #expect(list.map(\.kind) == ["dot", "line"])
    #expect(list.map(\.item) == [0, 0])
    list = []
    body.appendSupplementaries(of: 3..<5, to: &list)
    #expect(list.map(\.item) == [0, 2, 4, 4])
    #expect(list.map(\.kind) == ["dot", "line", "dot", "line"])
  }

  @Test("It has the extent of its own wherever it is, and says what it lies over")
  func wholePixels() {
    var badge = view("badge", 7, 7, .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    badge.zIndex = 9
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(50), repeatingSubitem: D.item(.absolute(1), .fractionalHeight(1), views: [badge]), count: 7)
    let body = GroupContent(group: group).body(of: 100, in: D.room(333, 400, scale: 1.5))
    var list: [BodySupplementary] = []
    body.appendSupplementaries(of: 20..<40, to: &list)
    #expect(list.map(\.item) == Array(20..<40))
    #expect(list.allSatisfy { $0.frame.width == 11 && $0.frame.height == 11 && $0.zIndex == 9 })
    for view in list {
      let corner = body.frame(ofItem: view.item)
      #expect(abs(2 * (view.frame.minX - corner.maxX) + 11) <= 1)
      #expect(abs(2 * (view.frame.minY - corner.minY) + 11) <= 1)
    }
  }
}
