/// The limits of slack work in a frame.
public struct SlackBudget: Hashable, Sendable {
  /// The number of the frame.
  public var index: Int
  /// The time by which the frame must be ready to be presented.
  public var deadline: FrameInstant
  /// The time by which steps before presenting must end if it is earlier than the deadline, because the frame resamples
  /// input.
  public var earlierLimit: FrameInstant?
  /// The predicted end of presenting, on a clock where it does not block; a deferred step can run from then on.
  public var presentedBy: FrameInstant
  /// The target of the next frame.
  public var nextTarget: FrameInstant
  /// The deadline of the next frame.
  public var nextDeadline: FrameInstant
  /// The predicted duration of the next frame's phases 1 to 7.
  public var nextCommit: FrameDuration
  /// The minimum duration of phases 1 to 7: no step starts sooner after the start of a frame.
  public var leastCommit: FrameDuration
  /// The maximum time left unused before a limit because steps can take longer than expected; all of it until some
  /// steps have run.
  public var longestReserve: FrameDuration
  /// Whether presenting waits for the refresh, so that no work can be deferred until after it.
  public var isPresentBlocking: Bool
  /// Whether the next commit needs no unprepared cell.
  public var isNextCommitShort: Bool
  /// Whether nothing moves: no frame follows automatically, so none can be late.
  public var isAtRest: Bool

  /// Creates the limits of a frame.
  ///
  /// By default there is no earlier limit, the next target equals the next deadline, commits take no time and nothing
  /// is reserved.
  public init(
    index: Int, deadline: FrameInstant, earlierLimit: FrameInstant? = nil, presentedBy: FrameInstant,
    nextTarget: FrameInstant? = nil, nextDeadline: FrameInstant, nextCommit: FrameDuration,
    leastCommit: FrameDuration = .zero, longestReserve: FrameDuration = .zero, isPresentBlocking: Bool,
    isNextCommitShort: Bool, isAtRest: Bool = false
  ) {
    self.index = index
    self.deadline = deadline
    self.earlierLimit = earlierLimit
    self.presentedBy = presentedBy
    self.nextTarget = nextTarget ?? nextDeadline
    self.nextDeadline = nextDeadline
    self.nextCommit = nextCommit
    self.leastCommit = leastCommit
    self.longestReserve = longestReserve
    self.isPresentBlocking = isPresentBlocking
    self.isNextCommitShort = isNextCommitShort
    self.isAtRest = isAtRest
  }

  /// The time by which steps before presenting must end.
  public var stepLimit: FrameInstant { min(deadline, earlierLimit ?? deadline) }

  /// The time by which a deferred step must end so that the next frame meets its deadline.
  public var deferredStepLimit: FrameInstant { nextDeadline - nextCommit }

  /// The longest possible step that starts right after presenting a frame with the shortest commit.
  public var longestDeferredStep: FrameDuration {
    let interval = nextDeadline - deadline
    return deferredStepLimit - max(presentedBy, deadline - interval + leastCommit)
  }

  /// The time left for a step after a commit that started early and took as long as predicted.
  ///
  /// A longer step makes the next frame late by the smallest possible amount.
  var preferredDeferredStep: FrameDuration { longestDeferredStep - nextCommit - (nextDeadline - deadline) * 0.125 }
}

/// A decision about whether and when a slack step runs.
public enum SlackDecision: Hashable, Sendable {
  /// The step runs now, because it fits before the deadline.
  case run
  /// The step runs after presenting and may delay the next commit, which is short.
  case runAfterPresent
  /// The step runs after presenting although it may make the next frame late.
  ///
  /// Either that frame needs it and would be later still with the step in its commit, or it will be needed soon and
  /// does not fit into any frame.
  case forced
  /// The step does not run in this frame.
  case refused(SlackRefusal)

  /// Whether the step runs after presenting.
  public var isAfterPresent: Bool { self == .runAfterPresent || self == .forced }
}

/// The reason for which a slack step did not run.
public struct SlackRefusal: Hashable, Sendable {
  /// The rule that refused the step.
  public enum Reason: Hashable, Sendable {
    /// The step costs more than the remaining time.
    case cost
    /// Steps have run for as long as they may while nothing moves.
    case runLimitReached
    /// Input was pending.
    case inputPending
    /// A snapshot was pending.
    case snapshotPending
  }

  /// The rule that refused the step.
  public var reason: Reason
  /// The expected cost of the step.
  public var cost: FrameDuration
  /// The maximum time the step could have taken, until the deadline or after presenting.
  public var remaining: FrameDuration
  /// The number of the frame in whose slack the step was refused.
  public var frame: Int

  /// Creates a refusal.
  public init(reason: Reason, cost: FrameDuration, remaining: FrameDuration, frame: Int) {
    self.reason = reason
    self.cost = cost
    self.remaining = remaining
    self.frame = frame
  }

  /// A description of the refusal, as part of a hitch's cause: `last slack refusal: cost 7.0 ms > 3.9 ms left`.
  public var description: String {
    var writer = StringTextWriter()
    write(to: &writer)
    return writer.text
  }

  /// Writes a description of the refusal.
  func write(to writer: inout some TextWriter) {
    switch reason {
    case .cost:
      // Rounds costs up and the remaining time down, so that the larger number always looks larger.
      writer.write("last slack refusal: cost ")
      writer.write(tenths: (cost.nanoseconds + 99_999) / 100_000)
      writer.write(" > ")
      writer.write(tenths: max(0, remaining.nanoseconds) / 100_000)
      writer.write(" left")
    case .runLimitReached:
      writer.write("last slack refusal: steps had followed each other for ")
      writer.write(tenths: SlackScheduler.restRunLimit.nanoseconds / 100_000)
      writer.write(" before it")
    case .inputPending: writer.write("last slack refusal: input was waiting")
    case .snapshotPending: writer.write("last slack refusal: a snapshot was waiting")
    }
  }
}

/// Statistics of the time that short commits left.
public struct SlackStatistics: Hashable, Sendable {
  /// The total time from the ends of commits to their deadlines.
  public internal(set) var available: FrameDuration = .zero
  /// The total time of steps, including those after presenting.
  public internal(set) var used: FrameDuration = .zero
  /// The number of steps that ran.
  public internal(set) var steps = 0
  /// The number of those steps that ran after presenting and could delay the next commit.
  public internal(set) var deferred = 0
  /// The number of those steps that the next frame needed and that could make it late.
  public internal(set) var forced = 0
  /// The number of steps that cost more than the remaining time.
  public internal(set) var refusals = 0
  /// The number of steps, except forced ones, that ended after their limit.
  public internal(set) var overruns = 0

  /// Creates empty statistics.
  public init() {}

  /// ``available`` in milliseconds, as in the report.
  public var availableMs: Double { available.milliseconds }
  /// ``used`` in milliseconds, as in the report.
  public var usedMs: Double { used.milliseconds }
}
