@testable import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineTestSupport
import VitrineViews

@Suite("Mapping a large selection before a large update, without a view")
struct SelectionPreparationTests {
  private static let count = 50_000

  /// An update that deletes every other item.
  private let update: CollectionUpdate = {
    var before = DiffableDataSourceSnapshot<Int, Int>()
    before.appendSections([0])
    before.appendItems(Array(0..<count))
    var after = before
    after.deleteItems((0..<count).filter { $0 % 2 == 1 })
    return CollectionUpdate(
      after.changeset(from: before), from: ItemCounts(before.itemCounts), to: ItemCounts(after.itemCounts))
  }()

  private func prepare(_ preparation: inout SelectionPreparation, _ items: IndexRuns) -> Bool {
    update.changes.map { preparation.prepare(items, for: $0, update.map) } ?? false
  }

  private func selection(_ preparation: SelectionPreparation, _ items: IndexRuns) -> IndexRuns? {
    update.changes.flatMap { preparation.selection(items, after: $0, update.map) }
  }

  @Test("A small selection and one of all items need no steps")
  func immediate() {
    var preparation = SelectionPreparation()
    #expect(prepare(&preparation, IndexRuns(0..<100)) && !preparation.hasWork)
    #expect(selection(preparation, IndexRuns(0..<100)) == nil, "computed from the map")
    #expect(prepare(&preparation, IndexRuns(0..<Self.count)) && !preparation.hasWork)
    #expect(selection(preparation, IndexRuns(0..<Self.count)) == IndexRuns(0..<(Self.count / 2)))
  }

  @Test("A large selection is mapped in steps, in slack or else one in each frame, with what changed meanwhile")
  func steps() {
    let clock = SimulatedClock(kind: .virtual)
    var preparation = SelectionPreparation()
    let items = IndexRuns(0..<10_000)
    #expect(!prepare(&preparation, items) && preparation.hasWork)
    var mapped = preparation.collect(clock)
    #expect(mapped == SelectionPreparation.itemsPerStep, "no step in the last frame")
    let start = clock.now()
    let budget = FrameBudget(clock: clock, limit: start + .milliseconds(2), target: start + .milliseconds(16))
    while let count = preparation.performSlackStep(budget) { mapped += count }
    #expect(mapped > 2 * SelectionPreparation.itemsPerStep && preparation.hasWork, "as many as fit")
    #expect(preparation.collect(clock) == 0 && !prepare(&preparation, items))
    for _ in 0..<200 where preparation.hasWork { _ = preparation.collect(clock) }
    let changed = items.union(IndexRuns(20_000..<20_010))
    #expect(prepare(&preparation, changed))
    #expect(selection(preparation, changed) == IndexRuns(0..<5_000).union(IndexRuns(10_000..<10_005)))
    let other = IndexRuns(10_000..<20_000)
    #expect(!prepare(&preparation, other) && preparation.hasWork, "starts again")
    preparation.cancel()
    #expect(!preparation.hasWork && selection(preparation, items) == nil)
  }
}
