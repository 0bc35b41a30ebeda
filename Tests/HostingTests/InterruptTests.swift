import Glibc
import TestSupport
import Testing
import Threads

@testable import Hosting

@Suite("An interrupt")
struct InterruptTests {
  @Test("Work that ends is waited for; work that does not is left behind by a signal, before or after it began")
  func blocking() throws {
    let interrupt = Interrupt()
    #expect(try interrupt.runInterruptibly { 7 } == 7)
    let gate = Lock((isOpen: false, hasBegun: false, hasEnded: false))
    let signals = try WorkerThread(name: "signal") {
      gate.wait { $0.hasBegun ? () : nil }
      interrupt.raise(SIGTERM)
    }
    for _ in 0..<2 {
      let left: Void? = try interrupt.runInterruptibly {
        gate.withLock { $0.hasBegun = true }
        gate.wakeAll()
        gate.wait { $0.isOpen ? () : nil }
        gate.withLock { $0.hasEnded = true }
      }
      #expect(left == nil && !gate.withLock { $0.hasEnded })
    }
    signals.join()
    gate.withLock { $0.isOpen = true }
    gate.wakeAll()
  }

  @Test("Every call is made once, but for those that were forgotten; one that comes late is made at once")
  func calls() {
    let interrupt = Interrupt()
    let made = Lock<[Int]>([])
    let ids = (0..<3).map { number in interrupt.addHandler { made.withLock { $0.append(number) } } }
    interrupt.removeHandler(ids[1])
    interrupt.raise(SIGINT)
    interrupt.addHandler { made.withLock { $0.append(3) } }
    #expect(made.withLock { $0 } == [0, 2, 3] && interrupt.isRaised)
  }
}
