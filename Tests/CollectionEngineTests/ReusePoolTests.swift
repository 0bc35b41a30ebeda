import CollectionEngine
import FoundationEssentials
import Testing

@Suite("The reuse pool gives back what was put in last")
struct ReusePoolTests {
  @Test("Registrations never exchange cells, and each stack is last in, first out")
  func stacks() {
    var pool = ReusePool<String>()
    pool.enqueue("a", of: 1, keepingAtMost: 4)
    pool.enqueue("b", of: 2, keepingAtMost: 4)
    pool.enqueue("c", of: 1, keepingAtMost: 4)
    #expect(pool.count == 3)
    #expect(pool.dequeueCell(of: 1) == "c")
    #expect(pool.dequeueCell(of: 1) == "a")
    #expect(pool.dequeueCell(of: 1) == nil)
    #expect(pool.dequeueCell(of: 2) == "b")
    #expect(pool.count == 0)
  }

  @Test("A full stack lets go of further cells")
  func limit() {
    var pool = ReusePool<Int>()
    let isFirstKept = pool.enqueue(1, of: 0, keepingAtMost: 1)
    let isSecondKept = pool.enqueue(2, of: 0, keepingAtMost: 1)
    #expect(isFirstKept)
    #expect(!isSecondKept)
    #expect(pool.dequeueCell(of: 0) == 1)
  }

  @Test("A negative limit is a mistake of the caller, named")
  func negativeLimit() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var pool = ReusePool<Int>()
        pool.enqueue(1, of: 0, keepingAtMost: -1)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("A reuse pool keeps no negative number of cells"))
  }

  @Test("An index path has a section and an item")
  func indexPath() {
    let path = IndexPath(item: 7, section: 3)
    #expect(path.item == 7)
    #expect(path.section == 3)
  }
}
