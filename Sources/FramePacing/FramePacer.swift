/// A pure state machine that decides when frames are due, when their commits must end, and how late they were.
///
/// The target V(k) is the first point of the refresh grid after V(k-1) and, after a late frame, after S(k-1). The
/// display time S(k) is max(V(k), end of present); on the vsync clock it is the refresh that shows the frame, on a
/// simulated clock the end of slack before presenting plus the cost of presenting. A hitch is the amount by which S(k)
/// exceeds V(k).
public struct FramePacer: Sendable {
  /// The kind of pacing; measurements of presenting can change it.
  public private(set) var kind: ClockKind
  /// The time between refreshes.
  public private(set) var interval: FrameDuration
  /// The number of frames begun.
  public private(set) var frameCount = 0

  private var gridOrigin: FrameInstant = .zero
  private var lastTarget: FrameInstant = .distantPast
  private var lastShown: FrameInstant = .distantPast
  private var isIdle = true
  /// Whether the grid is aligned with observed refreshes.
  private var isInPhase = false
  private var vsyncMonitor = VsyncMonitor()
  /// The interval at which presents were observed to wait.
  private var observedInterval: FrameDuration?
  /// The hitch class of the last frame.
  private var lastClass = HitchClass.none
  /// The duration of the process's own work in the last frame and after it.
  private var lastWork = FrameDuration.zero
  private var refreshChanged = false
  private var presentCosts = SampleWindow()
  private var wakeLatenesses = SampleWindow()
  /// The commits of recent frames, without cells prepared in them and without preemption.
  ///
  /// The load of the machine does not predict the next frame, and would leave too much work undone.
  private var commitCosts = SampleWindow()
  private var deferredStepDelay = FrameDuration.zero
  private var deferredPreemption = FrameDuration.zero

  /// Creates a pacer.
  public init(kind: ClockKind, interval: FrameDuration) {
    self.kind = kind
    self.interval = FrameDuration(nanoseconds: max(interval.nanoseconds, 1_000_000))
  }

  /// Records that the loop is about to block, so that the next frame is the first after an idle period.
  public mutating func enterIdle() {
    isIdle = true
    // The display's clock and the system's drift apart.
    isInPhase = false
    vsyncMonitor.reset()
  }

  /// Sets another kind of pacing or another refresh interval.
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

  // MARK: - Predictions and limits

  /// The predicted cost of presenting, which deadlines account for.
  public var predictedPresentCost: FrameDuration {
    // On an overloaded machine presenting can measure longer than a refresh; a deadline before the frame's start would
    // be useless.
    kind == .vsync ? .zero : min(presentCosts.largest(excluding: 3), interval * 0.5)
  }

  /// The margin of a deadline for the system's timing errors.
  ///
  /// Three times the lateness of wake-ups, at most a tenth of the interval but at least 0.3 ms, and at least the time
  /// by which the loop is woken before presenting. Zero on the virtual clock, where equal work takes equal time; the
  /// minimum on the cpu clock, where presenting occasionally takes longer.
  public var margin: FrameDuration {
    guard kind != .virtual else { return .zero }
    let requested = wakeLatenesses.largest(excluding: 6) * 3
    let usual = FrameDuration(nanoseconds: max(300_000, min(requested.nanoseconds, interval.nanoseconds / 10)))
    // Work before presenting ends before the loop is to be woken for it.
    return max(usual, wakeAllowance)
  }

  /// The maximum part of a limit reserved for slack steps that take longer than expected.
  ///
  /// A sixteenth of the interval; zero on the virtual clock, where a step takes its declared cost.
  private var longestReserve: FrameDuration { kind == .virtual ? .zero : interval * 0.0625 }

  /// The predicted cost of the next commit if all cells that enter were prepared.
  public var predictedCommitCost: FrameDuration { commitCosts.largest(excluding: 3) }

  /// The lowest cost of recent commits.
  public var leastCommitCost: FrameDuration { commitCosts.smallest(excluding: 3) }

