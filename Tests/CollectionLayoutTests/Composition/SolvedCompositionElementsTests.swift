import Synchronization
import Testing
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("Supplementary views of items and groups in a composition")
struct SupplementaryElementTests {
  /// Returns a section with two items per row and badges that are centered on their top trailing corners.
  private func section(_ configure: (inout CollectionLayoutSection) -> Void = { _ in }) -> CollectionLayoutSection {
    let badge = CollectionLayoutSupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .absolute(2), height: .absolute(2)), elementKind: "B",
      containerAnchor: CollectionLayoutAnchor(edges: [.top, .trailing], fractionalOffset: Point(x: 0.5, y: -0.5)))
    let size = CollectionLayoutSize(width: .fractionalWidth(0.5), height: .fractionalHeight(1))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(3)),
      subitems: [CollectionLayoutItem(layoutSize: size, supplementaryItems: [badge])])
    var section = CollectionLayoutSection(group: group)
    section.contentInsets = DirectionalEdgeInsets(top: 1, leading: 1, trailing: 2)
    configure(&section)
    return section
  }

  @Test("Badges follow their items and are mirrored from right to left")
  func frames() {
    let layout = CompositionalLayout(section: section())
    let counts = ItemCounts([3])
    let left = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 7)), for: counts)
    #expect(
      left.drawing() == """
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
      right.drawing().split(separator: "\n").map { String($0.reversed()) }.joined(separator: "\n") == left.drawing())
  }

  @Test("A badge is found if it is visible and its item is not, by the index of the item")
  func badgeOutsideViewport() {
    let solved = CompositionalLayout(section: section())
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 3)), for: ItemCounts([1, 4]))
    // The items of the second section start at 5, their badges at 4.
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

  @Test(
    "Several views of a kind at one item have different ordinals; those of groups are first", arguments: [false, true])
  func ordinals(isEstimated: Bool) {
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

  @Test("Badges in an orthogonal section are clipped to it and are in front of its background")
  func orthogonalSection() {
    let solved = CompositionalLayout(
      section: section {
        $0.orthogonalScrollingBehavior = .continuous
        $0.decorationItems = [.background(elementKind: "-")]
      }
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 6)), for: ItemCounts([6]))
    var composition = solved
    composition.setOrthogonalOffset(4, ofSection: 0)
    #expect(
      composition.drawing() == """
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

  /// Returns the sections and items of the badges in a rectangle.
  private func badges(_ composition: SolvedComposition, in rect: Rect) -> [[Int]] {
    var elements: [ElementAttributes] = []
    composition.appendElements(in: rect, to: &elements)
    return elements.map { [$0.identity.section ?? -1, $0.identity.item] }
  }

  @Test("A badge that extends beyond its section is visible outside it")
  func badgeOutsideSection() {
    let solved = CompositionalLayout(section: section { $0.contentInsets.top = 0 })
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 3)), for: ItemCounts([1, 4]))
    #expect(badges(solved, in: Rect(x: 0, y: 2, width: 11, height: 1)) == [[1, 0], [1, 1]])
  }

  @Test("An orthogonal section shows a badge whose item has scrolled out of it")
  func badgeOfScrolledItem() {
    var composition = CompositionalLayout(section: section { $0.orthogonalScrollingBehavior = .continuous })
      .solved(in: LayoutEnvironment(containerSize: Size(width: 11, height: 6)), for: ItemCounts([6]))
    composition.setOrthogonalOffset(5, ofSection: 0)
    let visible = composition.visibleRect(at: 0)
    #expect(composition.firstItem(in: visible) == 1)
    #expect(badges(composition, in: visible).contains([0, 0]))
  }

  @Test("A badge that grows with its item is found at its full extent")
  func growingItem() {
    let above = CollectionLayoutSupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)), elementKind: "B",
      containerAnchor: CollectionLayoutAnchor(edges: .top, fractionalOffset: Point(x: 0, y: -1)))
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(5))
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size, supplementaryItems: [above])])
    var composition = CompositionalLayout(section: CollectionLayoutSection(group: group))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 10, height: 20)), for: ItemCounts([50]))
    #expect(badges(composition, in: Rect(x: 0, y: 100, width: 10, height: 1)) == [[0, 21]])
    let result = composition.setPreferredSize(Size(width: 10, height: 60), ofItem: 30)
    #expect(result == .changed)
    #expect(composition.frame(ofItem: 30) == Rect(x: 0, y: 150, width: 10, height: 60))
    #expect(badges(composition, in: Rect(x: 0, y: 100, width: 10, height: 1)) == [[0, 21], [0, 30]])
  }
}

