import CollectionEngine
import DiffableData
import FramePacing
import TestSupport
import Testing

@Suite("The prefetch planner announces what will be seen once, and gives up only what it announced and nobody saw")
struct PrefetchPlannerTests {
  /// Items of ten points one below the other; those below the screen come before those above it.
  private func plan(
    _ planner: inout PrefetchPlanner, visible: Range<Int>, reach: Range<Int>
  ) -> PrefetchPlan {
    planner.handle(visible: IndexRuns(visible), reach: IndexRuns(reach)) { index in
      let isAfter = index >= visible.upperBound
      let distance = isAfter ? index - visible.upperBound : visible.lowerBound - 1 - index
      return PreparationCandidate(
        index: index, rank: isAfter ? .ahead : .behind, due: .distantFuture, distance: Double(distance * 10))
    }
  }

  @Test("At first the items around those on screen are announced: the nearest first, the way before the other")
  func atFirst() {
    var planner = PrefetchPlanner()
    let plan = plan(&planner, visible: 10..<20, reach: 7..<24)
    #expect(plan.prefetch == [20, 21, 22, 23, 9, 8, 7])
    #expect(plan.cancel.isEmpty && plan.release.isEmpty)
    #expect(self.plan(&planner, visible: 10..<20, reach: 7..<24).isEmpty)
  }

  @Test("What was announced and flew past unseen is given up; what was on screen is released, and not given up")
  func leaving() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<10, reach: 0..<20)
    _ = plan(&planner, visible: 5..<15, reach: 0..<25)
    let last = plan(&planner, visible: 40..<50, reach: 38..<55)
    #expect(last.cancel == IndexRuns(15..<25))
    #expect(last.release == IndexRuns(0..<15))
    #expect(last.prefetch == [50, 51, 52, 53, 54, 39, 38])
  }

  @Test("What left the screen and is near is not announced again; once it was far it is")
  func comingBack() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<10, reach: 0..<20)
    #expect(plan(&planner, visible: 6..<16, reach: 4..<26).prefetch == [20, 21, 22, 23, 24, 25])
    #expect(plan(&planner, visible: 10..<20, reach: 5..<30).prefetch == [26, 27, 28, 29])
    #expect(plan(&planner, visible: 10..<20, reach: 0..<30).prefetch == [4, 3, 2, 1, 0])
  }

  @Test("An item that flies past unseen is not announced, and may be later")
  func flownPast() {
    var planner = PrefetchPlanner()
    let first = planner.handle(visible: IndexRuns(0..<2), reach: IndexRuns(0..<5)) { index in
      index == 3 ? nil : PreparationCandidate(index: index, rank: .path, due: .zero, distance: 0)
    }
    #expect(!first.prefetch.contains(3))
    #expect(plan(&planner, visible: 0..<2, reach: 0..<5).prefetch == [3])
  }

  @Test("Stopping gives up and releases all, and begins anew")
  func stopping() {
    var planner = PrefetchPlanner()
    _ = plan(&planner, visible: 0..<3, reach: 0..<6)
    let end = planner.cancelAll()
    #expect(end.cancel == IndexRuns(3..<6) && end.release == IndexRuns(0..<3))
    #expect(planner.cancelAll().isEmpty)
  }

  @Test("Whatever is shown, announcing and giving up pair up, and nothing on screen is announced", arguments: 0..<20)
  func laws(seed: Int) {
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
        #expect(announced.insert(item).inserted, "item \(item) is announced twice")
      }
      #expect(Set(plan.prefetch).count == plan.prefetch.count)
      plan.cancel.forEach { #expect(announced.remove($0) != nil, "item \($0) is given up and was not announced") }
      plan.release.forEach { #expect(shown.remove($0) != nil, "item \($0) is released and was not seen") }
      announced.subtract(visible)
      shown.formUnion(visible)
      #expect(planner.announced == IndexRuns(announced) && planner.seen == IndexRuns(shown))
    }
  }
}