  /// Returns the limits of slack work in a frame; the client that has such work adjusts them to the next commit's
  /// needs.
  ///
  /// - Parameters:
  ///   - plan: The plan of the frame.
  ///   - now: The end of its commit. A late frame postpones the next one's deadline.
  ///   - isAtRest: Whether nothing moves.
  ///   - earlierLimit: The time by which steps before presenting must end if it is earlier than the deadline.
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

  /// The target of the next frame: the first refresh after the last frame was shown.
  public var nextTarget: FrameInstant { target(after: max(lastTarget, lastShown)) }

  /// The time by which a slack step after presenting must end: the next deadline minus the predicted cost of its
  /// commit.
  ///
  /// Meaningless if presenting waits for the refresh, because that time has passed by then.
  public var deferredStepLimit: FrameInstant { deadline(of: nextTarget) - predictedCommitCost }

  private func deadline(of target: FrameInstant) -> FrameInstant { target - predictedPresentCost - margin }

  /// Whether slack steps can run after presenting: false if presenting waits for the refresh.
  public var canDeferSteps: Bool { kind != .vsync }

  // MARK: - Frames

  /// Records a slack step that ran after the last frame was presented.
  ///
  /// - Parameters:
  ///   - duration: The delay of the next frame.
  ///   - lost: The time during which the step was preempted.
  public mutating func recordDeferredStep(_ duration: FrameDuration, lost: FrameDuration = .zero) {
    deferredStepDelay += duration
    deferredPreemption += lost
    lastWork += max(.zero, duration - lost)
  }

  /// Records preemption since the last frame was presented, including that passed to ``recordDeferredStep(_:lost:)``.
  public mutating func recordPreemptionBetweenFrames(_ lost: FrameDuration) {
    deferredPreemption = max(deferredPreemption, lost)
  }

