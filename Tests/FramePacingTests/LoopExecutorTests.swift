import Testing
import VitrineFramePacing

@Suite("The executor of a loop waits in real time, and jumps from event to event in a simulation")
struct LoopExecutorTests {
  /// A clock whose waits are recorded.
  private final class Clock: FrameClock {
    let kind: ClockKind
    private(set) var instant = FrameInstant.zero

    init(_ kind: ClockKind) { self.kind = kind }

    func now() -> FrameInstant { instant }
    func spend(_ cost: FrameDuration) { instant = instant + cost }
    func wait(until later: FrameInstant) { instant = max(instant, later) }
    func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
  }

  private static let kinds: [ClockKind] = [.timer, .vsync, .virtual, .cpu]

  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  /// Waits, and returns the requested waits for events, which are nil without a limit.
  private func waitWhileIdle(
    _ clock: Clock, frame: FrameInstant? = nil, end: FrameInstant? = nil, release: FrameInstant? = nil,
    arrival: FrameInstant? = nil, input: FrameInstant? = nil
  ) -> (result: IdleResult, waits: [FrameDuration?]) {
    var waits: [FrameDuration?] = []
    let result = clock.makeExecutor().waitWhileIdle(
      IdleDeadlines(frame: frame, end: end, release: release), arrival: { arrival }, scheduledInput: { input },
      wait: { waits.append($0) })
    return (result, waits)
  }

  @Test("In real time the loop blocks until the first deadline; arrivals and input wake it", arguments: kinds.prefix(2))
  func realTimeWait(kind: ClockKind) {
    let clock = Clock(kind)
    clock.spend(.milliseconds(10))
    let (result, waits) = waitWhileIdle(
      clock, frame: instant(30), end: instant(50), release: instant(40), arrival: instant(12), input: instant(14))
    #expect(waits == [.milliseconds(20)] && clock.now() == instant(10))
    #expect(result.frame == instant(30) && result.releasesResources && result.readsInput)
    #expect(waitWhileIdle(clock).waits == [nil])
    #expect(waitWhileIdle(clock, end: instant(3)).waits == [.zero])
    #expect(!waitWhileIdle(clock).result.releasesResources)
  }

  @Test("A simulation jumps to the first event, and blocks only if none is scheduled", arguments: kinds.suffix(2))
  func simulatedWait(kind: ClockKind) {
    let clock = Clock(kind)
    let first = waitWhileIdle(clock, frame: instant(30), release: instant(1), arrival: instant(20), input: instant(25))
    #expect(first.waits.isEmpty && clock.now() == instant(20))
    #expect(first.result.frame == instant(20) && !first.result.releasesResources && !first.result.readsInput)
    let second = waitWhileIdle(clock, frame: instant(30), input: instant(25))
    #expect(clock.now() == instant(25) && second.result.frame == instant(30))
    _ = waitWhileIdle(clock, frame: instant(60), end: instant(50))
    #expect(clock.now() == instant(50))
    let last = waitWhileIdle(clock, release: instant(70))
    #expect(last.waits == [nil] && last.result.readsInput && clock.now() == instant(50))
  }

  @Test("Late input is waited for in real time, and jumped to in a simulation if it is scheduled", arguments: kinds)
  func lateInput(kind: ClockKind) {
    let clock = Clock(kind)
    var isReading = false
    let executor = clock.makeExecutor()
    let hasWaited = executor.waitForLateInput(
      until: instant(5), isScheduled: { false }, waitReading: { isReading = true })
    #expect(hasWaited == !kind.isSimulated && isReading == !kind.isSimulated && clock.now() == .zero)
    #expect(executor.waitForLateInput(until: instant(5), isScheduled: { true }, waitReading: {}))
    #expect(clock.now() == (kind.isSimulated ? instant(5) : .zero))
  }

  @Test("Only a simulation determines when results arrive, and never receives input of the future", arguments: kinds)
  func arrivals(kind: ClockKind) {
    let clock = Clock(kind)
    let executor = clock.makeExecutor()
    #expect(executor.arrival(ofWorkEndingAt: instant(4)) == (kind.isSimulated ? instant(4) : nil))
    #expect(executor.time(ofEventAt: instant(9)) == (kind.isSimulated ? .zero : instant(9)))
    clock.spend(.milliseconds(20))
    #expect(executor.time(ofEventAt: instant(9)) == instant(9))
    #expect((executor.timestampBetweenFrames() == nil) == kind.isSimulated)
    executor.endFrame(shownAt: instant(30))
    #expect(clock.now() == (kind.isSimulated ? instant(30) : instant(20)))
  }

  @Test("Work of unknown length is repeated in real time only, and modelled costs are spent on the virtual clock only")
  func modelledWork() {
    for kind in Self.kinds {
      let clock = Clock(kind)
      var count = 0
      clock.repeatInRealTime(while: count < 3) { count += 1 }
      #expect(count == (kind.isSimulated ? 0 : 3))
      clock.spendModelledCost(.milliseconds(2))
      clock.advanceByModelledTime(.milliseconds(1))
      #expect(clock.now() == (kind == .virtual ? instant(3) : .zero))
    }
  }

  @Test("Costs are visible on the virtual clock if they are modelled, and on other clocks always")
  func visibility() {
    let virtual = SimulatedClock(kind: .virtual)
    #expect(virtual.costVisibility(modelsCosts: false) == .none)
    #expect(virtual.costVisibility(modelsCosts: true) == .modelled)
    virtual.spendModelledCost(.zero)
    virtual.advanceByModelledTime(.milliseconds(1))
    #expect(virtual.costVisibility(modelsCosts: false) == .none)
    virtual.spendModelledCost(.milliseconds(1))
    #expect(virtual.costVisibility(modelsCosts: false) == .modelled)
    for kind in [ClockKind.cpu, .timer, .vsync] {
      #expect(Clock(kind).costVisibility(modelsCosts: false) == .measured)
    }
  }
}
