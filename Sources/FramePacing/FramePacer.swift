/// Decides when frames are due, by when their commit must end, and how late they were: a pure machine.
///
/// V(k) is the first point of the refresh grid after V(k-1) and, after a late frame, after S(k-1). S(k) is
/// max(V(k), end of present), on the vsync clock the refresh that shows it, on a simulated clock the end of slack before
/// presenting and the cost of presenting. A hitch is what S(k) exceeds V(k) by.
public struct FramePacer: Sendable {
  /// How the loop is paced; measuring what presenting does may change it.
  public private(set) var kind: ClockKind
  /// The time from one refresh to the next.
  public private(set) var interval: FrameDuration
  /// Frames begun.
  public private(set) var frameCount = 0

  private var gridOrigin: FrameInstant = .zero
  private var lastTarget: FrameInstant = .distantPast
  private var lastShown: FrameInstant = .distantPast
  private var isIdle = true
  /// Whether the grid stands where refreshes were seen.
  private var isInPhase = false
  private var vsyncMonitor = VsyncMonitor()
  /// The interval at which presents were seen to wait.
  private var observedInterval: FrameDuration?
  /// Why the last frame was late.
  private var lastClass = HitchClass.none
  /// What of the last frame, and of what came behind it, was our own work.
  private var lastWork = FrameDuration.zero
  private var refreshChanged = false
  private var presentCosts = SampleWindow()
  private var wakeLatenesses = SampleWindow()
  /// Commits of the last frames, without what was prepared in them for want of a waiting cell, and without what others
  /// ran in: how busy the machine is says nothing of the next frame, and too much would be left undone for it.
  private var commitCosts = SampleWindow()
  private var deferredStepDelay = FrameDuration.zero
  private var deferredPreemption = FrameDuration.zero

  /// Makes a pacer.
  public init(kind: ClockKind, interval: FrameDuration) {
    self.kind = kind
    self.interval = FrameDuration(nanoseconds: max(interval.nanoseconds, 1_000_000))
  }

  /// The loop is about to block: the next frame is the first after rest.
  public mutating func enterIdle() {
    isIdle = true
    // Displays and our clock drift apart.
    isInPhase = false
    vsyncMonitor.reset()
  }

  /// The display has another refresh, or presenting was measured to be something else.
  public mutating func reconfigure(kind: ClockKind, interval: FrameDuration) {
    guard kind != self.kind || interval != self.interval else { return }
    self.kind = kind
    self.interval = FrameDuration(nanoseconds: max(interval.nanoseconds, 1_000_000))
    gridOrigin = lastTarget == .distantPast ? gridOrigin : lastTarget
    presentCosts = SampleWindow()
    refreshChanged = true
    isInPhase = false
    vsyncMonitor.reset()
  }

  /// The cost of presenting that a deadline leaves room for.
  public var predictedPresentCost: FrameDuration {
    // On a machine that others use up, presenting may be measured to take longer than a refresh; a deadline before the
    // frame's beginning would help nobody.
    kind == .vsync ? .zero : min(presentCosts.largest(excluding: 3), interval * 0.5)
  }

  /// What a deadline leaves for the system's unpunctuality.
  ///
  /// Three times the lateness of wake-ups, within 0.3 ms and a tenth of the interval, and no less than the time by which the
  /// loop is woken before presenting. Zero on the virtual clock, on which equal work takes equal time; on the cpu clock, where
  /// presenting takes more once in a while, the least.
  public var margin: FrameDuration {
    guard kind != .virtual else { return .zero }
    let wanted = wakeLatenesses.largest(excluding: 6) * 3
    let usual = FrameDuration(nanoseconds: max(300_000, min(wanted.nanoseconds, interval.nanoseconds / 10)))
    // Whatever is done before presenting ends before the loop is to be woken for it.
    return max(usual, wakeAllowance)
  }

  /// What of a limit is kept at most for steps of work ahead that take longer than expected.
  ///
  /// A sixteenth of the interval; zero on the virtual clock, on which a step takes what was declared for it.
  private var longestReserve: FrameDuration { kind == .virtual ? .zero : interval * 0.0625 }

  /// What the next commit is expected to cost if every cell that enters was prepared ahead.
  public var predictedCommitCost: FrameDuration { commitCosts.largest(excluding: 3) }

  /// What a commit takes at least, by the last ones.
  public var leastCommitCost: FrameDuration { commitCosts.smallest(excluding: 3) }

  /// What work ahead has to keep to in the frame that was begun; whoever has such work says what the next commit needs.
  ///
  /// - Parameters:
  ///   - plan: the frame.
  ///   - now: the end of its commit: a frame that is late already puts off the next one's deadline.
  ///   - isAtRest: whether nothing moves.
  ///   - earlierLimit: by when steps must end that are taken before presenting, where that is not the deadline.
  public func slackBudget(
    of plan: FramePlan, at now: FrameInstant, isAtRest: Bool = false, earlierLimit: FrameInstant? = nil
  ) -> SlackBudget {
    let shown = max(plan.target, now + predictedPresentCost)
    let next = target(after: shown)
    return SlackBudget(
      index: plan.index, deadline: plan.deadline, earlierLimit: earlierLimit,
      presentedBy: kind.isSimulated ? .distantPast : shown,
      nextTarget: next, nextDeadline: deadline(of: next), nextCommit: predictedCommitCost,
      leastCommit: leastCommitCost, longestReserve: longestReserve, isPresentBlocking: !canDeferSteps,
      isNextCommitShort: true, isAtRest: isAtRest)
  }

