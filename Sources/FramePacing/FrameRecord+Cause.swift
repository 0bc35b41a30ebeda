extension FrameRecord {
  /// How many frames a refusal explains: what was refused before that has been made up for since, or could have been.
  static let refusalAge = 60

  /// Why the frame was late, in words for people; nothing for one that was in time.
  ///
  /// Made when it is read: a frame records numbers alone.
  public var cause: String? {
    switch hitchClass {
    case .none: nil
    case .commitLate where cellsForced > 0 || isCarryForced && carriedOver > .zero:
      forcedCause
    case .commitLate: "the commit took \(FrameRecord.tenths(commit)); no cell was prepared in it"
    case .slackOverrun where carriedOver > .zero:
      "a step of work ahead held the frame up by \(FrameRecord.tenths(carriedOver))"
    case .slackOverrun: "work ahead took \(FrameRecord.tenths(duration(of: .slack)))"
    case .presentLate: "presenting took \(FrameRecord.tenths(duration(of: .present)))"
    case .wakeLate: "woken \(FrameRecord.tenths(wakeLateness)) late"
    case .external where preempted > .zero: "others ran for \(FrameRecord.tenths(preempted))"
    case .external: "the refresh changed"
    }
  }

  private var forcedCause: String {
    guard preparesAhead else { return "forced prepare; nothing is prepared ahead" }
    let refusal = lastRefusal.flatMap { index - $0.frame <= FrameRecord.refusalAge ? $0 : nil }
    return FrameRecord.forcedCause(after: refusal)
  }

  /// Why a cell had to be prepared when it was needed.
  ///
  /// - Parameter refusal: the step that did not run before, if any did not.
  static func forcedCause(after refusal: SlackRefusal?) -> String {
    guard let refusal else { return "forced prepare; nothing was refused before, and there was not time enough" }
    return "forced prepare; \(refusal.sentence)"
  }

  private static func tenths(_ duration: FrameDuration) -> String {
    let count = (max(0, duration.nanoseconds) + 50_000) / 100_000
    return "\(count / 10).\(count % 10) ms"
  }
}
