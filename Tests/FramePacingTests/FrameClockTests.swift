import Testing
import VitrineFramePacing
import VitrineTestSupport

@Suite("SimulatedClock")
struct SimulatedClockTests {
  /// Uses some milliseconds of this thread's processor time.
  ///
  /// - Returns: The processor time that was used.
  private func work() -> FrameDuration {
    let start = ThreadTime.now()
    var sum: UInt64 = 0
    while ThreadTime.now() - start < .milliseconds(5) { sum &+= 1 }
    return ThreadTime.now() - start
  }

  @Test("Processor time is multiplied by the scale of the modelled machine, modelled costs are not")
  func processorScale() {
    let clock = SimulatedClock(kind: .cpu, processorScale: 3)
    let before = clock.now()
    let used = work()
    let counted = clock.now() - before
    #expect(counted >= used * 3)
    let start = clock.now()
    clock.spend(.seconds(10))
    #expect(clock.now() - start >= .seconds(10) && clock.now() - start < .seconds(20))
    #expect(clock.processorScale == 3 && SimulatedClock(kind: .cpu).processorScale == 1)
  }

  @Test("Uncounted work does not count at any scale, and the virtual clock counts no work")
  func uncountedWork() {
    let virtual = SimulatedClock(kind: .virtual, processorScale: 2)
    _ = work()
    #expect(virtual.now() == .zero)
    let clock = SimulatedClock(kind: .cpu, processorScale: 1_000)
    let before = clock.now()
    var used = FrameDuration.zero
    clock.performUncounted { used = work() }
    #expect(clock.now() - before < used * 1_000)
  }

  @Test("Only spent costs set hasSpentCosts")
  func spent() {
    let clock = SimulatedClock(kind: .virtual)
    clock.advance(by: .milliseconds(1))
    clock.wait(until: clock.now() + .milliseconds(1))
    clock.spend(.zero)
    #expect(!clock.hasSpentCosts && clock.now() == .zero + .milliseconds(2))
    clock.spend(.milliseconds(1))
    #expect(clock.hasSpentCosts && clock.now() == .zero + .milliseconds(3))
  }

  @Test("A virtual clock advances only when requested, and waiting for the past has no effect")
  func virtualClock() {
    let clock = SimulatedClock(kind: .virtual)
    clock.spend(.milliseconds(3))
    clock.wait(until: FrameInstant.zero + .milliseconds(2))
    #expect(clock.now() == FrameInstant.zero + .milliseconds(3))
    clock.wait(until: FrameInstant.zero + .milliseconds(9))
    #expect(clock.now() == FrameInstant.zero + .milliseconds(9))
  }

  @Test("The processor clock counts this thread's work except for uncounted work")
  func processorClock() {
    let clock = SimulatedClock(kind: .cpu)
    func burn() -> Int { (0..<2_000_000).reduce(0) { $0 &+ ($1 ^ ($0 &* 31)) } }
    let start = clock.now()
    var sum = burn()
    let worked = clock.now()
    #expect(worked > start)
    var inside: (FrameInstant, FrameInstant)?
    clock.performUncounted {
      let first = clock.now()
      sum &+= burn()
      inside = (first, clock.now())
    }
    #expect(inside?.0 == inside?.1)
    #expect(sum != 1)
  }
}

@Suite("WorkTimestamp")
struct WorkTimestampTests {
  private func timestamp(_ milliseconds: Double, processor: Double, waitCount: Int = 3) -> WorkTimestamp {
    WorkTimestamp(
      at: FrameInstant.zero + .milliseconds(milliseconds), processor: FrameInstant.zero + .milliseconds(processor),
      waitCount: waitCount)
  }

  @Test("Time in which other threads ran is not part of the cost")
  func preempted() {
    let start = timestamp(10, processor: 4)
    #expect(start.cost(until: timestamp(22, processor: 16)) == .milliseconds(12))
    #expect(start.cost(until: timestamp(31, processor: 16)) == .milliseconds(12))
    #expect(start.preemptedTime(until: timestamp(31, processor: 16)) == .milliseconds(9))
  }

  @Test("Time in which the work was blocked is part of its cost")
  func blocked() {
    let start = timestamp(10, processor: 4)
    let end = timestamp(31, processor: 5, waitCount: 4)
    #expect(start.cost(until: end) == .milliseconds(21))
    #expect(start.preemptedTime(until: end) == .zero)
  }

  @Test("A difference within the granularity of the clocks does not count as preemption")
  func measurementGranularity() {
    let start = timestamp(10, processor: 4)
    #expect(start.preemptedTime(until: timestamp(11, processor: 4.96)) == .zero)
    #expect(start.cost(until: timestamp(11, processor: 4.96)) == .milliseconds(1))
    #expect(start.cost(until: timestamp(10, processor: 4.001)) == .zero)
  }

  @Test("A simulated clock counts only work")
  func simulated() {
    let clock = SimulatedClock(kind: .virtual)
    let start = clock.workTimestamp()
    clock.spend(.milliseconds(12))
    #expect(start.cost(until: clock.workTimestamp()) == .milliseconds(12))
    #expect(start.preemptedTime(until: clock.workTimestamp()) == .zero)
  }

  @Test("A cost that is spent in real time is processor time")
  func spent() {
    let clock = MonotonicClock()
    let start = clock.workTimestamp()
    clock.spend(.milliseconds(2))
    let end = clock.workTimestamp()
    #expect(end.processor - start.processor >= .milliseconds(2))
    #expect(end.instant - start.instant >= .milliseconds(2))
  }

  @Test("Frequent timestamps differ from the thread's time by no more than the granularity")
  func frequentTimestamps() {
    let clock = MonotonicClock()
    let (granularity, rounding) = (FrameDuration.microseconds(50), FrameDuration.microseconds(2))
    for round in 0..<2_000 {
      if round % 200 == 0 { clock.wait(until: clock.now() + .microseconds(120)) }
      let before = ThreadTime.now()
      let timestamp = clock.workTimestamp()
      let after = ThreadTime.now()
      #expect(timestamp.processor + rounding >= before && timestamp.processor <= after + granularity + rounding)
    }
  }
}

@Suite("Retry policy")
struct RetryPolicyTests {
  private let policy = RetryPolicy(firstPause: .seconds(2), maximumPause: .seconds(64))

  @Test("Each pause is twice the last, up to the maximum")
  func pauses() {
    #expect((1...8).map { policy.pause(after: $0) } == [2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
    #expect(policy.pause(after: .max) == .seconds(64))
  }

  @Test("The jitter is half of a pause")
  func jitter() {
    #expect([0, 0.5, 1].map { policy.pause(after: 2, share: $0) } == [2, 3, 4].map { .seconds($0) })
  }
}
