/// Names the cause of a late frame, by the first that holds in a fixed order.
public enum HitchClassifier {
  /// Time in which others ran that is too much to be our own doing.
  public static let preemptionThreshold = FrameDuration(nanoseconds: 300_000)

  /// The class of a late frame.
  ///
  /// In order: our own workers (the thread waited for a processor for at least half of what the frame was late by, while
  /// they ran for at least half of that time); not ours (preempted for at least half of what the frame was late by, woken so late that nobody else can have run
  /// for that long, or the refresh changed), woken late,
  /// slack past its limit (this frame's by its own time, or a step carried over without which the commit had ended in
  /// time), commit or the answer to late input past the deadline, presenting. What went past its end by less than half of what the frame was late by
  /// was not the cause.
  public static func classify(
    _ record: FrameRecord, slackLimit: FrameInstant, interval: FrameDuration, refreshChanged: Bool
  ) -> HitchClass {
    let contention = record.contention
    if contention.waited > preemptionThreshold, contention.waited.nanoseconds * 2 >= record.hitch.nanoseconds,
      contention.ownWork.nanoseconds * 2 >= contention.waited.nanoseconds
    {
      return .ownWorkers
    }
    let isPreempted =
      record.preempted > preemptionThreshold && record.preempted.nanoseconds * 2 >= record.hitch.nanoseconds
    // No scheduler is so late by itself: the process was stopped, or the machine slept.
    let isStopped = record.wakeLateness >= FramePacer.minimumStall
    if refreshChanged || isPreempted || isStopped { return .external }
    if record.wakeLateness > .zero, record.wakeLateness.nanoseconds * 2 >= record.hitch.nanoseconds { return .wakeLate }
    func explains(_ excess: FrameDuration) -> Bool {
      excess > .zero && excess.nanoseconds * 2 >= record.hitch.nanoseconds
    }
    let slackEnd = record.phaseEnds[FramePhase.slack.rawValue] - record.slackPreempted
    let isCommitLate = explains(record.overrun)
    if !isCommitLate, record.duration(of: .slack) > .zero, explains(slackEnd - slackLimit) { return .slackOverrun }
    if explains(record.resamplingOverrun), record.overrun <= .zero { return .commitLate }
    guard isCommitLate else { return .presentLate }
    let isCarried =
      record.deferredStepDelay > .zero && !record.isDeferredStepForced && record.overrun <= record.deferredStepDelay
    return isCarried ? .slackOverrun : .commitLate
  }
}
