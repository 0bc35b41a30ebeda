import Testing
import VitrineGeometry

@testable import VitrineCollectionLayout

@Suite("Supplementary items of items and groups")
struct SupplementaryItemTests {

  private func view(
    _ kind: String, _ width: Double, _ height: Double, _ container: CollectionLayoutAnchor,
    _ item: CollectionLayoutAnchor? = nil
  ) -> CollectionLayoutSupplementaryItem {
    CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .absolute(width), height: .absolute(height)), elementKind: kind,
      containerAnchor: container, itemAnchor: item)
  }

  private func itemDrawing(_ views: [CollectionLayoutSupplementaryItem], _ names: [String: Character]) -> String {
    var item = layoutItem(.absolute(5), .absolute(3), views: views)
    item.edgeSpacing = .init(leading: .fixed(2), top: .fixed(2))
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(7), subitems: [item])
    return layoutDrawing(GroupContent(group: group).body(of: 1, in: .plain(9, 9)), 9, 7, views: names)
  }

  @Test("A badge is half outside its item with a fractional offset of its own size")
  func badge() {
    let badge = view("badge", 2, 2, .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    #expect(
      itemDrawing([badge], ["badge": "o"]) == """
        .........
        ......oo.
        ..AAAAoo.
        ..AAAAA..
        ..AAAAA..
        .........
        .........
        """)
  }

  @Test("Without an item anchor a view is inside the item, at the given edges or in the center")
  func containerAnchor() {
    let views = [
      view("a", 1, 1, .init(edges: [.bottom, .leading])), view("b", 1, 1, .init(edges: [])),
      view("c", 1, 1, .init(edges: .trailing)), view("d", 3, 1, .init(edges: [.top, .leading, .trailing])),
    ]
    #expect(
      itemDrawing(views, ["a": "a", "b": "b", "c": "c", "d": "d"]) == """
        .........
        .........
        ..AdddA..
        ..AAbAc..
        ..aAAAA..
        .........
        .........
        """)
  }

  @Test("With an item anchor the two anchor points coincide")
  func itemAnchor() {
    let views = [
      view("below", 5, 1, .init(edges: .bottom), .init(edges: .top)),
      view("before", 1, 3, .init(edges: .leading), .init(edges: .trailing, absoluteOffset: Point(x: -1, y: 0))),
      view(
        "corner", 2, 1, .init(edges: [.top, .trailing], absoluteOffset: Point(x: 1, y: -1)),
        .init(edges: [.bottom, .leading])),
    ]
    #expect(
      itemDrawing(views, ["below": "_", "before": "|", "corner": "*"]) == """
        ........*
        .........
        |.AAAAA..
        |.AAAAA..
        |.AAAAA..
        .._____..
        .........
        """)
  }

  @Test("Fractional dimensions refer to the size of the item")
  func fractionalSize() {
    let bar = CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .fractionalWidth(0.6), height: .fractionalHeight(0.34)), elementKind: "bar",
      containerAnchor: .init(edges: .bottom))
    #expect(
      itemDrawing([bar], ["bar": "="]) == """
        .........
        .........
        ..AAAAA..
        ..AAAAA..
        ..A===A..
        .........
        .........
        """)
  }

  @Test("A view of a group is positioned in the whole group, and exists if the first item of the group does")
  func ofGroup() {
    var pair = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      repeatingSubitem: layoutItem(.fractionalWidth(1), .absolute(2)), count: 2)
    pair.supplementaryItems = [view("line", 4, 1, .init(edges: .bottom))]
    var group = CollectionLayoutGroup.horizontal(layoutSize: .high(3), subitems: [pair])
    group.supplementaryItems = [view("dot", 1, 1, .init(edges: [.top, .trailing]))]
    let body = GroupContent(group: group).body(of: 6, in: .plain(12, 30))
    #expect(
      layoutDrawing(body, 12, body.length, views: ["line": "-", "dot": "*"]) == """
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

  @Test("A view has the same size in pixels everywhere, and its own z-index")
  func wholePixels() {
    var badge = view("badge", 7, 7, .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    badge.zIndex = 9
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(50), repeatingSubitem: layoutItem(.absolute(1), .fractionalHeight(1), views: [badge]), count: 7)
    let body = GroupContent(group: group).body(of: 100, in: .plain(333, 400, scale: 1.5))
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
