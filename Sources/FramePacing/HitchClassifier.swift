/// The classification of late frames, by the first rule that applies in a fixed order.
public enum HitchClassifier {
  /// The duration of preemption above which it is not attributed to the process itself.
  public static let preemptionThreshold = FrameDuration(nanoseconds: 300_000)

  /// Returns the class of a late frame.
  ///
  /// A cause counts if it explains at least half of the hitch. In order:
  ///
  /// - own workers: the thread waited for a processor while they ran for at least half of that time;
  /// - external: preemption, a wake-up too late for other threads to explain it, or a changed refresh;
  /// - a late wake-up;
  /// - slack work past its limit, of this frame or a deferred step without which the commit had ended in time;
  /// - the commit or the response to late input past the deadline;
  /// - presenting.
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
    // No scheduler is this late: the process was stopped, or the machine slept.
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
    let isDeferredStepLate =
      record.deferredStepDelay > .zero && !record.isDeferredStepForced && record.overrun <= record.deferredStepDelay
    return isDeferredStepLate ? .slackOverrun : .commitLate
  }
}

/// The class of the reason for which a frame was late.
public enum HitchClass: UInt8, CaseIterable, Sendable {
  /// The frame was not late.
  case none
  /// The commit ended after its deadline.
  case commitLate
  /// Slack work ran past its limit.
  case slackOverrun
  /// Presenting took longer than measured before.
  case presentLate
  /// The thread had no processor while the process's own threads or workers ran.
  case ownWorkers
  /// The system woke the loop too late.
  case wakeLate
  /// The thread was preempted, or the refresh changed.
  case external

  /// The name of the class in reports.
  public var name: String {
    switch self {
    case .none: "none"
    case .commitLate: "commitLate"
    case .slackOverrun: "slackOverrun"
    case .presentLate: "presentLate"
    case .ownWorkers: "ownWorkers"
    case .wakeLate: "wakeLate"
    case .external: "external"
    }
  }

  /// The classes of late frames, in the order of reports.
  public static let lateClasses: [HitchClass] = [
    .commitLate, .slackOverrun, .presentLate, .ownWorkers, .wakeLate, .external,
  ]
}

/// The reason for which a frame was late, in numbers that are formatted on demand.
public enum HitchCause: Hashable, Sendable, CustomStringConvertible {
  /// A cell had to be prepared in the commit, after a refusal that explains it.
  case forced(SlackRefusal?)
  /// A cell had to be prepared in the commit because nothing is prepared ahead.
  case unprepared
  /// The commit took this long, without preparing a cell.
  case commit(FrameDuration)
  /// Responding to input just before the frame was shown took this long.
  case inputResampling(FrameDuration)
  /// A slack step after the last frame was presented delayed this one.
  case deferredStep(FrameDuration)
  /// Slack work took this long.
  case workAhead(FrameDuration)
  /// Presenting took this long.
  case presenting(FrameDuration)
  /// The thread waited for a processor while the process's own workers ran.
  case ownWorkers(ProcessorContention)
  /// The system woke the loop this late.
  case lateWake(FrameDuration)
  /// Other programs ran for this long.
  case preempted(FrameDuration)
  /// The display's refresh changed.
  case refreshChanged
  /// The previous frame was late and left this much time, less than a frame takes.
  case previousFrame(left: FrameDuration)

  /// A description of the cause.
  public var description: String {
    var writer = StringTextWriter()
    write(to: &writer)
    return writer.text
  }

  /// Writes a description of the cause.
  ///
  /// - Complexity: O(n) for n written words; allocates only what the writer does.
  public func write(to writer: inout some TextWriter) {
    switch self {
    case .forced(let refusal?):
      writer.write("forced prepare; ")
      refusal.write(to: &writer)
    case .forced(nil): writer.write("forced prepare; no earlier refusal; the time was not sufficient")
    case .unprepared: writer.write("forced prepare; cells are not prepared ahead")
    case .commit(let time):
      writer.write("the commit took ")
      writer.write(time)
      writer.write("; no cell was prepared in it")
    case .inputResampling(let time):
      writer.write("late input resampling took ")
      writer.write(time)
    case .deferredStep(let time):
      writer.write("a deferred slack step delayed the frame by ")
      writer.write(time)
    case .workAhead(let time):
      writer.write("slack work took ")
      writer.write(time)
    case .presenting(let time):
      writer.write("presenting took ")
      writer.write(time)
    case .ownWorkers(let contention):
      writer.write("waited ")
      writer.write(contention.waited)
      writer.write(" for a processor; own workers ran ")
      writer.write(contention.ownWork)
    case .lateWake(let time):
      writer.write("woken ")
      writer.write(time)
      writer.write(" late")
    case .preempted(let time):
      writer.write("others ran for ")
      writer.write(time)
    case .refreshChanged: writer.write("the refresh changed")
    case .previousFrame(let time):
      writer.write("the frame before was late and left ")
      writer.write(time)
    }
  }
}

/// A sink for text that can be written without allocation or collected in a string.
public protocol TextWriter {
  /// Writes a fixed text.
  mutating func write(_ text: StaticString)
  /// Writes a number of tenths of a millisecond with the unit, such as `7.0 ms`.
  mutating func write(tenths: Int64)
}

extension TextWriter {
  /// Writes a duration, rounded to a tenth of a millisecond; negative durations count as zero.
  mutating func write(_ duration: FrameDuration) { write(tenths: (max(0, duration.nanoseconds) + 50_000) / 100_000) }
}

/// A text writer that collects a string.
struct StringTextWriter: TextWriter {
  /// The text written so far.
  private(set) var text = ""

  mutating func write(_ text: StaticString) { self.text += text.description }

  mutating func write(tenths: Int64) { text += "\(tenths / 10).\(tenths % 10) ms" }
}
