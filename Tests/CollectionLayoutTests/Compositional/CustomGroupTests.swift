import Geometry
import Testing

@testable import CollectionLayout

@Suite("Groups whose client places their cells")
struct CustomGroupTests {
  private typealias D = GroupDrawing

  private static let steps: CollectionLayoutGroup.CustomItemProvider = { environment in
    let width = environment.containerSize.width / 3
    return (0..<3).map { step in
      CollectionLayoutGroupCustomItem(
        frame: Rect(x: Double(step) * width, y: Double(step), width: width, height: 2), zIndex: 2 - step)
    }
  }

  @Test("Frames count from the group's corner, and the provider knows its size")
  func frames() {
    #expect(
      D.picture(.custom(layoutSize: .high(4), itemProvider: CustomGroupTests.steps), 9, 20) == """
        AAA......
        AAABBB...
        ...BBBCCC
        ......CCC
        """)
  }

  @Test("They nest, and keep what lies over what")
  func nested() {
    let custom = CollectionLayoutGroup.custom(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      itemProvider: CustomGroupTests.steps)
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(4), subitems: [D.item(.fractionalWidth(0.5), .fractionalHeight(1)), custom])
    #expect(
      D.picture(group, 12, 20) == """
        AAAAAABB....
        AAAAAABBCC..
        AAAAAA..CCDD
        AAAAAA....DD
        """)
    let body = GroupContent(group: group).body(of: 8, in: D.room(12, 20))
    #expect((0..<8).map { body.zIndex(ofItem: $0) } == [0, 2, 1, 0, 0, 2, 1, 0])
  }

  @Test("The group's insets are taken off the provider's container and its corner")
  func insets() {
    var group = CollectionLayoutGroup.custom(layoutSize: .high(4)) { environment in
      [.init(frame: Rect(origin: .zero, size: environment.containerSize))]
    }
    group.contentInsets = DirectionalInsets(top: 1, leading: 2, bottom: 0, trailing: 3)
    #expect(
      D.picture(group, 9, 20) == """
        .........
        ..AAAA...
        ..AAAA...
        ..AAAA...
        """)
  }

  @Test("What reaches out of the group is cut; what is wholly outside keeps a pixel at the edge")
  func outside() {
    let group = CollectionLayoutGroup.custom(layoutSize: .high(3)) { _ in
      [
        .init(frame: Rect(x: -4, y: -4, width: 6, height: 5)),
        .init(frame: Rect(x: 5, y: 1, width: 1e12, height: 1e12)),
        .init(frame: Rect(x: 3, y: -90, width: 1, height: 2)), .init(frame: Rect(x: 0, y: 1e300, width: 0, height: 0)),
      ]
    }
    #expect(
      D.picture(group, 7, 20) == """
        AA.C...
        .....BB
        D....BB
        """)
  }

  @Test("A provider that gives nothing leaves one place, as large as the group")
  func nothing() {
    #expect(D.picture(.custom(layoutSize: .high(1)) { _ in [] }, 5, 20) == "AAAAA")
  }

  @Test("Frames are asked in points and rounded as edges at any scale")
  func scale() {
    let group = CollectionLayoutGroup.custom(layoutSize: .high(10)) { _ in
      (0..<4).map { .init(frame: Rect(x: Double($0) * 2.5, y: 0, width: 2.5, height: 10)) }
    }
    let frames = GroupSolver.solve(group, in: D.room(10, 10, scale: 1.25)).slots.map(\.frame)
    #expect(frames.map(\.minX) == [0, 3, 6, 9])
    #expect(frames.map(\.maxX) == [3, 6, 9, 12])
    #expect(frames.allSatisfy { $0.minY == 0 && $0.maxY == 13 })
  }
}
