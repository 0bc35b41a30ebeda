import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("Sections that scroll across")
struct OrthogonalSectionTests {
  /// A strip of items of which each is a group, 3 points broad and 2 high with a point between, over rows of two.
  private func composition(
    _ behavior: OrthogonalScrollingBehavior, items: Int = 6, width: Double = 9, insets: DirectionalInsets = .zero,
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

  @Test("A speed or a place that is no number leaves it where it was")
  func noNumber() {
    for behavior in [OrthogonalScrollingBehavior.continuous, .groupPaging] {
      let composition = composition(behavior)
      #expect(composition.restingOffset(ofSection: 0, from: 4, proposed: .nan, velocity: .nan) == 4)
    }
  }

  @Test("A strip shows what its offset leaves in sight, and nothing of it moves anything else")
  func strip() throws {
    var composition = composition(.continuous)
    #expect(
      composition.drawn() == """
        HHHHHHHHH
        aaa.bbb.c
        aaa.bbb.c
        ggggghhhh
        .........
        .........
        """)
    composition.setOrthogonalOffset(6, ofSection: 0)
    #expect(
      composition.drawn() == """
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

  @Test("Between what is seen of a strip and the next section a run of items ends")
  func runs() {
    var composition = composition(.continuous)
    composition.setOrthogonalOffset(4, ofSection: 0)
    var runs: [Range<Int>] = []
    composition.visitItems(in: composition.visibleRect(at: 0)) { runs.append($0) }
    #expect(runs == [1..<4, 6..<8])
    #expect(composition.firstItem(in: composition.visibleRect(at: 0)) == 1)
    #expect(composition.lastItem(in: Rect(x: 0, y: 0, width: 9, height: 3)) == 3)
    // An item beyond the strip has a place, but is not found there.
    #expect(composition.frame(ofItem: 5) == Rect(x: 16, y: 1, width: 3, height: 2))
    #expect(composition.firstItem(in: Rect(x: 16, y: 1, width: 3, height: 2)) == nil)
    #expect(composition.frame(ofItem: 0).minX == -4)
    #expect(composition.firstItem(in: Rect(x: -4, y: 1, width: 3, height: 2)) == nil)
  }

  @Test("Its insets at the sides scroll with it, and it is pulled beyond its ends by no more than is seen of it")
  func insetsAndPulling() {
    var composition = composition(.continuous, insets: DirectionalInsets(leading: 2, trailing: 1))
    #expect(composition.drawn().split(separator: "\n")[1] == "..aaa.bbb")
    composition.setOrthogonalOffset(1e9, ofSection: 0)
    #expect(composition.orthogonalSection(0)?.offset == 26.0)
    composition.setOrthogonalOffset(17, ofSection: 0)
    #expect(composition.drawn().split(separator: "\n")[1] == ".eee.fff.")
    composition.setOrthogonalOffset(-3, ofSection: 0)
    #expect(composition.drawn().split(separator: "\n")[1] == ".....aaa.")
    for bad in EdgeCaseNumbers.doubles {
      composition.setOrthogonalOffset(bad, ofSection: 0)
      #expect((-9...26).contains(composition.orthogonalSection(0)?.offset ?? -99))
      #expect((0...17).contains(composition.restingOffset(ofSection: 0, from: bad, proposed: bad, velocity: bad)))
    }
    composition.setOrthogonalOffset(5, ofSection: 1)
    composition.setOrthogonalOffset(5, ofSection: 7)
    #expect(composition.restingOffset(ofSection: 1, from: 1, proposed: 2, velocity: 3) == 0)
  }

  @Test("From right to left it begins at the right")
  func rightToLeft() {
    var composition = composition(.continuous, direction: .rightToLeft)
    composition.setOrthogonalOffset(3, ofSection: 0)
    #expect(composition.drawn().split(separator: "\n")[1] == ".ccc.bbb.")
  }

  @Test("Where groups rest in the middle, the first and the last can too")
  func centred() {
    var composition = composition(.groupPagingCentered)
    #expect(composition.drawn().split(separator: "\n")[1] == "...aaa.bb")
    composition.setOrthogonalOffset(composition.orthogonalSection(0)?.maximumOffset ?? 0, ofSection: 0)
    #expect(composition.drawn().split(separator: "\n")[1] == "ee.fff...")
  }

  // MARK: Resting positions

  /// Where a section of six groups of 3 with a point between, seen through 9, rests when it is let go.
  private func rests(
    _ behavior: OrthogonalScrollingBehavior, from: Double, velocity: Double = 0, proposed: some Sequence<Double>
  ) -> [Double] {
    let composition = composition(behavior)
    return proposed.map { composition.restingOffset(ofSection: 0, from: from, proposed: $0, velocity: velocity) }
  }

  @Test("Continuous: anywhere within the content")
  func continuous() {
    #expect(rests(.continuous, from: 0, proposed: [-5, 0, 3, 13, 14, 99]) == [0, 0, 3, 13, 14, 14])
  }

  @Test("Continuous with leading boundaries: where the nearest group begins, however far")
  func leadingBoundary() {
    #expect(
      rests(.continuousGroupLeadingBoundary, from: 0, velocity: 900, proposed: [-5, 1, 3, 5, 7, 11, 12, 13, 14, 99])
        == [0, 0, 4, 4, 8, 12, 12, 12, 14, 14])
  }

  @Test("Paging: by what is seen at once, a page at most, and a flick turns one")
  func paging() {
    // Pages at 0 and 9, and the end at 14.
    #expect(rests(.paging, from: 0, proposed: [-3, 0, 4, 5, 9, 14, 99]) == [0, 0, 0, 9, 9, 9, 9])
    #expect(rests(.paging, from: 9, proposed: [-99, 4, 5, 9, 13, 99]) == [0, 0, 9, 9, 9, 14])
    #expect(rests(.paging, from: 14, proposed: [0, 9, 14, 20]) == [9, 9, 14, 14])
    #expect(rests(.paging, from: 0, velocity: 500, proposed: [1]) == [9])
    #expect(rests(.paging, from: 9, velocity: -500, proposed: [8.9]) == [0])
    #expect(rests(.paging, from: 9, velocity: 500, proposed: [99]) == [14])
    #expect(rests(.paging, from: 14, velocity: 500, proposed: [14]) == [14])
  }

  @Test("Paging by groups: the next or the former at most")
  func groupPaging() {
    #expect(rests(.groupPaging, from: 4, proposed: [-9, 1, 3, 4, 6.6, 7, 99]) == [0, 0, 4, 4, 8, 8, 8])
    #expect(rests(.groupPaging, from: 4, velocity: 300, proposed: [5]) == [8])
    #expect(rests(.groupPaging, from: 4, velocity: -300, proposed: [3.5]) == [0])
    // Slower than a flick it falls back.
    #expect(rests(.groupPaging, from: 4, velocity: 50, proposed: [5]) == [4])
    #expect(rests(.groupPaging, from: 12, proposed: [99]) == [14])
    #expect(rests(.groupPaging, from: 14, proposed: [-99]) == [12])
    #expect(rests(.groupPaging, from: 0, velocity: -300, proposed: [-5]) == [0])
  }

  @Test("Paging by groups in the middle: the same, with room at both ends")
  func groupPagingCentered() {
    // Three points before the first: the middles of groups are where those of the strip are at 0, 4, 8 ... 20.
    #expect(rests(.groupPagingCentered, from: 0, proposed: [-5, 1, 3, 99]) == [0, 0, 4, 4])
    #expect(rests(.groupPagingCentered, from: 16, proposed: [17, 99]) == [16, 20])
    #expect(rests(.groupPagingCentered, from: 20, velocity: -300, proposed: [19]) == [16])
    #expect(rests(.groupPagingCentered, from: 20, velocity: 300, proposed: [99]) == [20])
  }

  @Test("With groups of any lengths a rest is where it says, and never further than a page")
  func anyLengths() throws {
    var random = SeededGenerator(seed: 441)
    for _ in 0..<400 {
      let content = ShelfContent(seed: random.next(), itemsAShelf: 1, longest: 30)
      var section = CollectionLayoutSection.shelves(content)
      section.orthogonalScrollingBehavior = random.one(
        .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
      section.interGroupSpacing = random.few(5)
      section.contentInsets = random.fewInsets()
      let width = Double(Int.random(in: 30...120, using: &random))
      let count = Int.random(in: 1...14, using: &random)
      var solved = CompositionalLayout(section: section)
        .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: 90)), for: ItemCounts([count]))
      let strip = try #require(solved.orthogonalSection(0))
      let starts = (0..<count).map { solved.frame(ofItem: $0).minX }
      let from = Double.random(in: 0...max(1, strip.maximumOffset), using: &random).rounded()
      let proposed = Double.random(in: -50...(strip.maximumOffset + 50), using: &random)
      let velocity = random.one(-500.0, -10, 0, 10, 500)
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
