import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@testable import CollectionUI

@Suite("Mistakes in the use of a collection view are reported with their cure")
struct MisuseTests {
  private func rows(height: Double = 50) -> CompositionalLayout {
    CompositionalLayout(section: TestLayouts.section(.fractionalWidth(1), .absolute(height)))
  }

  private func sentences(_ harness: WindowHarness) -> [String] { harness.window.misuse.sentences }

  @Test("A view that is used as intended reports nothing")
  func intendedUse() {
    let grid = NumberGrid([Array(0..<200)], layout: rows())
    for step in 0..<200 {
      grid.apply { if step.isMultiple(of: 2) { $0.deleteItems([3]) } else { $0.insertItems([3], afterItem: 2) } }
      grid.view.scrollToItem(at: IndexPath(item: 5 * (step % 30), section: 0), at: .top, animated: true)
      grid.harness.run(frames: 1)
    }
    #expect(sentences(grid.harness).isEmpty)
  }

  @Test("A released data source")
  func releasedDataSource() {
    let view = CollectionView(layout: rows())
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    var source: ListDataSource? = ListDataSource()
    view.dataSource = source
    harness.runUntilIdle()
    #expect(view.visibleCells.count > 2 && sentences(harness).isEmpty)
    source = nil
    view.invalidateLayout()
    harness.runUntilIdle()
    #expect(view.visibleCells.isEmpty)
    #expect(sentences(harness).first?.contains("keep it in a property") == true)
    withExtendedLifetime(source) {}
  }

  @Test("A released diffable data source")
  func releasedDiffableDataSource() {
    let view = CollectionView(layout: rows())
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let registration = CellRegistration<CollectionViewCell, Int> { _, _, _ in }
    do {
      let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<10))
      source.apply(snapshot)
    }
    harness.runUntilIdle()
    #expect(sentences(harness).count == 1)
    #expect(sentences(harness).first?.contains("keep it in a property") == true)
  }

  @Test("A view that was not added as a participant, and one that was added twice")
  func participants() {
    let root = View()
    let view = CollectionView(layout: rows())
    root.addSubview(view)
    view.frame = Rect(x: 0, y: 0, width: 300, height: 200)
    let harness = WindowHarness(root: root)
    harness.runUntilIdle()
    #expect(sentences(harness).first?.contains("Call addParticipant(_:) of its window.") == true)
    harness.window.addParticipant(view)
    harness.window.addParticipant(view)
    #expect(sentences(harness).last?.contains("twice") == true)
    harness.window.removeParticipant(view)
    #expect(!harness.window.runsFrames(with: view))
  }

  @Test("Items that are reloaded in every frame")
  func reloadLoop() {
    let view = CollectionView(layout: rows())
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let source = ListDataSource()
    view.dataSource = source
    for frame in 0..<300 {
      // Not in each frame at first.
      if frame >= 60 || frame.isMultiple(of: 2) { view.reloadData() }
      harness.run(frames: 1)
      #expect(sentences(harness).count == (frame >= 60 + MisuseChecks.reportedReloads - 1 ? 1 : 0))
    }
    #expect(sentences(harness).first?.contains("use reconfigureItems") == true)
  }

  @Test("Items without a height")
  func zeroSizes() {
    let grid = NumberGrid([Array(0..<10_000)], layout: rows(height: 0.001))
    #expect(sentences(grid.harness).isEmpty, "some pixels high")
    let size = CollectionLayoutSize(width: .absolute(0), height: .absolute(0))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(0)),
      repeatingSubitem: CollectionLayoutItem(layoutSize: size), count: 400)
    let other = NumberGrid(
      [Array(0..<10_000)], layout: CompositionalLayout(section: CollectionLayoutSection(group: group)))
    #expect(sentences(other.harness).first?.contains("give items a size in the layout") == true)
  }

  @Test("Index paths without an item")
  func missingItems() {
    let grid = NumberGrid([Array(0..<10)], layout: rows())
    grid.view.scrollToItem(at: IndexPath(item: 10, section: 0), at: .top, animated: false)
    grid.view.selectItem(at: IndexPath(item: 0, section: 4), animated: false)
    #expect(sentences(grid.harness).count == 2)
    #expect(sentences(grid.harness)[0].contains("item 10 of section 0, and section 0 has 10 items"))
    #expect(sentences(grid.harness)[1].contains("item 0 of section 4, and there are 1 sections"))
  }

  @Test("Two animated scrolls in one frame")
  func fightingScrolls() {
    let grid = NumberGrid([Array(0..<500)], layout: rows())
    grid.view.setContentOffset(400, animated: true)
    grid.view.setContentOffset(400, animated: true)
    grid.harness.run(frames: 1)
    grid.view.setContentOffset(800, animated: true)
    #expect(sentences(grid.harness).isEmpty)
    grid.view.scrollToItem(at: IndexPath(item: 90, section: 0), at: .top, animated: true)
    #expect(sentences(grid.harness).count == 1)
    #expect(sentences(grid.harness).first?.contains("to 800.0 points and to item 90 of section 0") == true)
  }

  @Test("A cycle of views stops the program")
  func cycle() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let (outer, middle, inner) = (View(), View(), View())
        outer.addSubview(middle)
        middle.addSubview(inner)
        inner.addSubview(outer)
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("A View was added to a view that it contains. Remove the inner view from it first."))
  }
}

private final class ListDataSource: CollectionViewDataSource {
  private let registration = CellRegistration<CollectionViewCell, Int> { _, _, _ in }

  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 30 }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: indexPath.item)
  }
}
