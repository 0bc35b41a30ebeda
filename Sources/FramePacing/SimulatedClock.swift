/// A simulated line of time: `virtual` advances by what it is told alone, `cpu` by the thread's processor time as well.
///
/// On the virtual line equal runs read equal times on any machine, under any load.
public final class SimulatedClock: FrameClock {
  /// `virtual` or `cpu`.
  public let kind: ClockKind
  /// How many times the thread's processor time counts on `cpu`: 2 models a machine half as fast.
  public let processorScale: Double
  private var base: FrameInstant = .zero
  private var processorMark: FrameInstant
  private var reading: ProcessorReading
  private var uncountedDepth = 0

  /// Makes a clock that stands at zero.
  /// - Parameters:
  ///   - kind: `virtual` or `cpu`.
  ///   - processorScale: how many times processor time counts; modelled costs count as they are. Default: 1.
  /// - Precondition: the kind is simulated.
  public init(kind: ClockKind, processorScale: Double = 1) {
    self.kind = kind
    self.processorScale = processorScale
    reading = ProcessorReading()
    processorMark = reading.processor
  }

  /// The moment on the simulated line.
  public func now() -> FrameInstant {
    guard kind == .cpu, uncountedDepth == 0 else { return base }
    let used = reading.now() - processorMark
    return base + (processorScale == 1 ? used : used * processorScale)
  }

  /// Lets time pass that stands for no cost.
  public func advance(by duration: FrameDuration) { base = base + duration }

  /// Whether any cost was let pass.
  public private(set) var hasSpentCosts = false

  /// Lets a cost pass.
  public func spend(_ cost: FrameDuration) {
    base = base + cost
    hasSpentCosts = hasSpentCosts || cost > .zero
  }

  /// Jumps to a moment, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > now() else { return }
    base = instant
    updateReading()
  }

  /// Runs a body while the line stands still.
  public func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    base = now()
    uncountedDepth += 1
    defer {
      uncountedDepth -= 1
      updateReading()
    }
    return try body()
  }

  /// What the thread has used by now is not counted.
  private func updateReading() {
    reading = ProcessorReading()
    processorMark = reading.processor
  }
}

/// The processor time of the calling thread, read without asking the kernel each time.
///
/// Asking takes half a microsecond, and would be a tenth of what is measured. It is asked at most once in ``WorkMark/grain``; in
/// between the thread counts as having run.
private struct ProcessorReading {
  /// The processor time that was read last.
  private(set) var processor = ThreadTime.now()
  /// When the kernel was asked, and what it answered.
  private var lastSample = (instant: MonotonicClock.now(), processor: ThreadTime.now())

  /// The processor time by now, never less than before.
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
