import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineTestSupport

@Suite("Each item is prefetched once, and only prefetched items that were never visible are cancelled")
struct PrefetchPlannerTests {
  /// Plans for items of ten points in a column.
  ///
  /// The items after the viewport come before the items before it.
  private func plan(
    _ planner: inout PrefetchPlanner, visible: Range<Int>, reach: Range<Int>
  ) -> PrefetchPlan {
    planner.update(visible: IndexRuns(visible), inRange: IndexRuns(reach)) { index in
      let isAfter = index >= visible.upperBound
      let distance = isAfter ? index - visible.upperBound : visible.lowerBound - 1 - index
      return PreparationCandidate(
        index: index, rank: isAfter ? .ahead : .behind, due: .distantFuture, distance: Double(distance * 10))
    }
  }

  @Test("Initially the items around the viewport are prefetched: nearest first, ahead before behind")
  func initialPlan() {
    var planner = PrefetchPlanner()
    let plan = plan(&planner, visible: 10..<20, reach: 7..<24)
    #expect(plan.prefetch == [20, 21, 22, 23, 9, 8, 7])
    #expect(plan.cancel.isEmpty && plan.release.isEmpty)
    #expect(self.plan(&planner, visible: 10..<20, reach: 7..<24).isEmpty)
  }

  @Test("Prefetched items that left unseen are cancelled, and items that were visible are released")
  func leaving() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<10, reach: 0..<20)
    _ = plan(&planner, visible: 5..<15, reach: 0..<25)
    let last = plan(&planner, visible: 40..<50, reach: 38..<55)
    #expect(last.cancel == IndexRuns(15..<25))
    #expect(last.release == IndexRuns(0..<15))
    #expect(last.prefetch == [50, 51, 52, 53, 54, 39, 38])
  }

  @Test("An item that left the screen is prefetched again only after it was out of range")
  func returning() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<10, reach: 0..<20)
    #expect(plan(&planner, visible: 6..<16, reach: 4..<26).prefetch == [20, 21, 22, 23, 24, 25])
    #expect(plan(&planner, visible: 10..<20, reach: 5..<30).prefetch == [26, 27, 28, 29])
    #expect(plan(&planner, visible: 10..<20, reach: 0..<30).prefetch == [4, 3, 2, 1, 0])
  }

  @Test("An item that passes between two refreshes is not prefetched, and may be later")
  func skippedItem() {
    var planner = PrefetchPlanner()
    let first = planner.update(visible: IndexRuns(0..<2), inRange: IndexRuns(0..<5)) { index in
      index == 3 ? nil : PreparationCandidate(index: index, rank: .path, due: .zero, distance: 0)
    }
    #expect(!first.prefetch.contains(3))
    #expect(plan(&planner, visible: 0..<2, reach: 0..<5).prefetch == [3])
  }

  @Test("Cancelling everything cancels or releases all items, and resets the planner")
  func cancelAll() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<3, reach: 0..<6)
    let end = planner.cancelAll()
    #expect(end.cancel == IndexRuns(3..<6) && end.release == IndexRuns(0..<3))
    #expect(planner.cancelAll().isEmpty)
  }

  @Test("Every cancellation follows a prefetch, and no visible item is prefetched", arguments: TestScale.seeds(0..<20))
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 11)
    var planner = PrefetchPlanner()
    var announced: Set<Int> = []
    var shown: Set<Int> = []
    let count = 300
    for _ in 0..<200 {
      let low = Int.random(in: 0..<count, using: &generator)
      let visible = low..<min(count, low + .random(in: 0...40, using: &generator))
      let near = max(0, low - .random(in: 0...30, using: &generator))
      let reach = near..<min(count, visible.upperBound + .random(in: 0...60, using: &generator))
      let plan = plan(&planner, visible: visible, reach: reach)
      for item in plan.prefetch {
        #expect(reach.contains(item) && !visible.contains(item))
        #expect(announced.insert(item).inserted, "item \(item) is prefetched twice")
      }
      #expect(Set(plan.prefetch).count == plan.prefetch.count)
      plan.cancel.forEach { #expect(announced.remove($0) != nil, "item \($0) is cancelled and was not prefetched") }
      plan.release.forEach { #expect(shown.remove($0) != nil, "item \($0) is released and was not visible") }
      announced.subtract(visible)
      shown.formUnion(visible)
      #expect(planner.announced == IndexRuns(announced) && planner.seen == IndexRuns(shown))
    }
  }
}
