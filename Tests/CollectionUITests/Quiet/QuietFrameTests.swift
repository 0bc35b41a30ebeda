import CollectionLayout
import CollectionUI
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A frame that only moves what is on screen asks the layout nothing, and shows what it would have said")
struct QuietFrameTests {
  /// A layout under test, by name.
  nonisolated enum Kind: CaseIterable {
    case grid, list, mosaic, justified, columns, shelves

    var layout: CompositionalLayout {
      switch self {
      case .grid:
        CompositionalLayout(section: .grid(columns: .count(3), columnSpacing: 7, rowSpacing: 9, heightRatio: 0.4))
      case .list: CompositionalLayout(section: CollectionLayoutSection(group: Kind.row(height: 44)))
      case .mosaic: CompositionalLayout(section: .mosaic(spacing: 4))
      case .justified:
        CompositionalLayout(
          section: .justified(targetRowHeight: 70, spacing: 5, lineSpacing: 6) { [0.5, 1, 1.5, 2.5, 1.2][$0 % 5] })
      case .columns:
        CompositionalLayout(
          section: .justified(targetRowHeight: 33, spacing: 0, lineSpacing: 0) { [0.3, 3, 1, 0.9][$0 % 4] })
      case .shelves:
        CompositionalLayout { section, _ in
          var shelf = CollectionLayoutSection(group: Kind.row(height: 60, width: .fractionalWidth(0.3)))
          if section % 2 == 0 { shelf.orthogonalScrollingBehavior = .continuous }
          return shelf
        }
      }
    }

    private nonisolated static func row(height: Double, width: CollectionLayoutDimension = .fractionalWidth(1))
      -> CollectionLayoutGroup
    {
      let size = CollectionLayoutSize(width: width, height: .absolute(height))
      return .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    }
  }

  @Test("Whatever the layout, every frame has the layout's items at the layout's places", arguments: Kind.allCases)
  func law(kind: Kind) {
    var random = SplitMix64(seed: 31)
    for scale in [1.0, 1.5] {
      let sections = (0..<6).map { section in Array(section * 40..<(section + 1) * 40) }
      let wall = NumberWall(sections, layout: kind.layout)
      let pixels = DisplayScale(pixelsPerPoint: scale)
      wall.stage.resize(to: Size(width: 401, height: 299), scale: pixels)
      wall.stage.runUntilIdle()
      var solution = kind.layout.solved(
        in: LayoutEnvironment(containerSize: Size(width: 401, height: 299), scale: pixels),
        for: ItemCounts(sections.map(\.count)))
      while !solution.isSettled { _ = solution.refine(atMost: 1_000) }
      for step in 0..<160 {
        let way = step % 40 == 39 ? 900.0 : 12
        wall.scroll(to: wall.view.contentOffset + Double.random(in: -way * 0.4...way, using: &random))
        var expected: [Int] = []
        solution.visitItems(in: wall.view.visibleRect) { expected += $0 }
        #expect(wall.shown == expected)
        let drawn = Set(wall.stage.lastFrameCommands.filter { $0.hasPrefix("fill") }.map { $0.prefix { $0 != "#" } })
        for item in expected {
          let place = pixels.pixelRect(solution.frame(ofItem: item).offset(by: Point.zero - wall.view.contentOrigin))
          #expect(drawn.contains("fill \(place.x),\(place.y) \(place.width)x\(place.height) "))
        }
      }
    }
  }

  @Test("Nothing is asked while no row enters or leaves, and once where one does")
  func questions() {
    let layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    let stage = StackStage([("a", Array(0..<400))], layout: layout)
    stage.scroll(to: 1_010)
    let before = layout.facts.now.questions
    for offset in stride(from: 1_011.0, through: 1_049, by: 1) { stage.scroll(to: offset) }
    #expect(layout.facts.now.questions == before)
    #expect(stage.shown == Array(20..<27))
    stage.scroll(to: 1_051)
    #expect(layout.facts.now.questions > before)
    #expect(stage.shown == Array(21..<28))
  }

