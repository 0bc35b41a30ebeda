/// Names the cause of a late frame, by the first that holds in a fixed order.
public enum HitchClassifier {
  /// Time in which others ran that is too much to be our own doing.
  public static let preemptionThreshold = FrameDuration(nanoseconds: 300_000)

  /// The class of a late frame.
  ///
  /// In order: not ours (preempted by at least as much as the frame was late, or the refresh changed), woken late,
  /// slack past its limit (this frame's, or a step carried over without which the commit had ended in time), commit past
  /// its deadline, presenting.
  public static func classify(
    _ record: FrameRecord, slackLimit: FrameInstant, interval: FrameDuration, refreshChanged: Bool
  ) -> HitchClass {
    let isPreempted =
      record.preempted > preemptionThreshold && record.preempted.nanoseconds * 2 >= record.hitch.nanoseconds
    if refreshChanged || isPreempted { return .external }
    if record.wakeLateness > .zero, record.wakeLateness.nanoseconds * 2 >= record.hitch.nanoseconds { return .wakeLate }
    let slackEnd = record.phaseEnds[FramePhase.slack.rawValue]
    if record.overrun <= .zero, record.duration(of: .slack) > .zero, slackEnd > slackLimit { return .slackOverrun }
    if record.carriedOver > .zero, !record.isCarryForced, record.overrun > .zero, record.overrun <= record.carriedOver {
      return .slackOverrun
    }
    if record.overrun > .zero { return .commitLate }
    return .presentLate
  }
}
