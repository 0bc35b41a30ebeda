import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Views

/// A flick on a stage in real time that is moved by hand, whose frames a fault can be put into.
@MainActor
final class FaultStage {
  /// Where in a frame a fault happens.
  enum Place: CaseIterable {
    /// In the update phase.
    case update
    /// In the commit phase.
    case commit
    /// While a step of work ahead runs.
    case slack
    /// Asleep, until the moment of presenting.
    case wait
    /// While presenting.
    case present
    /// After presenting, before the next frame.
    case between
  }

  let view = ScrollView()
  let stage: TimerWindowHarness
  let actor: FaultActor
  /// The display's refreshes; presenting waits for them on the vsync clock.
  var refresh: FrameDuration
  /// Whether presenting waits for a refresh.
  var waits: Bool
  /// How many frames may lie in a queue for refreshes to come before presenting waits; nothing where it waits always.
  var queueDepth: Int?
  private var queued: [FrameInstant] = []
  /// What the next presents take on top.
  var presentFaults: [FrameDuration] = []

  init(
    _ kind: ClockKind = .timer, told: FrameDuration = .milliseconds(16), refresh: FrameDuration? = nil,
    isMeasured: Bool = false, presentTimes: [FrameDuration] = []
  ) {
    // Presents that take times of their own wait for nothing else.
    presentFaults = presentTimes
    waits = kind == .vsync && presentTimes.isEmpty
    self.refresh = refresh ?? told
    stage = TimerWindowHarness(
      root: view, kind: kind,
      pacing: LoopPacing(kind: kind, interval: told, isMeasured: isMeasured, reason: "test", followsDisplay: true))
    actor = FaultActor(stage.clock)
    stage.window.addFirstParticipant(actor)
    stage.window.addParticipant(view)
    view.setContentLength(10_000_000)
    stage.display.onPresent = { [unowned self] in present() }
    stage.run(frames: 2)
    view.applyScrollEvent(.steady(velocity: 1_000), at: stage.clock.now())
    stage.run(frames: 40)
  }

  private func present() {
    let clock = stage.clock
    clock.stall(for: presentFaults.isEmpty ? .milliseconds(0.2) : presentFaults.removeFirst())
    guard waits else { return }
    guard let queueDepth else { return clock.wait(until: refresh(after: clock.now())) }
    queued.removeAll { $0 <= clock.now() }
    if queued.count >= queueDepth { clock.wait(until: queued[queued.count - queueDepth]) }
    queued.append(max(refresh(after: clock.now()), (queued.last ?? .distantPast) + refresh))
  }

  /// Refreshes stand at 3 ms behind each multiple.
  private func refresh(after instant: FrameInstant) -> FrameInstant {
    let first = FrameInstant.zero + .milliseconds(3)
    return first + refresh * Double((instant - first).nanoseconds / refresh.nanoseconds + 1)
  }

  var history: FrameHistory { stage.loop.history }
  var last: FrameRecord { history.record(atAge: 0) }

  /// Makes a frame with a fault, by which time passes in which nothing runs.
  func fail(_ duration: FrameDuration, in place: Place) -> FrameRecord {
    switch place {
    case .present: presentFaults = [duration]
    case .wait: stage.clock.oversleep = duration
    default: actor.fault = (place, duration)
    }
    stage.run(frames: 1)
    return last
  }

  /// Makes frames until three in a row were in time.
  ///
  /// - Returns: how many were late.
  func recover() -> Int {
    var (late, inTime) = (0, 0)
    while inTime < 3, late < 1_000 {
      stage.run(frames: 1)
      if last.hitch > .zero { (late, inTime) = (late + 1, 0) } else { inTime += 1 }
    }
    return late
  }

  /// How far the content went from one frame to the next, for the last frames, the latest first.
  func steps(_ count: Int) -> [Double] {
    let offsets = actor.offsets.suffix(count + 1)
    return zip(offsets, offsets.dropFirst()).map { $1 - $0 }.reversed()
  }
}

/// Lets a fault happen in a phase, and notes where the content is shown.
@MainActor
final class FaultActor: FrameParticipant {
  var fault: (place: FaultStage.Place, duration: FrameDuration)?
  /// What each commit costs of the thread's own time.
  var cost = FrameDuration.milliseconds(1)
  private(set) var offsets: [Double] = []
  weak var view: ScrollView?
  private let clock: ManualClock

  init(_ clock: ManualClock) { self.clock = clock }

  private func happen(_ place: FaultStage.Place) {
    guard fault?.place == place, let duration = fault?.duration else { return }
    fault = nil
    clock.stall(for: duration)
  }

  func update(at target: FrameInstant) { happen(.update) }
  func commit(_ record: inout FrameRecord) {
    clock.spend(cost)
    happen(.commit)
  }
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    happen(.slack)
    return false
  }
  func frameDidEnd(_ record: FrameRecord) {
    if let view { offsets.append(view.contentOffset) }
    happen(.between)
  }
}
