import CollectionEngine
import TestSupport
import Testing

@Suite("The prefetch planner wants what will be seen, in that order")
struct PrefetchPlannerTests {
  @Test("Before any scrolling the items below are wanted, nearest first")
  func beforeScrolling() {
    var planner = PrefetchPlanner(reach: .init(ahead: 1, behind: 0.5))
    let plan = planner.handle(visible: 0..<10, count: 100, offset: 0)
    #expect(plan.prefetch == Array(10..<20))
    #expect(plan.cancel.isEmpty)
  }

  @Test("Scrolling asks for the next and gives up what is far behind")
  func scrolling() {
    var planner = PrefetchPlanner(reach: .init(ahead: 1, behind: 0.5))
    _ = planner.handle(visible: 10..<20, count: 100, offset: 100)
    let plan = planner.handle(visible: 12..<22, count: 100, offset: 120)
    #expect(plan.prefetch == [30, 31])
    #expect(plan.cancel == [5, 6])
  }

  @Test("A trembling of less than eight points does not turn the direction; a turn does")
  func turning() {
    var planner = PrefetchPlanner(reach: .init(ahead: 1, behind: 0))
    _ = planner.handle(visible: 50..<60, count: 100, offset: 1_000)
    let trembled = planner.handle(visible: 50..<60, count: 100, offset: 995)
    #expect(trembled.isEmpty)
    let turned = planner.handle(visible: 50..<60, count: 100, offset: 990)
    #expect(turned.prefetch == Array((40..<50).reversed()))
    #expect(turned.cancel == Array(60..<70))
  }

  @Test("What is wanted never leaves the items that exist, and cancelling is a subset of prefetching or displaying")
  func staysWithinBounds() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      var planner = PrefetchPlanner()
      var known: Set<Int> = []
      let count = Int.random(in: 0...300, using: &generator)
      for _ in 0..<50 {
        let low = count == 0 ? 0 : Int.random(in: 0...count, using: &generator)
        let high = min(count, low + Int.random(in: 0...40, using: &generator))
        let plan = planner.handle(visible: low..<high, count: count, offset: Double(low) * 10)
        #expect(plan.prefetch.allSatisfy { (0..<count).contains($0) && !(low..<high).contains($0) })
        #expect(plan.cancel.allSatisfy { known.contains($0) })
        known.formUnion(low..<high)
        known.formUnion(plan.prefetch)
      }
    }
  }
}
