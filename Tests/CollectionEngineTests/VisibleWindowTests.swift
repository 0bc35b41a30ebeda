import CollectionEngine
import Testing

@Suite("The visible window says what came and what left")
struct VisibleWindowTests {
  @Test("Every pair of small ranges agrees with sets")
  func agreesWithSets() {
    let ranges = (0...6).flatMap { low in (low...6).map { low..<$0 } }
    for first in ranges {
      for second in ranges {
        var window = VisibleWindow()
        _ = window.move(to: first)
        let change = window.move(to: second)
        let leaving = Set(change.leavingBefore).union(change.leavingAfter)
        let entering = Set(change.enteringBefore).union(change.enteringAfter)
        #expect(leaving == Set(first).subtracting(second))
        #expect(entering == Set(second).subtracting(first))
        #expect(change.leavingBefore.count + change.leavingAfter.count == leaving.count)
        #expect(change.enteringBefore.count + change.enteringAfter.count == entering.count)
      }
    }
  }

  @Test("The same range again changes nothing")
  func sameRange() {
    var window = VisibleWindow()
    _ = window.move(to: 3..<9)
    let change = window.move(to: 3..<9)
    #expect(change.isEmpty)
  }
}
