import FramePacing
import TestSupport
import Testing

@Suite("A simulated clock counts what it is told to")
struct SimulatedClockTests {
  /// Works for some milliseconds of the thread's own time.
  private func work() -> FrameDuration {
    let start = ThreadTime.now()
    var sum: UInt64 = 0
    while ThreadTime.now() - start < .milliseconds(5) { sum &+= 1 }
    return ThreadTime.now() - start
  }

  @Test("Processor time counts as many times as the modelled machine is slower; modelled costs count once")
  func scale() {
    let clock = SimulatedClock(kind: .cpu, processorScale: 3)
    let before = clock.now()
    let used = work()
    let counted = clock.now() - before
    #expect(counted >= used * 3)
    let marked = clock.now()
    clock.spend(.seconds(10))
    #expect(clock.now() - marked >= .seconds(10) && clock.now() - marked < .seconds(20))
    #expect(clock.processorScale == 3 && SimulatedClock(kind: .cpu).processorScale == 1)
  }

  @Test("What is uncounted is not, whatever the scale, and the virtual clock counts no work")
  func uncounted() {
    let virtual = SimulatedClock(kind: .virtual, processorScale: 2)
    _ = work()
    #expect(virtual.now() == .zero)
    let clock = SimulatedClock(kind: .cpu, processorScale: 1_000)
    let before = clock.now()
    var used = FrameDuration.zero
    clock.performUncounted { used = work() }
    #expect(clock.now() - before < used * 1_000)
  }

  @Test("A cost that was let pass is told; time that stands for none is not")
  func spent() {
    let clock = SimulatedClock(kind: .virtual)
    clock.advance(by: .milliseconds(1))
    clock.wait(until: clock.now() + .milliseconds(1))
    clock.spend(.zero)
    #expect(!clock.hasSpentCosts && clock.now() == .zero + .milliseconds(2))
    clock.spend(.milliseconds(1))
    #expect(clock.hasSpentCosts && clock.now() == .zero + .milliseconds(3))
  }
}
