import CollectionLayout
import Geometry
import Testing

@Suite("What stands around a section's items")
struct BoundaryGoldenTests {
  /// Two columns of items twice as broad as high.
  private func section(_ change: (inout CollectionLayoutSection) -> Void) -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    change(&section)
    return section
  }

  private func drawn(
    _ section: CollectionLayoutSection, _ configuration: CompositionalLayout.Configuration = .init(),
    width: Double = 8, height: Double, insets: Insets = .zero, counts: [Int]
  ) -> String {
    CompositionalLayout(section: section, configuration: configuration)
      .solved(
        in: LayoutEnvironment(containerSize: Size(width: width, height: height), contentInsets: insets),
        for: ItemCounts(counts)
      ).drawn()
  }

  @Test("A header before the items, a footer behind them, and the insets between")
  func headerAndFooter() {
    let section = section {
      $0.boundarySupplementaryItems = [.across("F", .bottom, 1), .across("H", .top, 2)]
      $0.contentInsets = DirectionalInsets(top: 1, leading: 2, bottom: 1, trailing: 2)
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
    #expect(drawn(section, height: 8, counts: [3]) == expected)
  }

  @Test("A header that does not follow the insets reaches from side to side")
  func headerBeyondInsets() {
    let section = section {
      $0.boundarySupplementaryItems = [.across("H", .top, 1)]
      $0.contentInsets = DirectionalInsets(leading: 2, trailing: 2)
      $0.supplementariesFollowContentInsets = false
    }
    #expect(drawn(section, height: 3, counts: [2]) == "HHHHHHHH\n..aabb..\n........")
  }

  @Test("Space between sections, and none before the first and behind the last")
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
    #expect(drawn(section, .init(interSectionSpacing: 2), height: 8, counts: [2, 1]) == expected)
    let solved = CompositionalLayout(section: section, configuration: .init(interSectionSpacing: 2))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 8, height: 9)), for: ItemCounts([2, 1]))
    #expect(solved.contentSize.height == 8)
  }

  @Test("A background lies behind the whole section, within its own insets")
  func background() {
    let section = section {
      var background = CollectionLayoutDecorationItem.background(elementKind: "-")
      background.contentInsets = DirectionalInsets(top: 1, leading: 1, trailing: 1)
      $0.decorationItems = [background]
      $0.boundarySupplementaryItems = [.across("H", .top, 1)]
      $0.contentInsets = DirectionalInsets(top: 1, leading: 2, bottom: 1, trailing: 2)
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
    #expect(drawn(section, height: 9, counts: [2, 1]) == expected)
  }

  @Test("Global views stand around all sections, within the environment's insets")
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
      drawn(section, configuration, width: 11, height: 10, insets: Insets(uniform: 1), counts: [2, 1]) == expected)
  }

  @Test("A section may ignore the environment's insets at the sides")
  func insetsReference() {
    let section = section { $0.contentInsetsReference = .none }
    #expect(
      drawn(section, width: 8, height: 3, insets: Insets(uniform: 1), counts: [2]) == "........\naaaabbbb\naaaabbbb")
    let inset = self.section { $0.contentInsetsReference = .layoutMargins }
    #expect(
      drawn(inset, .init(contentInsetsReference: .none), width: 10, height: 3, insets: Insets(uniform: 1), counts: [2])
        == "..........\n.aaaabbbb.\n.aaaabbbb.")
  }

  @Test("Corners stand at the ends of the edge, edges in the middle, moved by their offset")
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
    #expect(drawn(section, height: 7, counts: [2]) == expected)
  }

  @Test("Views at the sides take room from the items, or lie over them")
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
    #expect(drawn(section, width: 12, height: 4, counts: [4]) == expected)
  }

  @Test("A view is inset within its place, and one larger than the room is cut to it")
  func viewInsets() {
    let section = section {
      var header = CollectionLayoutBoundarySupplementaryItem.view("H", .top, .absolute(50), .absolute(3))
      header.contentInsets = DirectionalInsets(top: 1, leading: 1, bottom: 1, trailing: 2)
      $0.boundarySupplementaryItems = [header]
    }
    #expect(drawn(section, height: 4, counts: [2]) == "........\n.HHHHH..\n........\naaaabbbb")
  }

  @Test("Scrolling to the side: leading is before the items, and the top beside them")
  func horizontal() {
    var section = CollectionLayoutSection.grid(columns: .count(2), rowSpacing: 1, heightRatio: 0.5)
    section.boundarySupplementaryItems = [
      .view("H", .leading, .absolute(2), .fractionalHeight(1)), .view("F", .trailing, .absolute(1), .absolute(2)),
      .view("T", .top, .fractionalWidth(1), .absolute(1)),
    ]
    section.contentInsets = DirectionalInsets(top: 1, leading: 1)
    let expected = """
      ...................
      HH.TTTTTTTTT..HH.TT
      HH.aaaa.ccccF.HH.dd
      HH.aaaa.ccccF.HH.dd
      HH.bbbb.......HH...
      HH.bbbb.......HH...
      """
    #expect(
      drawn(
        section, .init(scrollDirection: .horizontal, interSectionSpacing: 1), width: 19, height: 6, counts: [3, 1])
        == expected)
  }
}