  /// The refresh at which the next frame is due: the first one after the last frame was shown.
  public var nextTarget: FrameInstant { target(after: max(lastTarget, lastShown)) }

  /// The moment by which a step of work ahead must end that is taken after a frame was presented: the next frame's
  /// deadline less what its commit is expected to cost.
  ///
  /// Meaningless where presenting waits for the refresh: the time is gone by then.
  public var deferredStepLimit: FrameInstant { deadline(of: nextTarget) - predictedCommitCost }

  private func deadline(of target: FrameInstant) -> FrameInstant { target - predictedPresentCost - margin }

  /// Whether a frame that was presented leaves the thread to work on: not where presenting waits for the refresh.
  public var canDeferSteps: Bool { kind != .vsync }

  /// A step of work ahead was taken after the last frame was presented.
  ///
  /// - Parameters:
  ///   - duration: for how long it held the next frame up.
  ///   - lost: for how long others ran meanwhile.
  public mutating func recordDeferredStep(_ duration: FrameDuration, lost: FrameDuration = .zero) {
    deferredStepDelay += duration
    deferredPreemption += lost
    lastWork += max(.zero, duration - lost)
  }

  /// Others ran for so long since the last frame was presented, what was noted of it by ``noteCarriedOver(_:lost:)`` included.
  public mutating func recordPreemptionBetweenFrames(_ lost: FrameDuration) {
    deferredPreemption = max(deferredPreemption, lost)
  }

  /// Begins a frame.
  public mutating func beginFrame(at now: FrameInstant) -> FramePlan {
    let isFirst = isIdle
    let before = lastTarget
    if isFirst {
      // A grid of our own has no phase of its own: it starts with the frame, so that input is answered at once.
      if kind == .timer { gridOrigin = now }
      lastTarget = max(lastTarget, gridPoint(atOrBefore: now))
      isIdle = false
    }
    let floor = max(lastTarget, min(lastShown, now))
    let target = target(after: floor)
    lastTarget = target
    let index = frameCount
    frameCount += 1
    return FramePlan(
      index: index, target: target, deadline: deadline(of: target),
      presentNotBefore: presentNotBefore(target, at: now), isFirstAfterIdle: isFirst,
      stallDuration: isFirst ? .zero : stallDuration(before: target, since: before))
  }

  /// How many refreshes frames may run ahead of those that are to show them, where nothing seems to wait for these: more
  /// than any queue is deep, and far enough for refreshes of 7 ms to be seen where 16 ms are believed.
  private static let maximumLead = VsyncMonitor.maximumQueueDepth + 2

  /// When presenting may begin: whatever presenting does, frames are not made for instants that are far off.
  private func presentNotBefore(_ target: FrameInstant, at now: FrameInstant) -> FrameInstant {
    guard kind == .vsync else { return target - predictedPresentCost - wakeAllowance }
    let earliest = target - interval * FramePacer.maximumLead
    return earliest > now ? earliest : .distantPast
  }

  /// The shortest time without work that counts as a lapse, and is no shorter than six refreshes.
  public static let minimumStall = FrameDuration.milliseconds(100)

  /// What of the time between two refreshes at which frames were due is neither theirs nor our work.
  private func stallDuration(before target: FrameInstant, since last: FrameInstant) -> FrameDuration {
    guard last != .distantPast else { return .zero }
    let lost = target - last - interval - lastWork
    guard lost >= max(FramePacer.minimumStall, interval * 6) else { return .zero }
    return interval * (lost.seconds / interval.seconds).rounded(.down)
  }

  /// Ends a frame: fills in when it was shown, how late that was and why.
  ///
  /// The record must hold its plan's target and deadline and the ends of all phases.
  public mutating func endFrame(_ record: inout FrameRecord, slackLimit: FrameInstant) {
    let committed = max(record.phaseEnds[FramePhase.raster.rawValue], record.resamplingEnd)
    let presentEnd = record.phaseEnds[FramePhase.present.rawValue]
    let presentCost = record.duration(of: .present)
    let worked = record.phaseEnds[FramePhase.slack.rawValue] - record.start
    lastWork = max(.zero, worked + record.resamplingDuration - record.preempted)
    record.deferredStepDelay = record.isFirstAfterIdle ? .zero : deferredStepDelay
    record.preempted += record.isFirstAfterIdle ? .zero : deferredPreemption
    (deferredStepDelay, deferredPreemption) = (.zero, .zero)
    record.shown = shownInstant(of: record, committed: committed, presentEnd: presentEnd, presentCost: presentCost)
    let isCounted = record.isTracked && !record.isFirstAfterIdle && !record.isOccluded
    record.hitch = isCounted ? max(.zero, record.shown - record.target) : .zero
    if record.hitch > .zero { classify(&record, slackLimit) }
    lastClass = record.hitchClass
    refreshChanged = false
    lastShown = record.shown
    // At rest uploads take what is left: no sign of what a frame costs that moves.
    let uploading = record.isTracked ? .zero : record.duration(of: .upload)
    commitCosts.append(max(.zero, record.commit - record.forcedDuration - record.commitPreempted - uploading))
    if kind != .vsync {
      presentCosts.append(presentCost)
      wakeLatenesses.append(max(.zero, record.wakeLateness))
    }
  }

