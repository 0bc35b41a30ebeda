/// Decides by when a frame that is drawn takes in once more what somebody does: a pure machine.
///
/// A frame takes its input at its beginning and is drawn at once, so that nothing that follows can make it late. While a
/// wheel is turned, say, what comes in after that would be shown a refresh later than it could be: if it does no more
/// than move content, that can be drawn once more, moved, just before the frame is shown.
public struct LateInputResampler: Sendable {
  /// For how long after somebody did something more of it is waited for.
  public static let inputTimeout = FrameDuration.milliseconds(500)
  /// The part of the time between refreshes that work ahead gives up for it at most.
  public static let maximumShare = 0.25
  /// What is left for waking late and for reading what came.
  static let allowance = FrameDuration(nanoseconds: 200_000)

  private var lastInput: FrameInstant?
  private var costs = SampleWindow()

  /// Nobody has done anything yet.
  public init() {}

  /// Somebody did something.
  public mutating func recordInput(at instant: FrameInstant) { lastInput = max(lastInput ?? instant, instant) }

  /// Input was answered late, which took so long.
  public mutating func recordCost(_ cost: FrameDuration) { costs.append(cost) }

  /// What answering is expected to take: no more than a whole commit, unless it was seen to.
  public func expectedCost(after commit: FrameDuration) -> FrameDuration { max(commit, costs.largest(excluding: 3)) }

  /// When a frame takes in input once more; nothing where it does not.
  ///
  /// Not where nothing was done of late, where the time that is left is too short, where answering would take more than
  /// ``largestShare`` of a refresh from work ahead, and where presenting waits for the refresh: the hardware needs what
  /// is left then to draw. Never on the virtual clock, on which a frame stands still.
  ///
  /// - Parameters:
  ///   - plan: the frame.
  ///   - pacer: what paces it.
  ///   - now: the end of its commit.
  public func resamplingInstant(of plan: FramePlan, in pacer: FramePacer, at now: FrameInstant) -> FrameInstant? {
    guard pacer.kind == .timer || pacer.kind == .cpu, let lastInput, now - lastInput < LateInputResampler.inputTimeout
    else {
      return nil
    }
    let cost = expectedCost(after: pacer.predictedCommitCost) + LateInputResampler.allowance
    guard cost <= pacer.interval * LateInputResampler.maximumShare else { return nil }
    let instant = plan.deadline - cost
    return instant > now ? instant : nil
  }
}
