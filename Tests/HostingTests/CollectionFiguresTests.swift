import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("A collection view's figures come into the report and the overlay as it counted them")
struct CollectionFiguresTests {
  @Test("Items, sections, cells, slack and prefetching, and nothing of a view that is gone")
  func figures() throws {
    var view: CollectionView? = CollectionView(layout: GridLayout(columns: .count(4)))
    let figures = RunFigures(of: try #require(view))
    #expect(!figures.isFullyShown())
    try show(100, in: try #require(view))
    let counts = try #require(view).statistics
    let library = try #require(figures.library())
    #expect(library.items == 100 && library.sections == 2 && library.failed == nil)
    let cells = try #require(figures.cells())
    #expect(cells.created == counts.created && cells.visible == 12 && cells.waiting == counts.waiting)
    #expect(cells.preparedInSlack == counts.preparedInSlack && cells.preparedForced == counts.preparedForced)
    #expect(cells.preparedInSlack > 0 && cells.preparedForced > 0)
    #expect(try #require(figures.slack()).steps == view?.slackStatistics.steps)
    #expect(figures.prefetch() != nil && figures.isFullyShown())
    let overlay = figures.overlay()
    #expect(overlay.items == 100 && overlay.visibleCells == 12 && overlay.pooledCells == view?.pooledCellCount)
    view = nil
    #expect(figures.library() == nil && figures.cells() == nil && figures.slack() == nil && figures.prefetch() == nil)
    #expect(figures.overlay().items == 0 && !figures.isFullyShown())
  }

  private func show(_ count: Int, in view: CollectionView) throws {
    let cell = CellRegistration<CollectionViewCell, Int> { _, _, _ in }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: id)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(Array(0..<count / 2), toSection: 0)
    snapshot.appendItems(Array(count / 2..<count), toSection: 1)
    source.apply(snapshot)
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    stage.runUntilIdle()
    withExtendedLifetime(source) {}
  }
}
