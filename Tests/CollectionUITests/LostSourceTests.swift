import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("A data source that went away takes everything along")
struct LostSourceTests {
  /// Writes down what is on screen, and what was told of the selection.
  final class Log: CollectionViewDelegate {
    var cells: Set<ObjectIdentifier> = []
    var headers: Set<ObjectIdentifier> = []
    var selectionChanges = 0

    func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
      #expect(cells.insert(ObjectIdentifier(cell)).inserted)
    }
    func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
      #expect(cells.remove(ObjectIdentifier(cell)) != nil)
    }
    func collectionView(
      _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
      forElementKind elementKind: String, at indexPath: IndexPath
    ) {
      #expect(headers.insert(ObjectIdentifier(supplementaryView)).inserted)
    }
    func collectionView(
      _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
      forElementOfKind elementKind: String, at indexPath: IndexPath
    ) {
      #expect(headers.remove(ObjectIdentifier(supplementaryView)) != nil)
    }
    func collectionViewDidChangeSelection(_ view: CollectionView) { selectionChanges += 1 }
  }

  /// How the view comes to look at its data source again.
  enum Occasion: CaseIterable { case scroll, layout, resize, apply }

  private let view = CollectionView(layout: StackLayout(hasHeaders: true, hasBackgrounds: true))
  private let stage: WindowHarness
  private let log = Log()
  private let paths = PathPrefetchLog()
  private let cells = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
  private let headers = SupplementaryRegistration<HeaderView>(elementKind: "header") { header, _, path in
    header.text = "\(path.section)"
  }

  init() {
    stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    view.delegate = log
    paths.word = { "\($0)" }
    view.prefetchDataSource = paths
    view.allowsMultipleSelection = true
    view.register(BackgroundView.self, forDecorationViewOfKind: "back")
  }

  private func source() -> DiffableDataSource<Int, Int> {
    let source = DiffableDataSource<Int, Int>(collectionView: view) { [cells] view, path, item in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
    source.supplementaryViewProvider = { [headers] view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: headers, for: path)
    }
    var snapshot = source.snapshot()
    for section in 0..<20 {
      snapshot.appendSections([section])
      snapshot.appendItems(Array((section * 100)..<(section * 100 + 4)))
    }
    source.apply(snapshot)
    return source
  }

  /// Shows a data source and lets it go.
  private func loseSource() {
    let source = source()
    for offset in [0.0, 400] {
      view.scroll(to: offset, animated: false)
      stage.runUntilIdle()
      paths.take(view.indexPathsForVisibleItems.map { ($0, "\($0)") })
    }
    view.select(.all)
    #expect(!log.cells.isEmpty && !log.headers.isEmpty && !paths.requests.isEmpty)
    #expect(!view.preparedCells.isEmpty && !view.preparedSupplementaryViews.isEmpty)
    #expect(view.indexPathsForSelectedItems.count == 80)
    withExtendedLifetime(source) {}
  }

  @Test("Cells, views beside them, those that wait, what was announced and selected", arguments: Occasion.allCases)
  func everything(occasion: Occasion) {
    loseSource()
    let changes = log.selectionChanges
    switch occasion {
    case .scroll: view.scroll(to: 900, animated: false)
    case .layout: view.invalidateLayout()
    case .resize: stage.resize(to: Size(width: 300, height: 200))
    case .apply: view.collectionViewLayout = StackLayout(hasHeaders: true)
    }
    stage.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty && view.preparedCells.isEmpty)
    #expect(view.visibleSupplementaryViews(ofKind: "header").isEmpty && view.preparedSupplementaryViews.isEmpty)
    #expect(log.cells.isEmpty && log.headers.isEmpty)
    #expect(paths.requests.isEmpty)
    #expect(view.indexPathsForSelectedItems.isEmpty && log.selectionChanges == changes + 1)
    #expect(view.contentOffset == 0)
    let counts = view.statistics
    #expect(counts.visible == 0 && counts.waiting == 0 && counts.pooled > 0)
    #expect(view.supplementaryStatistics.visible == 0 && view.supplementaryStatistics.waiting == 0)
    #expect(stage.runUntilIdle() == 0)
  }

  @Test("Another one begins anew, with the cells of the first")
  func another() {
    loseSource()
    view.scroll(to: 900, animated: false)
    stage.runUntilIdle()
    let made = view.statistics.created
    let next = source()
    stage.runUntilIdle()
    #expect(next.shownSnapshot().numberOfItems == 80)
    #expect(
      view.visibleCells.count > 2 && view.statistics.created == made && log.cells.count == view.visibleCells.count)
  }

  @Test("A header of items that were all replaced is configured anew, though it stands where one stood")
  func reload() {
    let source = source()
    stage.runUntilIdle()
    let header = view.visibleSupplementaryViews(ofKind: "header").first as? HeaderView
    header?.text = "stale"
    source.applySnapshotUsingReloadData(source.snapshot())
    stage.runUntilIdle()
    #expect((view.visibleSupplementaryViews(ofKind: "header").first as? HeaderView)?.text == "0")
  }
}
