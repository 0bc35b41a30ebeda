import Glibc
import Testing
import VitrineFramePacing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineHosting

@Suite("The kernel's figures of this process")
struct ProcessFiguresTests {
  @Test("Processor time grows with work, and peak memory with the pages that are touched")
  func growth() {
    let before = ProcessFigures.current()
    #expect(before.cpuSeconds > 0)
    #expect(before.voluntarySwitches >= 0)
    #expect(before.residentPeakBytes > 1 << 20)
    var memory = [UInt8](repeating: 1, count: 64 << 20)
    var sum = 0
    var now = before
    // Work until the kernel reports some, as it counts in ticks.
    repeat {
      for index in stride(from: 0, to: memory.count, by: 4_096) {
        memory[index] &+= 1
        sum += Int(memory[index])
      }
      now = ProcessFigures.current()
    } while now.cpuSeconds < before.cpuSeconds + 0.02
    #expect(sum > 0)
    #expect(now.residentPeakBytes >= before.residentPeakBytes)
    #expect(now.residentPeakBytes > 64 << 20)
  }

  @Test("The process was started before now, on the time line of the monotonic clock")
  func launch() {
    let launch = ProcessFigures.launchInstant()
    let now = MonotonicClock.now()
    #expect(launch < now)
    // Not before the machine was started.
    #expect(launch > .zero - .seconds(1))
    // Two clocks are read one after the other, and the thread may be preempted in between.
    #expect((ProcessFigures.launchInstant() - launch).milliseconds.magnitude < 1_000)
  }
}

@Suite("Interrupts")
struct InterruptTests {
  @Test("Work that ends is waited for, and a signal abandons work that does not, before or after it starts")
  func interruptibleWork() throws {
    let interrupt = Interrupt()
    #expect(try interrupt.runInterruptibly { 7 } == 7)
    let gate = Lock((isOpen: false, hasBegun: false, hasEnded: false))
    let signals = try WorkerThread(name: "signal") {
      gate.wait { $0.hasBegun ? () : nil }
      interrupt.raise(SIGTERM)
    }
    for _ in 0..<2 {
      let result: Void? = try interrupt.runInterruptibly {
        gate.withLock { $0.hasBegun = true }
        gate.wakeAll()
        gate.wait { $0.isOpen ? () : nil }
        gate.withLock { $0.hasEnded = true }
      }
      #expect(result == nil && !gate.withLock { $0.hasEnded })
    }
    signals.join()
    gate.withLock { $0.isOpen = true }
    gate.wakeAll()
  }

  @Test("Each handler is called once unless it was removed, and a late one is called immediately")
  func handlers() {
    let interrupt = Interrupt()
    let calls = Lock<[Int]>([])
    let ids = (0..<3).map { number in interrupt.addHandler { calls.withLock { $0.append(number) } } }
    interrupt.removeHandler(ids[1])
    interrupt.raise(SIGINT)
    interrupt.addHandler { calls.withLock { $0.append(3) } }
    #expect(calls.withLock { $0 } == [0, 2, 3] && interrupt.isRaised)
  }
}
