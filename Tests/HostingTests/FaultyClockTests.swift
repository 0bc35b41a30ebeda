import FramePacing
import Rendering
import TestSupport
import Testing

@testable import Hosting

@Suite("A clock and a display that go wrong when a script says so")
struct FaultyClockTests {
  @Test("What is lost on a simulated line passes, and is nobody's work")
  func lost() {
    let clock = FaultyClock(SimulatedClock(kind: .virtual))
    let beginning = clock.workTimestamp()
    clock.spend(.milliseconds(3))
    clock.stall(for: .milliseconds(80))
    let end = clock.workTimestamp()
    #expect(clock.now() - beginning.instant == .milliseconds(83))
    #expect(beginning.idleTime(until: end) == .milliseconds(80))
    #expect(clock.kind == .virtual)
  }

  @Test("A real line waits while it is lost, and the next wait alone ends late")
  func real() {
    let base = ManualClock(kind: .timer)
    let clock = FaultyClock(base)
    let start = clock.now()
    clock.stall(for: .milliseconds(80))
    #expect(base.now() - start == .milliseconds(80))
    clock.delayNextWake(by: .milliseconds(20))
    clock.wait(until: start + .milliseconds(100))
    #expect(clock.now() - start == .milliseconds(120))
    clock.wait(until: start + .milliseconds(130))
    #expect(clock.now() - start == .milliseconds(130))
    clock.setKind(.vsync)
    #expect(base.kind == .vsync && clock.kind == .vsync)
  }

  @Test("One cost is higher than it was known to be, and the next one is not")
  func cost() {
    let clock = FaultyClock(SimulatedClock(kind: .virtual))
    let start = clock.now()
    clock.exceedNextCost(by: .milliseconds(30))
    clock.spend(.zero)
    #expect(clock.now() == start)
    clock.spend(.milliseconds(2))
    clock.spend(.milliseconds(2))
    #expect(clock.now() - start == .milliseconds(34))
  }

  @Test("One present is held up, and a display says to have the refresh that it is told")
  func display() {
    let clock = ManualClock(kind: .timer)
    let base = RecordingDisplay()
    let display = FaultyDisplay(base, clock: FaultyClock(clock))
    let start = clock.now()
    display.presentDelay = .milliseconds(100)
    display.present()
    display.present()
    #expect(clock.now() - start == .milliseconds(100) && base.presentedFrames == 2)
    #expect(display.info.refreshHz == base.info.refreshHz)
    display.refreshHz = 144
    #expect(display.info.refreshHz == 144 && display.info.size == base.info.size)
  }
}
