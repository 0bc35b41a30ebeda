import FramePacing

/// What presenting turns out to do: measured with the first frames, and watched for as long as the loop runs.
extension CommitLoop {
  /// Takes in one present.
  func watchPresent(from start: FrameInstant, to end: FrameInstant, _ plan: FramePlan) {
    if isMeasuring {
      if plan.isFirstAfterRest { probe = PresentProbe(interval: pacer.interval) }
      probe.observe(start: start, end: end)
      return settlePacing()
    }
    occlusion.endTrial(at: end, isHeldBack: VsyncWatch.isHeldBack(end - start, pacer.interval))
    guard let finding = pacer.observePresent(from: start, to: end) else { return }
    switch finding {
    case .unpaced:
      pacing.kind = .timer
      pacing.hasCeasedWaiting = true
      pacing.reason = "presenting came to return at once, without waiting for a refresh"
      takePacing()
    case .interval(let interval):
      pacing.interval = interval
      pacing.reason = "presenting came to wait at another rate than the display told"
      takePacing()
    case .unseen: occlusion.hold(at: end)
    }
  }

  /// The window is seen again, or by another display: what presenting does there is measured anew.
  func measurePacingAgain() {
    guard pacing.measuresAgain else { return }
    pacing.beginMeasuring()
    probe = PresentProbe(interval: pacing.interval)
    takePacing()
  }

  private func settlePacing() {
    guard probe.finding != .undecided else { return }
    pacing.settle(by: probe)
    takePacing()
  }

  private func takePacing() {
    clock.settle(as: pacing.kind)
    pacer.change(kind: pacing.kind, interval: pacing.interval)
  }
}
