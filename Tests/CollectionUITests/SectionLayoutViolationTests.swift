import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// A layout of rows with invalid frames.
private nonisolated struct InvalidRows: SectionLayout {
  var isEndless = false
  private var count = 0

  init(isEndless: Bool) { self.isEndless = isEndless }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) { count = itemCount }
  var contentLength: Double { Double(count) * 50 }
  func frame(ofItem item: Int) -> Rect {
    Rect(x: item % 5 == 3 ? .nan : 0, y: Double(item) * 50, width: 9_999, height: 50)
  }
  func items(in rect: Rect) -> AnySequence<Int> {
    guard !isEndless else {
      return AnySequence(
        sequence(state: 0) { (item: inout Int) in
          item += 1; return item % 7
        })
    }
    let first = max(0, min(count, Int(rect.minY / 50)))
    return AnySequence(first..<max(first, min(count, Int(rect.maxY / 50) + 1)))
  }
}

@Suite("Layouts that violate rules")
struct SectionLayoutViolationTests {
  @Test("The view goes on, counts refused answers, and has one sentence for each rule", arguments: [false, true])
  func warnings(isEndless: Bool) {
    let view = CollectionView(
      layout: CompositionalLayout(section: CollectionLayoutSection(layout: InvalidRows(isEndless: isEndless))))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let registration = CellRegistration<CollectionViewCell, Int> { _, _, _ in }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<1_000))
    source.apply(snapshot)
    harness.runUntilIdle()
    for step in 0..<4 {
      view.applyScrollEvent(.jump(to: Double(step) * 900), at: harness.clock.now())
      snapshot.deleteItems([step * 3])
      source.apply(snapshot, animatingDifferences: true)
      harness.runUntilIdle()
    }
    #expect(view.itemCount == 996 && view.visibleCells.count < 40)
    #expect(view.statistics.refusedNumbers > view.layoutWarnings.count)
    #expect(view.layoutWarnings.count == (isEndless ? 4 : 2))
    #expect(view.layoutWarnings.contains { $0.contains("is outside of the section, and was clipped.") })
    #expect(Set(view.layoutWarnings).count == view.layoutWarnings.count)
  }
}
