import DataStructures

/// Decides whether a step of work ahead runs in what a short commit left, and keeps the books: a pure machine.
///
/// A frame begins with its limits; then every step asks, runs if it may, and is reported as finished. A step runs when
/// its pessimistic cost fits before the deadline, with a reserve: what steps of late took beyond that cost, as a step in
/// slack has more around it than was measured of it, and finds the processor's caches cold. Where presenting does not block, one step a frame that does not fit may
/// run after it, up to the next frame's deadline less that frame's predicted commit. While nothing moves no frame can be
/// late: one step runs after presenting whatever it costs, and urgent ones behind it for a quarter of a second.
public struct SlackScheduler: Sendable {
  /// A step that was let run and has not ended.
  private struct RunningStep: Sendable {
    var verdict: SlackDecision
    var step: SlackStep
    var start: FrameInstant
    var limit: FrameInstant
  }

  /// For how long urgent steps run one behind the other while nothing moves.
  public static let restRunLimit = FrameDuration(nanoseconds: 250_000_000)

  /// For how long what arrived, a picture say, may wait for such steps: no longer than what still counts as at once, and long
  /// enough for the cells that a scroll begins with.
  ///
  /// A tenth of a second, by R. B. Miller, "Response time in man-computer conversational transactions", 1968.
  public static let arrivalTimeout = FrameDuration(nanoseconds: 100_000_000)

  /// What became of the slack so far.
  public private(set) var statistics = SlackStatistics()
  /// The last step that did not run, and why.
  public private(set) var lastRefusal: SlackRefusal?
  /// Whether a step carried over from the frame before the current one ended after its limit.
  ///
  /// A late frame is then our own fault: its class is ``HitchClass/slackOverrun``.
  public private(set) var isDelayedByDeferredStep = false

  /// Whether this frame's one step after presenting was given away: nothing more runs in it.
  public private(set) var hasDeferredStep = false

  /// Whether the last step was one that some frame had to be late for.
  ///
  /// What it held up is then no fault of deciding.
  public private(set) var isLastStepForced = false

  /// Until when steps may run.
  package var policy = SlackPolicy.untilNextCommit

  private var frame: SlackBudget?
  private var running: RunningStep?
  private var runEnd = FrameInstant.distantPast
  private var deferredStepOverran = false
  /// How many steps must have run before what they took beyond expectation says something.
  private static let minimumStepCount = 8

  /// How much of ``excess`` is left a frame later: half of it after 138 frames.
  ///
  /// Some hundred steps run in a frame, and one in many frames is held up, by an interrupt for instance.
  private static let excessDecay = 0.995

  /// By how much a step of late exceeded what it was expected to cost; no more than the longest reserve.
  private var excess = FrameDuration.zero

  /// A machine that has seen no frame.
  public init() {}

  /// A commit has ended, and what it left may be used.
  ///
  /// - Parameters:
  ///   - frame: what the work has to keep to.
  ///   - now: the end of the commit.
  public mutating func beginFrame(_ frame: SlackBudget, at now: FrameInstant) {
    self.frame = frame
    running = nil
    runEnd = .distantPast
    hasDeferredStep = false
    excess = excess * SlackScheduler.excessDecay
    isDelayedByDeferredStep = deferredStepOverran
    deferredStepOverran = false
    statistics.available += max(.zero, frame.stepLimit - now)
  }

  /// Whether a step runs.
  ///
  /// A step that is let run is followed by ``start(at:)`` if it runs after presenting, and by ``finish(at:)``.
  ///
  /// - Parameters:
  ///   - step: what asks.
  ///   - now: the moment.
  ///   - pending: what waits and forbids work ahead.
  /// - Precondition: a frame was begun, and the last step that was let run is finished.
  public mutating func decide(_ step: SlackStep, at now: FrameInstant, pending: SlackBlockers = []) -> SlackDecision {
    guard let frame else { failPrecondition("A step of work ahead asked to run before any frame had begun.") }
    checkPrecondition(running == nil, "A step of work ahead asked to run while another one was running.")
    let left = frame.stepLimit - now
    let reserve = reserve(in: frame)
    let needed = step.cost + reserve
    if !pending.isEmpty {
      return refuseStep(step, pending.contains(.snapshot) ? .snapshotPending : .inputPending, left: left, in: frame)
    }
    if policy == .withinFrame { return decideWithinFrame(step, at: now, left: left - reserve, in: frame) }
    guard !hasDeferredStep else {
      guard frame.isAtRest, step.isUrgent else { return refuseStep(step, .cost, left: .zero, in: frame) }
      guard now < runEnd else { return refuseStep(step, .runLimitReached, left: .zero, in: frame) }
      return allowStep(.runAfterPresent, step, at: now, until: .distantFuture)
    }
    if needed <= left { return allowStep(.run, step, at: now, until: frame.stepLimit) }
    // At rest no frame can be late, and a scroll that begins next would need this step anyway.
    if frame.isAtRest { return allowStep(.runAfterPresent, step, at: now, until: .distantFuture) }
    guard !frame.isPresentBlocking else { return refuseStep(step, .cost, left: left - reserve, in: frame) }
    if step.isNeededNext { return allowStep(.forced, step, at: now, until: .distantFuture) }
    guard frame.isNextCommitShort else { return refuseStep(step, .cost, left: left - reserve, in: frame) }
    let carry = frame.deferredStepLimit - max(now, frame.presentedBy)
    // No frame has time for it and the reserve: it runs without.
    let isLongest = needed > frame.longestDeferredStep
    if needed <= carry || (isLongest && step.cost <= carry) {
      return allowStep(.runAfterPresent, step, at: now, until: frame.deferredStepLimit)
    }
    // It will fit no better in any other frame, and with others in one commit it would make that later still.
    if step.isUrgent, step.cost > frame.longestDeferredStep, carry >= frame.preferredDeferredStep {
      return allowStep(.forced, step, at: now, until: .distantFuture)
    }
    return refuseStep(step, .cost, left: max(left, carry) - reserve, in: frame)
  }

