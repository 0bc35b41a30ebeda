public import VitrineFramePacing
import VitrineGeometry
public import VitrineRendering

/// The main loop, which runs the phases of each frame on the main thread and waits between frames.
///
/// The phases are events, update, collect, layout, commit, upload, raster, slack and present. When idle the loop blocks
/// on its event source and uses no processor time.
@MainActor
public final class CommitLoop {
  /// The window whose view tree is drawn.
  public let window: Window
  /// The records of the frames so far.
  public let history: FrameHistory
  /// The pacing of the loop; measurements in the first frames may change it.
  public internal(set) var pacing: LoopPacing
  /// The only source of time.
  public let clock: any FrameClock
  /// The time between refreshes.
  public var interval: FrameDuration { pacer.interval }
  /// The time between refreshes if it is known.
  ///
  /// On clocks with their own grid, the grid's interval. On the vsync clock nil until presents steadily waited for
  /// refreshes of ``interval``.
  public var observedInterval: FrameDuration? { pacer.isIntervalObserved ? pacer.interval : nil }
  /// Whether costs are modelled in addition to those that cell registrations declare, such as a cost per cell or upload.
  ///
  /// Default: false.
  public var modelsCosts = false
  /// The costs of frames that the clock can measure; times are meaningless for `CostVisibility.none`.
  public var costVisibility: CostVisibility { clock.costVisibility(modelsCosts: modelsCosts) }
  /// Returns whether the program was interrupted from outside; called between frames.
  public var isInterrupted: () -> Bool = { false }
  /// Returns whether memory has become low since the last call; called between frames and after each wake-up.
  ///
  /// If so, the loop calls ``Window/handleMemoryPressure()``, even while the window is invisible.
  public var isMemoryLow: () -> Bool = { false }
  /// Called between frames and after each wake-up, for observation, such as copying records for a trace.
  ///
  /// The time it takes is part of the next frame's.
  public var onFrameBoundary: (() -> Void)?
  /// Whether no part of the window is visible.
  public var isOccluded: Bool { occlusion.isOccluded }
  /// Whether ``frameDigest`` is computed, for comparing runs whose times are equal.
  ///
  /// Default: false.
  public var digestsFrames = false
  /// A running digest of the display lists of all frames while ``digestsFrames`` is true.
  public internal(set) var frameDigest = FrameDigest()
  /// Whether a frame responds to input that arrives after drawing and can only move content; true by default.
  ///
  /// For comparing runs with and without.
  public var resamplesInput = true

  /// The queue whose jobs are run in the collect phase of frames, or between frames while the window is invisible.
  ///
  /// A host sets the main queue. Default: nil.
  public var jobs: (any JobQueue)?

  /// A meter of the time that the loop's thread waited for a processor while the process's own workers ran.
  ///
  /// Default: nil; frames then have no `FrameRecord.contention`.
  public var contention: ContentionMeter?

  /// A probe of phases 1 to 7 of every frame; nil by default.
  @exclusivity(unchecked) public var commitProbe: (any CommitProbe)?

  let display: any Display
  let events: any EventSource
  /// The executor, which waits in real time or advances a simulated clock.
  let executor: any LoopExecutor
  var pacer: FramePacer
  var presentProbe: PresentProbe
  var inputResampler = LateInputResampler()
  let list = DisplayList(capacity: 1_024)
  let context: DrawContext
  /// The window's root view, stored here because access through two references would count both each time.
  let root: View
  let backgroundLines: BackgroundLineLoader
  /// The number of jobs in the record of the frame thread's activity.
  let jobSubject: Int
  /// The record of the window, stored here because access through two references would count both each time.
  let activity: FrameThreadActivity
  var pendingInput = PendingInput()
  /// The time at which the last frame had been presented.
  var lastPresent: WorkTimestamp?
  /// The duration of drawing the last frame's commands, which earlier phases reserve in the next frame.
  var lastRasterDuration = FrameDuration.zero
  /// The longest recent duration of drawing a frame's commands; it decays by 1/200 per frame.
  var longestRasterDuration = FrameDuration.zero
  /// The number of frames in which slack work that began in time ended after its limit.
  public internal(set) var slackOverruns = 0
  var lastScale: DisplayScale
  var hasQuit = false
  var occlusion = Occlusion() {
    didSet { window.isRunning = isInRun && !isOccluded }
  }
  var idleTimer = IdleTimer()
  private var forcesFrames = false
  private var isInRun = false {
    didSet { window.isRunning = isInRun && !isOccluded }
  }

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - display: The display that shows it.
  ///   - events: The source of input events.
  ///   - clock: The only source of time.
  ///   - pacing: The initial pacing.
  ///   - historyCapacity: The number of frame records that ``history`` stores, some 430 bytes each.
  public init(
    window: Window, display: any Display, events: any EventSource, clock: any FrameClock, pacing: LoopPacing,
    historyCapacity: Int = FrameHistory.defaultCapacity
  ) {
    self.window = window
    history = FrameHistory(capacity: historyCapacity)
    self.display = display
    self.events = events
    self.clock = clock
    executor = clock.makeExecutor()
    self.pacing = pacing
    pacer = FramePacer(kind: pacing.kind, interval: pacing.interval)
    presentProbe = PresentProbe(interval: pacing.interval)
    root = window.rootView
    activity = window.activity
    jobSubject = activity.makeSubject("a job of the main queue")
    context = DrawContext(list: list, resources: window.resources)
    backgroundLines = window.resources.lines.backgroundLines
    backgroundLines.startDelivery(on: clock, executor, waker: events.waker)
    if display.info.scale != window.resources.scale { window.scaleDidChange() }
    lastScale = display.info.scale
  }

