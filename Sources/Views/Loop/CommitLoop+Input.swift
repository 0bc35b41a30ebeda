import VitrineFramePacing
import VitrineRendering

/// Input: polled continuously, and dispatched at the start of a frame or again just before the frame is shown.
extension CommitLoop {
  /// Whether there is input that has not been dispatched to the window.
  var hasPendingInput: Bool { !pendingInput.isEmpty || events.hasPendingEvents }

  /// Polls and dispatches input.
  func processEvents() {
    pendingInput.pollEvents(events, executor)
    dispatchPendingInput()
  }

  private func dispatchPendingInput() {
    guard !pendingInput.isEmpty else { return }
    let count = pendingInput.events.count
    var (isResized, isMoved) = (false, false)
    for index in 0..<count where !pendingInput.isSuperseded(at: index) {
      let event = pendingInput.events[index]
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
        // User input proves that the window is visible.
        if event.kind.isUserAction, occlusion.nextTrial != nil { occlusion = Occlusion() }
      }
      let isHandled = window.participantChain?.intercept(event) == true || window.dispatch(event)
      guard isHandled, event.kind.isUserAction, needsFrame else { continue }
      pendingInput.recordAction(event)
      inputResampler.recordInput(at: event.time)
    }
    pendingInput.removeFirst(count)
    if isMoved { updateDisplayRate() }
    if isResized { updateDisplaySize() }
  }

  /// Adopts another refresh rate that no event reported.
  public func displayRateDidChange() {
    updateDisplayRate()
    window.setNeedsFrame()
  }

  /// Adopts another window size that no event reported.
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

  /// Adopts the refresh rate of another display.
  private func updateDisplayRate() {
    let hasChanged = pacing.updateInterval(from: display.info)
    if hasChanged { pacer.reconfigure(kind: pacing.kind, interval: pacing.interval) }
    if hasChanged || pacing.hasStoppedWaiting { restartPacingMeasurement() }
  }

  // MARK: - Waiting

  /// Waits until an instant while polling input, because polling timestamps it; the input is dispatched later.
  func waitReadingInput(until instant: FrameInstant) {
    // The system waits in whole milliseconds; the last one is slept on the clock.
    var remaining = instant - clock.now()
    while remaining > .milliseconds(2) {
      let before = pendingInput.events.count
      events.wait(atMost: remaining - .milliseconds(1))
      pendingInput.pollEvents(events, executor)
      let next = instant - clock.now()
      // A source that does not wait, such as a script, leaves the wait to the clock.
      guard next < remaining || pendingInput.events.count > before else { break }
      remaining = next
    }
    clock.wait(until: instant)
  }

  // MARK: - Late input

  /// Processes input that arrived after drawing, and redraws the frame if the input can only move content.
  ///
  /// The frame is shown as drawn if there is other input, if content would need other cells, or if no time is left;
  /// input that was not dispatched belongs to the next frame.
  func resampleInput(
    _ plan: FramePlan, at instant: FrameInstant, _ record: inout FrameRecord, _ participants: inout CurrentParticipants
  ) {
    guard
      executor.waitForLateInput(
        until: instant, isScheduled: { events.hasPendingEvents(by: instant) },
        waitReading: { waitReadingInput(until: instant) })
    else { return }
    record.wakeLateness = plan.wakeLateness(at: clock.now())
    pendingInput.pollEvents(events, executor)
    let start = clock.workTimestamp()
    let cost = inputResampler.expectedCost(after: pacer.predictedCommitCost)
    participants.refresh(from: window)
    guard !pendingInput.isEmpty, pendingInput.containsOnlyMoves(isPanning: window.isPanningWithOneFinger),
      start.instant + cost <= plan.deadline,
      !isOccluded,
      participants.chain?.allowsInputResampling() != false
    else { return }
    record.isInputResampled = redrawWithPendingInput(plan, participants)
    if record.isInputResampled, let oldest = pendingInput.takeOldestUnanswered() {
      record.inputInstant = min(record.inputInstant ?? oldest, oldest)
    }
    let end = clock.workTimestamp()
    record.resamplingStart = start.instant
    record.resamplingEnd = end.instant
    let idle = start.idleTime(until: end)
    record.preempted += idle
    inputResampler.recordCost(record.resamplingDuration - idle)
  }

  /// Dispatches pending input, and redraws what it moved.
  ///
  /// - Returns: Whether the frame could be redrawn; if not, nothing was drawn.
  private func redrawWithPendingInput(_ plan: FramePlan, _ participants: CurrentParticipants) -> Bool {
    var participants = participants
    dispatchPendingInput()
    participants.refresh(from: window)
    let isDrawable = participants.chain?.resampleInput(at: plan.target) != false
    if isDrawable {
      root.layoutIfNeeded()
      drawFrame()
      display.draw(list, background: window.backgroundColor)
    }
    // Drawing has reset frame requests, but no earlier phase ran, so whatever is not shown now must be shown next.
    window.setNeedsFrame()
    return isDrawable
  }
}

