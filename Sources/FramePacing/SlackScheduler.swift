import VitrineDataStructures

/// A pure state machine that decides whether a slack step runs in the time that a short commit left.
///
/// A frame begins with its limits; then each step is decided, runs if allowed, and is finished. A step runs if its
/// pessimistic cost fits before the deadline with a reserve for the amount by which recent steps exceeded their cost: a
/// step in slack finds cold processor caches and has overhead beyond its measurement. If presenting does not block, one
/// step per frame that does not fit may run after it, until the next frame's deadline minus its predicted commit. At
/// rest no frame can be late: one step runs after presenting whatever its cost, followed by urgent ones for a quarter
/// of a second.
public struct SlackScheduler: Sendable {
  /// A step that was allowed to run and has not ended.
  private struct RunningStep: Sendable {
    var decision: SlackDecision
    var step: SlackStep
    var start: FrameInstant
    var limit: FrameInstant
  }

  /// The time for which urgent steps run in succession while nothing moves.
  public static let restRunLimit = FrameDuration(nanoseconds: 250_000_000)

  /// The maximum time for which arrivals, such as images, wait for such steps.
  ///
  /// Short enough to count as immediate, and long enough for the cells at the start of a scroll: a tenth of a second,
  /// by R. B. Miller, "Response time in man-computer conversational transactions", 1968.
  public static let arrivalTimeout = FrameDuration(nanoseconds: 100_000_000)

  /// The statistics so far.
  public private(set) var statistics = SlackStatistics()
  /// The last refusal of a step.
  public private(set) var lastRefusal: SlackRefusal?
  /// Whether a deferred step of the previous frame ended after its limit.
  ///
  /// A late frame then has the class ``HitchClass/slackOverrun``.
  public private(set) var isDelayedByDeferredStep = false

  /// Whether the frame's only step after presenting was allowed, so that no other one can run.
  public private(set) var hasDeferredStep = false

  /// Whether the last step was forced, so that the delay it causes is no error of scheduling.
  public private(set) var isLastStepForced = false

  /// The limit of slack steps.
  package var policy = SlackPolicy.untilNextCommit

  private var frame: SlackBudget?
  private var running: RunningStep?
  private var runEnd = FrameInstant.distantPast
  private var deferredStepOverran = false
  /// The number of steps after which their excess over expectations is meaningful.
  private static let minimumStepCount = 8

  /// The factor by which ``excess`` decays per frame: to half after 138 frames.
  ///
  /// A frame runs some hundred steps, and in one of many frames a step is delayed, for example by an interrupt.
  private static let excessDecay = 0.995

  /// The amount by which a recent step exceeded its expected cost, at most the longest reserve.
  private var excess = FrameDuration.zero

  /// Creates a scheduler without frames.
  public init() {}

  /// Begins the slack of a frame after its commit.
  ///
  /// - Parameters:
  ///   - frame: The limits of slack work.
  ///   - now: The end of the commit.
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