  /// Begins a frame and returns its plan.
  public mutating func beginFrame(at now: FrameInstant) -> FramePlan {
    let isFirst = isIdle
    let before = lastTarget
    if isFirst {
      // The loop's own grid has no fixed phase: it starts with the frame, so that input is answered immediately.
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

  /// The number of refreshes by which frames may run ahead if nothing seems to wait for the display.
  ///
  /// It exceeds the depth of any queue, and allows refreshes of 7 ms to be observed where 16 ms are assumed.
  private static let maximumLead = VsyncMonitor.maximumQueueDepth + 2

  /// Returns when presenting may begin, so that frames never run far ahead of the display.
  private func presentNotBefore(_ target: FrameInstant, at now: FrameInstant) -> FrameInstant {
    // A simulation jumps to the refresh afterward.
    guard !kind.isSimulated else { return .distantPast }
    guard kind == .vsync else { return target - predictedPresentCost - wakeAllowance }
    let earliest = target - interval * FramePacer.maximumLead
    return earliest > now ? earliest : .distantPast
  }

  /// The shortest time without work that counts as a stall; it must also last at least six refreshes.
  public static let minimumStall = FrameDuration.milliseconds(100)

  /// Returns the time between two consecutive targets that is neither a frame interval nor the process's own work.
  private func stallDuration(before target: FrameInstant, since last: FrameInstant) -> FrameDuration {
    guard last != .distantPast else { return .zero }
    let lost = target - last - interval - lastWork
    guard lost >= max(FramePacer.minimumStall, interval * 6) else { return .zero }
    return interval * (lost.seconds / interval.seconds).rounded(.down)
  }

  /// Ends a frame: records when it was shown, by how much it was late, and why.
  ///
  /// The record must contain its plan's target and deadline and the ends of all phases.
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
    // At rest uploads use the remaining time, which does not indicate the cost of a frame in motion.
    let uploading = record.isTracked ? .zero : record.duration(of: .upload)
    commitCosts.append(max(.zero, record.commit - record.forcedDuration - record.commitPreempted - uploading))
    if kind != .vsync {
      presentCosts.append(presentCost)
      wakeLatenesses.append(max(.zero, record.wakeLateness))
    }
  }

  /// Sets the class of a late frame; a frame that the previous late one left too little time inherits its class.
  private func classify(_ record: inout FrameRecord, _ slackLimit: FrameInstant) {
    record.hitchClass = HitchClassifier.classify(
      record, slackLimit: slackLimit, interval: interval, refreshChanged: refreshChanged)
    guard lastClass != .none, record.hitchClass == .commitLate || record.hitchClass == .presentLate else { return }
    let own = record.commit - record.commitPreempted
    record.inheritsLateness = record.deadline - record.start < own && own.nanoseconds * 2 <= interval.nanoseconds
    if record.inheritsLateness { record.hitchClass = lastClass }
  }

  /// The time before presenting at which the loop requests to be woken.
  ///
  /// 0.2 ms, plus recent wake-up lateness up to 0.15 intervals in total; zero on a simulated clock, which is never
  /// late.
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
      // Slack work before presenting delays it, as in real time; work after it is deferred.
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

  // MARK: - Refresh grid

  /// Returns the refresh after another one, which on vsync may have been observed slightly off the expected time.
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

  /// Records a present on the vsync clock: aligns the grid with the observed refresh, and monitors how presenting
  /// behaves.
  ///
  /// The first present that waited sets the grid, and each later one moves it by at most 0.1 ms, because returns can
  /// only be late. A present that did not wait carries no information about refreshes.
  ///
  /// - Returns: A finding that differs from the assumptions, once; the caller must then call
  ///   ``reconfigure(kind:interval:)``.
  public mutating func observePresent(from start: FrameInstant, to end: FrameInstant) -> VsyncMonitor.Finding? {
    guard kind == .vsync else { return nil }
    if (end - start).nanoseconds * 8 >= interval.nanoseconds { alignGrid(to: end) }
    let finding = vsyncMonitor.observePresent(start: start, end: end, target: lastTarget, interval: interval)
    if vsyncMonitor.confirmsInterval { observedInterval = interval }
    return finding
  }

  /// Whether presents were observed to wait for refreshes of ``interval`` steadily.
  ///
  /// Before that, on the vsync clock, the interval is the display's claim or a default, not a measured rate. Always
  /// true on the other clocks, which have their own grid.
  public var isIntervalObserved: Bool { kind != .vsync || observedInterval == interval }

  private mutating func alignGrid(to refresh: FrameInstant) {
    let offset = (refresh - gridPoint(atOrBefore: refresh)).nanoseconds
    let signed = offset > interval.nanoseconds / 2 ? offset - interval.nanoseconds : offset
    let step = isInPhase ? max(-100_000, min(signed, 100_000)) : signed
    isInPhase = true
    gridOrigin = FrameInstant(nanoseconds: gridOrigin.nanoseconds + step)
  }
}

// MARK: - Plan

/// The schedule of a frame.
public struct FramePlan: Hashable, Sendable {
  /// The number of the frame, starting at 0.
  public var index: Int
  /// V: the refresh at which the frame is due.
  ///
  /// Physics and animations are evaluated at this time.
  public var target: FrameInstant
  /// The time by which phases 1 to 7 must end for the frame to be shown at its target.
  public var deadline: FrameInstant
  /// The earliest start of presenting where it does not block; in the distant past if it need not wait.
  public var presentNotBefore: FrameInstant
  /// Whether the loop was idle before the frame.
  public var isFirstAfterIdle: Bool
  /// The duration of a stall before the frame, although content was moving: the process was stopped or a present was
  /// held back.
  ///
  /// A multiple of the interval, zero except after long stalls and always after an idle period. Motion continues from
  /// the position that was last shown.
  public var stallDuration = FrameDuration.zero

  /// Returns by how much the loop was woken too late to present the frame in time.
  public func wakeLateness(at now: FrameInstant) -> FrameDuration {
    presentNotBefore == .distantPast ? .zero : max(.zero, now - presentNotBefore)
  }
}
