import FramePacing
import Testing

@Suite("What work took is told from what others took meanwhile")
struct WorkMarkTests {
  private func mark(_ milliseconds: Double, processor: Double, blockings: Int = 3) -> WorkTimestamp {
    WorkTimestamp(
      at: FrameInstant.zero + .milliseconds(milliseconds), processor: FrameInstant.zero + .milliseconds(processor),
      blockings: blockings)
  }

  @Test("time in which others ran is no cost of the work") func preempted() {
    let start = mark(10, processor: 4)
    #expect(start.cost(until: mark(22, processor: 16)) == .milliseconds(12))
    #expect(start.cost(until: mark(31, processor: 16)) == .milliseconds(12))
    #expect(start.preemptedTime(until: mark(31, processor: 16)) == .milliseconds(9))
  }

  @Test("time in which the work waited for something is a part of its cost") func blocked() {
    let start = mark(10, processor: 4)
    let end = mark(31, processor: 5, blockings: 4)
    #expect(start.cost(until: end) == .milliseconds(21))
    #expect(start.preemptedTime(until: end) == .zero)
  }

  @Test("a gap no larger than the readings' grain is no loss") func grain() {
    let start = mark(10, processor: 4)
    #expect(start.preemptedTime(until: mark(11, processor: 4.96)) == .zero)
    #expect(start.cost(until: mark(11, processor: 4.96)) == .milliseconds(1))
    #expect(start.cost(until: mark(10, processor: 4.001)) == .zero)
  }

  @Test("a simulated line counts nothing but work") func simulated() {
    let clock = SimulatedClock(kind: .virtual)
    let start = clock.workTimestamp()
    clock.spend(.milliseconds(12))
    #expect(start.cost(until: clock.workTimestamp()) == .milliseconds(12))
    #expect(start.preemptedTime(until: clock.workTimestamp()) == .zero)
  }

  @Test("a cost that is spent in real time is processor time, whoever runs meanwhile") func spent() {
    let clock = MonotonicClock()
    let start = clock.workTimestamp()
    clock.spend(.milliseconds(2))
    let end = clock.workTimestamp()
    #expect(end.processor - start.processor >= .milliseconds(2))
    #expect(end.instant - start.instant >= .milliseconds(2))
  }

  @Test("however often marks are taken, none is further from the thread's time than the readings' grain") func often() {
    let clock = MonotonicClock()
    let (grain, roundings) = (FrameDuration.microseconds(50), FrameDuration.microseconds(2))
    for round in 0..<2_000 {
      if round % 200 == 0 { clock.wait(until: clock.now() + .microseconds(120)) }
      let before = ThreadTime.now()
      let mark = clock.workTimestamp()
      let after = ThreadTime.now()
      #expect(mark.processor + roundings >= before && mark.processor <= after + grain + roundings)
    }
  }
}
