import Geometry
import Testing

@testable import CollectionLayout

@Suite("Groups drawn for people who look for a mistake")
struct VisualDescriptionTests {
  private typealias D = GroupDrawing

  @Test("Each place is a box with its number; frames and views are listed below")
  func nested() {
    var column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)),
      repeatingSubitem: D.item(.fractionalWidth(1), .absolute(1)), count: 2)
    column.interItemSpacing = .fixed(20)
    let badge = CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .absolute(20), height: .absolute(20)), elementKind: "badge",
      containerAnchor: .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    let hero = D.item(.fractionalWidth(2 / 3), .fractionalHeight(1), views: [badge])
    let custom = CollectionLayoutGroup.custom(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(0.5))
    ) { _ in
      [
        .init(frame: Rect(x: 100, y: 20, width: 200, height: 80), zIndex: 3),
        .init(frame: Rect(x: 200, y: 60, width: 300, height: 80)),
      ]
    }
    let top = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .fractionalHeight(0.5)), subitems: [hero, column])
    var group = CollectionLayoutGroup.vertical(layoutSize: .high(320), subitems: [top, custom])
    group.supplementaryItems = [
      .init(layoutSize: .high(10), elementKind: "line", containerAnchor: .init(edges: .bottom))
    ]
    #expect(
      group.visualDescription() == """
        group 640 x 320, places: 5
        +------------------------------------------+--------------------+
        |                                          |                    |
        |                                          |         1          |
        |                                          |                    |
        |                    0                     +--------------------+
        |                                          +--------------------+
        |                                          |         2          |
        |                                          |                    |
        +------------------------------------------+--------------------+
                  +-------------------+
                  |                   |
                  |         3         |-------------------+
                  |                   |                   |
                  +-------------------+    4              |
                            |                             |
                            +-----------------------------+

        0: 0, 0, 427 x 160
        1: 427, 0, 213 x 70
        2: 427, 90, 213 x 70
        3: 100, 180, 200 x 80, z 3
        4: 200, 220, 300 x 80
        line of 0-4: 0, 310, 640 x 10, z 1
        badge of 0: 417, -10, 20 x 20, z 1
        """)
  }

  @Test("Estimated sides are named; any room will do")
  func estimates() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(60)),
      repeatingSubitem: D.item(.absolute(1), .estimated(60)), count: 2)
    #expect(
      group.visualDescription(in: Size(width: 512, height: 300)) == """
        group 512 x 60, places: 2
        +-------------------------------+-------------------------------+
        |                               |                               |
        |               0               |               1               |
        |                               |                               |
        +-------------------------------+-------------------------------+
        0: 0, 0, 256 x 60, estimated height
        1: 256, 0, 256 x 60, estimated height
        """)
    #expect(group.visualDescription(in: Size(width: .nan, height: -1)).hasPrefix("group 1 x 60, places: 1\n+-+\n| |"))
  }
}
