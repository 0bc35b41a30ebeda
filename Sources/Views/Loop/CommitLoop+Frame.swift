import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// A single frame, in the order of its phases.
extension CommitLoop {
  func runFrame() {
    let plan = pacer.beginFrame(at: clock.now())
    var record = FrameRecord()
    record.index = plan.index
    record.target = plan.target
    record.deadline = plan.deadline
    record.isFirstAfterIdle = plan.isFirstAfterIdle
    record.isOccluded = isOccluded || occlusion.isTrial
    let start = clock.workTimestamp()
    record.start = start.instant
    activity.begin(.events)
    commitProbe?.commitWillBegin(frame: plan.index)
    if !plan.isFirstAfterIdle, let lastPresent {
      pacer.recordPreemptionBetweenFrames(lastPresent.idleTime(until: start))
    }
    if plan.stallDuration > .zero { window.participantChain?.didStall(for: plan.stallDuration) }

    processEvents()
    record.inputInstant = pendingInput.takeOldestUnanswered()
    var participants = CurrentParticipants()
    // Created once per frame because it retains the clock; each phase sets its own limit.
    var budget = FrameBudget(clock: clock, limit: plan.deadline, target: plan.target)
    participants.refresh(from: window)
    stampPhase(.events, in: &record)

    participants.chain?.update(at: plan.target)
    stampPhase(.update, in: &record)

    participants.refresh(from: window)
    budget.limit = plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 1_500, reserving: lastRasterDuration)
    participants.chain?.collect(budget)
    if !backgroundLines.isEmpty { backgroundLines.deliverLines(budget) }
    // After the participants, whose completions may resume tasks.
    if let jobs {
      activity.setSubject(jobSubject)
      jobs.runJobs(inFrame: plan.index, startedAt: record.start)
      activity.setSubject(-1)
    }
    stampPhase(.collect, in: &record)

    root.layoutIfNeeded()
    participants.refresh(from: window)
    participants.chain?.layout()
    record.isTracked = participants.chain?.isTracked == true
    stampPhase(.layout, in: &record)

    participants.refresh(from: window)
    participants.chain?.commit(&record)
    // A frame that lacked cells shows much new content, and takes as long to draw as any recent one.
    let rasterDuration = record.cellsForced > 0 ? max(lastRasterDuration, longestRasterDuration) : lastRasterDuration
    let lineLimit =
      record.start + max(.zero, plan.deadline - rasterDuration - record.start) * DeferredLineQueue.frameTimeShare
    drawFrame(paintingLinesUntil: lineLimit)
    stampPhase(.commit, in: &record)

