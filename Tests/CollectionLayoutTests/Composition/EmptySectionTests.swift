import CollectionLayout
import Geometry
import Testing

@Suite("Sections without items")
struct EmptySectionTests {
  private func section() -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.across("H", .top, 1), .across("F", .bottom, 1)]
    section.contentInsets = DirectionalInsets(top: 1, bottom: 1)
    section.decorationItems = [.background(elementKind: "-")]
    return section
  }

  @Test("They keep their headers, their footers, their insets and their background")
  func kept() {
    let solved = CompositionalLayout(section: section())
      .solved(in: LayoutEnvironment(containerSize: Size(width: 4, height: 11)), for: ItemCounts([0, 1]))
    #expect(
      solved.drawn() == """
        HHHH
        ----
        ----
        FFFF
        HHHH
        ----
        aa--
        ----
        FFFF
        ....
        ....
        """)
  }

  @Test("A strip without items has no depth, and nothing is seen through it")
  func strip() {
    var section = section()
    section.orthogonalScrollingBehavior = .groupPagingCentered
    var solved = CompositionalLayout(section: section)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 4, height: 9)), for: ItemCounts([0]))
    #expect(solved.contentSize.height == 4)
    #expect(solved.orthogonalSection(0)?.frame.height == 0.0)
    #expect(solved.orthogonalSection(0)?.maximumOffset == 0.0)
    solved.setOrthogonalOffset(3, ofSection: 0)
    #expect(solved.restingOffset(ofSection: 0, from: 3, proposed: 2, velocity: 900) == 0)
    #expect(solved.items(in: solved.visibleRect(at: 0)).isEmpty)
  }

  @Test("Items come to an empty section and all go again")
  func comingAndGoing() {
    let layout = CompositionalLayout(section: section())
    let environment = LayoutEnvironment(containerSize: Size(width: 4, height: 11))
    var solved = layout.solved(in: environment, for: ItemCounts([0, 0]))
    solved.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([0, 3]), edits: [SectionEdits(section: 1, insertions: [0..<3])])))
    #expect(solved.drawn() == layout.solved(in: environment, for: ItemCounts([0, 3])).drawn())
    solved.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([0, 0]), edits: [SectionEdits(section: 1, removals: [0..<3])])))
    #expect(solved.drawn() == layout.solved(in: environment, for: ItemCounts([0, 0])).drawn())
    solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([]), formerSections: [])))
    #expect(solved.contentSize.height == 0 && solved.items(in: solved.visibleRect(at: 0)).isEmpty)
    solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([2]), formerSections: [nil])))
    #expect(solved.drawn() == layout.solved(in: environment, for: ItemCounts([2])).drawn())
  }

  @Test("A grid's layout has no room for them")
  func gridLayout() {
    let layout = GridLayout(columns: .count(2), sectionInsets: Insets(uniform: 1), heightRatio: 0.5)
    let solved = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 6, height: 6)), for: ItemCounts([0, 2, 0, 1, 0]))
    #expect(solved.drawn() == "......\n.aabb.\n......\n......\n.cc...\n......")
    #expect(solved.contentSize.height == 6)
  }

  @Test("Left is left in a grid's layout, also where one reads from right to left")
  func gridLayoutFromRightToLeft() {
    let layout = GridLayout(columns: .count(2), sectionInsets: Insets(left: 2), heightRatio: 0.5)
    let solved = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 6, height: 1), layoutDirection: .rightToLeft),
      for: ItemCounts([2]))
    #expect(solved.drawn() == "..bbaa")
  }
}
