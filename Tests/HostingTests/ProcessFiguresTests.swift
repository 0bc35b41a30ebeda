import FramePacing
import Testing

@testable import Hosting

@Suite("What the kernel says of this process")
struct ProcessFiguresTests {
  @Test("Processor time grows with work, and the peak of memory with what is touched")
  func growth() {
    let before = ProcessFigures.current()
    #expect(before.cpuSeconds > 0)
    #expect(before.voluntarySwitches >= 0)
    #expect(before.residentPeakBytes > 1 << 20)
    var memory = [UInt8](repeating: 1, count: 64 << 20)
    var sum = 0
    var now = before
    // Work until the kernel has seen some: it counts in ticks.
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

  @Test("The process was started before now, and on the same line as the clock")
  func launch() {
    let launch = ProcessFigures.launchInstant()
    let now = MonotonicClock.now()
    #expect(launch < now)
    // Since the machine was started.
    #expect(launch > .zero - .seconds(1))
    // Two clocks are read one after the other, and somebody may run in between.
    #expect((ProcessFigures.launchInstant() - launch).milliseconds.magnitude < 1_000)
  }
}
