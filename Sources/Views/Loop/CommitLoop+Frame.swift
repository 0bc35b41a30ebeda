import FramePacing
import Geometry
import Rendering

/// One frame, in the order of its phases.
extension CommitLoop {
  func runFrame() {
    let plan = pacer.beginFrame(at: clock.now())
    var record = FrameRecord()
    record.index = plan.index
    record.target = plan.target
    record.deadline = plan.deadline
    record.isFirstAfterIdle = plan.isFirstAfterIdle
    record.isOccluded = isOccluded || occlusion.isTrial
    let beginning = clock.workTimestamp()
    record.start = beginning.instant
    commitProbe?.commitWillBegin(frame: plan.index)
    if !plan.isFirstAfterIdle, let lastPresent {
      pacer.recordPreemptionBetweenFrames(lastPresent.idleTime(until: beginning))
    }
    if plan.stallDuration > .zero { window.participantChain?.didStall(for: plan.stallDuration) }

    processEvents()
    record.inputInstant = pendingInput.takeOldestUnanswered()
    var cast = CurrentParticipants()
    // Made once a frame, as it holds the clock; each phase has its own limit.
    var budget = FrameBudget(clock: clock, limit: plan.deadline, target: plan.target)
    cast.refresh(from: window)
    stampPhase(.events, in: &record)

    cast.chain?.update(at: plan.target)
    stampPhase(.update, in: &record)

    cast.refresh(from: window)
    budget.limit = plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 1_500, reserving: lastRasterDuration)
    cast.chain?.collect(budget)
    if !backgroundLines.isEmpty { backgroundLines.deliverLines(budget) }
    stampPhase(.collect, in: &record)

    root.layoutIfNeeded()
    cast.refresh(from: window)
    cast.chain?.layout()
    record.isTracked = cast.chain?.isTracked == true
    stampPhase(.layout, in: &record)

    cast.refresh(from: window)
    cast.chain?.commit(&record)
    // A frame that lacked cells shows much that is new, and is drawn for as long as any of late.
    let drawing = record.cellsForced > 0 ? max(lastRasterDuration, longestRasterDuration) : lastRasterDuration
    window.resources.deferredLines.beginFrame(
      clock, until: record.start + max(.zero, plan.deadline - drawing - record.start) * DeferredLineQueue.frameTimeShare
    )
    drawFrame()
    stampPhase(.commit, in: &record)

