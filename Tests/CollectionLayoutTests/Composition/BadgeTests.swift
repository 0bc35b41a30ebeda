import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("Views of items and groups within a composition")
struct BadgeTests {
  /// Two items a row with badges whose middles are their upper trailing corners.
  private func section(_ change: (inout CollectionLayoutSection) -> Void = { _ in }) -> CollectionLayoutSection {
    let badge = CollectionLayoutSupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .absolute(2), height: .absolute(2)), elementKind: "B",
      containerAnchor: CollectionLayoutAnchor(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    let size = CollectionLayoutSize(width: .fractionalWidth(0.5), height: .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(3)),
      subitems: [CollectionLayoutItem(layoutSize: size, supplementaryItems: [badge])])
    var section = CollectionLayoutSection(group: group)
    section.contentInsets = DirectionalInsets(top: 1, leading: 1, trailing: 2)
    change(&section)
    return section
  }

  @Test("They move with their items, mirrored where one reads from right to left")
  func drawn() {
    let layout = CompositionalLayout(section: section())
    let counts = ItemCounts([3])
    let left = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 7)), for: counts)
    #expect(
      left.drawn() == """
        ....BB..BB.
        .aaaBBbbBB.
        .aaaabbbb..
        .aaaBBbbb..
        .cccBB.....
        .cccc......
        .cccc......
        """)
    let right = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 11, height: 7), layoutDirection: .rightToLeft), for: counts)
    #expect(
      right.drawn().split(separator: "\n").map { String($0.reversed()) }.joined(separator: "\n") == left.drawn())
  }

  @Test("A badge is seen whose item is not, and found by its item's place in its section")
  func reachingOut() {
    let solved = CompositionalLayout(section: section())
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 3)), for: ItemCounts([1, 4]))
    // The second section's items begin at 5, their badges at 4.
    let viewport = Rect(x: 0, y: 4, width: 11, height: 1)
    #expect(solved.items(in: viewport).isEmpty)
    var elements: [ElementAttributes] = []
    solved.appendElements(in: viewport, to: &elements)
    #expect(elements.map(\.identity.section) == [1, 1] && elements.map(\.identity.item) == [0, 1])
    let badge = ElementIdentity(kind: .supplementary("B"), section: 1, item: 3)
    let attributes = solved.attributes(of: badge, in: viewport)
    #expect(attributes?.frame == Rect(x: 8, y: 7, width: 2, height: 2))
    #expect(solved.attributes(of: ElementIdentity(kind: .supplementary("B"), section: 1, item: 4), in: viewport) == nil)
  }

  @Test("Several of one kind at one item have a name each, those of groups first", arguments: [false, true])
  func several(isEstimated: Bool) {
    func badge(_ edges: CollectionLayoutAnchor.Edges, _ kind: String = "B") -> CollectionLayoutSupplementaryItem {
      CollectionLayoutSupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .absolute(1), height: .absolute(1)), elementKind: kind,
        containerAnchor: CollectionLayoutAnchor(edges: edges))
    }
    let size = CollectionLayoutSize(width: .fractionalWidth(0.5), height: isEstimated ? .estimated(3) : .absolute(3))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: isEstimated ? .estimated(3) : .absolute(3)),
      subitems: [
        CollectionLayoutItem(
          layoutSize: size, supplementaryItems: [badge(.top), badge(.bottom, "C"), badge([.bottom, .trailing])])
      ])
    group.supplementaryItems = [badge([.top, .trailing])]
    let solved = CompositionalLayout(section: CollectionLayoutSection(group: group))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 8, height: 9)), for: ItemCounts([1, 4]))
    let viewport = Rect(x: 0, y: 0, width: 8, height: 9)
    var elements: [ElementAttributes] = []
    solved.appendElements(in: viewport, to: &elements)
    #expect(Set(elements.map(\.identity)).count == elements.count)
    let first = elements.filter { $0.identity.section == 1 && $0.identity.item == 0 }.map(\.identity)
    #expect(first.map(\.kind) == ["B", "B", "C", "B"].map { .supplementary($0) })
    #expect(first.map(\.ordinal) == [0, 1, 0, 2])
    #expect(elements.allSatisfy { solved.attributes(of: $0.identity, in: viewport) == $0 })
    #expect(
      solved.attributes(of: ElementIdentity(kind: .supplementary("B"), section: 0, ordinal: 3), in: viewport) == nil)
  }

  @Test("In a strip they are seen only through it, and lie over a background")
  func strip() {
    let solved = CompositionalLayout(
      section: section {
        $0.orthogonalScrollingBehavior = .continuous
        $0.decorationItems = [.background(elementKind: "-")]
      }
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 6)), for: ItemCounts([6]))
    var composition = solved
    composition.setOrthogonalOffset(4, ofSection: 0)
    #expect(
      composition.drawn() == """
        BB--BB--BB-
        BBbbBBccBBd
        abbbbccccdd
        abbbbccccdd
        ...........
        ...........
        """)
    #expect(composition.zIndex(ofItem: 0) == 1)
    var elements: [ElementAttributes] = []
    composition.appendElements(in: composition.visibleRect(at: 0), to: &elements)
    #expect(elements.first?.identity.kind == .decoration("-") && elements.first?.zIndex == 0)
    #expect(elements.dropFirst().allSatisfy { $0.zIndex == 2 })
  }

  /// The places of items whose badges are in a rectangle, by section.
  private func badges(_ composition: SolvedComposition, in rect: Rect) -> [[Int]] {
    var elements: [ElementAttributes] = []
    composition.appendElements(in: rect, to: &elements)
    return elements.map { [$0.identity.section ?? -1, $0.identity.item] }
  }

  @Test("A badge that reaches out of its section is seen where the section is not")
  func outOfSection() {
    let solved = CompositionalLayout(section: section { $0.contentInsets.top = 0 })
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 3)), for: ItemCounts([1, 4]))
    #expect(badges(solved, in: Rect(x: 0, y: 2, width: 11, height: 1)) == [[1, 0], [1, 1]])
  }

  @Test("A strip shows a badge whose item was scrolled out of it")
  func outOfStrip() {
    var composition = CompositionalLayout(section: section { $0.orthogonalScrollingBehavior = .continuous })
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 6)), for: ItemCounts([6]))
    composition.setOrthogonalOffset(5, ofSection: 0)
    let visible = composition.visibleRect(at: 0)
    #expect(composition.firstItem(in: visible) == 1)
    #expect(badges(composition, in: visible).contains([0, 0]))
  }

  @Test("A badge that grows with its item is found as far away as it reaches")
  func growing() {
    let above = CollectionLayoutSupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)), elementKind: "B",
      containerAnchor: CollectionLayoutAnchor(edges: .top, fractionalOffset: Point(x: 0, y: -1)))
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(5))
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size, supplementaryItems: [above])])
    var composition = CompositionalLayout(section: CollectionLayoutSection(group: group))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 10, height: 20)), for: ItemCounts([50]))
    #expect(badges(composition, in: Rect(x: 0, y: 100, width: 10, height: 1)) == [[0, 21]])
    let verdict = composition.setPreferredSize(Size(width: 10, height: 60), ofItem: 30)
    #expect(verdict == .changed)
    #expect(composition.frame(ofItem: 30) == Rect(x: 0, y: 150, width: 10, height: 60))
    #expect(badges(composition, in: Rect(x: 0, y: 100, width: 10, height: 1)) == [[0, 21], [0, 30]])
  }
}