// MARK: - Pending input

/// The input that was polled but not dispatched, and the time of the oldest action that no frame has answered.
struct PendingInput {
  /// The events, in order.
  private(set) var events: [InputEvent] = []
  /// The time at which the oldest unanswered action was read.
  private(set) var oldestUnanswered: FrameInstant?

  init() { events.reserveCapacity(64) }

  /// Whether there is no input.
  var isEmpty: Bool { events.isEmpty }

  /// Returns whether all pending input can only move content.
  ///
  /// - Parameter isPanning: Whether a single finger is already panning.
  func containsOnlyMoves(isPanning: Bool) -> Bool {
    events.allSatisfy { $0.kind.canOnlyMoveContent(isPanning: isPanning) }
  }

  /// Polls new events.
  ///
  /// - Parameters:
  ///   - source: The source of the events.
  ///   - executor: The loop's executor, which determines their times.
  mutating func pollEvents(_ source: any EventSource, _ executor: any LoopExecutor) {
    let first = events.count
    source.poll(into: &events)
    for index in first..<events.count { events[index].time = executor.time(ofEventAt: events[index].time) }
  }

  /// Returns whether an event is superseded by a later pointer movement.
  func isSuperseded(at index: Int) -> Bool {
    guard case .pointerMoved = events[index].kind, index + 1 < events.count,
      case .pointerMoved = events[index + 1].kind
    else { return false }
    return true
  }

  /// Removes events that were dispatched.
  mutating func removeFirst(_ count: Int) { events.removeFirst(count) }

  /// Records a user action that was handled and that a frame will answer.
  mutating func recordAction(_ event: InputEvent) { if oldestUnanswered == nil { oldestUnanswered = event.time } }

  /// Discards unanswered actions when the window becomes invisible.
  mutating func discardUnanswered() { oldestUnanswered = nil }

  /// Returns the time of the oldest unanswered action and resets it.
  mutating func takeOldestUnanswered() -> FrameInstant? {
    defer { oldestUnanswered = nil }
    return oldestUnanswered
  }
}

extension InputEvent.Kind {
  /// Whether the event is a user action that expects a response; pointer movements do not count.
  var isUserAction: Bool {
    switch self {
    case .wheel, .keyDown, .text, .pointerDown, .pointerUp, .touch: true
    default: false
    }
  }

  /// Returns whether the event can only move content or what lies under the pointer.
  ///
  /// - Parameter isPanning: Whether a single finger is already panning; otherwise its movement may start a pan.
  func canOnlyMoveContent(isPanning: Bool) -> Bool {
    switch self {
    case .pointerMoved: true
    case .wheel(let wheel): wheel.deltaX == 0 && wheel.modifiers.isEmpty
    case .touch(let touch): isPanning && touch.phase == .moved
    default: false
    }
  }

  /// Whether the event is user input; false for events that only cancel interactions.
  var isUserInput: Bool {
    switch self {
    case .hidden, .cancelled: false
    default: true
    }
  }
}
