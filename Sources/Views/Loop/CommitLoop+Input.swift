import FramePacing
import Rendering

/// Input: read as it comes, given to the window when a frame begins, or once more just before the frame is shown.
extension CommitLoop {
  /// Whether there is input that the window was not given.
  var hasPendingInput: Bool { !pendingInput.isEmpty || events.hasPendingEvents }

  /// Gives the window what has come in.
  func processEvents() {
    pendingInput.pollEvents(events, clock)
    dispatchPendingInput()
  }

  private func dispatchPendingInput() {
    guard !pendingInput.isEmpty else { return }
    let count = pendingInput.events.count
    var (isResized, isMoved) = (false, false)
    for place in 0..<count where !pendingInput.isSuperseded(at: place) {
      let event = pendingInput.events[place]
      switch event.kind {
      case .resized: isResized = true
      case .displayChanged: (isResized, isMoved) = (true, true)
      case .texturesLost:
        window.resources.texturesWereLost()
        window.setNeedsFrame()
      case .hidden:
        occlusion.isHidden = true
        pendingInput.discardUnanswered()
      case .shown, .exposed:
        occlusion = Occlusion()
        if pacing.hasStoppedWaiting { restartPacingMeasurement() }
        window.setNeedsFrame()
      case .quit: hasQuit = true
      default:
        // Nobody acts on a window that is not seen.
        if event.kind.isUserAction, occlusion.nextTrial != nil { occlusion = Occlusion() }
      }
      let isUsed = window.participantChain?.intercept(event) == true || window.dispatch(event)
      guard isUsed, event.kind.isUserAction, needsFrame else { continue }
      pendingInput.recordAction(event)
      inputResampler.recordInput(at: event.time)
    }
    pendingInput.removeFirst(count)
    if isMoved { updateDisplayRate() }
    if isResized { updateDisplaySize() }
  }

  /// The display has another refresh, and no event tells so.
  public func displayRateDidChange() {
    updateDisplayRate()
    window.setNeedsFrame()
  }

  /// The window has another size, and no event tells so.
  public func displaySizeDidChange() {
    updateDisplaySize()
    window.setNeedsFrame()
  }

  private func updateDisplaySize() {
    let info = display.info
    if info.scale != lastScale { window.scaleDidChange() }
    lastScale = info.scale
    window.resize(to: info.size)
  }

  /// The window is on another display, which may have another refresh.
  private func updateDisplayRate() {
    let isOther = pacing.updateInterval(from: display.info)
    if isOther { pacer.reconfigure(kind: pacing.kind, interval: pacing.interval) }
    if isOther || pacing.hasStoppedWaiting { restartPacingMeasurement() }
  }

  // MARK: Waiting

  /// Waits for a moment, and reads input as it comes, as reading stamps it; the window is given it later.
  func waitReadingInput(until instant: FrameInstant) {
    // The system waits for input by whole milliseconds; the last one is slept to its end.
    var left = instant - clock.now()
    while left > .milliseconds(2) {
      let before = pendingInput.events.count
      events.wait(atMost: left - .milliseconds(1))
      pendingInput.pollEvents(events, clock)
      let next = instant - clock.now()
      // A source that does not wait, such as a script, leaves it to the clock.
      guard next < left || pendingInput.events.count > before else { break }
      left = next
    }
    clock.wait(until: instant)
  }

  // MARK: Late answers

  /// Takes in what came once the frame was drawn, and draws it once more where all that can do is to move content.
  ///
  /// Where anything else came, where content would need other cells, or where there is no time left, the frame that is
  /// drawn is shown; what was not given to the window is the next frame's.
  func resampleInput(
    _ plan: FramePlan, at instant: FrameInstant, _ record: inout FrameRecord, _ cast: inout CurrentParticipants
  ) {
    if clock.kind.isSimulated {
      // Without input the line stays where it is: there is time left for what comes after presenting.
      guard events.hasPendingEvents(by: instant) else { return }
      clock.wait(until: instant)
    } else {
      waitReadingInput(until: instant)
      record.wakeLateness = max(.zero, clock.now() - plan.presentNotBefore)
    }
    pendingInput.pollEvents(events, clock)
    let beginning = clock.workTimestamp()
    let cost = inputResampler.expectedCost(after: pacer.predictedCommitCost)
    cast.refresh(from: window)
    guard !pendingInput.isEmpty, pendingInput.containsOnlyMoves(isPanning: window.isPanningWithOneFinger),
      beginning.instant + cost <= plan.deadline,
      !isOccluded,
      cast.chain?.allowsInputResampling() != false
    else { return }
    record.isInputResampled = redrawWithPendingInput(plan, cast)
    if record.isInputResampled, let oldest = pendingInput.takeOldestUnanswered() {
      record.inputInstant = min(record.inputInstant ?? oldest, oldest)
    }
    let end = clock.workTimestamp()
    record.resamplingStart = beginning.instant
    record.resamplingEnd = end.instant
    let idle = beginning.idleTime(until: end)
    record.preempted += idle
    inputResampler.recordCost(record.resamplingDuration - idle)
  }

  /// Gives the window what came, and draws what it moved.
  ///
  /// - Returns: whether that could be drawn; else nothing was.
  private func redrawWithPendingInput(_ plan: FramePlan, _ cast: CurrentParticipants) -> Bool {
    var cast = cast
    dispatchPendingInput()
    cast.refresh(from: window)
    let isDrawable = cast.chain?.resampleInput(at: plan.target) != false
    if isDrawable {
      root.layoutIfNeeded()
      drawFrame()
      display.draw(list, background: window.backgroundColor)
    }
    // Drawing has answered who asked for a frame, but no phase before it ran: whatever is not shown now is shown next.
    window.setNeedsFrame()
    return isDrawable
  }
}
