import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Supplementary views appear, follow the viewport, disappear and are reused")
struct SupplementaryViewTests {
  static func sections(_ count: Int, items: Int = 10) -> [(String, [Int])] {
    (0..<count).map { section in ("s\(section)", Array((section * 1_000)..<(section * 1_000 + items))) }
  }

  static func makeStack(_ count: Int = 4, items: Int = 10, hasBackgrounds: Bool = false) -> NumberStack {
    NumberStack(sections(count, items: items), layout: StackLayout(hasHeaders: true, hasBackgrounds: hasBackgrounds))
  }

  @Test("Headers are above their sections, pinned to the top edge, and pushed away by the next header")
  func pinning() {
    let stack = Self.makeStack()
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

  @Test("Headers are reused: scrolling through 300 sections creates at most eight")
  func reuse() {
    let stack = Self.makeStack(300, items: 2)
    for offset in stride(from: 0.0, through: 38_000, by: 170) { stack.scroll(to: offset) }
    #expect(stack.headers.count <= 8)
    #expect(stack.headers.contains { $0.reuses > 10 })
    #expect(stack.view.visibleSupplementaryViews(ofKind: "header").count <= 4)
    #expect(stack.view.visibleSupplementaryViews(ofKind: "footer").isEmpty)
  }

  @Test("A pinned header is moved without being redrawn")
  func cachedDrawing() {
    let stack = Self.makeStack()
    stack.scroll(to: 40)
    let drawings = stack.headers.map(\.drawings)
    for offset in 41...120 { stack.scroll(to: Double(offset)) }
    #expect(stack.headers.map(\.drawings) == drawings)
    let configured = stack.headers.map(\.configured)
    for offset in 41...120 { stack.scroll(to: Double(offset)) }
    #expect(stack.headers.map(\.configured) == configured)
  }

  @Test("Backgrounds are drawn behind cells and headers in front, and hit testing returns the front view")
  func zOrder() throws {
    let stack = Self.makeStack(hasBackgrounds: true)
    stack.scroll(to: 100)
    let frame = try #require(stack.harness.display.frames.last)
    let fills = frame.commands.filter { $0.kind == .fill }.map(\.color)
    let back = try #require(fills.lastIndex(of: BackgroundView.color))
    let header = try #require(fills.firstIndex(of: HeaderView.color))
    let firstCell = try #require(fills.firstIndex { $0 != BackgroundView.color && $0 != HeaderView.color })
    #expect(back < firstCell && firstCell < header)
    #expect(stack.view.hitTest(Point(x: 20, y: 10)) is HeaderView)
    #expect(stack.view.hitTest(Point(x: 20, y: 100)) is WordCell)
  }

  @Test("In a layout with backgrounds only, a point outside all cells hits the background")
  func background() {
    let layout = StackLayout(hasBackgrounds: true, hasStrip: true)
    let stack = NumberStack([("strip", [0, 1]), ("rows", [2])], layout: layout)
    #expect(stack.view.hitTest(Point(x: 300, y: 20)) is BackgroundView)
    #expect(stack.view.hitTest(Point(x: 20, y: 20)) is WordCell)
  }

  @Test("After an update, headers stay with their sections and display the current item counts")
  func updates() {
    let stack = Self.makeStack()
    stack.scroll(to: 400)
    let second = stack.view.supplementaryView(forElementKind: "header", at: [1, 0])
    stack.apply { $0.insertSections(["new"], beforeSection: "s0") }
    stack.apply { $0.appendItems([1, 2, 3].map { $0 + 5_000 }, toSection: "s1") }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 10 at 0, pinned", "s1 13 at 130"])
    #expect(stack.view.supplementaryView(forElementKind: "header", at: [2, 0]) === second)
    stack.apply { $0.deleteSections(["s0"]) }
    stack.harness.runUntilIdle()
    #expect(stack.view.supplementaryView(forElementKind: "header", at: [1, 0]) === second)
    stack.apply { $0.deleteAllItems() }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders.count == 4)
  }

  @Test("Headers are reconfigured only when the client requests it")
  func reconfigure() {
    let stack = Self.makeStack()
    stack.headerText = { section, _ in "\(section)!" }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 10 at 0"])
    stack.view.reconfigureSupplementaryViews()
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["s0! at 0"])
  }

  @Test("Decoration views are configured when they are made and when the client requests it, also prepared ones")
  func decorations() {
    let stack = Self.makeStack(hasBackgrounds: true)
    var color = Color(hex: 0x112233)
    var configured: Set<ObjectIdentifier> = []
    stack.view.register(BackgroundView.self, forDecorationViewOfKind: "back") { view in
      view.backgroundColor = color
      configured.insert(ObjectIdentifier(view))
    }
    stack.scroll(to: 2_000)
    stack.harness.runUntilIdle()
    #expect(!configured.isEmpty)
    color = Color(hex: 0x445566)
    stack.view.reconfigureSupplementaryViews()
    stack.harness.runUntilIdle()
    let prepared = stack.view.preparedSupplementaryViews.filter { $0 is BackgroundView }
    #expect(prepared.allSatisfy { $0.backgroundColor == color })
    for offset in stride(from: 0.0, through: 2_000, by: 250) {
      stack.scroll(to: offset)
      let fills = stack.harness.display.frames.last?.commands.filter { $0.kind == .fill }.map(\.color) ?? []
      #expect(fills.contains(color) && !fills.contains(Color(hex: 0x112233)))
    }
  }

  @Test("Two badges of one kind on an item are two views and are removed with the item")
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
    let grid = NumberGrid([[]], layout: layout)
    let registration = SupplementaryRegistration<HeaderView>(elementKind: "badge") { _, _, _ in }
    grid.source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
    func corners() -> [Point] {
      grid.view.visibleSupplementaryViews(ofKind: "badge").map { grid.view.origin(of: $0) }
    }
    grid.apply { $0.appendItems([1, 2], toSection: 0) }
    grid.harness.runUntilIdle()
    #expect(corners() == [Point(x: 0, y: 0), Point(x: 390, y: 40), Point(x: 0, y: 50), Point(x: 390, y: 90)])
    grid.apply { $0.deleteItems([1]) }
    grid.harness.runUntilIdle()
    #expect(corners() == [Point(x: 0, y: 0), Point(x: 390, y: 40)])
  }

  @Test("Reloading with other data replaces the headers")
  func reloadData() {
    let stack = Self.makeStack()
    var snapshot = NumberStack.Source.Snapshot()
    snapshot.appendSections(["other"])
    snapshot.appendItems([7], toSection: "other")
    stack.source.applySnapshotUsingReloadData(snapshot)
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["other 1 at 0"])
    #expect(stack.shown == [7])
  }

  @Test("A layout with supplementary views that no provider returns stops the program")
  func misuse() async throws {
    let header = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let stack = SupplementaryViewTests.makeStack()
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
        let harness = registrations.makeHarness(of: view)
        let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
          view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
        }
        var snapshot = source.snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems([1])
        source.apply(snapshot)
        harness.run(frames: 1)
      }
    }
    let backgroundText = String(decoding: try #require(background).standardErrorContent, as: UTF8.self)
    #expect(backgroundText.contains("for which no class is registered"))
  }
}
