import Testing
import VitrineGeometry

@testable import VitrineCollectionLayout

@Suite("Custom groups")
struct CustomGroupTests {

  private static let steps: CollectionLayoutGroup.CustomItemProvider = { environment in
    let width = environment.containerSize.width / 3
    return (0..<3).map { step in
      CollectionLayoutGroupCustomItem(
        frame: Rect(x: Double(step) * width, y: Double(step), width: width, height: 2), zIndex: 2 - step)
    }
  }

  @Test("Frames are relative to the corner of the group, and the provider gets the group's size")
  func frames() {
    #expect(
      layoutDrawing(.custom(layoutSize: .high(4), itemProvider: CustomGroupTests.steps), 9, 20) == """
        AAA......
        AAABBB...
        ...BBBCCC
        ......CCC
        """)
  }

  @Test("Custom groups can be nested and keep their z-indexes")
  func nested() {
    let custom = CollectionLayoutGroup.custom(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      itemProvider: CustomGroupTests.steps)
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(4), subitems: [layoutItem(.fractionalWidth(0.5), .fractionalHeight(1)), custom])
    #expect(
      layoutDrawing(group, 12, 20) == """
        AAAAAABB....
        AAAAAABBCC..
        AAAAAA..CCDD
        AAAAAA....DD
        """)
    let body = GroupContent(group: group).body(of: 8, in: .plain(12, 20))
    #expect((0..<8).map { body.zIndex(ofItem: $0) } == [0, 2, 1, 0, 0, 2, 1, 0])
  }

  @Test("The content insets of the group reduce the container size of the provider")
  func insets() {
    var group = CollectionLayoutGroup.custom(layoutSize: .high(4)) { environment in
      [.init(frame: Rect(origin: .zero, size: environment.containerSize))]
    }
    group.contentInsets = DirectionalEdgeInsets(top: 1, leading: 2, bottom: 0, trailing: 3)
    #expect(
      layoutDrawing(group, 9, 20) == """
        .........
        ..AAAA...
        ..AAAA...
        ..AAAA...
        """)
  }

  @Test("Frames are clipped to the group; frames outside it are one pixel at the edge")
  func clipping() {
    let group = CollectionLayoutGroup.custom(layoutSize: .high(3)) { _ in
      [
        .init(frame: Rect(x: -4, y: -4, width: 6, height: 5)),
        .init(frame: Rect(x: 5, y: 1, width: 1e12, height: 1e12)),
        .init(frame: Rect(x: 3, y: -90, width: 1, height: 2)), .init(frame: Rect(x: 0, y: 1e300, width: 0, height: 0)),
      ]
    }
    #expect(
      layoutDrawing(group, 7, 20) == """
        AA.C...
        .....BB
        D....BB
        """)
  }

  @Test("A provider that returns no frames leaves one slot that fills the group")
  func emptyProvider() {
    #expect(layoutDrawing(.custom(layoutSize: .high(1)) { _ in [] }, 5, 20) == "AAAAA")
  }

  @Test("Frames are in points, and their edges are rounded at any scale")
  func scale() {
    let group = CollectionLayoutGroup.custom(layoutSize: .high(10)) { _ in
      (0..<4).map { .init(frame: Rect(x: Double($0) * 2.5, y: 0, width: 2.5, height: 10)) }
    }
    let frames = GroupSolver.solve(group, in: .plain(10, 10, scale: 1.25)).slots.map(\.frame)
    #expect(frames.map(\.minX) == [0, 3, 6, 9])
    #expect(frames.map(\.maxX) == [3, 6, 9, 12])
    #expect(frames.allSatisfy { $0.minY == 0 && $0.maxY == 13 })
  }
}

// MARK: - Visual description

@Suite("Visual descriptions of groups")
struct VisualDescriptionTests {

  @Test("Each slot is a numbered box, followed by lists of the frames and supplementary views")
  func nested() {
    var column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)),
      repeatingSubitem: layoutItem(.fractionalWidth(1), .absolute(1)), count: 2)
    column.interItemSpacing = .fixed(20)
    let badge = CollectionLayoutSupplementaryItem(
      layoutSize: .init(width: .absolute(20), height: .absolute(20)), elementKind: "badge",
      containerAnchor: .init(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    let hero = layoutItem(.fractionalWidth(2 / 3), .fractionalHeight(1), views: [badge])
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

  @Test("Estimated sides are marked, and invalid sizes are allowed")
  func estimates() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(60)),
      repeatingSubitem: layoutItem(.absolute(1), .estimated(60)), count: 2)
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
