extension FrameRecord {
  /// How many frames a refusal explains: what was refused before that has been made up for since, or could have been.
  static let maximumRefusalAge = 60

  /// Why the frame was late; nothing for one that was in time.
  public var hitchCause: HitchCause? {
    switch hitchClass {
    case .none: nil
    case _ where inheritsLateness: .previousFrame(left: max(.zero, deadline - start))
    case .commitLate where overrun <= .zero && resamplingOverrun > .zero: .inputResampling(resamplingDuration)
    case .commitLate where cellsForced > 0 || isDeferredStepForced && deferredStepDelay > .zero:
      preparesAhead ? .forced(explainingRefusal) : .unprepared
    case .commitLate: .commit(commit)
    case .slackOverrun where deferredStepDelay > .zero: .deferredStep(deferredStepDelay)
    case .slackOverrun: .workAhead(duration(of: .slack))
    case .presentLate: .presenting(duration(of: .present))
    case .ownWorkers: .ownWorkers(contention)
    case .wakeLate: .lateWake(wakeLateness)
    case .external where wakeLateness >= FramePacer.minimumStall: .preempted(wakeLateness)
    case .external where preempted > HitchClassifier.preemptionThreshold: .preempted(preempted)
    case .external: .refreshChanged
    }
  }

  /// Why the frame was late, in words for people; nothing for one that was in time.
  ///
  /// Made when it is read: a frame records numbers alone.
  public var cause: String? { hitchCause?.description }

  private var explainingRefusal: SlackRefusal? {
    lastRefusal.flatMap { index - $0.frame <= FrameRecord.maximumRefusalAge ? $0 : nil }
  }
}