  /// Decides whether a step runs.
  ///
  /// An allowed step is followed by ``startStep(at:)`` if it runs after presenting, and by ``finishStep(at:lost:)``.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - now: The current time.
  ///   - pending: The pending work that blocks slack steps.
  /// - Precondition: A frame was begun, and the last allowed step is finished.
  public mutating func decide(_ step: SlackStep, at now: FrameInstant, pending: SlackBlockers = []) -> SlackDecision {
    guard let frame else { failPrecondition("A slack step was requested before a frame began.") }
    checkPrecondition(running == nil, "A slack step was requested while another one was running.")
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
    // At rest no frame can be late, and the next scroll would need this step anyway.
    if frame.isAtRest { return allowStep(.runAfterPresent, step, at: now, until: .distantFuture) }
    guard !frame.isPresentBlocking else { return refuseStep(step, .cost, left: left - reserve, in: frame) }
    if step.isNeededNext { return allowStep(.forced, step, at: now, until: .distantFuture) }
    guard frame.isNextCommitShort else { return refuseStep(step, .cost, left: left - reserve, in: frame) }
    let deferredTime = frame.deferredStepLimit - max(now, frame.presentedBy)
    // No frame has time for the step and the reserve, so it runs without the reserve.
    let isLongest = needed > frame.longestDeferredStep
    if needed <= deferredTime || (isLongest && step.cost <= deferredTime) {
      return allowStep(.runAfterPresent, step, at: now, until: frame.deferredStepLimit)
    }
    // It fits no better in any other frame, and together with others in a commit it would cause a longer delay.
    if step.isUrgent, step.cost > frame.longestDeferredStep, deferredTime >= frame.preferredDeferredStep {
      return allowStep(.forced, step, at: now, until: .distantFuture)
    }
    return refuseStep(step, .cost, left: max(left, deferredTime) - reserve, in: frame)
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

  /// Starts a deferred step, so that the time of presenting does not count as the step's.
  ///
  /// - Returns: Whether the step runs. It is refused if presenting took longer than predicted and the step no longer
  ///   fits; it can be decided again in the next frame.
  /// - Precondition: A step was allowed.
  public mutating func startStep(at now: FrameInstant) -> Bool {
    guard let waiting = running else { failPrecondition("A step of work ahead started that had not been let run.") }
    if let frame, now > waiting.limit - waiting.step.cost {
      cancelStep()
      _ = refuseStep(waiting.step, .cost, left: waiting.limit - now, in: frame)
      return false
    }
    running?.start = now
    if waiting.decision.isAfterPresent, runEnd == .distantPast { runEnd = now + SlackScheduler.restRunLimit }
    return true
  }

  /// Ends the running step.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - lost: The time during which the step was preempted; lateness that it explains is no overrun.
  /// - Returns: The duration of the step.
  /// - Precondition: A step was allowed.
  @discardableResult
  public mutating func finishStep(at now: FrameInstant, lost: FrameDuration = .zero) -> FrameDuration {
    guard let step = running else { failPrecondition("A step of work ahead ended that had not been let run.") }
    running = nil
    let duration = max(.zero, now - step.start)
    statistics.used += duration
    statistics.steps += 1
    excess = min(max(excess, duration - lost - step.step.cost), frame?.longestReserve ?? .zero)
    if step.decision.isAfterPresent { statistics.deferred += 1 }
    if step.decision == .forced { statistics.forced += 1 }
    isLastStepForced = step.decision == .forced
    if now - lost > step.limit {
      statistics.overruns += 1
      deferredStepOverran = step.decision.isAfterPresent
    }
    return duration
  }

  /// Discards the allowed step, because there was nothing to do or an event made it pointless.
  public mutating func cancelStep() {
    if running?.decision.isAfterPresent == true { hasDeferredStep = false }
    running = nil
  }

  /// A description of why a late frame had to prepare cells in its commit.
  public var forcedCause: String { HitchCause.forced(lastRefusal).description }

  /// Returns the part of a limit reserved for a step that takes longer than expected.
  private func reserve(in frame: SlackBudget) -> FrameDuration {
    guard statistics.steps >= SlackScheduler.minimumStepCount else { return frame.longestReserve }
    return min(excess * 1.5, frame.longestReserve)
  }

  private mutating func allowStep(
    _ decision: SlackDecision, _ step: SlackStep, at now: FrameInstant, until limit: FrameInstant
  ) -> SlackDecision {
    running = RunningStep(decision: decision, step: step, start: now, limit: limit)
    hasDeferredStep = decision.isAfterPresent
    return decision
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

// MARK: - Policy and steps

/// The limit until which slack steps can run.
package enum SlackPolicy: Hashable, Sendable {
  /// Until the frame's deadline; if presenting does not block, also one step per frame until the next commit; at rest
  /// without limit.
  case untilNextCommit
  /// Until the frame's deadline, and beyond it only what the next frame needs.
  case withinFrame
}

/// The kinds of pending work that block slack steps.
public struct SlackBlockers: OptionSet, Hashable, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Input that no frame has processed: it comes first, and can change what is needed.
  public static let input = SlackBlockers(rawValue: 1)
  /// A snapshot whose layout is not committed: the items ahead may have been removed or replaced.
  public static let snapshot = SlackBlockers(rawValue: 2)
}

/// A slack step that requests to run.
public struct SlackStep: Hashable, Sendable {
  /// The pessimistic cost of the step.
  public var cost: FrameDuration
  /// Whether the next frame performs the step in its commit if it is not done by then.
  public var isNeededNext: Bool

  /// Whether the step would be too late once content starts to move.
  public var isUrgent: Bool

  /// Creates a step; a negative cost counts as zero.
  public init(cost: FrameDuration, isNeededNext: Bool = false, isUrgent: Bool = false) {
    self.cost = max(.zero, cost)
    self.isNeededNext = isNeededNext
    self.isUrgent = isUrgent
  }
}
