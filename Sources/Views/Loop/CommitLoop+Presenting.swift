import FramePacing

/// What presenting turns out to do: measured with the first frames, and watched for as long as the loop runs.
extension CommitLoop {
  /// Takes in one present.
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
      pacing.reason = "presenting came to return at once, without waiting for a refresh"
      applyPacing()
    case .interval(let interval):
      pacing.interval = interval
      pacing.reason = "presenting came to wait at another rate than the display told"
      applyPacing()
    case .occluded: occlusion.suspendPresenting(at: end)
    }
  }

  /// The window is seen again, or by another display: what presenting does there is measured anew.
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
