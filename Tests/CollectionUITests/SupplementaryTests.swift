import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Views beside the cells come, follow the viewport, go and come again")
struct SupplementaryTests {
  static func sections(_ count: Int, items: Int = 10) -> [(String, [Int])] {
    (0..<count).map { section in ("s\(section)", Array((section * 1_000)..<(section * 1_000 + items))) }
  }

  static func stage(_ count: Int = 4, items: Int = 10, hasBackgrounds: Bool = false) -> StackStage {
    StackStage(sections(count, items: items), layout: StackLayout(hasHeaders: true, hasBackgrounds: hasBackgrounds))
  }

  @Test("Headers stand above their sections, stay at the top edge and are pushed away by the next")
  func pinning() {
    let stack = Self.stage()
    #expect(stack.shownHeaders == ["s0 10 at 0"])
    stack.scroll(to: 100)
    #expect(stack.shownHeaders == ["s0 10 at 0, pinned"])
    stack.scroll(to: 400)
    #expect(stack.shownHeaders == ["s0 10 at 0, pinned", "s1 10 at 130"])
    stack.scroll(to: 520)
    #expect(stack.shownHeaders == ["s0 10 at -20, pinned", "s1 10 at 10"])
    stack.scroll(to: 530)
    #expect(stack.shownHeaders == ["s1 10 at 0"])
  }

  @Test("Headers are made once and used again: scrolling through a thousand sections makes a handful")
  func reuse() {
    let stack = Self.stage(300, items: 2)
    for offset in stride(from: 0.0, through: 38_000, by: 170) { stack.scroll(to: offset) }
    #expect(stack.headers.count <= 8)
    #expect(stack.headers.contains { $0.reuses > 10 })
    #expect(stack.view.visibleSupplementaryViews(ofKind: "header").count <= 4)
    #expect(stack.view.visibleSupplementaryViews(ofKind: "footer").isEmpty)
  }

  @Test("A header keeps its drawing while it is pinned: it is moved, not drawn")
  func keptDrawing() {
    let stack = Self.stage()
    stack.scroll(to: 40)
    let drawings = stack.headers.map(\.drawings)
    for offset in 41...120 { stack.scroll(to: Double(offset)) }
    #expect(stack.headers.map(\.drawings) == drawings)
    let configured = stack.headers.map(\.configured)
    for offset in 41...120 { stack.scroll(to: Double(offset)) }
    #expect(stack.headers.map(\.configured) == configured)
  }

  @Test("Backgrounds are drawn behind the cells and headers before them; a press finds what is in front")
  func order() throws {
    let stack = Self.stage(hasBackgrounds: true)
    stack.scroll(to: 100)
    let frame = try #require(stack.stage.display.frames.last)
    let fills = frame.commands.filter { $0.kind == .fill }.map(\.color)
    let back = try #require(fills.lastIndex(of: BackgroundView.color))
    let header = try #require(fills.firstIndex(of: HeaderView.color))
    let firstCell = try #require(fills.firstIndex { $0 != BackgroundView.color && $0 != HeaderView.color })
    #expect(back < firstCell && firstCell < header)
    #expect(stack.view.hitTest(Point(x: 20, y: 10)) is HeaderView)
    #expect(stack.view.hitTest(Point(x: 20, y: 100)) is WordCell)
  }

  @Test("Where the layout has backgrounds alone a press beside all cells finds the background")
  func background() {
    let layout = StackLayout(hasBackgrounds: true, hasStrip: true)
    let stack = StackStage([("strip", [0, 1]), ("rows", [2])], layout: layout)
    #expect(stack.view.hitTest(Point(x: 300, y: 20)) is BackgroundView)
    #expect(stack.view.hitTest(Point(x: 20, y: 20)) is WordCell)
  }

  @Test("After an update headers stay with their sections and tell of the items as they are now")
  func updates() {
    let stack = Self.stage()
    stack.scroll(to: 400)
    let second = stack.view.supplementaryView(ofKind: "header", at: [1, 0])
    stack.apply { $0.insertSections(["new"], beforeSection: "s0") }
    stack.apply { $0.appendItems([1, 2, 3].map { $0 + 5_000 }, toSection: "s1") }
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 10 at 0, pinned", "s1 13 at 130"])
    #expect(stack.view.supplementaryView(ofKind: "header", at: [2, 0]) === second)
    stack.apply { $0.deleteSections(["s0"]) }
    stack.stage.runUntilIdle()
    #expect(stack.view.supplementaryView(ofKind: "header", at: [1, 0]) === second)
    stack.apply { $0.deleteAllItems() }
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders.count == 4)
  }

  @Test("What a header tells is asked anew when the client says so, and only then")
  func reconfigure() {
    let stack = Self.stage()
    stack.headerText = { section, _ in "\(section)!" }
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 10 at 0"])
    stack.view.reconfigureSupplementaryViews()
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["s0! at 0"])
  }

  @Test("Two badges of one kind on one item are two views, each in its place, and go with the item")
  func badges() {
    func badge(_ edges: CollectionLayoutAnchor.Edges) -> CollectionLayoutSupplementaryItem {
      CollectionLayoutSupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .absolute(10), height: .absolute(10)), elementKind: "badge",
        containerAnchor: CollectionLayoutAnchor(edges: edges))
    }
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(50))
    let item = CollectionLayoutItem(
      layoutSize: size, supplementaryItems: [badge([.top, .leading]), badge([.bottom, .trailing])])
    let layout = CompositionalLayout(
      section: CollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [item])))
    let wall = NumberWall([[]], layout: layout)
    let registration = SupplementaryRegistration<HeaderView>(elementKind: "badge") { _, _, _ in }
    wall.source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
    func corners() -> [Point] {
      wall.view.visibleSupplementaryViews(ofKind: "badge").map { wall.view.origin(of: $0) }
    }
    wall.apply { $0.appendItems([1, 2], toSection: 0) }
    wall.stage.runUntilIdle()
    #expect(corners() == [Point(x: 0, y: 0), Point(x: 390, y: 40), Point(x: 0, y: 50), Point(x: 390, y: 90)])
    wall.apply { $0.deleteItems([1]) }
    wall.stage.runUntilIdle()
    #expect(corners() == [Point(x: 0, y: 0), Point(x: 390, y: 40)])
  }

  @Test("When all items are exchanged at once, and when the data source goes, headers go too")
  func reload() {
    let stack = Self.stage()
    var snapshot = StackStage.Source.Snapshot()
    snapshot.appendSections(["other"])
    snapshot.appendItems([7], toSection: "other")
    stack.source.applySnapshotUsingReloadData(snapshot)
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["other 1 at 0"])
    #expect(stack.shown == [7])
  }

  @Test("A layout that places views that nobody gives stops the program with a sentence")
  func misuse() async throws {
    let header = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let stack = SupplementaryTests.stage()
        stack.source.supplementaryViewProvider = nil
        stack.scroll(to: 400)
      }
    }
    let headerText = String(decoding: try #require(header).standardErrorContent, as: UTF8.self)
    #expect(headerText.contains("the data source has no supplementaryViewProvider"))
    let background = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registrations = Registrations()
        let view = CollectionView(layout: StackLayout(hasBackgrounds: true))
        let stage = registrations.stage(of: view)
        let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
          view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
        }
        var snapshot = source.snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems([1])
        source.apply(snapshot)
        stage.run(frames: 1)
      }
    }
    let backgroundText = String(decoding: try #require(background).standardErrorContent, as: UTF8.self)
    #expect(backgroundText.contains("for which no class is registered"))
  }
}
