import Testing

@testable import Threads

@Suite("Lock")
struct LockTests {
  private struct Refusal: Error {}

  @Test("loses no step of many threads")
  func excludes() throws {
    let count = Lock(0)
    let threads = try (0..<4).map { number in
      try WorkerThread(name: "counter \(number)") {
        for _ in 0..<5_000 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 20_000)
  }

  @Test("a waiter goes on when another thread has changed the state")
  func wakes() throws {
    let box = Lock<(asked: Int?, answered: Int?)>((nil, nil))
    let thread = try WorkerThread(name: "answerer") {
      guard let asked = box.wait(atMost: .seconds(600), until: { $0.asked }) else { return }
      box.withLock { $0.answered = asked * 2 }
      box.wakeAll()
    }
    box.withLock { $0.asked = 21 }
    box.wakeAll()
    #expect(box.wait(atMost: .seconds(600)) { $0.answered } == 42)
    thread.join()
  }

  @Test("a waiter that has been told how long goes without an answer, and asks once more at the end")
  func givesUp() {
    let count = Lock(0)
    for limit in [Duration.zero, .nanoseconds(1), .milliseconds(2), .seconds(-1)] {
      let before = count.withLock { $0 }
      #expect(
        count.wait(atMost: limit) { count -> Int? in
          count += 1
          return nil
        } == nil)
      #expect(count.withLock { $0 } >= before + 2)
    }
    #expect(count.wait(atMost: .zero) { $0 } ?? 0 >= 8)
  }

  @Test("many waiters each take one thing, and every thing is taken once")
  func sharesOut() throws {
    struct Board {
      var tasks: [Int] = []
      var isClosed = false
      var taken: [Int] = []
    }
    let board = Lock(Board())
    let threads = try (0..<3).map { number in
      try WorkerThread(name: "taker \(number)") {
        while let task = board.wait(until: { state -> Int?? in
          if let task = state.tasks.popLast() { return .some(task) }
          return state.isClosed ? .some(nil) : nil
        }) {
          board.withLock { $0.taken.append(task) }
        }
      }
    }
    for task in 0..<500 {
      board.withLock { $0.tasks.append(task) }
      board.wakeAll()
    }
    board.withLock { $0.isClosed = true }
    board.wakeAll()
    for thread in threads { thread.join() }
    #expect(board.withLock { $0.taken.sorted() } == Array(0..<500))
  }

  @Test("is open again after a body that throws")
  func opensAfterAnError() {
    let lock = Lock(1)
    #expect(throws: Refusal.self) { try lock.withLock { _ throws(Refusal) -> Int in throw Refusal() } }
    #expect(throws: Refusal.self) { try lock.wait { _ throws(Refusal) -> Int? in throw Refusal() } }
    #expect(lock.withLock { $0 } == 1)
  }

  @Test("lets go of its state")
  func letsGo() {
    final class Element: Sendable {}
    weak var element: Element?
    do {
      let made = Element()
      element = made
      let lock = Lock(made)
      #expect(lock.withLock { $0 === made })
    }
    #expect(element == nil)
  }
}
