/// What is kept of one frame.
///
/// Trivial, so that a ring of them is plain memory.
public struct FrameRecord: Sendable {
  /// The number of the frame in its run, from 0.
  public var index = 0
  /// V: the refresh at which the frame was due.
  public var target: FrameInstant = .zero
  /// The moment by which the commit had to end.
  public var deadline: FrameInstant = .zero
  /// When the frame began.
  public var start: FrameInstant = .zero
  /// When each phase ended, by `FramePhase.rawValue`.
  public var phaseEnds = InlineArray<9, FrameInstant>(repeating: .zero)
  /// When presenting began: the wait for its moment lies between slack and this, and belongs to no phase.
  public var presentStart: FrameInstant = .zero
  /// S: when the frame was shown.
  public var shown: FrameInstant = .zero
  /// When the oldest input was read from the system that this frame is the first to answer; nothing where there was none.
  public var inputInstant: FrameInstant?
  /// Whether the frame was drawn anew for input that came after its commit.
  public var isInputResampled = false
  /// When the frame began to answer such input, and when that was done, or had turned out not to be possible; zero where none
  /// came.
  ///
  /// It lies between slack and presenting, and belongs to no phase.
  public var (resamplingStart, resamplingEnd) = (FrameInstant.zero, FrameInstant.zero)
  /// How late it was shown, within a tracked interval.
  public var hitch: FrameDuration = .zero
  /// Why it was late.
  public var hitchClass: HitchClass = .none
  /// Whether it was late only as the frame before it was, and left it less time than a frame takes: it has that one's class.
  public var inheritsLateness = false
  /// Whether content moved: hitches count in such frames alone.
  public var isTracked = false
  /// Whether the loop had rested before.
  public var isFirstAfterIdle = false
  /// Whether nothing of it could be seen.
  public var isOccluded = false
  /// How late the system woke the loop for presenting.
  public var wakeLateness: FrameDuration = .zero
  /// How long a step of work ahead, taken after the last frame was presented, held this one up.
  public var deferredStepDelay: FrameDuration = .zero
  /// Whether that step had to be done, then or in a commit: a frame that is late for it is late for its cost.
  public var isDeferredStepForced = false
  /// Wall time less the thread's processor time over phases 1 to 8 and a step that was carried over into the frame: time
  /// in which others ran.
  public var preempted: FrameDuration = .zero
  /// What of that lies in phases 1 to 7.
  public var commitPreempted: FrameDuration = .zero
  /// What of that lies in phase 8.
  public var slackPreempted: FrameDuration = .zero
  /// How long the thread waited for a processor since the last frame was presented, and what this program's own workers ran
  /// meanwhile; zero where nothing reads it.
  public var contention = ProcessorContention()
  /// Cells that entered the visible rectangle.
  public var cellsEntered: Int32 = 0
  /// Cells that were prepared in the commit for lack of a waiting one.
  public var cellsForced: Int32 = 0
  /// How long that took.
  public var forcedDuration: FrameDuration = .zero
  /// What kind of cell took longest of these.
  public var slowestForcedType: Any.Type?
  /// Whether cells are prepared ahead at all.
  public var preparesAhead = false
  /// The last step of work ahead that did not run before this frame, and why.
  public var lastRefusal: SlackRefusal?
  /// How often the drawing thread allocated in phases 1 to 7; nothing where nobody counts.
  public var allocations: Int32?
  /// Textures that were uploaded.
  public var uploads: Int32 = 0
  /// Their bytes.
  public var uploadedBytes: Int64 = 0

  /// An empty record.
  public init() {}

  /// From the oldest input that it answers to when it was shown; nothing where there was none.
  public var inputToPresent: FrameDuration? { inputInstant.map { max(.zero, shown - $0) } }

  /// When a phase began.
  public func start(of phase: FramePhase) -> FrameInstant {
    switch phase {
    case .events: start
    case .present: presentStart
    default: phaseEnds[phase.rawValue - 1]
    }
  }

  /// How long a phase took.
  public func duration(of phase: FramePhase) -> FrameDuration { phaseEnds[phase.rawValue] - start(of: phase) }

  /// Phases 1 to 7: what must end before the deadline.
  public var commit: FrameDuration { phaseEnds[FramePhase.raster.rawValue] - start }

  /// What it took to answer input that came after the commit had begun; none in most frames.
  public var resamplingDuration: FrameDuration { resamplingEnd - resamplingStart }

  /// The end of the commit less its deadline: negative when there was time left.
  public var overrun: FrameDuration { phaseEnds[FramePhase.raster.rawValue] - deadline }

  /// The end of the answer to late input less the deadline; negative when there was time left, or was no such answer.
  public var resamplingOverrun: FrameDuration { resamplingEnd - deadline }
}
