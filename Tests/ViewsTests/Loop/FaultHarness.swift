import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// A scroll view in steady motion on a manual real-time clock, into whose frames faults can be injected.
@MainActor
final class FaultHarness {
  /// The part of a frame in which a fault happens.
  enum Location: CaseIterable {
    /// In the update phase.
    case update
    /// In the commit phase.
    case commit
    /// During a step of work ahead.
    case slack
    /// During the sleep until the time of presenting.
    case wait
    /// During presenting.
    case present
    /// After presenting, before the next frame.
    case between
  }

  let view = ScrollView()
  let windowHarness: TimerWindowHarness
  let injector: FaultInjector
  /// The display's refresh interval, for which presenting waits on the vsync clock.
  var refreshInterval: FrameDuration
  /// Whether presenting waits for a refresh.
  var waitsForRefresh: Bool
  /// The number of frames in the driver's queue at which presenting waits, or nil if it always waits.
  var queueDepth: Int?
  private var queuedPresents: [FrameInstant] = []
  /// The durations of the next presents.
  var presentFaults: [FrameDuration] = []

  init(
    _ kind: ClockKind = .timer, reportedInterval: FrameDuration = .milliseconds(16),
    refreshInterval: FrameDuration? = nil,
    isMeasured: Bool = false, presentTimes: [FrameDuration] = []
  ) {
    // Presents with given durations do not wait for refreshes.
    presentFaults = presentTimes
    waitsForRefresh = kind == .vsync && presentTimes.isEmpty
    self.refreshInterval = refreshInterval ?? reportedInterval
    windowHarness = TimerWindowHarness(
      root: view, kind: kind,
      pacing: LoopPacing(
        kind: kind, interval: reportedInterval, isMeasured: isMeasured, reason: "test", followsDisplay: true))
    injector = FaultInjector(windowHarness.clock)
    windowHarness.window.addFirstParticipant(injector)
    windowHarness.window.addParticipant(view)
    view.setContentLength(10_000_000)
    windowHarness.display.onPresent = { [unowned self] in present() }
    windowHarness.run(frames: 2)
    view.applyScrollEvent(.steady(velocity: 1_000), at: windowHarness.clock.now())
    windowHarness.run(frames: 40)
  }

  private func present() {
    let clock = windowHarness.clock
    clock.stall(for: presentFaults.isEmpty ? .milliseconds(0.2) : presentFaults.removeFirst())
    guard waitsForRefresh else { return }
    guard let queueDepth else { return clock.wait(until: nextRefresh(after: clock.now())) }
    queuedPresents.removeAll { $0 <= clock.now() }
    if queuedPresents.count >= queueDepth { clock.wait(until: queuedPresents[queuedPresents.count - queueDepth]) }
    queuedPresents.append(max(nextRefresh(after: clock.now()), (queuedPresents.last ?? .distantPast) + refreshInterval))
  }

  /// Returns the next refresh; refreshes are 3 ms after the multiples of the interval.
  private func nextRefresh(after instant: FrameInstant) -> FrameInstant {
    let first = FrameInstant.zero + .milliseconds(3)
    return first + refreshInterval * Double((instant - first).nanoseconds / refreshInterval.nanoseconds + 1)
  }

  var history: FrameHistory { windowHarness.loop.history }
  var last: FrameRecord { history.record(atAge: 0) }

  /// Runs a frame with a fault that stalls the process for a duration.
  func runFrame(withFault duration: FrameDuration, in location: Location) -> FrameRecord {
    switch location {
    case .present: presentFaults = [duration]
    case .wait: windowHarness.clock.oversleep = duration
    default: injector.fault = (location, duration)
    }
    windowHarness.run(frames: 1)
    return last
  }

  /// Runs frames until three in a row are in time.
  ///
  /// - Returns: The number of late frames.
  func runUntilOnTime() -> Int {
    var (late, inTime) = (0, 0)
    while inTime < 3, late < 1_000 {
      windowHarness.run(frames: 1)
      if last.hitch > .zero { (late, inTime) = (late + 1, 0) } else { inTime += 1 }
    }
    return late
  }

  /// Returns the distances by which the content moved in the last frames, latest first.
  func displacements(_ count: Int) -> [Double] {
    let offsets = injector.offsets.suffix(count + 1)
    return zip(offsets, offsets.dropFirst()).map { $1 - $0 }.reversed()
  }
}

/// A participant that injects faults and records the displayed offset of each frame.
@MainActor
final class FaultInjector: FrameParticipant {
  var fault: (location: FaultHarness.Location, duration: FrameDuration)?
  /// The processor time of each commit.
  var cost = FrameDuration.milliseconds(1)
  private(set) var offsets: [Double] = []
  weak var view: ScrollView?
  private let clock: ManualClock

  init(_ clock: ManualClock) { self.clock = clock }

  private func injectFault(in location: FaultHarness.Location) {
    guard fault?.location == location, let duration = fault?.duration else { return }
    fault = nil
    clock.stall(for: duration)
  }

  func update(at target: FrameInstant) { injectFault(in: .update) }
  func commit(_ record: inout FrameRecord) {
    clock.spend(cost)
    injectFault(in: .commit)
  }
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    injectFault(in: .slack)
    return false
  }
  func frameDidEnd(_ record: FrameRecord) {
    if let view { offsets.append(view.contentOffset) }
    injectFault(in: .between)
  }
}
