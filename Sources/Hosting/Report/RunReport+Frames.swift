import FramePacing

extension RunReport {
  /// A number with so many decimals.
  static func rounded(_ number: Double, _ decimals: Int) -> Double {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    return (number * factor).rounded() / factor
  }

  /// The figures of a history's tracked frames.
  ///
  /// - Parameters:
  ///   - history: the frames.
  ///   - visibility: what their clock sees of what they cost.
  static func frames(of history: FrameHistory, seen visibility: CostVisibility = .measured) -> FrameFigures {
    var figures = FrameFigures(count: history.count, trackedSeconds: rounded(history.trackedTime.seconds, 3))
    if let latency = history.inputToPresent {
      figures.inputToPresentUs = visibility == .none ? nil : quantiles(latency)
      figures.answers = history.inputResponseCount
      figures.lateAnswers = history.resampledInputCount
    }
    guard history.trackedCount > 0 else { return figures }
    figures.allocations = allocations(of: history)
    guard visibility != .none else { return figures }
    figures.commitUs = quantiles(history.percentiles { $0.commit })
    figures.overrunUs = quantiles(history.percentiles { $0.overrun })
    figures.phasesUs = phases(of: history, seen: visibility)
    return figures
  }

  private static func phases(
    of history: FrameHistory, seen visibility: CostVisibility
  ) -> [String: PhaseQuantiles?] {
    var phases: [String: PhaseQuantiles?] = [:]
    for phase in FramePhase.allCases {
      guard let values = history.percentiles(of: { $0.duration(of: phase) }) else { continue }
      // Where costs are modelled they are those of cells, which are prepared in these two phases; any other phase that took
      // no time in any frame is one for which none is modelled.
      let isSeen = visibility == .measured || values.max > .zero || phase == .commit || phase == .slack
      phases[phase.name] = .some(
        isSeen
          ? PhaseQuantiles(p50: rounded(values.p50.microseconds, 1), p99: rounded(values.p99.microseconds, 1)) : nil)
    }
    return phases
  }

  /// The hitches of a history; nil while nothing moved, and on a clock on which no frame can be late.
  static func hitches(of history: FrameHistory, seen visibility: CostVisibility = .measured) -> HitchFigures? {
    guard visibility != .none, let ratio = history.hitchRatio else { return nil }
    var byClass: [String: Int] = [:]
    for hitchClass in HitchClass.lateClasses { byClass[hitchClass.name] = history.hitchCount(of: hitchClass) }
    return HitchFigures(
      count: history.hitchCount, totalMs: rounded(history.hitchTime.milliseconds, 3), ratioMsPerS: rounded(ratio, 3),
      longestMs: rounded(history.worstHitches.first?.hitch.milliseconds ?? 0, 3), byClass: byClass,
      worst: history.worstHitches.map { record in
        WorstHitch(
          frame: record.index, ms: rounded(record.hitch.milliseconds, 3), class: record.hitchClass.name,
          phase: longestPhase(of: record).name, registration: record.slowestForcedType.map { String(describing: $0) },
          cause: record.cause)
      })
  }

  private static func allocations(of history: FrameHistory) -> CountQuantiles? {
    CountQuantiles(
      of: (0..<history.availableCount).compactMap { (age: Int) -> Int? in
        let record = history.record(atAge: age)
        return record.isTracked && !record.isOccluded ? record.allocations.map { Int($0) } : nil
      })
  }

  private static func quantiles(_ values: Percentiles?) -> Quantiles? {
    values.map {
      Quantiles(
        p50: rounded($0.p50.microseconds, 1), p95: rounded($0.p95.microseconds, 1),
        p99: rounded($0.p99.microseconds, 1), max: rounded($0.max.microseconds, 1))
    }
  }

  private static func longestPhase(of record: FrameRecord) -> FramePhase {
    var longest = FramePhase.events
    for phase in FramePhase.allCases where record.duration(of: phase) > record.duration(of: longest) { longest = phase }
    return record.deferredStepDelay > record.duration(of: longest) ? .slack : longest
  }
}
