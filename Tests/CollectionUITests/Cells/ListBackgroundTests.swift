import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("The rounded cards behind the rows of inset grouped lists")
struct ListBackgroundTests {
  /// A list of two sections with rows of 44 points, whose cells have no content.
  @MainActor
  private final class List {
    let view: CollectionView
    let source: DiffableDataSource<Int, Int>
    let harness: WindowHarness

    init(_ change: (inout CollectionLayoutListConfiguration) -> Void = { _ in }) {
      var configuration = CollectionLayoutListConfiguration(appearance: .insetGrouped)
      configuration.rowHeight = .absolute(44)
      configuration.showsSeparators = false
      change(&configuration)
      view = CollectionView(layout: CompositionalLayout.list(using: configuration))
      view.backgroundColor = view.palette.background
      let registration = CellRegistration<ListCell, Int> { _, _, _ in }
      source = DiffableDataSource(collectionView: view) { view, path, number in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: number)
      }
      harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      var snapshot = source.snapshot()
      snapshot.appendSections([0, 1])
      snapshot.appendItems([0, 1, 2], toSection: 0)
      snapshot.appendItems([10], toSection: 1)
      source.apply(snapshot)
      harness.runUntilIdle()
    }

    /// Returns the color of a pixel of the last frame.
    func color(_ x: Int, _ y: Int) throws -> Color { try harness.display.readPixels().color(x, y) }

    func hover(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
      harness.runUntilIdle()
    }
  }

  @Test("The cards are drawn in the palette's colors without a registration, and change with it")
  func palette() throws {
    let list = List()
    // The rows are from 16 to 148, and from 180 to 224.
    for palette in [InterfacePalette.dark, .light] {
      list.view.palette = palette
      list.view.backgroundColor = palette.background
      list.harness.runUntilIdle()
      let (card, outside) = (palette.secondaryBackground, palette.background)
      #expect(try list.color(200, 80) == card && list.color(17, 80) == card && list.color(382, 80) == card)
      #expect(try list.color(15, 80) == outside && list.color(384, 80) == outside)
      #expect(try list.color(200, 16) == card && list.color(200, 147) == card && list.color(200, 15) == outside)
      #expect(try list.color(16, 16) == outside && list.color(383, 147) == outside, "the corners are round")
      #expect(try list.color(200, 160) == outside && list.color(200, 200) == card && list.color(16, 223) == outside)
    }
  }

  @Test("The first and the last row of a card are highlighted within its corners")
  func corners() throws {
    let list = List()
    let (hover, outside) = (list.view.palette.hover, list.view.palette.background)
    list.hover(200, 20)
    #expect(try list.color(200, 16) == hover && list.color(17, 50) == hover && list.color(16, 59) == hover)
    #expect(try list.color(16, 16) == outside && list.color(383, 16) == outside)
    list.hover(200, 80)
    #expect(try list.color(16, 60) == hover && list.color(16, 103) == hover && list.color(383, 103) == hover)
    list.hover(200, 130)
    #expect(try list.color(16, 104) == hover && list.color(16, 147) == outside && list.color(383, 147) == outside)
    list.hover(200, 200)
    for (x, y) in [(16, 180), (383, 180), (16, 223), (383, 223)] { #expect(try list.color(x, y) == outside) }
    #expect(try list.color(200, 180) == hover && list.color(200, 223) == hover)
  }

  @Test("A highlighted row is drawn again when it gains or loses a corner")
  func changes() throws {
    let list = List()
    let (selection, outside) = (list.view.palette.selection, list.view.palette.background)
    list.view.allowsSelection = true
    list.view.selectItem(at: IndexPath(item: 2, section: 0), animated: false)
    list.harness.runUntilIdle()
    #expect(try list.color(200, 120) == selection && list.color(16, 147) == outside)
    var snapshot = list.source.snapshot()
    snapshot.appendItems([3], toSection: 0)
    list.source.apply(snapshot, animatingDifferences: false)
    list.harness.runUntilIdle()
    #expect(try list.color(16, 147) == selection && list.color(16, 191) == outside)
    snapshot.deleteItems([0, 1])
    list.source.apply(snapshot, animatingDifferences: false)
    list.harness.runUntilIdle()
    #expect(try list.color(200, 16) == selection && list.color(16, 16) == outside && list.color(16, 59) == selection)
  }

  @Test("A list without backgrounds has none, and a client's class takes the place of the card")
  func configuration() throws {
    let plain = List { $0.showsSectionBackgrounds = false }
    #expect(try plain.color(200, 80) == plain.view.palette.background)
    plain.hover(200, 20)
    #expect(try plain.color(16, 16) == plain.view.palette.hover, "there are no corners")
    final class OwnCard: CollectionReusableView {
      override func draw(in context: DrawContext) { context.fill(bounds, Color(hex: 0xAB_CDEF)) }
    }
    let list = List()
    list.view.register(OwnCard.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.backgroundKind)
    list.view.applyAgain(to: list.source)
    list.harness.runUntilIdle()
    #expect(try list.color(200, 80) == Color(hex: 0xAB_CDEF))
  }
}

extension CollectionView {
  /// Displays all items of a source again.
  fileprivate func applyAgain(to source: DiffableDataSource<Int, Int>) {
    source.applySnapshotUsingReloadData(source.snapshot())
  }
}
