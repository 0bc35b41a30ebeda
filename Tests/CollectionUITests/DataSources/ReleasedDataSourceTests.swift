import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("A collection view becomes empty after its data source is released")
struct ReleasedDataSourceTests {
  /// Records the displayed views and the number of selection changes.
  private final class EventLog: CollectionViewDelegate {
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

  /// The events after which the view notices that its data source was released.
  enum Trigger: CaseIterable { case scroll, layout, resize, apply }

  private let view = CollectionView(layout: StackLayout(hasHeaders: true, hasBackgrounds: true))
  private let harness: WindowHarness
  private let log = EventLog()
  private let prefetches = PathPrefetchLog()
  private let cells = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
  private let headers = SupplementaryRegistration<HeaderView>(elementKind: "header") { header, _, path in
    header.text = "\(path.section)"
  }

  init() {
    harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    view.delegate = log
    prefetches.word = { "\($0)" }
    view.prefetchDataSource = prefetches
    view.allowsMultipleSelection = true
    view.register(BackgroundView.self, forDecorationViewOfKind: "back")
  }

  private func makeSource() -> DiffableDataSource<Int, Int> {
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

  /// Displays a data source and releases it.
  private func showAndReleaseSource() {
    let source = makeSource()
    for offset in [0.0, 400] {
      view.scroll(to: offset, animated: false)
      harness.runUntilIdle()
      prefetches.removeRequests(forDisplayed: view.indexPathsForVisibleItems.map { ($0, "\($0)") })
    }
    view.select(.all)
    #expect(!log.cells.isEmpty && !log.headers.isEmpty && !prefetches.requests.isEmpty)
    #expect(!view.preparedCells.isEmpty && !view.preparedSupplementaryViews.isEmpty)
    #expect(view.indexPathsForSelectedItems.count == 80)
    withExtendedLifetime(source) {}
  }

  @Test(
    "Cells, supplementary views, waiting cells, prefetches and the selection are removed", arguments: Trigger.allCases)
  func allState(trigger: Trigger) {
    showAndReleaseSource()
    let changes = log.selectionChanges
    switch trigger {
    case .scroll: view.scroll(to: 900, animated: false)
    case .layout: view.invalidateLayout()
    case .resize: harness.resize(to: Size(width: 300, height: 200))
    case .apply: view.collectionViewLayout = StackLayout(hasHeaders: true)
    }
    harness.runUntilIdle()
    #expect(view.itemCount == 0 && view.visibleCells.isEmpty && view.preparedCells.isEmpty)
    #expect(view.visibleSupplementaryViews(ofKind: "header").isEmpty && view.preparedSupplementaryViews.isEmpty)
    #expect(log.cells.isEmpty && log.headers.isEmpty)
    #expect(prefetches.requests.isEmpty)
    #expect(view.indexPathsForSelectedItems.isEmpty && log.selectionChanges == changes + 1)
    #expect(view.contentOffset == 0)
    let counts = view.statistics
    #expect(counts.visible == 0 && counts.waiting == 0 && counts.pooled > 0)
    #expect(view.supplementaryStatistics.visible == 0 && view.supplementaryStatistics.waiting == 0)
    #expect(harness.runUntilIdle() == 0)
  }

  @Test("A new data source reuses the cells of the released one")
  func newDataSource() {
    showAndReleaseSource()
    view.scroll(to: 900, animated: false)
    harness.runUntilIdle()
    let made = view.statistics.created
    let next = makeSource()
    harness.runUntilIdle()
    #expect(next.displayedSnapshot().numberOfItems == 80)
    #expect(
      view.visibleCells.count > 2 && view.statistics.created == made && log.cells.count == view.visibleCells.count)
  }

  @Test("Reloading all data reconfigures a header at the same index path")
  func reloadedHeader() {
    let source = makeSource()
    harness.runUntilIdle()
    let header = view.visibleSupplementaryViews(ofKind: "header").first as? HeaderView
    header?.text = "stale"
    source.applySnapshotUsingReloadData(source.snapshot())
    harness.runUntilIdle()
    #expect((view.visibleSupplementaryViews(ofKind: "header").first as? HeaderView)?.text == "0")
  }
}