  @Test("A pinned view follows in every frame")
  func pinned() {
    var layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 40)))
    layout.hasHeaders = true
    let stage = StackStage([("a", Array(0..<20)), ("b", Array(20..<40))], layout: layout)
    for offset in stride(from: 10.0, through: 40, by: 5) {
      stage.scroll(to: offset)
      #expect(stage.shownHeaders == ["a 20 at 0, pinned"])
    }
  }

  @Test("Beside headers, too, nothing is asked while they go along or stay at the edge")
  func headerQuestions() {
    var layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    (layout.hasHeaders, layout.hasBackgrounds) = (true, true)
    let stage = StackStage([("a", Array(0..<200)), ("b", Array(200..<400))], layout: layout)
    stage.scroll(to: 1_041)
    #expect(stage.shownHeaders == ["a 200 at 0, pinned"])
    let before = layout.facts.now.questions
    for offset in stride(from: 1_042.0, through: 1_079, by: 1) {
      stage.scroll(to: offset)
      #expect(stage.shownHeaders == ["a 200 at 0, pinned"])
    }
    #expect(layout.facts.now.questions == before)
    // A tap meets the header where it is seen.
    let header = stage.view.visibleSupplementaryViews(ofKind: "header").first
    #expect(stage.view.hitTest(Point(x: 10, y: 10)) === header && header?.frameInWindow.minY == 0)
    stage.scroll(to: 1_081)
    #expect(layout.facts.now.questions > before)
  }

  @Test("Wherever headers are pushed, pinned and let go, every frame shows them where the layout has them")
  func headerLaw() {
    var random = SplitMix64(seed: 77)
    for scale in [1.0, 2] {
      var layout = StackLayout(facts: .init(heights: (0..<240).map { Double(30 + $0 * 7 % 50) }))
      (layout.hasHeaders, layout.hasBackgrounds) = (true, true)
      let stage = StackStage((0..<24).map { ("s\($0)", Array($0 * 10..<($0 + 1) * 10)) }, layout: layout)
      let pixels = DisplayScale(pixelsPerPoint: scale)
      stage.stage.resize(to: Size(width: 401, height: 299), scale: pixels)
      stage.stage.runUntilIdle()
      let counts = ItemCounts(Array(repeating: 10, count: 24))
      let solution = layout.solved(
        in: LayoutEnvironment(containerSize: Size(width: 401, height: 299), scale: pixels), for: counts)
      for step in 0..<400 {
        let way = step % 50 == 49 ? 900.0 : 9
        stage.scroll(to: stage.view.contentOffset + Double.random(in: -way * 0.4...way, using: &random))
        var expected: [ElementAttributes] = []
        solution.appendElements(in: stage.view.visibleRect, to: &expected)
        for element in expected {
          guard case .supplementary(let kind) = element.identity.kind, let section = element.identity.section else {
            continue
          }
          let view = stage.view.supplementaryView(ofKind: kind, at: [section, element.identity.item])
          #expect(view?.frame == element.frame, "\(element.identity) at \(stage.view.contentOffset)")
          #expect((view as? HeaderView)?.isPinned == element.isPinned)
        }
        let drawn = stage.stage.lastFrameCommands.filter { $0.hasPrefix("fill") }
        for element in expected {
          let place = pixels.pixelRect(element.frame.offset(by: Point.zero - stage.view.contentOrigin))
          #expect(drawn.contains { $0.hasPrefix("fill \(place.x),\(place.y) \(place.width)x\(place.height) ") })
        }
      }
    }
  }

  @Test("The delegate is told of every move, once a frame")
  func delegate() {
    let grid = WordGrid(WordGrid.words(0..<200))
    grid.scroll(to: 10)
    let before = grid.log.scrolls
    for offset in 11...40 { grid.scroll(to: Double(offset)) }
    #expect(grid.log.scrolls == before + 30)
    grid.stage.run(frames: 3)
    #expect(grid.log.scrolls == before + 30)
  }

  @Test("When all items go, nothing of them is drawn any more")
  func emptied() {
    let grid = WordGrid(WordGrid.words(0..<200))
    grid.scroll(to: 10)
    grid.apply { $0.deleteAllItems() }
    grid.stage.runUntilIdle()
    #expect(grid.stage.lastFrameCommands.filter { $0.hasPrefix("fill") }.isEmpty)
  }
}
