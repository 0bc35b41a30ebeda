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
    record.isFirstAfterRest = plan.isFirstAfterRest
    record.isOccluded = isOccluded || occlusion.isTrial
    let beginning = clock.mark()
    record.start = beginning.instant
    commitProbe?.commitWillBegin(frame: plan.index)
    if !plan.isFirstAfterRest, let presented { pacer.noteLostBetweenFrames(presented.idle(until: beginning)) }
    if plan.lapse > .zero { window.cast?.timeDidLapse(plan.lapse) }

    takeEvents()
    record.input = inbox.takeUnanswered()
    var cast = CurrentCast()
    // Made once a frame, as it holds the clock; each phase has its own limit.
    var budget = FrameBudget(clock: clock, limit: plan.deadline, target: plan.target)
    cast.beginPhase(of: window)
    stamp(.events, in: &record)

    cast.everybody?.update(at: plan.target)
    stamp(.update, in: &record)

    cast.beginPhase(of: window)
    budget.limit = plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 1_500, reserving: lastRaster)
    cast.everybody?.collect(budget)
    if !backgroundLines.isEmpty { backgroundLines.collect(budget) }
    stamp(.collect, in: &record)

    root.layoutIfNeeded()
    cast.beginPhase(of: window)
    cast.everybody?.layout()
    record.isTracked = cast.everybody?.isTracked == true
    stamp(.layout, in: &record)

    cast.beginPhase(of: window)
    cast.everybody?.commit(&record)
    // A frame that lacked cells shows much that is new, and is drawn for as long as any of late.
    let drawing = record.cellsForced > 0 ? max(lastRaster, longestRaster) : lastRaster
    window.resources.lateLines.begin(
      clock, until: record.start + max(.zero, plan.deadline - drawing - record.start) * LineQueue.share)
    draw()
    stamp(.commit, in: &record)

    // At rest nothing is held up by pictures that come at once: half of what is left goes to them.
    budget.limit =
      record.isTracked
      ? plan.limit(from: clock.now(), share: 0.25, atMostMicroseconds: 500, reserving: lastRaster)
      : plan.limit(from: clock.now(), share: 0.5, atMostMicroseconds: 8_000)
    upload(budget, &record)
    stamp(.upload, in: &record)

    if !isOccluded { display.draw(list, background: window.backgroundColor) }
    stamp(.raster, in: &record)
    lastRaster = record.duration(of: .raster)
    longestRaster = max(min(lastRaster, pacer.interval), longestRaster * 0.995)
    record.allocations = commitProbe?.commitDidEnd(frame: plan.index)
    record.commitPreempted = beginning.idle(until: clock.mark())
    let slackLimit = max(plan.deadline, clock.now())
    let late = answersLate && record.isTracked ? lateAnswer.instant(of: plan, in: pacer, at: clock.now()) : nil
    let slack = pacer.slackFrame(of: plan, at: clock.now(), isAtRest: !record.isTracked, earlierLimit: late)
    let slackBudget = FrameBudget(clock: clock, limit: late ?? plan.deadline, target: plan.target, slack: slack)
    let hasSlack = record.isTracked && slackBudget.remaining > .zero
    if !window.resources.lateLines.isEmpty { paintLateLines(slackBudget, isAtRest: !record.isTracked) }
    let end = workAhead(slackBudget)
    if hasSlack, end > slackBudget.limit { slackOverruns += 1 }
    stamp(.slack, in: &record)
    record.preempted = beginning.idle(until: clock.mark())
    record.slackPreempted = record.preempted - record.commitPreempted

    if let late { answer(plan, at: late, &record, &cast) }
    present(plan, &record)
    // A simulated line knows nothing that takes the thread's time but its work.
    presented = clock.kind.isSimulated ? nil : clock.mark()
    if let contention { record.contention = contention.read() }
    pacer.endFrame(&record, slackLimit: slackLimit)
    history.append(record, interval: pacer.interval)
    restWatch.noteFrame(at: record.shown)
    cast.beginPhase(of: window)
    cast.everybody?.frameDidEnd(record)
    if record.isTracked { carryOver(shown: record.shown) } else { workAtRest() }
    if clock.kind.isSimulated { clock.wait(until: record.shown) }
  }

  /// One step that did not fit before presenting may hold the next frame up, as far as that frame can bear it.
  private func carryOver(shown: FrameInstant) {
    guard pacer.canCarryOver, !isOccluded, window.cast?.mayCarryOver == true, !hasInput else { return }
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
    while !hasInput,
      clock.now() < arrivalsWaitUntil || window.cast?.hasArrivals(by: clock.now()) != true,
      window.cast?.carryOverStep(budget) == true
    { hasWorked = true }
    if hasWorked { pacer.rest() }
  }

  private func stamp(_ phase: FramePhase, in record: inout FrameRecord) {
    record.phaseEnds[phase.rawValue] = clock.now()
  }

  func draw() {
    // What changes from here on asks for another frame.
    window.beginFrame()
    context.begin()
    root.render(in: context)
    window.resources.lateLines.end()
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

  /// Paints lines that the frame had no time for; what is seen comes before what is not.
  private func paintLateLines(_ budget: FrameBudget, isAtRest: Bool) {
    var isFirst = true
    while !hasInput, window.resources.lateLines.paintNext(budget, isAtRest: isAtRest && isFirst) { isFirst = false }
  }

  /// Does steps of work ahead for as long as there is time.
  ///
  /// - Returns: the end of what was begun in time: of the last step, and of looking for one.
  private func workAhead(_ budget: FrameBudget) -> FrameInstant {
    var end = clock.now()
    while !hasInput {
      let hasTime = end < budget.limit
      // Once more when the time is up: what does not fit may be done after presenting.
      let hasWorked = window.cast?.slackStep(budget) == true
      if hasTime { end = clock.now() }
      guard hasTime, hasWorked else { break }
    }
    return end
  }

  private func present(_ plan: FramePlan, _ record: inout FrameRecord) {
    if !pacer.kind.isSimulated, plan.presentNotBefore > clock.now() {
      wait(until: plan.presentNotBefore)
      record.wakeLateness = clock.now() - plan.presentNotBefore
    }
    let start = clock.now()
    record.presentStart = start
    if !isOccluded { display.present() }
    stamp(.present, in: &record)
    if !isOccluded { watchPresent(from: start, to: record.phaseEnds[FramePhase.present.rawValue], plan) }
  }
}