  // MARK: - Run

  /// Runs frames until a limit, the user or a signal ends the run.
  public func run(_ limits: LoopLimits = LoopLimits()) -> LoopExitReason {
    let end = limits.duration.map { clock.now() + $0 }
    let lastFrame = limits.frames.map { pacer.frameCount + $0 }
    forcesFrames = lastFrame != nil
    isInRun = true
    activity.endRest()
    defer {
      isInRun = false
      activity.rest()
      // Reports the last frame.
      onFrameBoundary?()
    }
    while true {
      if isInterrupted() { return .interrupted }
      if hasQuit { return .quit }
      if isMemoryLow() { window.handleMemoryPressure() }
      onFrameBoundary?()
      if let lastFrame, pacer.frameCount >= lastFrame { return .limit }
      if let end, clock.now() >= end { return .limit }
      if forcesFrames, occlusion.isTrialDue(at: clock.now()) { occlusion.beginTrial() }
      if needsFrame { runFrame() } else if !runJobsWhileInvisible() { waitWhileIdle(until: end) }
    }
  }

  /// Returns the pixels of the last frame, drawn once more because some renderers discard what they presented.
  ///
  /// - Throws: `DisplayError` if the renderer cannot be read.
  public func lastFramePixels() throws(DisplayError) -> Bitmap {
    display.draw(list, background: window.backgroundColor)
    return try display.readPixels()
  }

  /// Ends the run after this frame, as closing the window does.
  public func quit() { hasQuit = true }

  var needsFrame: Bool {
    if forcesFrames { return true }
    return !isOccluded && needsFrameIfVisible
  }

  /// Whether a frame is needed if the window is visible.
  private var needsFrameIfVisible: Bool {
    window.needsFrame || !window.resources.uploads.isEmpty || !window.resources.deferredLines.isEmpty
      || isMeasuringPacing
      || !backgroundLines.isEmpty && backgroundLines.hasArrivals || window.participantChain?.needsFrames == true
      || hasJobs
  }

  /// What needs the next frame, for messages of checks: the names of types and of sources of work.
  package var frameReasons: [String] {
    var reasons: [String] = []
    if window.needsFrame { reasons.append("drawing") }
    if !window.resources.uploads.isEmpty { reasons.append("uploads") }
    if !window.resources.deferredLines.isEmpty || backgroundLines.hasArrivals { reasons.append("text") }
    if isMeasuringPacing { reasons.append("pacing") }
    if hasJobs { reasons.append("jobs") }
    return reasons + window.participants.filter(\.needsFrames).map { "\(type(of: $0))" }
  }

  /// Whether jobs are waiting.
  var hasJobs: Bool { jobs?.hasJobs(at: clock.now()) == true }

  var isMeasuringPacing: Bool { pacing.isMeasured && presentProbe.finding == .undecided }

  // MARK: - Idle

  /// Runs the jobs that are waiting although no frame shows what they change, because the window is invisible.
  ///
  /// Input is handled first, and a trial begun when it is due, so that jobs that enqueue others delay neither.
  ///
  /// - Returns: Whether there were jobs, so that the run may have ended.
  private func runJobsWhileInvisible() -> Bool {
    guard isOccluded, hasJobs else { return false }
    processEvents()
    if !occlusion.isHidden, needsFrameIfVisible, occlusion.isTrialDue(at: clock.now()) {
      occlusion.beginTrial()
      window.setNeedsFrame()
    }
    guard isOccluded, !hasQuit else { return true }
    return jobs?.runJobs(inFrame: pacer.frameCount, startedAt: clock.now()) == true
  }