  /// Finds the class of a late frame; where it had no chance as the frame before it was late, that one's.
  private func classify(_ record: inout FrameRecord, _ slackLimit: FrameInstant) {
    record.hitchClass = HitchClassifier.classify(
      record, slackLimit: slackLimit, interval: interval, refreshChanged: refreshChanged)
    guard lastClass != .none, record.hitchClass == .commitLate || record.hitchClass == .presentLate else { return }
    let own = record.commit - record.commitPreempted
    record.inheritsLateness = record.deadline - record.start < own && own.nanoseconds * 2 <= interval.nanoseconds
    if record.inheritsLateness { record.hitchClass = lastClass }
  }

  /// How long before its moment the loop asks to be woken for presenting.
  ///
  /// 0.2 ms, and more where the system has woken it later than that of late, up to 0.15 intervals; zero on a simulated clock,
  /// which is never late.
  private var wakeAllowance: FrameDuration {
    guard !kind.isSimulated else { return .zero }
    let usual = FrameDuration(nanoseconds: 200_000)
    return max(usual, min(wakeLatenesses.largest(excluding: 2) + usual, interval * 0.15))
  }

  private func shownInstant(
    of record: FrameRecord, committed: FrameInstant, presentEnd: FrameInstant, presentCost: FrameDuration
  ) -> FrameInstant {
    switch kind {
    case .virtual, .cpu:
      // Work ahead before presenting delays presenting, as it does in real time. Work after it is carried over.
      let ready = max(committed, record.phaseEnds[FramePhase.slack.rawValue])
      return max(record.target, ready + presentCost)
    case .timer:
      return max(record.target, presentEnd)
    case .vsync:
      // Presenting returns shortly after the refresh that shows the frame.
      let late = presentEnd - record.target
      let periods = (Double(late.nanoseconds) / Double(interval.nanoseconds)).rounded()
      return record.target + interval * max(0, periods)
    }
  }

  /// The refresh behind another one; on vsync that one may have been seen since where it was not expected, a little off.
  private func target(after instant: FrameInstant) -> FrameInstant {
    gridPoint(after: kind == .vsync ? instant + interval * 0.25 : instant)
  }

  private func gridPoint(after instant: FrameInstant) -> FrameInstant {
    gridPoint(atOrBefore: instant) + interval
  }

  private func gridPoint(atOrBefore instant: FrameInstant) -> FrameInstant {
    let distance = instant.nanoseconds - gridOrigin.nanoseconds
    let period = interval.nanoseconds
    let steps = distance >= 0 ? distance / period : -((-distance + period - 1) / period)
    return FrameInstant(nanoseconds: gridOrigin.nanoseconds + steps * period)
  }

  /// Takes in one present on the vsync clock: moves the grid to where the refresh was seen, and watches whether presenting
  /// does what it was measured to do.
  ///
  /// The grid is set by the first present that waited, and moved by at most 0.1 ms by each that follows, as returns are late
  /// only. A present that did not wait tells nothing of refreshes.
  ///
  /// - Returns: what was found to be otherwise, once; the caller is to ``change(kind:interval:)``.
  public mutating func observePresent(from start: FrameInstant, to end: FrameInstant) -> VsyncMonitor.Finding? {
    guard kind == .vsync else { return nil }
    if (end - start).nanoseconds * 8 >= interval.nanoseconds { alignGrid(to: end) }
    let finding = vsyncMonitor.observePresent(start: start, end: end, target: lastTarget, interval: interval)
    if vsyncMonitor.confirmsInterval { observedInterval = interval }
    return finding
  }

  /// Whether presents were seen to wait for refreshes of ``interval``, steadily.
  ///
  /// Until then, on the vsync clock, the interval is what the display told or was taken for, and no refresh rate that was
  /// measured. Always true on the other clocks, whose grid is their own.
  public var isIntervalObserved: Bool { kind != .vsync || observedInterval == interval }

  private mutating func alignGrid(to refresh: FrameInstant) {
    let offset = (refresh - gridPoint(atOrBefore: refresh)).nanoseconds
    let signed = offset > interval.nanoseconds / 2 ? offset - interval.nanoseconds : offset
    let step = isInPhase ? max(-100_000, min(signed, 100_000)) : signed
    isInPhase = true
    gridOrigin = FrameInstant(nanoseconds: gridOrigin.nanoseconds + step)
  }
}
