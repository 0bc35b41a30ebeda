import Testing
import VitrineCollectionLayout
import VitrineGeometry

@Suite("Empty sections")
struct EmptySectionTests {
  private func section() -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.across("H", .top, 1), .across("F", .bottom, 1)]
    section.contentInsets = DirectionalEdgeInsets(top: 1, bottom: 1)
    section.decorationItems = [.background(elementKind: "-")]
    return section
  }

  @Test("An empty section keeps its header, footer, insets and background")
  func boundaryViews() {
    let solved = CompositionalLayout(section: section())
      .solved(in: LayoutEnvironment(containerSize: Size(width: 4, height: 11)), for: ItemCounts([0, 1]))
    #expect(
      solved.drawing() == """
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

  @Test("An empty orthogonal section has no height and no items")
  func orthogonalSection() {
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

  @Test("Items are inserted into an empty section and removed again")
  func insertionsAndRemovals() {
    let layout = CompositionalLayout(section: section())
    let environment = LayoutEnvironment(containerSize: Size(width: 4, height: 11))
    var solved = layout.solved(in: environment, for: ItemCounts([0, 0]))
    solved.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([0, 3]), edits: [SectionEdits(section: 1, insertions: [0..<3])])))
    #expect(solved.drawing() == layout.solved(in: environment, for: ItemCounts([0, 3])).drawing())
    solved.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([0, 0]), edits: [SectionEdits(section: 1, removals: [0..<3])])))
    #expect(solved.drawing() == layout.solved(in: environment, for: ItemCounts([0, 0])).drawing())
    solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([]), previousSections: [])))
    #expect(solved.contentSize.height == 0 && solved.items(in: solved.visibleRect(at: 0)).isEmpty)
    solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([2]), previousSections: [nil])))
    #expect(solved.drawing() == layout.solved(in: environment, for: ItemCounts([2])).drawing())
  }

  @Test("A grid layout omits empty sections")
  func gridLayout() {
    let layout = GridLayout(columns: .count(2), sectionInsets: Insets(uniform: 1), heightRatio: 0.5)
    let solved = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 6, height: 6)), for: ItemCounts([0, 2, 0, 1, 0]))
    #expect(solved.drawing() == "......\n.aabb.\n......\n......\n.cc...\n......")
    #expect(solved.contentSize.height == 6)
  }

  @Test("The left inset of a grid layout is at the left, even from right to left")
  func gridLayoutFromRightToLeft() {
    let layout = GridLayout(columns: .count(2), sectionInsets: Insets(left: 2), heightRatio: 0.5)
    let solved = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 6, height: 1), layoutDirection: .rightToLeft),
      for: ItemCounts([2]))
    #expect(solved.drawing() == "..bbaa")
  }
}

@Suite("Readable content is centered and limited in width")
struct ReadableContentTests {
  private func breadth(in width: Double, insets: Insets = .zero, scale: Double = 1) -> (start: Double, width: Double) {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0.1)
    section.contentInsetsReference = .readableContent
    let environment = LayoutEnvironment(
      containerSize: Size(width: width, height: 500), contentInsets: insets,
      scale: DisplayScale(pixelsPerPoint: scale))
    let frame = CompositionalLayout(section: section).solved(in: environment, for: ItemCounts([1])).frame(ofItem: 0)
    return (frame.minX, frame.width)
  }

  @Test("Narrow containers are filled, wide ones are not")
  func widths() {
    #expect(breadth(in: 500) == (0, 500))
    #expect(breadth(in: 672) == (0, 672))
    #expect(breadth(in: 1_000) == (164, 672))
    #expect(breadth(in: 1_001).width == 672 && breadth(in: 1_001).start == 164)
    #expect(breadth(in: 1_000, scale: 2) == (164, 672))
  }

  @Test("The readable content is centered within the insets of the environment")
  func insets() {
    #expect(breadth(in: 1_000, insets: Insets(left: 100)) == (214, 672))
    #expect(breadth(in: 700, insets: Insets(left: 100)) == (100, 600))
  }
}
