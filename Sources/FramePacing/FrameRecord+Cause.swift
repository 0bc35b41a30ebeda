extension FrameRecord {
  /// How many frames a refusal explains: what was refused before that has been made up for since, or could have been.
  static let refusalAge = 60

  /// Why the frame was late; nothing for one that was in time.
  public var hitchCause: HitchCause? {
    switch hitchClass {
    case .none: nil
    case _ where isLateByLast: .frameBefore(left: max(.zero, deadline - start))
    case .commitLate where overrun <= .zero && lateAnswerOverrun > .zero: .answering(lateAnswer)
    case .commitLate where cellsForced > 0 || isCarryForced && carriedOver > .zero:
      preparesAhead ? .forced(explainingRefusal) : .unprepared
    case .commitLate: .commit(commit)
    case .slackOverrun where carriedOver > .zero: .heldUp(carriedOver)
    case .slackOverrun: .workAhead(duration(of: .slack))
    case .presentLate: .presenting(duration(of: .present))
    case .ownWorkers: .ownWorkers(contention)
    case .wakeLate: .woken(wakeLateness)
    case .external where wakeLateness >= FramePacer.shortestLapse: .preempted(wakeLateness)
    case .external where preempted > HitchClassifier.preemptionThreshold: .preempted(preempted)
    case .external: .refreshChanged
    }
  }

  /// Why the frame was late, in words for people; nothing for one that was in time.
  ///
  /// Made when it is read: a frame records numbers alone.
  public var cause: String? { hitchCause?.description }

  private var explainingRefusal: SlackRefusal? {
    lastRefusal.flatMap { index - $0.frame <= FrameRecord.refusalAge ? $0 : nil }
  }
}
