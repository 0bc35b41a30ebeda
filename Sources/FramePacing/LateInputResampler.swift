/// A pure state machine that decides when a drawn frame samples input a second time, just before it is presented.
///
/// A frame samples its input at its start and is drawn immediately, so that nothing later can make it late. Input that
/// arrives afterward, for example from a turning wheel, would be shown one refresh late. If it only moves content, the
/// frame is redrawn with the new offset just before it is presented.
public struct LateInputResampler: Sendable {
  /// The time after the last input during which more input is expected.
  public static let inputTimeout = FrameDuration.milliseconds(500)
  /// The maximum fraction of the refresh interval that slack work gives up for resampling.
  public static let maximumShare = 0.25
  /// The time reserved for late wake-ups and for reading the input.
  static let allowance = FrameDuration(nanoseconds: 200_000)

  private var lastInput: FrameInstant?
  private var costs = SampleWindow()

  /// Creates a resampler without input.
  public init() {}

  /// Records the time of an input.
  public mutating func recordInput(at instant: FrameInstant) { lastInput = max(lastInput ?? instant, instant) }

  /// Records the cost of a response to late input.
  public mutating func recordCost(_ cost: FrameDuration) { costs.append(cost) }

  /// Returns the expected cost of a response: that of a whole commit, or more if observed.
  public func expectedCost(after commit: FrameDuration) -> FrameDuration { max(commit, costs.largest(excluding: 3)) }

  /// Returns the time at which a frame samples input again, or nil if it does not.
  ///
  /// Requires recent input, enough remaining time, a cost of at most ``maximumShare`` of a refresh, and presenting that
  /// does not wait for the refresh, because the hardware then needs the rest of the time to draw. Never on the virtual
  /// clock, on which no time passes within a frame.
  ///
  /// - Parameters:
  ///   - plan: The plan of the frame.
  ///   - pacer: The pacer of the loop.
  ///   - now: The end of the frame's commit.
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