    // At rest uploads delay nothing, so they get half of the remaining time.
    budget.limit =
      record.isTracked
      ? plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 500, reserving: lastRasterDuration)
      : plan.limit(from: clock.now(), share: 0.5, atMostMicroseconds: 8_000)
    uploadTextures(budget, &record)
    // At rest there is time to show what was uploaded in this frame. While content moves, the next one shows it.
    if !record.isTracked, record.uploads > 0, window.needsFrame {
      drawFrame(paintingLinesUntil: lineLimit)
      // Views that remove what the pictures cover do so when they are laid out.
      if root.containsPendingLayout { window.setNeedsFrame() }
    }
    stampPhase(.upload, in: &record)

    if !isOccluded { display.draw(list, background: window.backgroundColor) }
    stampPhase(.raster, in: &record)
    lastRasterDuration = record.duration(of: .raster)
    longestRasterDuration = max(min(lastRasterDuration, pacer.interval), longestRasterDuration * 0.995)
    record.allocations = commitProbe?.commitDidEnd(frame: plan.index)
    record.commitPreempted = start.idleTime(until: clock.workTimestamp())
    let slackLimit = max(plan.deadline, clock.now())
    let resamplingInstant =
      resamplesInput && record.isTracked ? inputResampler.resamplingInstant(of: plan, in: pacer, at: clock.now()) : nil
    let slack = pacer.slackBudget(
      of: plan, at: clock.now(), isAtRest: !record.isTracked, earlierLimit: resamplingInstant)
    let slackBudget = FrameBudget(
      clock: clock, limit: resamplingInstant ?? plan.deadline, target: plan.target, slack: slack)
    let hasSlack = record.isTracked && slackBudget.remaining > .zero
    if !window.resources.deferredLines.isEmpty { paintDeferredLines(slackBudget, isAtRest: !record.isTracked) }
    let end = performSlackWork(slackBudget)
    if hasSlack, end > slackBudget.limit { slackOverruns += 1 }
    stampPhase(.slack, in: &record)
    record.preempted = start.idleTime(until: clock.workTimestamp())
    record.slackPreempted = record.preempted - record.commitPreempted

    if let resamplingInstant { resampleInput(plan, at: resamplingInstant, &record, &participants) }
    if digestsFrames { frameDigest.combine(list, in: window.resources.textures) }
    presentFrame(plan, &record)
    lastPresent = executor.timestampBetweenFrames()
    if let contention { record.contention = contention.read() }
    pacer.endFrame(&record, slackLimit: slackLimit)
    history.append(record, interval: pacer.interval)
    idleTimer.recordFrame(at: record.shown)
    participants.refresh(from: window)
    participants.chain?.frameDidEnd(record)
    display.endFrame()
    if record.isTracked { performDeferredStep(shown: record.shown) } else { performIdleWork() }
    executor.endFrame(shownAt: record.shown)
  }

  /// Performs one step that did not fit before presenting, which may delay the next frame as far as it can bear.
  private func performDeferredStep(shown: FrameInstant) {
    guard pacer.canDeferSteps, !isOccluded, window.participantChain?.hasDeferredSteps == true, !hasPendingInput else {
      return
    }
    let budget = FrameBudget(clock: clock, limit: pacer.deferredStepLimit, target: pacer.nextTarget)
    let start = clock.workTimestamp()
    guard window.participantChain?.performDeferredStep(budget) == true else { return }
    let end = clock.workTimestamp()
    // On a simulated clock presenting does not wait, so work before the refresh delays nothing.
    pacer.recordDeferredStep(max(.zero, end.instant - shown), lost: start.preemptedTime(until: end))
  }

  /// Performs deferred steps while nothing moves, until there is input or an arrival to display; the loop then counts
  /// as idle.
  private func performIdleWork() {
    guard !isOccluded else { return }
    let budget = FrameBudget(clock: clock, limit: .distantFuture, target: pacer.nextTarget)
    let arrivalDeadline = clock.now() + SlackScheduler.arrivalTimeout
    var hasWorked = false
    // On a simulated clock, the steps must not depend on the time at which a job arrives.
    while !hasPendingInput, clock.kind.isSimulated || !hasJobs,
      clock.now() < arrivalDeadline || window.participantChain?.hasArrivals(by: clock.now()) != true,
      window.participantChain?.performDeferredStep(budget) == true
    { hasWorked = true }
    if hasWorked { pacer.enterIdle() }
  }

  private func stampPhase(_ phase: FramePhase, in record: inout FrameRecord) {
    record.phaseEnds[phase.rawValue] = clock.now()
    activity.endPhase(phase)
  }

  /// Records the display list of the window.
  ///
  /// - Parameter lineLimit: The time until which lines of text are rendered that can be rendered later. Default: nil,
  ///   which means that all are.
  func drawFrame(paintingLinesUntil lineLimit: FrameInstant? = nil) {
    if let lineLimit { window.resources.deferredLines.beginFrame(clock, until: lineLimit) }
    // Changes from here on require another frame.
    window.beginFrame()
    context.beginFrame()
    root.render(in: context)
    window.resources.deferredLines.endFrame()
  }

  private func uploadTextures(_ budget: FrameBudget, _ record: inout FrameRecord) {
    guard !window.resources.uploads.isEmpty else { return }
    let size = root.frame.size
    let uploaded = window.resources.uploads.uploadWaiting(
      budget, center: Point(x: size.width / 2, y: size.height / 2),
      visibleRect: record.isTracked ? Rect(origin: .zero, size: size) : nil)
    record.uploads = Int32(truncatingIfNeeded: uploaded.count)
    record.uploadedBytes = Int64(uploaded.bytes)
  }

  /// Renders lines that the frame had no time for, before work on invisible content.
  private func paintDeferredLines(_ budget: FrameBudget, isAtRest: Bool) {
    var isFirst = true
    while !hasPendingInput, window.resources.deferredLines.paintNextLine(budget, isAtRest: isAtRest && isFirst) {
      isFirst = false
    }
  }

  /// Performs slack steps while there is time.
  ///
  /// - Returns: The end of the work begun in time: of the last step, or of the search for one.
  private func performSlackWork(_ budget: FrameBudget) -> FrameInstant {
    var end = clock.now()
    while !hasPendingInput {
      let hasTime = end < budget.limit
      // Once more after the limit, because a step that does not fit can be deferred until after presenting.
      let hasWorked = window.participantChain?.performSlackStep(budget) == true
      if hasTime { end = clock.now() }
      guard hasTime, hasWorked else { break }
    }
    return end
  }

  private func presentFrame(_ plan: FramePlan, _ record: inout FrameRecord) {
    if plan.presentNotBefore > clock.now() {
      waitReadingInput(until: plan.presentNotBefore)
      record.wakeLateness = plan.wakeLateness(at: clock.now())
    }
    let start = clock.now()
    record.presentStart = start
    if !isOccluded { display.present() }
    stampPhase(.present, in: &record)
    if !isOccluded { recordPresent(from: start, to: record.phaseEnds[FramePhase.present.rawValue], plan) }
  }
}

