public import FramePacing
import Geometry
public import Rendering

/// Runs frames on the process's first thread: the order of one frame, and the rest between frames.
///
/// events, update, collect, layout, commit, upload, raster, slack, present. At rest the loop blocks on its event source
/// and uses no processor.
public final class CommitLoop {
  /// The window whose tree is drawn.
  public let window: Window
  /// The records of the frames so far.
  public let history: FrameHistory
  /// How the loop is paced; measuring may settle it after the first frames.
  public internal(set) var pacing: LoopPacing
  /// The only source of time.
  public let clock: any FrameClock
  /// The time from one refresh to the next.
  public var interval: FrameDuration { pacer.interval }
  /// The time between refreshes where that is known.
  ///
  /// Our own grid's on clocks that have one. On the vsync clock nil until presents were seen to wait for refreshes of
  /// ``interval``, steadily.
  public var observedInterval: FrameDuration? { pacer.isIntervalObserved ? pacer.interval : nil }
  /// Whether costs are modelled beside those that cells' registrations declare, such as one for each cell or upload.
  ///
  /// Default: false.
  public var modelsCosts = false
  /// What the clock sees of what frames cost: figures of time mean nothing where that is ``CostVisibility/none``.
  public var costVisibility: CostVisibility {
    history.costVisibility(on: clock.kind, modelsCosts: modelsCosts || clock.hasSpentCosts)
  }
  /// Asked between frames: whether the program was told to stop from outside.
  public var isInterrupted: () -> Bool = { false }
  /// Asked between frames, and whenever the loop is woken: whether memory came to be short since it was asked last.
  ///
  /// If so, ``Window/handleMemoryPressure()`` is called, also while nothing of the window can be seen.
  public var isMemoryLow: () -> Bool = { false }
  /// Called between frames, and whenever the loop is woken: for looking on, such as copying records for a trace.
  ///
  /// No frame is under way then; what it takes is taken from the time of the next one.
  public var onFrameBoundary: (() -> Void)?
  /// Whether nothing of the window can be seen.
  public var isOccluded: Bool { occlusion.isOccluded }
  /// A running digest of every frame's display list.
  public internal(set) var frameDigest = FrameDigest()
  /// Whether input that comes in once a frame is drawn, and can do no more than move content, is answered by that frame: true
  /// unless told, for comparing runs with and without.
  public var resamplesInput = true

  /// Tells how long the loop's thread waited for a processor while this program's workers ran.
  ///
  /// Default: nil; frames then have no ``FrameRecord/contention``.
  public var contention: ContentionMeter?

  /// Looks at phases 1 to 7 of every frame; nobody does unless told.
  @exclusivity(unchecked) public var commitProbe: (any CommitProbe)?

  let display: any Display
  let events: any EventSource
  var pacer: FramePacer
  var presentProbe: PresentProbe
  var inputResampler = LateInputResampler()
  let list = DisplayList(capacity: 1_024)
  let context: DrawContext
  /// The window's root, at hand: what is a constant of a constant is counted at each use.
  let root: View
  let backgroundLines: BackgroundLineLoader
  var pendingInput = PendingInput()
  /// When the last frame had been presented.
  var lastPresent: WorkTimestamp?
  /// What drawing the last frame's commands took: the next may take as long, and what a phase may spend leaves room for it.
  var lastRasterDuration = FrameDuration.zero
  /// The most that drawing a frame's commands took of late: it fades by 1/200 a frame.
  var longestRasterDuration = FrameDuration.zero
  /// Frames in whose slack work ahead that began in time ended after its limit, whatever that work was.
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

  /// Makes a loop; it runs when told to.
  ///
  /// - Parameter keptFrames: how many records of frames ``history`` keeps, some 430 bytes each.
  public init(
    window: Window, display: any Display, events: any EventSource, clock: any FrameClock, pacing: LoopPacing,
    historyCapacity: Int = FrameHistory.defaultCapacity
  ) {
    self.window = window
    history = FrameHistory(capacity: historyCapacity)
    self.display = display
    self.events = events
    self.clock = clock
    self.pacing = pacing
    pacer = FramePacer(kind: pacing.kind, interval: pacing.interval)
    presentProbe = PresentProbe(interval: pacing.interval)
    root = window.root
    context = DrawContext(list: list, resources: window.resources)
    backgroundLines = window.resources.lines.backgroundLines
    backgroundLines.startDelivery(on: clock, waker: events.waker)
    if display.info.scale != window.resources.scale { window.scaleDidChange() }
    lastScale = display.info.scale
  }

