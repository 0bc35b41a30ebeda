/// A moment in a thread's work: what lies between two of them is what the work took.
public struct WorkTimestamp: Hashable, Sendable {
  /// The shortest time in which the thread did not run that is told from the grain of the readings.
  static let resolution = FrameDuration(nanoseconds: 50_000)

  /// The moment on the clock's line.
  public var instant: FrameInstant
  /// The processor time that the thread had used.
  public var processor: FrameInstant
  /// How often the thread had given the processor up of its own accord, to wait for something.
  public var waitCount: Int

  /// A moment on a line that counts nothing but work.
  public init(at instant: FrameInstant) {
    self.init(at: instant, processor: instant, blockings: 0)
  }

  /// A moment in real time.
  ///
  /// - Parameters:
  ///   - instant: the moment on the clock's line.
  ///   - processor: the processor time that the thread had used.
  ///   - blockings: how often it had waited for something.
  public init(at instant: FrameInstant, processor: FrameInstant, blockings: Int) {
    self.instant = instant
    self.processor = processor
    self.waitCount = blockings
  }

  /// The mark of a later moment, if the thread runs until then.
  func extrapolated(until later: FrameInstant) -> WorkTimestamp {
    WorkTimestamp(at: later, processor: processor + (later - instant), blockings: waitCount)
  }

  /// For how long the thread did not run until a later moment, whether it waited or others ran in its place.
  public func idleTime(until end: WorkTimestamp) -> FrameDuration {
    max(.zero, (end.instant - instant) - (end.processor - processor))
  }

  /// For how long the thread could have run until a later moment, and others ran in its place.
  ///
  /// Nothing where the thread waited for something meanwhile: waiting is a part of what work takes, and the two are not
  /// told apart.
  public func preemptedTime(until end: WorkTimestamp) -> FrameDuration {
    guard end.waitCount == waitCount else { return .zero }
    let gap = idleTime(until: end)
    return gap > WorkTimestamp.resolution ? gap : .zero
  }

  /// What the work until a later moment took, and would take again: the time that passed, less what was lost to others.
  public func cost(until end: WorkTimestamp) -> FrameDuration {
    max(.zero, end.instant - instant - preemptedTime(until: end))
  }
}
