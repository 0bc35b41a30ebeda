import VitrineFramePacing

extension RunReport {
  /// Rounds a number to a number of decimals.
  static func rounded(_ number: Double, _ decimals: Int) -> Double {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    return (number * factor).rounded() / factor
  }

  /// Returns the figures of a history's tracked frames.
  ///
  /// - Parameters:
  ///   - history: The frames.
  ///   - visibility: Which of the frames' costs the clock measures.
  static func frames(of history: FrameHistory, visibility: CostVisibility = .measured) -> FrameFigures {
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
    figures.phasesUs = phases(of: history, visibility: visibility)
    return figures
  }

  private static func phases(
    of history: FrameHistory, visibility: CostVisibility
  ) -> [String: PhaseQuantiles?] {
    var phases: [String: PhaseQuantiles?] = [:]
    for phase in FramePhase.allCases {
      guard let values = history.percentiles(of: { $0.duration(of: phase) }) else { continue }
      // Modelled costs are those of cells, which are prepared in the commit and slack phases. For any other phase
      // without time in all frames, no costs are modelled.
      let isSeen = visibility == .measured || values.max > .zero || phase == .commit || phase == .slack
      phases[phase.name] = .some(
        isSeen
          ? PhaseQuantiles(p50: rounded(values.p50.microseconds, 1), p99: rounded(values.p99.microseconds, 1)) : nil)
    }
    return phases
  }

  /// Returns the figures of hitches, or nil if nothing moved or no frame can be late on the clock.
  static func hitches(of history: FrameHistory, visibility: CostVisibility = .measured) -> HitchFigures? {
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

/// The figures of a run's frames.
public struct FrameFigures: Encodable {
  var count: Int
  var trackedSeconds: Double
  /// The durations of phases 1 to 7, and their overruns of the deadline.
  @Measured var commitUs: Quantiles? = nil
  @Measured var overrunUs: Quantiles? = nil
  /// The times from input to the present of the first frame that responds to it.
  @Measured var inputToPresentUs: Quantiles? = nil
  /// The number of frames that were the first to respond to an input.
  var answers: Int?
  /// The number of these that responded to input that arrived after they were drawn.
  var lateAnswers: Int?
  /// The numbers of the drawing thread's allocations in phases 1 to 7, if counted.
  @Measured var allocations: CountQuantiles? = nil
  /// The durations of each phase, or nil for a phase that the clock does not measure.
  @Measured var phasesUs: [String: PhaseQuantiles?]? = nil
}

/// Percentiles in microseconds.
public struct Quantiles: Encodable {
  var p50: Double
  var p95: Double
  var p99: Double
  var max: Double
}

/// Percentiles of a phase in microseconds.
public struct PhaseQuantiles: Encodable {
  var p50: Double
  var p99: Double
}

/// Percentiles of integers.
public struct CountQuantiles: Encodable {
  var p50: Int
  var p99: Int
  var max: Int

  /// Computes the percentiles of numbers by the nearest-rank method.
  ///
  /// Returns nil if there are none.
  ///
  /// - Complexity: O(n log n).
  init?(of numbers: [Int]) {
    let sorted = numbers.sorted()
    guard let largest = sorted.last else { return nil }
    func rank(_ share: Double) -> Int {
      sorted[Swift.max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
    p50 = rank(0.5)
    p99 = rank(0.99)
    max = largest
  }
}

/// The figures of late frames.
public struct HitchFigures: Encodable {
  var count: Int
  var totalMs: Double
  var ratioMsPerS: Double
  var longestMs: Double
  var byClass: [String: Int]
  var worst: [WorstHitch]
}

/// One of the latest frames.
public struct WorstHitch: Encodable {
  var frame: Int
  var ms: Double
  var `class`: String
  var phase: String
  var registration: String?
  var cause: String?
}