  private mutating func decideWithinFrame(
    _ step: SlackStep, at now: FrameInstant, left: FrameDuration, in frame: SlackBudget
  ) -> SlackDecision {
    if !hasDeferredStep {
      if step.cost <= max(.zero, left) { return allowStep(.run, step, at: now, until: frame.stepLimit) }
      if step.isNeededNext, !frame.isPresentBlocking { return allowStep(.forced, step, at: now, until: .distantFuture) }
    }
    return refuseStep(step, .cost, left: hasDeferredStep ? .zero : left, in: frame)
  }

  /// A step that was to run after presenting starts: what presenting took is not its time.
  ///
  /// - Returns: whether it runs. Where presenting took longer than was predicted it may not fit any more; then it is
  ///   refused, as if it had never been let run, and asks again in the next frame.
  /// - Precondition: a step was let run.
  public mutating func startStep(at now: FrameInstant) -> Bool {
    guard let waiting = running else { failPrecondition("A step of work ahead started that had not been let run.") }
    if let frame, now > waiting.limit - waiting.step.cost {
      cancelStep()
      _ = refuseStep(waiting.step, .cost, left: waiting.limit - now, in: frame)
      return false
    }
    running?.start = now
    if waiting.verdict.isAfterPresent, runEnd == .distantPast { runEnd = now + SlackScheduler.restRunLimit }
    return true
  }

  /// The step that was let run has ended.
  ///
  /// - Parameters:
  ///   - now: the moment.
  ///   - lost: how long other threads ran in the step's place. Lateness that this explains is not an overrun.
  /// - Returns: what it took.
  /// - Precondition: a step was let run.
  @discardableResult
  public mutating func finishStep(at now: FrameInstant, lost: FrameDuration = .zero) -> FrameDuration {
    guard let step = running else { failPrecondition("A step of work ahead ended that had not been let run.") }
    running = nil
    let took = max(.zero, now - step.start)
    statistics.used += took
    statistics.steps += 1
    excess = min(max(excess, took - lost - step.step.cost), frame?.longestReserve ?? .zero)
    if step.verdict.isAfterPresent { statistics.deferred += 1 }
    if step.verdict == .forced { statistics.forced += 1 }
    isLastStepForced = step.verdict == .forced
    if now - lost > step.limit {
      statistics.overruns += 1
      deferredStepOverran = step.verdict.isAfterPresent
    }
    return took
  }

  /// Forgets the step that was let run: there was nothing to do after all, or an event made it pointless.
  public mutating func cancelStep() {
    if running?.verdict.isAfterPresent == true { hasDeferredStep = false }
    running = nil
  }

  /// Why a late frame had to prepare in its commit, for its cause line.
  public var forcedCause: String { HitchCause.forced(lastRefusal).description }

  /// What of a limit is kept for a step that takes longer than expected.
  private func reserve(in frame: SlackBudget) -> FrameDuration {
    guard statistics.steps >= SlackScheduler.minimumStepCount else { return frame.longestReserve }
    return min(excess * 1.5, frame.longestReserve)
  }

  private mutating func allowStep(
    _ verdict: SlackDecision, _ step: SlackStep, at now: FrameInstant, until limit: FrameInstant
  ) -> SlackDecision {
    running = RunningStep(verdict: verdict, step: step, start: now, limit: limit)
    hasDeferredStep = verdict.isAfterPresent
    return verdict
  }

  private mutating func refuseStep(
    _ step: SlackStep, _ reason: SlackRefusal.Reason, left: FrameDuration, in frame: SlackBudget
  ) -> SlackDecision {
    let refusal = SlackRefusal(reason: reason, cost: step.cost, remaining: max(.zero, left), frame: frame.index)
    lastRefusal = refusal
    if reason == .cost { statistics.refusals += 1 }
    return .refused(refusal)
  }
}
