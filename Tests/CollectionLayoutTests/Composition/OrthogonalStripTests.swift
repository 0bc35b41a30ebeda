import Testing
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("Sections that scroll orthogonally")
struct OrthogonalSectionTests {
  /// Returns an orthogonal section of items that are 3 points wide and 2 points high, one per group with a spacing of
  /// 1, followed by a section with rows of two items.
  private func composition(
    _ behavior: OrthogonalScrollingBehavior, items: Int = 6, width: Double = 9, insets: DirectionalEdgeInsets = .zero,
    direction: LayoutDirection = .leftToRight
  ) -> SolvedComposition {
    var strip = CollectionLayoutSection(
      group:
        .horizontal(
          layoutSize: CollectionLayoutSize(width: .absolute(3), height: .absolute(2)),
          subitems: [CollectionLayoutItem(layoutSize: CollectionLayoutSize(width: .absolute(3), height: .absolute(2)))])
    )
    strip.orthogonalScrollingBehavior = behavior
    strip.interGroupSpacing = 1
    strip.contentInsets = insets
    strip.boundarySupplementaryItems = [.across("H", .top, 1)]
    let rows = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0, captionHeight: 1)
    let sections = [strip, rows]
    return CompositionalLayout { section, _ in sections[section] }
      .solved(
        in: LayoutEnvironment(containerSize: Size(width: width, height: 6), layoutDirection: direction),
        for: ItemCounts([items, 2]))
  }

  @Test("A NaN velocity or target keeps the current offset")
  func invalidTargets() {
    for behavior in [OrthogonalScrollingBehavior.continuous, .groupPaging] {
      let composition = composition(behavior)
      #expect(composition.restingOffset(ofSection: 0, from: 4, proposed: .nan, velocity: .nan) == 4)
    }
  }

  @Test("Scrolling an orthogonal section moves its items only")
  func strip() throws {
    var composition = composition(.continuous)
    #expect(
      composition.drawing() == """
        HHHHHHHHH
        aaa.bbb.c
        aaa.bbb.c
        ggggghhhh
        .........
        .........
        """)
    composition.setOrthogonalOffset(6, ofSection: 0)
    #expect(
      composition.drawing() == """
        HHHHHHHHH
        b.ccc.ddd
        b.ccc.ddd
        ggggghhhh
        .........
        .........
        """)
    let section = try #require(composition.orthogonalSection(0))
    #expect(section.frame == Rect(x: 0, y: 1, width: 9, height: 2))
    #expect(section.axis == .horizontal && section.contentLength == 23 && section.offset == 6)
    #expect(section.maximumOffset == 14)
    #expect(composition.orthogonalSection(at: Point(x: 4, y: 2)) == section)
    #expect(composition.orthogonalSection(at: Point(x: 4, y: 0.5)) == nil)
    #expect(composition.orthogonalSection(at: Point(x: 4, y: 3.5)) == nil)
    #expect(composition.orthogonalSection(1) == nil && composition.orthogonalSection(2) == nil)
  }

  @Test("A run of items ends at the last visible item of an orthogonal section")
  func runs() {
    var composition = composition(.continuous)
    composition.setOrthogonalOffset(4, ofSection: 0)
    var runs: [Range<Int>] = []
    composition.visitItems(in: composition.visibleRect(at: 0)) { runs.append($0) }
    #expect(runs == [1..<4, 6..<8])
    #expect(composition.firstItem(in: composition.visibleRect(at: 0)) == 1)
    #expect(composition.lastItem(in: Rect(x: 0, y: 0, width: 9, height: 3)) == 3)
    // An item outside the strip has a frame, but queries do not find it.
    #expect(composition.frame(ofItem: 5) == Rect(x: 16, y: 1, width: 3, height: 2))
    #expect(composition.firstItem(in: Rect(x: 16, y: 1, width: 3, height: 2)) == nil)
    #expect(composition.frame(ofItem: 0).minX == -4)
    #expect(composition.firstItem(in: Rect(x: -4, y: 1, width: 3, height: 2)) == nil)
  }

  @Test("The side insets scroll with the content, and overscroll is limited to the visible length")
  func insetsAndOverscroll() {
    var composition = composition(.continuous, insets: DirectionalEdgeInsets(leading: 2, trailing: 1))
    #expect(composition.drawing().split(separator: "\n")[1] == "..aaa.bbb")
    composition.setOrthogonalOffset(1e9, ofSection: 0)
    #expect(composition.orthogonalSection(0)?.offset == 26.0)
    composition.setOrthogonalOffset(17, ofSection: 0)
    #expect(composition.drawing().split(separator: "\n")[1] == ".eee.fff.")
    composition.setOrthogonalOffset(-3, ofSection: 0)
    #expect(composition.drawing().split(separator: "\n")[1] == ".....aaa.")
    for bad in EdgeCaseNumbers.doubles {
      composition.setOrthogonalOffset(bad, ofSection: 0)
      #expect((-9...26).contains(composition.orthogonalSection(0)?.offset ?? -99))
      #expect((0...17).contains(composition.restingOffset(ofSection: 0, from: bad, proposed: bad, velocity: bad)))
    }
    composition.setOrthogonalOffset(5, ofSection: 1)
    composition.setOrthogonalOffset(5, ofSection: 7)
    #expect(composition.restingOffset(ofSection: 1, from: 1, proposed: 2, velocity: 3) == 0)
  }

  @Test("From right to left, an orthogonal section starts at its right end")
  func rightToLeft() {
    var composition = composition(.continuous, direction: .rightToLeft)
    composition.setOrthogonalOffset(3, ofSection: 0)
    #expect(composition.drawing().split(separator: "\n")[1] == ".ccc.bbb.")
  }

  @Test("With centered paging, the first and last group can be centered")
  func centered() {
    var composition = composition(.groupPagingCentered)
    #expect(composition.drawing().split(separator: "\n")[1] == "...aaa.bb")
    composition.setOrthogonalOffset(composition.orthogonalSection(0)?.maximumOffset ?? 0, ofSection: 0)
    #expect(composition.drawing().split(separator: "\n")[1] == "ee.fff...")
  }

  // MARK: Resting positions

  /// Returns the resting offsets for proposed targets in an orthogonal section with a visible length of 9 and six
  /// groups of 3 points with a spacing of 1.
  private func restingOffsets(
    _ behavior: OrthogonalScrollingBehavior, from: Double, velocity: Double = 0, proposed: some Sequence<Double>
  ) -> [Double] {
    let composition = composition(behavior)
    return proposed.map { composition.restingOffset(ofSection: 0, from: from, proposed: $0, velocity: velocity) }
  }

  @Test("Continuous scrolling rests anywhere inside the content")
  func continuous() {
    #expect(restingOffsets(.continuous, from: 0, proposed: [-5, 0, 3, 13, 14, 99]) == [0, 0, 3, 13, 14, 14])
  }

  @Test("Scrolling to group boundaries rests at the nearest group start at any distance")
  func leadingBoundary() {
    #expect(
      restingOffsets(
        .continuousGroupLeadingBoundary, from: 0, velocity: 900, proposed: [-5, 1, 3, 5, 7, 11, 12, 13, 14, 99])
        == [0, 0, 4, 4, 8, 12, 12, 12, 14, 14])
  }

  @Test("Paging rests at a multiple of the visible length, at most one page away, and a flick turns one page")
  func paging() {
    // The pages start at 0 and 9; the maximum offset is 14.
    #expect(restingOffsets(.paging, from: 0, proposed: [-3, 0, 4, 5, 9, 14, 99]) == [0, 0, 0, 9, 9, 9, 9])
    #expect(restingOffsets(.paging, from: 9, proposed: [-99, 4, 5, 9, 13, 99]) == [0, 0, 9, 9, 9, 14])
    #expect(restingOffsets(.paging, from: 14, proposed: [0, 9, 14, 20]) == [9, 9, 14, 14])
    #expect(restingOffsets(.paging, from: 0, velocity: 500, proposed: [1]) == [9])
    #expect(restingOffsets(.paging, from: 9, velocity: -500, proposed: [8.9]) == [0])
    #expect(restingOffsets(.paging, from: 9, velocity: 500, proposed: [99]) == [14])
    #expect(restingOffsets(.paging, from: 14, velocity: 500, proposed: [14]) == [14])
  }

  @Test("Group paging rests at most one group away")
  func groupPaging() {
    #expect(restingOffsets(.groupPaging, from: 4, proposed: [-9, 1, 3, 4, 6.6, 7, 99]) == [0, 0, 4, 4, 8, 8, 8])
    #expect(restingOffsets(.groupPaging, from: 4, velocity: 300, proposed: [5]) == [8])
    #expect(restingOffsets(.groupPaging, from: 4, velocity: -300, proposed: [3.5]) == [0])
    // A drag that is slower than a flick returns to the group.
    #expect(restingOffsets(.groupPaging, from: 4, velocity: 50, proposed: [5]) == [4])
    #expect(restingOffsets(.groupPaging, from: 12, proposed: [99]) == [14])
    #expect(restingOffsets(.groupPaging, from: 14, proposed: [-99]) == [12])
    #expect(restingOffsets(.groupPaging, from: 0, velocity: -300, proposed: [-5]) == [0])
  }

  @Test("Centered group paging rests at the centers of groups")
  func groupPagingCentered() {
    // The leading margin is 3 points, so the groups are centered at the offsets 0, 4, 8 ... 20.
    #expect(restingOffsets(.groupPagingCentered, from: 0, proposed: [-5, 1, 3, 99]) == [0, 0, 4, 4])
    #expect(restingOffsets(.groupPagingCentered, from: 16, proposed: [17, 99]) == [16, 20])
    #expect(restingOffsets(.groupPagingCentered, from: 20, velocity: -300, proposed: [19]) == [16])
    #expect(restingOffsets(.groupPagingCentered, from: 20, velocity: 300, proposed: [99]) == [20])
  }

  @Test("With groups of random lengths, scrolling rests at a valid offset, at most one page away")
  func randomGroupLengths() throws {
    var random = SeededGenerator(seed: 441)
    for _ in 0..<400 {
      let content = ShelfContent(seed: random.next(), itemsPerShelf: 1, maximumLength: 30)
      var section = CollectionLayoutSection.shelves(content)
      section.orthogonalScrollingBehavior = random.pick(
        .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
      section.interGroupSpacing = random.smallLength(5)
      section.contentInsets = random.smallInsets()
      let width = Double(Int.random(in: 30...120, using: &random))
      let count = Int.random(in: 1...14, using: &random)
      var solved = CompositionalLayout(section: section)
        .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: 90)), for: ItemCounts([count]))
      let strip = try #require(solved.orthogonalSection(0))
      let starts = (0..<count).map { solved.frame(ofItem: $0).minX }
      let from = Double.random(in: 0...max(1, strip.maximumOffset), using: &random).rounded()
      let proposed = Double.random(in: -50...(strip.maximumOffset + 50), using: &random)
      let velocity = random.pick(-500.0, -10, 0, 10, 500)
      let rest = solved.restingOffset(ofSection: 0, from: from, proposed: proposed, velocity: velocity)
      #expect((0...strip.maximumOffset).contains(rest))
      guard rest < strip.maximumOffset, rest > 0 else { continue }
      solved.setOrthogonalOffset(rest, ofSection: 0)
      let frames = (0..<count).map { solved.frame(ofItem: $0) }
      switch section.orthogonalScrollingBehavior {
      case .paging: #expect(rest.truncatingRemainder(dividingBy: width) == 0 && (rest - from).magnitude <= width)
      case .groupPagingCentered:
        // An item may be up to two pixels shorter than its group.
        #expect(frames.contains { ($0.midX - width / 2).magnitude <= 2 })
      default: #expect(frames.contains { $0.minX == starts[0] })
      }
      if section.orthogonalScrollingBehavior == .groupPaging {
        let between = starts.map { $0 - starts[0] }.filter { $0 > min(from, rest) && $0 < max(from, rest) }
        #expect(between.isEmpty)
      }
    }
  }
}
