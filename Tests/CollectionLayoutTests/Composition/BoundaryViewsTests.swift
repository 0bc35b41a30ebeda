import Testing
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("Boundary views and backgrounds of sections")
struct BoundaryViewsTests {
  /// Returns a section with two columns of items that are twice as wide as high.
  private func section(_ configure: (inout CollectionLayoutSection) -> Void) -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    configure(&section)
    return section
  }

  private func drawing(
    _ section: CollectionLayoutSection, _ configuration: CompositionalLayout.Configuration = .init(),
    width: Double = 8, height: Double, insets: Insets = .zero, counts: [Int]
  ) -> String {
    CompositionalLayout(section: section, configuration: configuration)
      .solved(
        in: LayoutEnvironment(containerSize: Size(width: width, height: height), contentInsets: insets),
        for: ItemCounts(counts)
      ).drawing()
  }

  @Test("The header is before the items and the footer after them, outside the top and bottom insets")
  func headerAndFooter() {
    let section = section {
      $0.boundarySupplementaryItems = [.across("F", .bottom, 1), .across("H", .top, 2)]
      $0.contentInsets = DirectionalEdgeInsets(top: 1, leading: 2, bottom: 1, trailing: 2)
    }
    let expected = """
      ..HHHH..
      ..HHHH..
      ........
      ..aabb..
      ..cc....
      ........
      ..FFFF..
      ........
      """
    #expect(drawing(section, height: 8, counts: [3]) == expected)
  }

  @Test("A header that does not follow the insets spans the whole width")
  func headerBeyondInsets() {
    let section = section {
      $0.boundarySupplementaryItems = [.across("H", .top, 1)]
      $0.contentInsets = DirectionalEdgeInsets(leading: 2, trailing: 2)
      $0.supplementariesFollowContentInsets = false
    }
    #expect(drawing(section, height: 3, counts: [2]) == "HHHHHHHH\n..aabb..\n........")
  }

  @Test("Section spacing is between sections only")
  func interSectionSpacing() {
    let section = section { $0.boundarySupplementaryItems = [.across("H", .top, 1)] }
    let expected = """
      HHHHHHHH
      aaaabbbb
      aaaabbbb
      ........
      ........
      HHHHHHHH
      cccc....
      cccc....
      """
    #expect(drawing(section, .init(interSectionSpacing: 2), height: 8, counts: [2, 1]) == expected)
    let solved = CompositionalLayout(section: section, configuration: .init(interSectionSpacing: 2))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 8, height: 9)), for: ItemCounts([2, 1]))
    #expect(solved.contentSize.height == 8)
  }

  @Test("A background spans the whole section within its own insets")
  func background() {
    let section = section {
      var background = CollectionLayoutDecorationItem.background(elementKind: "-")
      background.contentInsets = DirectionalEdgeInsets(top: 1, leading: 1, trailing: 1)
      $0.decorationItems = [background]
      $0.boundarySupplementaryItems = [.across("H", .top, 1)]
      $0.contentInsets = DirectionalEdgeInsets(top: 1, leading: 2, bottom: 1, trailing: 2)
    }
    let expected = """
      ..HHHH..
      .------.
      .-aabb-.
      .------.
      ..HHHH..
      .------.
      .-cc---.
      .------.
      ........
      """
    #expect(drawing(section, height: 9, counts: [2, 1]) == expected)
  }

  @Test("Global views are around all sections, inside the insets of the environment")
  func globalViews() {
    let configuration = CompositionalLayout.Configuration(
      boundarySupplementaryItems: [
        .across("G", .top, 1), .across("L", .bottom, 1), .view("S", .leading, .absolute(1), .fractionalHeight(1)),
      ])
    let section = section { $0.boundarySupplementaryItems = [.across("H", .top, 1)] }
    let expected = """
      ...........
      .GGGGGGGGG.
      .SHHHHHHHH.
      .Saaaabbbb.
      .Saaaabbbb.
      .SHHHHHHHH.
      .Scccc.....
      .Scccc.....
      .LLLLLLLLL.
      ...........
      """
    #expect(
      drawing(section, configuration, width: 11, height: 10, insets: Insets(uniform: 1), counts: [2, 1]) == expected)
  }

  @Test("A section may ignore the horizontal insets of the environment")
  func insetsReference() {
    let section = section { $0.contentInsetsReference = .none }
    #expect(
      drawing(section, width: 8, height: 3, insets: Insets(uniform: 1), counts: [2]) == "........\naaaabbbb\naaaabbbb")
    let inset = self.section { $0.contentInsetsReference = .layoutMargins }
    #expect(
      drawing(
        inset, .init(contentInsetsReference: .none), width: 10, height: 3, insets: Insets(uniform: 1), counts: [2])
        == "..........\n.aaaabbbb.\n.aaaabbbb.")
  }

  @Test("Corner views are at the ends of an edge, edge views in its center, moved by their offset")
  func corners() {
    let section = section {
      var moved = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .absolute(2), height: .absolute(1)), elementKind: "M",
        alignment: .topLeading, absoluteOffset: Point(x: 3, y: 1))
      moved.extendsBoundary = false
      $0.boundarySupplementaryItems = [
        .view("A", .topLeading, .absolute(2), .absolute(1)), .view("B", .top, .absolute(2), .absolute(1)),
        .view("C", .topTrailing, .absolute(2), .absolute(1)), moved,
        .view("D", .bottomLeading, .absolute(3), .absolute(1)), .view("E", .bottomTrailing, .absolute(3), .absolute(1)),
      ]
    }
    let expected = """
      AA......
      ...BB...
      ......CC
      aaaabbbb
      aaaMMbbb
      DDD.....
      .....EEE
      """
    #expect(drawing(section, height: 7, counts: [2]) == expected)
  }

  @Test("Leading and trailing views either take space from the items or overlap them")
  func sides() {
    let section = section {
      var over = CollectionLayoutBoundarySupplementaryItem.view("O", .trailing, .absolute(1), .absolute(2))
      over.extendsBoundary = false
      $0.boundarySupplementaryItems = [
        .view("S", .leading, .absolute(2), .fractionalHeight(1)), .view("T", .trailing, .absolute(2), .absolute(2)),
        over,
      ]
    }
    let expected = """
      SSaaaabbbb..
      SSaaaabbbOTT
      SSccccdddOTT
      SSccccdddd..
      """
    #expect(drawing(section, width: 12, height: 4, counts: [4]) == expected)
  }

  @Test("A view respects its own insets, and is clipped to the width of the container")
  func viewInsets() {
    let section = section {
      var header = CollectionLayoutBoundarySupplementaryItem.view("H", .top, .absolute(50), .absolute(3))
      header.contentInsets = DirectionalEdgeInsets(top: 1, leading: 1, bottom: 1, trailing: 2)
      $0.boundarySupplementaryItems = [header]
    }
    #expect(drawing(section, height: 4, counts: [2]) == "........\n.HHHHH..\n........\naaaabbbb")
  }

  @Test("With horizontal scrolling, the leading view is before the items and the top view above them")
  func horizontal() {
    var section = CollectionLayoutSection.grid(columns: .count(2), rowSpacing: 1, heightRatio: 0.5)
    section.boundarySupplementaryItems = [
      .view("H", .leading, .absolute(2), .fractionalHeight(1)), .view("F", .trailing, .absolute(1), .absolute(2)),
      .view("T", .top, .fractionalWidth(1), .absolute(1)),
    ]
    section.contentInsets = DirectionalEdgeInsets(top: 1, leading: 1)
    let expected = """
      ...................
      HH.TTTTTTTTT..HH.TT
      HH.aaaa.ccccF.HH.dd
      HH.aaaa.ccccF.HH.dd
      HH.bbbb.......HH...
      HH.bbbb.......HH...
      """
    #expect(
      drawing(
        section, .init(scrollDirection: .horizontal, interSectionSpacing: 1), width: 19, height: 6, counts: [3, 1])
        == expected)
  }
}