    // At rest nothing is held up by pictures that come at once: half of what is left goes to them.
    budget.limit =
      record.isTracked
      ? plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 500, reserving: lastRasterDuration)
      : plan.limit(from: clock.now(), share: 0.5, atMostMicroseconds: 8_000)
    uploadTextures(budget, &record)
    stampPhase(.upload, in: &record)

    if !isOccluded { display.draw(list, background: window.backgroundColor) }
    stampPhase(.raster, in: &record)
    lastRasterDuration = record.duration(of: .raster)
    longestRasterDuration = max(min(lastRasterDuration, pacer.interval), longestRasterDuration * 0.995)
    record.allocations = commitProbe?.commitDidEnd(frame: plan.index)
    record.commitPreempted = beginning.idleTime(until: clock.workTimestamp())
    let slackLimit = max(plan.deadline, clock.now())
    let late =
      resamplesInput && record.isTracked ? inputResampler.resamplingInstant(of: plan, in: pacer, at: clock.now()) : nil
    let slack = pacer.slackBudget(of: plan, at: clock.now(), isAtRest: !record.isTracked, earlierLimit: late)
    let slackBudget = FrameBudget(clock: clock, limit: late ?? plan.deadline, target: plan.target, slack: slack)
    let hasSlack = record.isTracked && slackBudget.remaining > .zero
    if !window.resources.deferredLines.isEmpty { paintDeferredLines(slackBudget, isAtRest: !record.isTracked) }
    let end = performSlackWork(slackBudget)
    if hasSlack, end > slackBudget.limit { slackOverruns += 1 }
    stampPhase(.slack, in: &record)
    record.preempted = beginning.idleTime(until: clock.workTimestamp())
    record.slackPreempted = record.preempted - record.commitPreempted

    if let late { resampleInput(plan, at: late, &record, &cast) }
    presentFrame(plan, &record)
    // A simulated line knows nothing that takes the thread's time but its work.
    lastPresent = clock.kind.isSimulated ? nil : clock.workTimestamp()
    if let contention { record.contention = contention.read() }
    pacer.endFrame(&record, slackLimit: slackLimit)
    history.append(record, interval: pacer.interval)
    idleTimer.recordFrame(at: record.shown)
    cast.refresh(from: window)
    cast.chain?.frameDidEnd(record)
    if record.isTracked { performDeferredStep(shown: record.shown) } else { performIdleWork() }
    if clock.kind.isSimulated { clock.wait(until: record.shown) }
  }

  /// One step that did not fit before presenting may hold the next frame up, as far as that frame can bear it.
  private func performDeferredStep(shown: FrameInstant) {
    guard pacer.canDeferSteps, !isOccluded, window.participantChain?.hasDeferredSteps == true, !hasPendingInput else {
      return
    }
    let budget = FrameBudget(clock: clock, limit: pacer.deferredStepLimit, target: pacer.nextTarget)
    let beginning = clock.workTimestamp()
    guard window.participantChain?.performDeferredStep(budget) == true else { return }
    let end = clock.workTimestamp()
    // On a simulated clock presenting waits for nobody: what is done before the refresh holds nothing up.
    pacer.recordDeferredStep(max(.zero, end.instant - shown), lost: beginning.preemptedTime(until: end))
  }

  /// Nothing moves: steps hold nothing up that anybody sees, until there is input or a picture, say, that is to be seen, and
  /// the loop counts as resting.
  private func performIdleWork() {
    guard !isOccluded else { return }
    let budget = FrameBudget(clock: clock, limit: .distantFuture, target: pacer.nextTarget)
    let arrivalsWaitUntil = clock.now() + SlackScheduler.arrivalTimeout
    var hasWorked = false
    while !hasPendingInput,
      clock.now() < arrivalsWaitUntil || window.participantChain?.hasArrivals(by: clock.now()) != true,
      window.participantChain?.performDeferredStep(budget) == true
    { hasWorked = true }
    if hasWorked { pacer.enterIdle() }
  }

  private func stampPhase(_ phase: FramePhase, in record: inout FrameRecord) {
    record.phaseEnds[phase.rawValue] = clock.now()
  }

  func drawFrame() {
    // What changes from here on asks for another frame.
    window.beginFrame()
    context.beginFrame()
    root.render(in: context)
    window.resources.deferredLines.endFrame()
    if clock.kind == .virtual { frameDigest.combine(list, in: window.resources.textures) }
  }

  private func uploadTextures(_ budget: FrameBudget, _ record: inout FrameRecord) {
    guard !window.resources.uploads.isEmpty else { return }
    let size = root.frame.size
    let done = window.resources.uploads.uploadWaiting(
      budget, center: Point(x: size.width / 2, y: size.height / 2),
      seen: record.isTracked ? Rect(origin: .zero, size: size) : nil)
    record.uploads = Int32(truncatingIfNeeded: done.count)
    record.uploadedBytes = Int64(done.bytes)
  }

  /// Paints lines that the frame had no time for; what is seen comes before what is not.
  private func paintDeferredLines(_ budget: FrameBudget, isAtRest: Bool) {
    var isFirst = true
    while !hasPendingInput, window.resources.deferredLines.paintNextLine(budget, isAtRest: isAtRest && isFirst) {
      isFirst = false
    }
  }

  /// Does steps of work ahead for as long as there is time.
  ///
  /// - Returns: the end of what was begun in time: of the last step, and of looking for one.
  private func performSlackWork(_ budget: FrameBudget) -> FrameInstant {
    var end = clock.now()
    while !hasPendingInput {
      let hasTime = end < budget.limit
      // Once more when the time is up: what does not fit may be done after presenting.
      let hasWorked = window.participantChain?.performSlackStep(budget) == true
      if hasTime { end = clock.now() }
      guard hasTime, hasWorked else { break }
    }
    return end
  }

  private func presentFrame(_ plan: FramePlan, _ record: inout FrameRecord) {
    if !pacer.kind.isSimulated, plan.presentNotBefore > clock.now() {
      waitReadingInput(until: plan.presentNotBefore)
      record.wakeLateness = clock.now() - plan.presentNotBefore
    }
    let start = clock.now()
    record.presentStart = start
    if !isOccluded { display.present() }
    stampPhase(.present, in: &record)
    if !isOccluded { recordPresent(from: start, to: record.phaseEnds[FramePhase.present.rawValue], plan) }
  }
}
