import Testing
import VitrineGeometry

@testable import VitrineCollectionLayout

@Suite("List separators")
struct ListSeparatorTests {
  private func configuration(
    _ appearance: CollectionLayoutListConfiguration.Appearance, leading: Double = 2
  ) -> CollectionLayoutListConfiguration {
    var configuration = CollectionLayoutListConfiguration(appearance: appearance)
    configuration.rowHeight = .absolute(3)
    configuration.separatorConfiguration.topSeparatorInsets.leading = leading
    configuration.separatorConfiguration.bottomSeparatorInsets.leading = leading
    return configuration
  }

  /// Returns a text drawing with a letter for each row, covered by the separators.
  private func drawing(
    _ configuration: CollectionLayoutListConfiguration, rows: Int = 3, width: Int = 8,
    container: SectionContainer = .plain(8, 9)
  ) -> String {
    let body = ListContent(configuration: configuration).body(of: rows, in: container)
    var views: [BodySupplementary] = []
    body.appendSupplementaries(of: 0..<rows, to: &views)
    let cells = (0..<rows).map { (Character(String(UnicodeScalar(UInt8(97 + $0)))), body.frame(ofItem: $0)) }
    let lines = views.map {
      (Character($0.kind == CollectionLayoutListConfiguration.separatorKind ? "_" : "^"), $0.frame)
    }
    return CollectionLayoutTests.drawing(
      of: cells + lines, width: width, height: container.flow == .vertical ? body.length : 3)
  }

  @Test("In a plain list each row has a separator with an inset")
  func plain() {
    #expect(
      drawing(configuration(.plain)) == """
        aaaaaaaa
        aaaaaaaa
        aa______
        bbbbbbbb
        bbbbbbbb
        bb______
        cccccccc
        cccccccc
        cc______
        """)
  }

  @Test("A group has full-width separators around it, and inset ones between its rows")
  func grouped() {
    #expect(
      drawing(configuration(.grouped)) == """
        ^^^^^^^^
        aaaaaaaa
        aa______
        bbbbbbbb
        bbbbbbbb
        bb______
        cccccccc
        cccccccc
        ________
        """)
  }

  @Test("An inset group has no separators around it")
  func insetGrouped() {
    #expect(
      drawing(configuration(.insetGrouped)) == """
        aaaaaaaa
        aaaaaaaa
        aa______
        bbbbbbbb
        bbbbbbbb
        bb______
        cccccccc
        cccccccc
        cccccccc
        """)
  }

  @Test(
    "Sidebars have no separators by default",
    arguments: [
      CollectionLayoutListConfiguration.Appearance.sidebar, .sidebarPlain,
    ])
  func sidebars(appearance: CollectionLayoutListConfiguration.Appearance) {
    var sidebar = configuration(appearance)
    #expect(
      drawing(sidebar, rows: 2) == """
        aaaaaaaa
        aaaaaaaa
        aaaaaaaa
        bbbbbbbb
        bbbbbbbb
        bbbbbbbb
        """)
    sidebar.showsSeparators = true
    #expect(drawing(sidebar, rows: 2).contains("aa______"))
  }

  @Test("A handler customizes the separators of a row; two rows have at most one separator between them")
  func handler() {
    var list = configuration(.plain)
    list.itemSeparatorHandler = { item, general in
      var own = general
      if item == 0 { own.bottomSeparatorVisibility = .hidden }
      if item > 0 { own.topSeparatorVisibility = .visible }
      if item == 2 { own.bottomSeparatorInsets = DirectionalEdgeInsets(leading: 1, trailing: 3) }
      return own
    }
    #expect(
      drawing(list) == """
        aaaaaaaa
        aaaaaaaa
        aaaaaaaa
        bb^^^^^^
        bbbbbbbb
        bb______
        cccccccc
        cccccccc
        c____ccc
        """)
  }

  @Test("A first item as header has no separators and the height of a header")
  func firstItemHeader() {
    var list = configuration(.grouped)
    list.headerMode = .firstItemInSection
    let body = ListContent(configuration: list).body(of: 3, in: .plain(8, 9))
    #expect(body.frame(ofItem: 0).height == 28)
    #expect(body.frame(ofItem: 2) == PixelFrame(minX: 0, minY: 31, maxX: 8, maxY: 34))
    var lines: [BodySupplementary] = []
    body.appendSupplementaries(of: 0..<3, to: &lines)
    #expect(lines.map(\.item) == [1, 1, 2])
    #expect(lines.map(\.frame.minY) == [28, 30, 33])
    #expect(lines.map(\.frame.width) == [8, 6, 8])
  }

  @Test("A separator is one pixel high at any scale, and absent if its insets are too large")
  func hairline() {
    let body = ListContent(configuration: configuration(.plain)).body(of: 2, in: .plain(100, 100, scale: 3))
    var lines: [BodySupplementary] = []
    body.appendSupplementaries(of: 0..<2, to: &lines)
    #expect(
      lines.map(\.frame) == [
        PixelFrame(minX: 6, minY: 8, maxX: 300, maxY: 9), PixelFrame(minX: 6, minY: 17, maxX: 300, maxY: 18),
      ])
    #expect(!drawing(configuration(.plain, leading: 8)).contains("_"))
    #expect(drawing(configuration(.plain, leading: .nan)).contains("________"))
  }

  @Test("Rows along a horizontal axis have vertical separators")
  func horizontal() {
    #expect(
      drawing(configuration(.plain, leading: 1), rows: 2, width: 6, container: .plain(6, 3, flow: .horizontal)) == """
        aaabbb
        aa_bb_
        aa_bb_
        """)
  }
}
