import Testing

@testable import VitrineThreads

@Suite("Lock")
struct LockTests {
  private struct TestError: Error {}

  @Test("Increments from several threads are all counted")
  func countsEveryIncrement() throws {
    let count = Lock(0)
    let threads = try (0..<4).map { number in
      try WorkerThread(name: "counter \(number)") {
        for _ in 0..<5_000 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 20_000)
  }

  @Test("A waiting thread resumes when another thread has changed the state")
  func wakes() throws {
    let box = Lock<(request: Int?, response: Int?)>((nil, nil))
    let thread = try WorkerThread(name: "responder") {
      guard let request = box.wait(atMost: .seconds(600), until: { $0.request }) else { return }
      box.withLock { $0.response = request * 2 }
      box.wakeAll()
    }
    box.withLock { $0.request = 21 }
    box.wakeAll()
    #expect(box.wait(atMost: .seconds(600)) { $0.response } == 42)
    thread.join()
  }

  @Test("A wait that times out evaluates its condition once more and returns nil")
  func timesOut() {
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

  @Test("Each of several waiting threads takes a task, and every task is taken once")
  func distributesTasks() throws {
    struct TaskQueue {
      var tasks: [Int] = []
      var isClosed = false
      var taken: [Int] = []
    }
    let queue = Lock(TaskQueue())
    let threads = try (0..<3).map { number in
      try WorkerThread(name: "worker \(number)") {
        while let task = queue.wait(until: { state -> Int?? in
          if let task = state.tasks.popLast() { return .some(task) }
          return state.isClosed ? .some(nil) : nil
        }) {
          queue.withLock { $0.taken.append(task) }
        }
      }
    }
    for task in 0..<500 {
      queue.withLock { $0.tasks.append(task) }
      queue.wakeAll()
    }
    queue.withLock { $0.isClosed = true }
    queue.wakeAll()
    for thread in threads { thread.join() }
    #expect(queue.withLock { $0.taken.sorted() } == Array(0..<500))
  }

  @Test("The lock is released after the closure throws")
  func unlocksAfterError() {
    let lock = Lock(1)
    #expect(throws: TestError.self) { try lock.withLock { _ throws(TestError) -> Int in throw TestError() } }
    #expect(throws: TestError.self) { try lock.wait { _ throws(TestError) -> Int? in throw TestError() } }
    #expect(lock.withLock { $0 } == 1)
  }

  @Test("Releases its state")
  func releasesState() {
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
