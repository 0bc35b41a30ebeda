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
  private var uncountedDepth = 0

  /// Makes a clock that stands at zero.
  /// - Parameters:
  ///   - kind: `virtual` or `cpu`.
  ///   - processorScale: how many times processor time counts; modelled costs count as they are. Default: 1.
  /// - Precondition: the kind is simulated.
  public init(kind: ClockKind, processorScale: Double = 1) {
    self.kind = kind
    self.processorScale = processorScale
    processorMark = ThreadTime.now()
  }

  /// The moment on the simulated line.
  public func now() -> FrameInstant {
    guard kind == .cpu, uncountedDepth == 0 else { return base }
    let used = ThreadTime.now() - processorMark
    return base + (processorScale == 1 ? used : used * processorScale)
  }

  /// Lets a cost pass.
  public func spend(_ cost: FrameDuration) { base = base + cost }

  /// Jumps to a moment, unless it has passed.
  public func wait(until instant: FrameInstant) {
    guard instant > now() else { return }
    base = instant
    processorMark = ThreadTime.now()
  }

  /// Runs a body while the line stands still.
  public func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    base = now()
    uncountedDepth += 1
    defer {
      uncountedDepth -= 1
      processorMark = ThreadTime.now()
    }
    return try body()
  }
}