// MARK: - Pinned views

@Suite("Pinned boundary views")
struct PinnedViewTests {
  /// Returns sections of rows that are one point high and fill the width, with pinned headers and footers.
  private func composition(
    _ boundary: [CollectionLayoutBoundarySupplementaryItem], global: [CollectionLayoutBoundarySupplementaryItem] = [],
    width: Double = 4, height: Double, counts: [Int]
  ) -> SolvedComposition {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0, captionHeight: 1)
    section.boundarySupplementaryItems = boundary
    return CompositionalLayout(section: section, configuration: .init(boundarySupplementaryItems: global))
      .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: height)), for: ItemCounts(counts))
  }

  /// Returns the first column of the drawing at each offset.
  private func frames(_ composition: SolvedComposition, at offsets: some Sequence<Int>) -> [String] {
    offsets.map { offset in
      composition.drawing(at: Double(offset)).split(separator: "\n").map { String($0.prefix(1)) }.joined()
    }
  }

  @Test("A header is pinned at the top until the end of its section pushes it out")
  func header() {
    let composition = composition([.across("H", .top, 2, pins: true)], height: 5, counts: [4, 3])
    // Content: H H a b c d H H e f g
    #expect(
      frames(composition, at: -1...6) == [
        ".HHab", "HHabc", "HHbcd", "HHcdH", "HHdHH", "HHHHe", "HHHef", "HHefg",
      ])
    let pinned = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: 3))
    #expect(pinned?.isPinned == true && pinned?.frame.minY == 3)
    let pushed = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: 5))
    #expect(pushed?.isPinned == true && pushed?.frame.minY == 4)
    let resting = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 1), in: composition.visibleRect(at: 5))
    #expect(resting?.isPinned == false && resting?.frame.minY == 6)
  }

  @Test("A footer is pinned at the bottom, but not before the start of its section")
  func footer() {
    let composition = composition([.across("F", .bottom, 2, pins: true)], height: 5, counts: [4, 3])
    // Content: a b c d F F e f g F F
    #expect(frames(composition, at: [0, 1, 2, 3, 4, 6]) == ["abcFF", "bcdFF", "cdFFF", "dFFFF", "FFeFF", "efgFF"])
  }

  @Test("A pinned header and a pinned footer never overlap")
  func meeting() {
    let composition = composition(
      [.across("H", .top, 2, pins: true), .across("F", .bottom, 1, pins: true)], height: 4, counts: [3, 1])
    // Content: H H a b c F H H d F
    #expect(
      frames(composition, at: 0...6) == ["HHaF", "HHbF", "HHcF", "HHFH", "HFHH", "FHHF", "HHdF"])
    for offset in stride(from: -3.0, through: 9, by: 0.25) {
      for height in [1.0, 2, 3, 4, 7] {
        let low = self.composition(
          [.across("H", .top, 2, pins: true), .across("F", .bottom, 1, pins: true)], height: height, counts: [3, 1])
        var elements: [ElementAttributes] = []
        low.appendElements(in: Rect(x: 0, y: -99, width: 4, height: 999), to: &elements)
        let pinned = elements.compactMap { low.attributes(of: $0.identity, in: low.visibleRect(at: offset)) }
        #expect(pinned.count == 4)
        for (index, element) in pinned.enumerated() {
          for other in pinned[..<index] { #expect(!element.frame.intersects(other.frame)) }
          #expect(element.frame.minY >= 0 && element.frame.maxY <= low.contentSize.height)
        }
      }
    }
  }

  @Test("Several pinned headers are stacked at the edge; unpinned ones between them scroll away")
  func stacked() {
    let composition = composition(
      [.across("A", .top, 1, pins: true), .across("B", .top, 1), .across("C", .top, 1, pins: true)], height: 5,
      counts: [5])
    // Content: A B C a b c d e
    #expect(frames(composition, at: 0...7) == ["ABCab", "ACabc", "ACbcd", "ACcde", "ACde.", "ACe..", "AC...", "C...."])
  }

  @Test("Pinned views of sections are inside the pinned global views")
  func global() {
    let composition = composition(
      [.across("H", .top, 1, pins: true)],
      global: [.across("G", .top, 1, pins: true), .across("L", .bottom, 1, pins: true)],
      height: 6, counts: [3, 3])
    // Content: G H a b c H d e f L
    #expect(frames(composition, at: 0...4) == ["GHabcL", "GHbcHL", "GHcHdL", "GHHdeL", "GHdefL"])
  }

  @Test("A pinned leading view stays visible next to the items")
  func side() {
    let composition = composition(
      [.view("S", .leading, .absolute(1), .absolute(1), pins: true)], height: 3, counts: [5])
    #expect(frames(composition, at: [-2, 0, 1, 2, 3, 4]) == ["..S", "..S", ".S.", "S..", "S..", "S.."])
  }

  @Test("Pinned views at fractional offsets are at most half a pixel off the edge")
  func fractions() {
    let composition = composition([.across("H", .top, 2, pins: true)], height: 5, counts: [50])
    for offset in stride(from: 0.0, through: 20, by: 0.3) {
      let header = composition.attributes(
        of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: offset))
      #expect(((header?.frame.minY ?? -9) - offset).magnitude <= 0.5)
    }
  }

  @Test("A pinned header without width or height is one pixel large, even in a container without width")
  func zeroWidth() {
    for (width, height) in [
      (CollectionLayoutDimension.absolute(0), CollectionLayoutDimension.absolute(0)),
      (.fractionalWidth(0), .estimated(0)), (.fractionalWidth(1), .fractionalHeight(0)),
    ] {
      for window in [0.0, 4] {
        let composition = composition(
          [.view("H", .top, width, height, pins: true)], width: window, height: window, counts: [30])
        for offset in [0.0, 3.5, 29, 1e9] {
          let header = composition.attributes(
            of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: offset))
          #expect(header.map { !$0.frame.isEmpty } == true)
          var elements: [ElementAttributes] = []
          composition.appendElements(in: composition.visibleRect(at: offset), to: &elements)
          #expect(elements.count == (window > 0 && offset < 100 ? 1 : 0))
        }
      }
    }
  }
}
