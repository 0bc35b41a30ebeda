/// The parts of a frame loop that depend on whether time passes by itself: how it waits, and when results arrive.
///
/// In real time the loop sleeps until another thread, the window system or the clock wakes it. In a simulation it jumps
/// from one scheduled event to the next, and the result of another thread arrives at a modelled time, so that equal runs
/// are equal on every machine.
///
/// Confined to the thread that runs the loop.
public protocol LoopExecutor: AnyObject {
  /// Waits while no frame is needed, until something happens or is due.
  ///
  /// - Parameters:
  ///   - deadlines: The instants that end the wait.
  ///   - arrival: Returns the modelled time at which the next result of another thread arrives.
  ///   - scheduledInput: Returns the time of the next scripted input.
  ///   - wait: Blocks until there is input or the loop is woken, for at most the given time.
  func waitWhileIdle(
    _ deadlines: IdleDeadlines, arrival: () -> FrameInstant?, scheduledInput: () -> FrameInstant?,
    wait: (FrameDuration?) -> Void
  ) -> IdleResult

  /// Waits for input that arrives after a frame was drawn.
  ///
  /// - Parameters:
  ///   - instant: The end of the wait.
  ///   - isScheduled: Returns whether scripted input arrives by then.
  ///   - waitReading: Waits until then while reading input.
  /// - Returns: Whether the loop has waited, so that there may be input.
  func waitForLateInput(until instant: FrameInstant, isScheduled: () -> Bool, waitReading: () -> Void) -> Bool

  /// Returns the time of an input event whose source reports another time.
  func time(ofEventAt reported: FrameInstant) -> FrameInstant

  /// Returns the time at which the result of another thread arrives, or nil if it arrives when the thread has finished.
  ///
  /// - Parameter end: The modelled end of the thread's work.
  func arrival(ofWorkEndingAt end: FrameInstant) -> FrameInstant?

  /// Returns a timestamp from which preemption until the next frame is measured, or nil if there is none.
  func timestampBetweenFrames() -> WorkTimestamp?

  /// Ends a frame, the last action of which was to present it.
  ///
  /// - Parameter shown: The time at which it is shown.
  func endFrame(shownAt shown: FrameInstant)
}

/// The instants that end the wait of an idle loop.
public struct IdleDeadlines: Sendable {
  /// The time at which a frame is needed.
  public var frame: FrameInstant?
  /// The end of the run.
  public var end: FrameInstant?
  /// The time at which resources that an idle program does not need are released.
  public var release: FrameInstant?

  /// Creates deadlines.
  public init(frame: FrameInstant?, end: FrameInstant?, release: FrameInstant?) {
    (self.frame, self.end, self.release) = (frame, end, release)
  }
}

/// The result of an idle wait.
public struct IdleResult: Sendable {
  /// The time at which a frame is needed, including the arrival of a result.
  public var frame: FrameInstant?
  /// Whether resources are released if that is due.
  public var releasesResources: Bool
  /// Whether input is read before the next frame.
  public var readsInput: Bool
}

/// An executor in real time: the system wakes the loop.
final class RealTimeExecutor: LoopExecutor {
  private let clock: any FrameClock

  init(_ clock: any FrameClock) { self.clock = clock }

  func waitWhileIdle(
    _ deadlines: IdleDeadlines, arrival: () -> FrameInstant?, scheduledInput: () -> FrameInstant?,
    wait: (FrameDuration?) -> Void
  ) -> IdleResult {
    let next = [deadlines.frame, deadlines.end, deadlines.release].compactMap(\.self).min()
    wait(next.map { max(.zero, $0 - clock.now()) })
    return IdleResult(frame: deadlines.frame, releasesResources: deadlines.release != nil, readsInput: true)
  }

  func waitForLateInput(until instant: FrameInstant, isScheduled: () -> Bool, waitReading: () -> Void) -> Bool {
    waitReading()
    return true
  }

  func time(ofEventAt reported: FrameInstant) -> FrameInstant { reported }

  func arrival(ofWorkEndingAt end: FrameInstant) -> FrameInstant? { nil }

  func timestampBetweenFrames() -> WorkTimestamp? { clock.workTimestamp() }

  func endFrame(shownAt shown: FrameInstant) {}
}

/// An executor of a simulation: the loop advances the clock.
final class SimulatedExecutor: LoopExecutor {
  private let clock: any FrameClock

  init(_ clock: any FrameClock) { self.clock = clock }

  /// Jumps to the next event, or blocks, uncounted, if none is scheduled.
  ///
  /// Releases no resources, because a simulation must be repeatable. After a jump the frame reads input.
  func waitWhileIdle(
    _ deadlines: IdleDeadlines, arrival: () -> FrameInstant?, scheduledInput: () -> FrameInstant?,
    wait: (FrameDuration?) -> Void
  ) -> IdleResult {
    let frame = [deadlines.frame, arrival()].compactMap(\.self).min()
    let next = [frame, scheduledInput(), deadlines.end].compactMap(\.self).min()
    if let next { clock.wait(until: next) } else { clock.performUncounted { wait(nil) } }
    return IdleResult(frame: frame, releasesResources: false, readsInput: next == nil)
  }

  /// Jumps to the instant if there is input by then.
  ///
  /// Otherwise the clock does not advance, which leaves time for the work after presenting.
  func waitForLateInput(until instant: FrameInstant, isScheduled: () -> Bool, waitReading: () -> Void) -> Bool {
    guard isScheduled() else { return false }
    clock.wait(until: instant)
    return true
  }

  /// The source of real input may be ahead of the simulation.
  func time(ofEventAt reported: FrameInstant) -> FrameInstant { min(reported, clock.now()) }

  func arrival(ofWorkEndingAt end: FrameInstant) -> FrameInstant? { end }

  /// Only work takes the thread's time.
  func timestampBetweenFrames() -> WorkTimestamp? { nil }

  func endFrame(shownAt shown: FrameInstant) { clock.wait(until: shown) }
}

extension FrameClock {
  /// Creates the executor of a loop that runs on the clock.
  public func makeExecutor() -> any LoopExecutor {
    kind.isSimulated ? SimulatedExecutor(self) : RealTimeExecutor(self)
  }

  /// Repeats a closure while a frame has time for it.
  ///
  /// Does nothing on a simulated clock, where each frame performs the same part of such work in every run.
  ///
  /// - Parameters:
  ///   - hasTime: Whether there is more work, and time for it.
  ///   - body: The closure, which performs a bounded part of the work.
  public func repeatInRealTime(while hasTime: @autoclosure () -> Bool, _ body: () -> Void) {
    guard !kind.isSimulated else { return }
    while hasTime() { body() }
  }

  /// Spends the modelled cost of code that takes no time on the virtual clock.
  ///
  /// Does nothing on the other clocks, which measure the code.
  public func spendModelledCost(_ cost: FrameDuration) {
    if kind == .virtual, cost > .zero { spend(cost) }
  }

  /// Advances the virtual clock by the modelled time of code, without counting a cost.
  public func advanceByModelledTime(_ duration: FrameDuration) {
    if kind == .virtual { advance(by: duration) }
  }

  /// Returns the costs of frames that the clock can measure.
  ///
  /// - Parameter modelsCosts: Whether costs are modelled in addition to those that were spent.
  public func costVisibility(modelsCosts: Bool) -> CostVisibility {
    guard kind == .virtual else { return .measured }
    return modelsCosts || hasSpentCosts ? .modelled : .none
  }
}
