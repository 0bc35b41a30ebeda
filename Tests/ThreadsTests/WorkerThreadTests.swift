import CPlatform
import Glibc
import TestSupport
import Testing

@testable import Threads

@Suite("Worker thread")
struct WorkerThreadTests {
  /// What a thread says of itself.
  private struct Account {
    var identity: Int32
    var name: String
    var policy: Int32
    var niceness: Int32
  }

  /// Starts a thread, and gives what it said once it has ended.
  private func account(name: String, isLowPriority: Bool = false) throws -> Account? {
    let account = Lock<Account?>(nil)
    let thread = try WorkerThread(name: name, isLowPriority: isLowPriority) {
      let identity = platform_thread_id()
      let said = Account(
        identity: identity, name: WorkerThreadTests.nameOfThread(identity), policy: sched_getscheduler(0),
        niceness: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), UInt32(identity)))
      account.withLock { $0 = said }
    }
    thread.join()
    return account.withLock { $0 }
  }

  /// What the kernel calls a thread of this process.
  private static func nameOfThread(_ identity: Int32) -> String {
    guard let file = fopen("/proc/self/task/\(identity)/comm", "r") else { return "" }
    defer { fclose(file) }
    var letters = [UInt8](repeating: 0, count: 32)
    let count = fread(&letters, 1, letters.count, file)
    return String(decoding: letters.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  @Test("runs its body on another thread, to its end, before join returns")
  func runs() throws {
    let account = try #require(try account(name: "runner"))
    #expect(account.identity != platform_thread_id())
  }

  @Test("bears its name, as far as the kernel keeps it", arguments: ["decoder 1", "a name of more than fifteen bytes"])
  func bearsItsName(name: String) throws {
    let account = try #require(try account(name: name))
    #expect(account.name == String(name.prefix(15)))
  }

  @Test("yields to others when it is asked to, and only then")
  func yields() throws {
    let low = try #require(try account(name: "low", isLowPriority: true))
    let usual = try #require(try account(name: "usual"))
    #expect(usual.policy == sched_getscheduler(0))
    // Of the same class, or a lock that it holds is not given back while others want its core.
    #expect(low.policy == usual.policy)
    #expect(low.niceness == 10)
  }

  @Test("join may be called again, and lets go of the body")
  func joinsAgain() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    let thread: WorkerThread
    do {
      let made = Witness()
      witness = made
      thread = try WorkerThread(name: "holder") { withExtendedLifetime(made) {} }
    }
    thread.join()
    thread.join()
    #expect(witness == nil)
  }

  @Test("a thread that nobody joins runs to its end all the same, and is gone then")
  func detached() throws {
    let identity = Lock<Int32?>(nil)
    let thread = try WorkerThread(name: "alone") {
      identity.withLock { $0 = platform_thread_id() }
      identity.wakeAll()
    }
    thread.detach()
    // What was let go of is no thread to wait for.
    thread.join()
    thread.detach()
    let number = try #require(identity.wait(atMost: .seconds(600)) { $0 })
    try Deadline().wait(for: "the end of the thread") { access("/proc/self/task/\(number)", F_OK) == 0 ? nil : () }
  }

  @Test("a stack that is too small is made large enough")
  func smallStack() throws {
    let sum = Lock(0)
    let thread = try WorkerThread(name: "small", stackBytes: 1) {
      let total = (1...100).reduce(0, +)
      sum.withLock { $0 = total }
    }
    thread.join()
    #expect(sum.withLock { $0 } == 5_050)
  }

  @Test("says what to do when the system gives no thread")
  func words() {
    #expect(ThreadError(status: 11).description.contains("ulimit -u"))
  }
}