  /// Runs frames until a limit, the user or a signal ends the run.
  public func run(_ limits: LoopLimits = LoopLimits()) -> LoopExitReason {
    let end = limits.duration.map { clock.now() + $0 }
    let lastFrame = limits.frames.map { pacer.frameCount + $0 }
    forcesFrames = lastFrame != nil
    isInRun = true
    defer {
      isInRun = false
      // What came of the last frame.
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
      if needsFrame { runFrame() } else { waitWhileIdle(until: end) }
    }
  }

  /// The pixels of the last frame, drawn once more, as some renderers forget what they presented.
  ///
  /// - Throws: `DisplayError` when the renderer cannot be read.
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

  /// Whether a frame is wanted, if somebody sees it.
  private var needsFrameIfVisible: Bool {
    window.needsFrame || !window.resources.uploads.isEmpty || !window.resources.deferredLines.isEmpty
      || isMeasuringPacing
      || !backgroundLines.isEmpty && backgroundLines.hasArrivals || window.participantChain?.needsFrames == true
  }

  var isMeasuringPacing: Bool { pacing.isMeasured && presentProbe.finding == .undecided }

  // MARK: Rest

  /// How long steps that prepare a motion go on before the run looks at its end, at signals and at memory again.
  private static var preparationSlice: FrameDuration { .milliseconds(4) }

  /// Makes what the first frames of a motion would have to make, a step after the other.
  ///
  /// For ``preparingPortion``, or until there is input, something that was awaited, or a frame that somebody needs at an
  /// instant. The last step may take longer.
  ///
  /// - Returns: whether a step was done, so that there may be more to do.
  private func prepareForMotion() -> Bool {
    guard !isOccluded else { return false }
    let portion = clock.now() + CommitLoop.preparationSlice
    let end = window.participants.compactMap(\.nextFrame).min().map { min($0, portion) } ?? portion
    var hasWorked = false
    while clock.now() < end, !hasPendingInput, !needsFrame,
      window.participantChain?.hasArrivals(by: clock.now()) != true,
      window.resources.prepareGlyph() || window.participantChain?.prepareForMotion() == true
    { hasWorked = true }
    return hasWorked
  }

  /// Blocks until something happens; no timers, unless the run has an end or somebody needs a frame at an instant.
  ///
  /// One wake-up comes when it has rested for a while, to give memory back. A simulation gives nothing back, as it is to repeat.
  private func waitWhileIdle(until end: FrameInstant?) {
    pacer.enterIdle()
    // Before anything that is awaited: a simulated clock would leap over input that is there.
    guard !hasPendingInput else { return processEvents() }
    // The run may have come to its end meanwhile, or there is something to be drawn.
    guard !prepareForMotion() else { return }
    // Nobody sees what changes in a window that is not seen.
    let trial = !occlusion.isHidden && needsFrameIfVisible ? occlusion.nextTrial : nil
    let frame = isOccluded ? trial : window.participants.compactMap(\.nextFrame).min()
    // What arrives is collected by a frame: the first that is seen again.
    let isCollecting = clock.kind.isSimulated && !isOccluded
    let arrival = isCollecting ? window.participants.compactMap(\.nextArrival).min() : nil
    let line = isCollecting ? backgroundLines.nextArrival : nil
    let scheduled = clock.kind.isSimulated ? events.nextScheduledEvent : nil
    let wake = [frame, arrival, line].compactMap { $0 }.min()
    let givingBack = clock.kind.isSimulated ? nil : idleTimer.due
    let next = [wake, scheduled, end, givingBack].compactMap { $0 }.min()
    if !clock.kind.isSimulated {
      events.wait(atMost: next.map { max(.zero, $0 - clock.now()) })
    } else if let next {
      clock.wait(until: next)
    } else {
      clock.performUncounted { events.wait(atMost: nil) }
    }
    if givingBack != nil, !hasPendingInput, idleTimer.fireIfDue(at: clock.now()) { window.releaseIdleResources() }
    if let wake, wake <= clock.now() {
      if occlusion.isTrialDue(at: clock.now()) { occlusion.beginTrial() }
      window.setNeedsFrame()
    }
    // A simulated clock has leapt: what comes from outside comes with the frame.
    if !clock.kind.isSimulated || next == nil { processEvents() }
  }
}
