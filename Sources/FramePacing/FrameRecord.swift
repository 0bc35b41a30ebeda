/// The measurements of a frame.
///
/// A trivial type, so that a ring of records is plain memory.
public struct FrameRecord: Sendable {
  /// The number of the frame in its run, starting at 0.
  public var index = 0
  /// V: the refresh at which the frame was due.
  public var target: FrameInstant = .zero
  /// The time by which the commit had to end.
  public var deadline: FrameInstant = .zero
  /// The start of the frame.
  public var start: FrameInstant = .zero
  /// The end of each phase, indexed by `FramePhase.rawValue`.
  public var phaseEnds = InlineArray<9, FrameInstant>(repeating: .zero)
  /// The start of presenting; the wait between slack and this time belongs to no phase.
  public var presentStart: FrameInstant = .zero
  /// S: the time at which the frame was shown.
  public var shown: FrameInstant = .zero
  /// The time at which the oldest input was read that this frame is the first to respond to, or nil if there was none.
  public var inputInstant: FrameInstant?
  /// Whether the frame was redrawn for input that arrived after its commit.
  public var isInputResampled = false
  /// The start and the end of the response to such input, or of the attempt; zero if there was none.
  ///
  /// The response lies between slack and presenting, and belongs to no phase.
  public var (resamplingStart, resamplingEnd) = (FrameInstant.zero, FrameInstant.zero)
  /// The amount by which the frame was late in a tracked interval.
  public var hitch: FrameDuration = .zero
  /// The reason for which the frame was late.
  public var hitchClass: HitchClass = .none
  /// Whether the frame was late only because the previous one left it too little time; it then has that frame's class.
  public var inheritsLateness = false
  /// Whether content moved; only such frames can be hitches.
  public var isTracked = false
  /// Whether the loop was idle before the frame.
  public var isFirstAfterIdle = false
  /// Whether no part of the frame was visible.
  public var isOccluded = false
  /// The lateness of the wake-up for presenting.
  public var wakeLateness: FrameDuration = .zero
  /// The delay of the frame by a slack step after the last frame was presented.
  public var deferredStepDelay: FrameDuration = .zero
  /// Whether that step was required then or in a commit, so that a frame it makes late is late for its cost.
  public var isDeferredStepForced = false
  /// The wall time minus the thread's processor time over phases 1 to 8 and a deferred step: time in which the thread
  /// was preempted.
  public var preempted: FrameDuration = .zero
  /// The part of ``preempted`` in phases 1 to 7.
  public var commitPreempted: FrameDuration = .zero
  /// The part of ``preempted`` in phase 8.
  public var slackPreempted: FrameDuration = .zero
  /// The time the thread waited for a processor since the last frame was presented, and the work of the process's own
  /// workers in it; zero if not measured.
  public var contention = ProcessorContention()
  /// The number of cells that entered the visible rectangle.
  public var cellsEntered: Int32 = 0
  /// The number of cells that were prepared in the commit because no prepared cell was available.
  public var cellsForced: Int32 = 0
  /// The duration of that preparation.
  public var forcedDuration: FrameDuration = .zero
  /// The type of the cell that took longest to prepare.
  public var slowestForcedType: Any.Type?
  /// Whether cells are prepared ahead at all.
  public var preparesAhead = false
  /// The last slack step that was refused before this frame, and the reason.
  public var lastRefusal: SlackRefusal?
  /// The number of allocations of the render thread in phases 1 to 7, or nil if not counted.
  public var allocations: Int32?
  /// The number of uploaded textures.
  public var uploads: Int32 = 0
  /// The number of uploaded bytes.
  public var uploadedBytes: Int64 = 0

  /// Creates an empty record.
  public init() {}

  /// The time from the oldest input that the frame responds to until the frame was shown, or nil if there was no input.
  public var inputToPresent: FrameDuration? { inputInstant.map { max(.zero, shown - $0) } }

  /// Returns the start of a phase.
  public func start(of phase: FramePhase) -> FrameInstant {
    switch phase {
    case .events: start
    case .present: presentStart
    default: phaseEnds[phase.rawValue - 1]
    }
  }

  /// Returns the duration of a phase.
  public func duration(of phase: FramePhase) -> FrameDuration { phaseEnds[phase.rawValue] - start(of: phase) }

  /// The duration of phases 1 to 7, which must end before the deadline.
  public var commit: FrameDuration { phaseEnds[FramePhase.raster.rawValue] - start }

  /// The duration of the response to input that arrived after the start of the commit; zero in most frames.
  public var resamplingDuration: FrameDuration { resamplingEnd - resamplingStart }

  /// The end of the commit minus its deadline; negative if time was left.
  public var overrun: FrameDuration { phaseEnds[FramePhase.raster.rawValue] - deadline }

  /// The end of the response to late input minus the deadline; negative if time was left or there was no response.
  public var resamplingOverrun: FrameDuration { resamplingEnd - deadline }
}

extension FrameRecord {
  /// The maximum number of frames that a refusal can explain; earlier refusals have been compensated for since.
  static let maximumRefusalAge = 60

  /// The reason for which the frame was late, or nil if it was on time.
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

  /// A description of the reason for which the frame was late, or nil if it was on time.
  ///
  /// Formatted on access: a frame records only numbers.
  public var cause: String? { hitchCause?.description }

  private var explainingRefusal: SlackRefusal? {
    lastRefusal.flatMap { index - $0.frame <= FrameRecord.maximumRefusalAge ? $0 : nil }
  }
}

/// The phases of a frame, in order.
public enum FramePhase: Int, CaseIterable, Sendable {
  /// Drains, coalesces and timestamps input.
  case events
  /// Evaluates physics and animations at the frame's target time.
  case update
  /// Collects finished work of other threads.
  case collect
  /// Maps the visible rectangle to a range of items.
  case layout
  /// Prepares entering cells and builds the display list.
  case commit
  /// Uploads decoded bitmaps as textures, within a budget.
  case upload
  /// Draws the display list.
  case raster
  /// Runs slack steps while the deadline is far enough away.
  case slack
  /// Presents the frame.
  case present

  /// The name of the phase in reports.
  public var name: String {
    switch self {
    case .events: "events"
    case .update: "update"
    case .collect: "collect"
    case .layout: "layout"
    case .commit: "commit"
    case .upload: "upload"
    case .raster: "raster"
    case .slack: "slack"
    case .present: "present"
    }
  }
}
