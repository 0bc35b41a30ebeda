/// What work ahead has to keep to in one frame.
public struct SlackBudget: Hashable, Sendable {
  /// The number of the frame.
  public var index: Int
  /// The moment by which this frame must be ready to be presented.
  public var deadline: FrameInstant
  /// The moment by which steps must end that are taken before presenting, where that is before the deadline: the frame is to
  /// answer input once more.
  public var earlierLimit: FrameInstant?
  /// When presenting is predicted to have ended, on a clock where it does not block: from then on a carried step may run.
  public var presentedBy: FrameInstant
  /// The refresh at which the next frame is due.
  public var nextTarget: FrameInstant
  /// The deadline of the next frame.
  public var nextDeadline: FrameInstant
  /// What the next frame's phases 1 to 7 are predicted to take.
  public var nextCommit: FrameDuration
  /// What phases 1 to 7 take at least: no step starts sooner after a frame has begun.
  public var leastCommit: FrameDuration
  /// The most time that is left unused before a limit, as steps may take longer than expected; all of it until some have run.
  public var longestReserve: FrameDuration
  /// Whether presenting waits for the refresh, so that nothing may be left to do after it.
  public var isPresentBlocking: Bool
  /// Whether the next commit needs no cell that is not prepared.
  public var isNextCommitShort: Bool
  /// Whether nothing moves: no frame follows by itself, so that none can be late.
  public var isAtRest: Bool

  /// Makes the limits of a frame; steps may run until its deadline and the next one is due at its deadline unless told, and
  /// commits may take no time, and nothing is kept in reserve.
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

  /// The moment by which steps must end that are taken before presenting.
  public var stepLimit: FrameInstant { min(deadline, earlierLimit ?? deadline) }

  /// The moment by which a step that runs after presenting must end, for the next frame to keep its deadline.
  public var deferredStepLimit: FrameInstant { nextDeadline - nextCommit }

  /// The longest that a step may take which starts right after presenting a frame whose commit took as little as any.
  public var longestDeferredStep: FrameDuration {
    let interval = nextDeadline - deadline
    return deferredStepLimit - max(presentedBy, deadline - interval + leastCommit)
  }

  /// What is left to a step after a commit that began early in its frame and took as long as predicted: a longer step
  /// makes the next frame late by the least possible.
  var preferredDeferredStep: FrameDuration { longestDeferredStep - nextCommit - (nextDeadline - deadline) * 0.125 }
}
