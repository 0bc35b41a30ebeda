import FramePacing
import Rendering

/// Input: read as it comes, given to the window when a frame begins, or once more just before the frame is shown.
extension CommitLoop {
  /// Whether there is input that the window was not given.
  var hasInput: Bool { !inbox.isEmpty || events.hasPendingEvents }

  /// Gives the window what has come in.
  func takeEvents() {
    inbox.poll(events, clock)
    dispatch()
  }

  private func dispatch() {
    guard !inbox.isEmpty else { return }
    let count = inbox.events.count
    var (isResized, isMoved) = (false, false)
    for place in 0..<count where !inbox.isOutdated(place) {
      let event = inbox.events[place]
      switch event.kind {
      case .resized: isResized = true
      case .displayChanged: (isResized, isMoved) = (true, true)
      case .texturesLost:
        window.resources.texturesWereLost()
        window.setNeedsFrame()
      case .hidden:
        occlusion.isHidden = true
        inbox.forgetActs()
      case .shown, .exposed:
        occlusion = Occlusion()
        if pacing.hasCeasedWaiting { measurePacingAgain() }
        window.setNeedsFrame()
      case .quit: hasQuit = true
      default:
        // Nobody acts on a window that is not seen.
        if event.kind.isAct, occlusion.nextTrial != nil { occlusion = Occlusion() }
      }
      let isUsed = window.cast?.intercept(event) == true || window.dispatch(event)
      guard isUsed, event.kind.isAct, wantsFrame else { continue }
      inbox.note(act: event)
      lateAnswer.note(actAt: event.time)
    }
    inbox.drop(count)
    if isMoved { takeDisplayRate() }
    if isResized { takeDisplaySize() }
  }

  /// The display has another refresh, and no event tells so.
  public func displayRateDidChange() {
    takeDisplayRate()
    window.setNeedsFrame()
  }

  /// The window has another size, and no event tells so.
  public func displaySizeDidChange() {
    takeDisplaySize()
    window.setNeedsFrame()
  }

  private func takeDisplaySize() {
    let info = display.info
    if info.scale != lastScale { window.scaleChanged() }
    lastScale = info.scale
    window.resize(to: info.size)
  }

  /// The window is on another display, which may have another refresh.
  private func takeDisplayRate() {
    let isOther = pacing.follow(display.info)
    if isOther { pacer.change(kind: pacing.kind, interval: pacing.interval) }
    if isOther || pacing.hasCeasedWaiting { measurePacingAgain() }
  }

  // MARK: Waiting

  /// Waits for a moment, and reads input as it comes, as reading stamps it; the window is given it later.
  func wait(until instant: FrameInstant) {
    // The system waits for input by whole milliseconds; the last one is slept to its end.
    var left = instant - clock.now()
    while left > .milliseconds(2) {
      let before = inbox.events.count
      events.wait(atMost: left - .milliseconds(1))
      inbox.poll(events, clock)
      let next = instant - clock.now()
      // A source that does not wait, such as a script, leaves it to the clock.
      guard next < left || inbox.events.count > before else { break }
      left = next
    }
    clock.wait(until: instant)
  }

  // MARK: Late answers

  /// Takes in what came once the frame was drawn, and draws it once more where all that can do is to move content.
  ///
  /// Where anything else came, where content would need other cells, or where there is no time left, the frame that is
  /// drawn is shown; what was not given to the window is the next frame's.
  func answer(_ plan: FramePlan, at instant: FrameInstant, _ record: inout FrameRecord, _ cast: inout CurrentCast) {
    if clock.kind.isSimulated {
      // Without input the line stays where it is: there is time left for what comes after presenting.
      guard events.hasPendingEvents(by: instant) else { return }
      clock.wait(until: instant)
    } else {
      wait(until: instant)
      record.wakeLateness = max(.zero, clock.now() - plan.presentNotBefore)
    }
    inbox.poll(events, clock)
    let beginning = clock.mark()
    let cost = lateAnswer.expectedCost(after: pacer.predictedCommitCost)
    cast.beginPhase(of: window)
    guard !inbox.isEmpty, inbox.holdsMovesOnly(isPanning: window.isPanning), beginning.instant + cost <= plan.deadline,
      !isOccluded,
      cast.everybody?.willAnswerLate() != false
    else { return }
    record.isAnsweredLate = answer(plan, cast)
    if record.isAnsweredLate, let oldest = inbox.takeUnanswered() {
      record.input = min(record.input ?? oldest, oldest)
    }
    let end = clock.mark()
    record.lateAnswerStart = beginning.instant
    record.lateAnswerEnd = end.instant
    let idle = beginning.idle(until: end)
    record.preempted += idle
    lateAnswer.note(cost: record.lateAnswer - idle)
  }

  /// Gives the window what came, and draws what it moved.
  ///
  /// - Returns: whether that could be drawn; else nothing was.
  private func answer(_ plan: FramePlan, _ cast: CurrentCast) -> Bool {
    var cast = cast
    dispatch()
    cast.beginPhase(of: window)
    let isDrawable = cast.everybody?.answerLate(at: plan.target) != false
    if isDrawable {
      root.layoutIfNeeded()
      draw()
      display.draw(list, background: window.backgroundColor)
    }
    // Drawing has answered who asked for a frame, but no phase before it ran: whatever is not shown now is shown next.
    window.setNeedsFrame()
    return isDrawable
  }
}
