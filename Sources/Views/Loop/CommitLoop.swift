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
  public let history = FrameHistory()
  /// How the loop is paced; measuring may settle it after the first frames.
  public private(set) var pacing: LoopPacing
  /// The only source of time.
  public let clock: any FrameClock
  /// The time from one refresh to the next.
  public var interval: FrameDuration { pacer.interval }
  /// Asked between frames: whether the program was told to stop from outside.
  public var isInterrupted: () -> Bool = { false }
  /// Asked between frames, and whenever the loop is woken: whether memory came to be short since it was asked last.
  ///
  /// If so, ``Window/handleMemoryPressure()`` is called, also while nothing of the window can be seen.
  public var isMemoryShort: () -> Bool = { false }
  /// Whether nothing of the window can be seen.
  public private(set) var isOccluded = false {
    didSet { window.isRunning = isInRun && !isOccluded }
  }
  /// A running digest of every frame's display list.
  public private(set) var frameDigest = FrameDigest()

  private let display: any Display
  private let events: any EventSource
  private var pacer: FramePacer
  private var probe: PresentProbe
  private let list = DisplayList(capacity: 1_024)
  private let context: DrawContext
  /// The window's root, at hand: what is a constant of a constant is counted at each use.
  private let root: View
  private var inbox: [InputEvent] = []
  /// When the oldest input was read that no frame has answered.
  private var unanswered: FrameInstant?
  private var lastScale: DisplayScale
  private var (hasQuit, forcesFrames) = (false, false)
  private var isInRun = false {
    didSet { window.isRunning = isInRun && !isOccluded }
  }

  /// Makes a loop; it runs when told to.
  public init(
    window: Window, display: any Display, events: any EventSource, clock: any FrameClock, pacing: LoopPacing
  ) {
    self.window = window
    self.display = display
    self.events = events
    self.clock = clock
    self.pacing = pacing
    pacer = FramePacer(kind: pacing.kind, interval: pacing.interval)
    probe = PresentProbe(interval: pacing.interval)
    root = window.root
    context = DrawContext(list: list, resources: window.resources)
    if display.info.scale != window.resources.scale { window.scaleChanged() }
    lastScale = display.info.scale
    inbox.reserveCapacity(64)
  }

  /// Runs frames until a limit, the user or a signal ends the run.
  public func run(_ limits: LoopLimits = LoopLimits()) -> LoopEnd {
    let end = limits.duration.map { clock.now() + $0 }
    let lastFrame = limits.frames.map { pacer.frameCount + $0 }
    forcesFrames = lastFrame != nil
    isInRun = true
    defer { isInRun = false }
    while true {
      if isInterrupted() { return .interrupted }
      if hasQuit { return .quit }
      if isMemoryShort() { window.handleMemoryPressure() }
      if let lastFrame, pacer.frameCount >= lastFrame { return .limit }
      if let end, clock.now() >= end { return .limit }
      if wantsFrame { runFrame() } else { rest(until: end) }
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

  private var wantsFrame: Bool {
    if forcesFrames { return true }
    if isOccluded { return false }
    return window.needsFrame || !window.resources.uploads.isEmpty || isMeasuring || window.cast?.needsFrames == true
  }

  private var isMeasuring: Bool { pacing.isMeasured && probe.finding == .undecided }

  // MARK: Rest

  /// Blocks until something happens; no timers, unless the run has an end or somebody needs a frame at an instant.
  private func rest(until end: FrameInstant?) {
    pacer.rest()
    // Before anything that is awaited: a simulated clock would leap over input that is there.
    guard !events.hasPendingEvents else { return takeEvents() }
    // Nobody sees what changes in a window that is not seen.
    let frame = isOccluded ? nil : window.participants.compactMap(\.nextFrame).min()
    let arrival = clock.kind.isSimulated ? window.participants.compactMap(\.nextArrival).min() : nil
    let (wake, next) = ([frame, arrival].compactMap { $0 }.min(), [frame, arrival, end].compactMap { $0 }.min())
    if !clock.kind.isSimulated {
      events.wait(atMost: next.map { max(.zero, $0 - clock.now()) })
    } else if let next {
      clock.wait(until: next)
    } else {
      clock.uncounted { events.wait(atMost: nil) }
    }
    if let wake, wake <= clock.now() { window.setNeedsFrame() }
    // A simulated clock has leapt: what comes from outside comes with the frame.
    if !clock.kind.isSimulated || next == nil { takeEvents() }
  }

  // MARK: One frame

  private func runFrame() {
    let plan = pacer.beginFrame(at: clock.now())
    var record = FrameRecord()
    record.index = plan.index
    record.target = plan.target
    record.deadline = plan.deadline
    record.isFirstAfterRest = plan.isFirstAfterRest
    record.isOccluded = isOccluded
    let beginning = clock.mark()
    record.start = beginning.instant

    takeEvents()
    swap(&record.input, &unanswered)
    var cast = CurrentCast()
    // Made once a frame, as it holds the clock; each phase has its own limit.
    var budget = FrameBudget(clock: clock, limit: plan.deadline, target: plan.target)
    cast.beginPhase(of: window)
    stamp(.events, in: &record)

    cast.everybody?.update(at: plan.target)
    stamp(.update, in: &record)

    cast.beginPhase(of: window)
    budget.limit = plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 1_500)
    cast.everybody?.collect(budget)
    stamp(.collect, in: &record)

    root.layoutIfNeeded()
    cast.beginPhase(of: window)
    cast.everybody?.layout()
    record.isTracked = cast.everybody?.isTracked == true
    stamp(.layout, in: &record)

    cast.beginPhase(of: window)
    cast.everybody?.commit(&record)
    draw()
    stamp(.commit, in: &record)

    // At rest nothing is held up by pictures that come at once: half of what is left goes to them.
    budget.limit =
      record.isTracked
      ? plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 500)
      : plan.limit(from: clock.now(), share: 0.5, atMostMicroseconds: 8_000)
    upload(budget, &record)
    stamp(.upload, in: &record)

    if !isOccluded { display.draw(list, background: window.backgroundColor) }
    stamp(.raster, in: &record)
    record.commitPreempted = beginning.idle(until: clock.mark())
    let slackLimit = max(plan.deadline, clock.now())
    let slack = pacer.slackFrame(of: plan, at: clock.now(), isAtRest: !record.isTracked)
    workAhead(FrameBudget(clock: clock, limit: plan.deadline, target: plan.target, slack: slack))
    stamp(.slack, in: &record)
    record.preempted = beginning.idle(until: clock.mark())
    record.slackPreempted = record.preempted - record.commitPreempted

    present(plan, &record)
    pacer.endFrame(&record, slackLimit: slackLimit)
    history.append(record, interval: pacer.interval)
    cast.beginPhase(of: window)
    cast.everybody?.frameDidEnd(record)
    if record.isTracked { carryOver(shown: record.shown) } else { workAtRest() }
    if clock.kind.isSimulated { clock.wait(until: record.shown) }
  }

  /// One step that did not fit before presenting may hold the next frame up, as far as that frame can bear it.
  private func carryOver(shown: FrameInstant) {
    guard pacer.canCarryOver, !isOccluded, window.cast?.mayCarryOver == true, !events.hasPendingEvents else { return }
    let budget = FrameBudget(clock: clock, limit: pacer.carryOverLimit, target: pacer.nextTarget)
    let beginning = clock.mark()
    guard window.cast?.carryOverStep(budget) == true else { return }
    let end = clock.mark()
    // On a simulated clock presenting waits for nobody: what is done before the refresh holds nothing up.
    pacer.noteCarriedOver(max(.zero, end.instant - shown), lost: beginning.lost(until: end))
  }

  /// Nothing moves: steps hold nothing up that anybody sees, until there is input or a picture, say, that is to be seen, and
  /// the loop counts as resting.
  private func workAtRest() {
    guard !isOccluded else { return }
    let budget = FrameBudget(clock: clock, limit: .distantFuture, target: pacer.nextTarget)
    let arrivalsWaitUntil = clock.now() + SlackDecider.arrivalPatience
    var hasWorked = false
    while !events.hasPendingEvents,
      clock.now() < arrivalsWaitUntil || window.cast?.hasArrivals(by: clock.now()) != true,
      window.cast?.carryOverStep(budget) == true
    { hasWorked = true }
    if hasWorked { pacer.rest() }
  }

  private func stamp(_ phase: FramePhase, in record: inout FrameRecord) {
    record.phaseEnds[phase.rawValue] = clock.now()
  }

  private func draw() {
    // What changes from here on asks for another frame.
    window.beginFrame()
    context.begin()
    root.render(in: context)
    if clock.kind == .virtual { frameDigest.combine(list, in: window.resources.textures) }
  }

  private func upload(_ budget: FrameBudget, _ record: inout FrameRecord) {
    guard !window.resources.uploads.isEmpty else { return }
    let size = root.frame.size
    let done = window.resources.uploads.upload(
      budget, center: Point(x: size.width / 2, y: size.height / 2),
      seen: record.isTracked ? Rect(origin: .zero, size: size) : nil)
    record.uploads = Int32(truncatingIfNeeded: done.count)
    record.uploadedBytes = Int64(done.bytes)
  }

  private func workAhead(_ budget: FrameBudget) {
    // Once more when the time is up: what does not fit may be done after presenting.
    var hasTime = true
    while hasTime, !events.hasPendingEvents {
      hasTime = budget.remaining > .zero
      guard window.cast?.slackStep(budget) == true else { return }
    }
  }

  private func present(_ plan: FramePlan, _ record: inout FrameRecord) {
    if !pacer.kind.isSimulated, plan.presentNotBefore > clock.now() {
      clock.wait(until: plan.presentNotBefore)
      record.wakeLateness = clock.now() - plan.presentNotBefore
    }
    let start = clock.now()
    record.presentStart = start
    if !isOccluded { display.present() }
    stamp(.present, in: &record)
    let end = record.phaseEnds[FramePhase.present.rawValue]
    if isMeasuring {
      if plan.isFirstAfterRest { probe = PresentProbe(interval: pacer.interval) }
      probe.observe(start: start, end: end)
      settlePacing()
    }
    pacer.observeRefresh(at: end)
  }

  private func settlePacing() {
    guard probe.finding != .undecided else { return }
    pacing.settle(by: probe)
    (clock as? MonotonicClock)?.kind = pacing.kind
    pacer.change(kind: pacing.kind, interval: pacer.interval)
  }

  // MARK: Input

  private func takeEvents() {
    if !inbox.isEmpty { inbox.removeAll(keepingCapacity: true) }
    events.poll(into: &inbox)
    guard !inbox.isEmpty else { return }
    var isResized = false
    for index in inbox.indices {
      // Input that stands on the real line has no place on a simulated one but now.
      if clock.kind.isSimulated { inbox[index].time = min(inbox[index].time, clock.now()) }
      let event = inbox[index]
      switch event.kind {
      case .pointerMoved:
        // Only the last place of a run of movements matters.
        if index + 1 < inbox.count, case .pointerMoved = inbox[index + 1].kind { continue }
      case .resized, .displayChanged: isResized = true
      case .texturesLost:
        window.resources.texturesWereLost()
        window.setNeedsFrame()
      case .hidden: isOccluded = true
      case .shown, .exposed:
        isOccluded = false
        window.setNeedsFrame()
      case .quit: hasQuit = true
      default: break
      }
      if window.cast?.intercept(event) != true { window.dispatch(event) }
      if unanswered == nil, event.kind.isAct, wantsFrame { unanswered = event.time }
    }
    if isResized { takeDisplaySize() }
  }

  private func takeDisplaySize() {
    let info = display.info
    if info.scale != lastScale { window.scaleChanged() }
    lastScale = info.scale
    window.resize(to: info.size)
  }
}
