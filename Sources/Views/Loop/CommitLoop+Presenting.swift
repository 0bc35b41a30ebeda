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
    occlusion.endTrial(at: end, isHeldBack: end - start >= pacer.interval * 3)
    guard let finding = pacer.observePresent(from: start, to: end) else { return }
    switch finding {
    case .unpaced:
      pacing.kind = .timer
      pacing.reason = "presenting came to return at once, without waiting for a refresh"
      takePacing()
    case .interval(let interval):
      pacing.interval = interval
      let rate = (10 / interval.seconds).rounded() / 10
      pacing.reason = "presenting was seen to wait for \(rate) refreshes a second"
      takePacing()
    case .unseen: occlusion.hold(at: end)
    }
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