// MARK: - Pacing

/// Measurement of presenting in the first frames, and its monitoring afterward.
extension CommitLoop {
  /// Records a present.
  func recordPresent(from start: FrameInstant, to end: FrameInstant, _ plan: FramePlan) {
    if isMeasuringPacing {
      if plan.isFirstAfterIdle { presentProbe = PresentProbe(interval: pacer.interval) }
      presentProbe.observePresent(start: start, end: end)
      return finishPacingMeasurement()
    }
    occlusion.endTrial(at: end, isHeldBack: VsyncMonitor.isHeldBack(end - start, pacer.interval))
    guard let finding = pacer.observePresent(from: start, to: end) else { return }
    switch finding {
    case .unpaced:
      pacing.kind = .timer
      pacing.hasStoppedWaiting = true
      pacing.reason = "presents no longer wait for a refresh"
      applyPacing()
    case .interval(let interval):
      pacing.interval = interval
      pacing.reason = "presenting waits at another rate than the display reported"
      applyPacing()
    case .occluded: occlusion.suspendPresenting(at: end)
    }
  }

  /// Measures presenting again after the window was shown or moved to another display.
  func restartPacingMeasurement() {
    guard pacing.canMeasureAgain else { return }
    pacing.beginMeasuring()
    presentProbe = PresentProbe(interval: pacing.interval)
    applyPacing()
  }

  private func finishPacingMeasurement() {
    guard presentProbe.finding != .undecided else { return }
    pacing.finishMeasuring(with: presentProbe)
    applyPacing()
  }

  private func applyPacing() {
    clock.setKind(pacing.kind)
    pacer.reconfigure(kind: pacing.kind, interval: pacing.interval)
  }
}

// MARK: - Digest

/// A running digest of the drawing of every frame.
///
/// Images contribute their pixels instead of texture numbers, so equal runs have equal digests on any machine.
public struct FrameDigest {
  private var digest = ContentDigest()

  init() {}

  /// The digest of all frames so far, as 16 hexadecimal digits.
  public var text: String {
    let digits = String(digest.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func combine(_ list: DisplayList, in textures: TextureCache) {
    digest.combine(UInt64(list.count))
    for command in list.commands {
      digest.combine(
        UInt64(command.color.packed) | (command.isBlended ? 1 << 40 : 0) | (command.showsPixels ? 1 << 41 : 0)
          | FrameDigest.code(command.kind))
      digest.combine(FrameDigest.words(command.destination).0)
      digest.combine(FrameDigest.words(command.destination).1)
      guard command.kind == .texture else { continue }
      digest.combine(FrameDigest.words(command.source).0)
      digest.combine(FrameDigest.words(command.source).1)
      digest.combine(textures.contentDigest(of: command.texture))
    }
  }

  private static func code(_ kind: DrawCommand.Kind) -> UInt64 { UInt64(kind.rawValue) << 48 }

  private static func words(_ rect: PixelRect) -> (UInt64, UInt64) {
    (
      UInt64(UInt32(bitPattern: rect.x)) | UInt64(UInt32(bitPattern: rect.y)) << 32,
      UInt64(UInt32(bitPattern: rect.width)) | UInt64(UInt32(bitPattern: rect.height)) << 32
    )
  }
}
