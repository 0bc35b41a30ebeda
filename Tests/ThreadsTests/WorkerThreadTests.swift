import CVitrinePlatform
import Glibc
import Testing
import VitrineTestSupport

@testable import VitrineThreads

@Suite("WorkerThread")
struct WorkerThreadTests {
  /// What a thread reports about itself.
  private struct ThreadReport {
    var identity: Int32
    var name: String
    var policy: Int32
    var niceness: Int32
  }

  /// Runs a thread and returns what it reported.
  private func report(name: String, isLowPriority: Bool = false) throws -> ThreadReport? {
    let report = Lock<ThreadReport?>(nil)
    let thread = try WorkerThread(name: name, isLowPriority: isLowPriority) {
      let identity = platform_thread_id()
      let values = ThreadReport(
        identity: identity, name: WorkerThreadTests.nameOfThread(identity), policy: sched_getscheduler(0),
        niceness: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), UInt32(identity)))
      report.withLock { $0 = values }
    }
    thread.join()
    return report.withLock { $0 }
  }

  /// Returns the kernel's name of a thread of this process.
  private static func nameOfThread(_ identity: Int32) -> String {
    guard let file = fopen("/proc/self/task/\(identity)/comm", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  @Test("Runs its body on another thread to completion before join returns")
  func runs() throws {
    let report = try #require(try report(name: "runner"))
    #expect(report.identity != platform_thread_id())
  }

  @Test(
    "The thread has its name, as far as the kernel stores it",
    arguments: ["decoder 1", "a name of more than fifteen bytes"])
  func hasName(name: String) throws {
    let report = try #require(try report(name: name))
    #expect(report.name == String(name.prefix(15)))
  }

  @Test("A low-priority thread has a higher nice value")
  func lowPriority() throws {
    let low = try #require(try report(name: "low", isLowPriority: true))
    let normal = try #require(try report(name: "normal"))
    #expect(normal.policy == sched_getscheduler(0))
    // The scheduling policy is the same: a thread of a lower policy could hold a lock while others occupy its core.
    #expect(low.policy == normal.policy)
    #expect(low.niceness == 10)
  }

  @Test("Joining twice is allowed, and joining releases the body")
  func joinsTwice() throws {
    final class Object: Sendable {}
    weak var object: Object?
    let thread: WorkerThread
    do {
      let made = Object()
      object = made
      thread = try WorkerThread(name: "holder") { withExtendedLifetime(made) {} }
    }
    thread.join()
    thread.join()
    #expect(object == nil)
  }

  @Test("A detached thread runs to completion and exits")
  func detached() throws {
    let identity = Lock<Int32?>(nil)
    let thread = try WorkerThread(name: "alone") {
      identity.withLock { $0 = platform_thread_id() }
      identity.wakeAll()
    }
    thread.detach()
    // A detached thread cannot be joined.
    thread.join()
    thread.detach()
    let number = try #require(identity.wait(atMost: .seconds(600)) { $0 })
    try Deadline().wait(for: "the end of the thread") { access("/proc/self/task/\(number)", F_OK) == 0 ? nil : () }
  }

  @Test("A stack size that is too small is raised to the minimum")
  func smallStack() throws {
    let sum = Lock(0)
    let thread = try WorkerThread(name: "small", stackBytes: 1) {
      let total = (1...100).reduce(0, +)
      sum.withLock { $0 = total }
    }
    thread.join()
    #expect(sum.withLock { $0 } == 5_050)
  }

  @Test("The error explains what to do when the system creates no thread")
  func errorDescription() {
    #expect(ThreadError(status: 11).description.contains("ulimit -u"))
  }
}