// MARK: - Visible items handler

@Suite("The visible items handler of a section")
struct VisibleItemsHandlerTests {
  /// The calls of a handler.
  private final class Calls: Sendable {
    struct Call: Equatable {
      var names: [VisibleItem.Name]
      var offset: Point
      var width: Double
    }
    let calls = Mutex<[Call]>([])
  }

  private func composition(_ calls: Calls) -> SolvedComposition {
    var plain = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 1)
    plain.boundarySupplementaryItems = [.across("H", .top, 2)]
    var fading = plain
    fading.visibleItemsInvalidationHandler = { items, offset, environment in
      calls.calls.withLock {
        $0.append(Calls.Call(names: items.map(\.name), offset: offset, width: environment.containerSize.width))
      }
      for index in items.indices {
        items[index].alpha = 0.5
        items[index].center.x += 1
      }
      items.reverse()
      items.removeLast()
    }
    var strip = fading
    strip.orthogonalScrollingBehavior = .continuous
    let sections = [plain, fading, strip]
    return CompositionalLayout { section, _ in sections[section] }
      .solved(in: LayoutEnvironment(containerSize: Size(width: 8, height: 40)), for: ItemCounts([2, 2, 2]))
  }

  @Test("A handler is called once with all visible items of its section, and may leave items out")
  func callPerSection() {
    let calls = Calls()
    var composition = composition(calls)
    composition.setOrthogonalOffset(3, ofSection: 2)
    let header = ElementIdentity(kind: .supplementary("H"), section: 1)
    let global = ElementIdentity(kind: .supplementary("G"), section: nil)
    func item(_ index: Int) -> VisibleItem { VisibleItem(name: .item(index), frame: composition.frame(ofItem: index)) }
    var items = [0, 2, 3, 4].map(item)
    items.insert(VisibleItem(name: .element(header), frame: .zero), at: 1)
    items.append(VisibleItem(name: .element(global), frame: .zero))
    let before = items
    let viewport = Rect(x: 0, y: 1, width: 8, height: 40)
    composition.adjustVisibleItems(&items, in: viewport)
    #expect(
      calls.calls.withLock { $0 } == [
        Calls.Call(names: [.element(header), .item(2), .item(3)], offset: Point(x: 0, y: 1), width: 8),
        Calls.Call(names: [.item(4)], offset: Point(x: 3, y: 1), width: 8),
      ])
    // The handler removed the first item of each section after it reversed the order.
    #expect(items.map(\.alpha) == [1, 1, 0.5, 0.5, 1, 1])
    #expect(items[2].center.x == before[2].center.x + 1 && items[2].frame == before[2].frame)
    #expect(items[0] == before[0] && items[5] == before[5])
  }

  @Test("Adjustments do not change the layout")
  func layoutIsUnchanged() {
    let composition = composition(Calls())
    var items = [
      VisibleItem(name: .item(2), frame: composition.frame(ofItem: 2)), .init(name: .item(99), frame: .zero),
    ]
    let frame = composition.frame(ofItem: 2)
    composition.adjustVisibleItems(&items, in: composition.visibleRect(at: 0))
    #expect(composition.frame(ofItem: 2) == frame)
    #expect(items[1].alpha == 1)
  }
}
