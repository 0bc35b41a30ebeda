/// A simulated clock: `virtual` advances only explicitly, `cpu` also by the thread's processor time.
///
/// On the virtual clock equal runs read equal times on any machine, under any load.
public final class SimulatedClock: FrameClock {
  /// The kind of the clock, `virtual` or `cpu`.
  public let kind: ClockKind
  /// The factor of processor time on `cpu`: 2 models a machine half as fast.
  public let processorScale: Double
  private var base: FrameInstant = .zero
  private var processorOrigin: FrameInstant
  private var reading: ProcessorReading
  private var uncountedDepth = 0

  /// Creates a clock at zero.
  ///
  /// - Parameters:
  ///   - kind: The kind, `virtual` or `cpu`.
  ///   - processorScale: The factor of processor time; modelled costs are not scaled. Default: 1.
  /// - Precondition: The kind is simulated.
  public init(kind: ClockKind, processorScale: Double = 1) {
    self.kind = kind
    self.processorScale = processorScale
    reading = ProcessorReading()
    processorOrigin = reading.processor
  }

  /// Returns the current simulated time.
  public func now() -> FrameInstant {
    guard kind == .cpu, uncountedDepth == 0 else { return base }
    let used = reading.now() - processorOrigin
    return base + (processorScale == 1 ? used : used * processorScale)
  }

  /// Advances the clock without counting a cost.
  public func advance(by duration: FrameDuration) { base = base + duration }

  /// Whether any cost was spent.
  public private(set) var hasSpentCosts = false

  /// Advances the clock by a cost.
  public func spend(_ cost: FrameDuration) {
    base = base + cost
    hasSpentCosts = hasSpentCosts || cost > .zero
  }

  /// Jumps to an instant, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > now() else { return }
    base = instant
    updateReading()
  }

  /// Runs a closure while the clock stands still.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    base = now()
    uncountedDepth += 1
    defer {
      uncountedDepth -= 1
      updateReading()
    }
    return try body()
  }

  /// Excludes the processor time used so far.
  private func updateReading() {
    reading = ProcessorReading()
    processorOrigin = reading.processor
  }
}

/// The processor time of the calling thread, read from the kernel only occasionally.
///
/// A read takes half a microsecond, which would be a tenth of the measured durations. It happens at most once per
/// ``WorkTimestamp/resolution``; in between the thread counts as running.
private struct ProcessorReading {
  /// The last value returned.
  private(set) var processor = ThreadTime.now()
  /// The last reading of the kernel and its time.
  private var lastSample = (instant: MonotonicClock.now(), processor: ThreadTime.now())

  /// Returns the current processor time, which never decreases.
  mutating func now() -> FrameInstant {
    let elapsed = MonotonicClock.now() - lastSample.instant
    if elapsed > WorkTimestamp.resolution {
      lastSample = (MonotonicClock.now(), ThreadTime.now())
      processor = max(processor, lastSample.processor)
    } else {
      processor = max(processor, lastSample.processor + elapsed)
    }
    return processor
  }
}