  /// The maximum duration of preparation between checks of the run's end, signals and memory.
  private static var preparationSlice: FrameDuration { .milliseconds(4) }

  /// Performs steps that prepare the first frames of a motion.
  ///
  /// Continues for ``preparationSlice``, or until there is input, an arrival, or a frame that a participant needs at an
  /// instant. The last step may take longer.
  ///
  /// - Returns: Whether a step was performed, so that there may be more.
  private func prepareForMotion() -> Bool {
    guard !isOccluded else { return false }
    let sliceEnd = clock.now() + CommitLoop.preparationSlice
    let end = window.participants.compactMap(\.nextFrame).min().map { min($0, sliceEnd) } ?? sliceEnd
    var hasWorked = false
    while clock.now() < end, !hasPendingInput, !needsFrame,
      window.participantChain?.hasArrivals(by: clock.now()) != true,
      window.resources.prepareGlyph() || window.participantChain?.prepareForMotion() == true
    { hasWorked = true }
    return hasWorked
  }

  /// Blocks until something happens, without timers unless the run has an end or a participant needs a frame at an
  /// instant.
  ///
  /// In real time, an additional wake-up after an idle time releases memory.
  private func waitWhileIdle(until end: FrameInstant?) {
    pacer.enterIdle()
    // Before waiting for arrivals: a simulation would jump over pending input.
    guard !hasPendingInput else { return processEvents() }
    // The run may have ended in the meantime, or there is something to draw.
    guard !prepareForMotion() else { return }
    // An invisible window needs no frames for changes.
    let trial = !occlusion.isHidden && needsFrameIfVisible ? occlusion.nextTrial : nil
    let frame = isOccluded ? trial : window.participants.compactMap(\.nextFrame).min()
    activity.rest()
    let idle = executor.waitWhileIdle(
      IdleDeadlines(frame: frame, end: end, release: idleTimer.due), arrival: { nextArrival },
      scheduledInput: { events.nextScheduledEvent }, wait: { events.wait(atMost: $0) })
    activity.endRest()
    if idle.releasesResources, !hasPendingInput, idleTimer.fireIfDue(at: clock.now()) { window.releaseIdleResources() }
    if let frame = idle.frame, frame <= clock.now() {
      if occlusion.isTrialDue(at: clock.now()) { occlusion.beginTrial() }
      window.setNeedsFrame()
    }
    if idle.readsInput { processEvents() }
  }

  /// The modelled time at which the next result of another thread arrives.
  ///
  /// While the window is invisible, only jobs arrive, because the first visible frame collects the other results.
  private var nextArrival: FrameInstant? {
    guard !isOccluded else { return jobs?.nextArrival }
    return [window.participants.compactMap(\.nextArrival).min(), backgroundLines.nextArrival, jobs?.nextArrival]
      .compactMap(\.self).min()
  }
}

// MARK: - Limits and probe

/// The limits of a run.
public struct LoopLimits: Sendable {
  /// The maximum number of frames; while set, a frame is produced for every refresh even if nothing changes.
  public var frames: Int?
  /// The maximum duration on the run's clock.
  public var duration: FrameDuration?

  /// Creates limits; none by default.
  public init(frames: Int? = nil, duration: FrameDuration? = nil) {
    self.frames = frames
    self.duration = duration
  }
}

/// The reason for which a run ended.
public enum LoopExitReason: Sendable {
  /// A limit was reached.
  case limit
  /// The user closed the window.
  case quit
  /// A signal interrupted the program.
  case interrupted
}

/// A probe of phases 1 to 7 of every frame, for measurements that only the built program can make, such as counting
/// allocations.
///
/// Called twice per frame.
@MainActor
public protocol CommitProbe: AnyObject {
  /// Called at the start of phase 1.
  ///
  /// - Parameter frame: The number of the frame.
  func commitWillBegin(frame: Int)

  /// Called at the end of phase 7.
  ///
  /// - Parameter frame: The number of the frame.
  /// - Returns: The number of allocations of this thread since the start of phase 1, or nil if not counted.
  func commitDidEnd(frame: Int) -> Int32?
}
