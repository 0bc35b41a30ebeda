import FramePacing

/// Tells by a process's processor time that others have its core: it could work and hardly does.
struct StarvationDetector {
  /// From one look to the next.
  static let interval = FrameDuration.milliseconds(40)
  /// It is starved with less than one part in so many of the time.
  private static let minimumShareDivisor: Int64 = 5

  private var elapsedBefore = FrameDuration.zero
  private var usedBefore: FrameDuration?

  /// Begins to watch a process that has had so much processor time; nothing where that cannot be told.
  init(used: FrameDuration?) { usedBefore = used }

  /// Whether the process was starved since the last look.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the watch began.
  ///   - used: the processor time that the process has had.
  ///   - isRunnable: whether it runs or could; one that waits for a disk wants no core.
  mutating func detectStarvation(elapsed: FrameDuration, used: FrameDuration?, isRunnable: Bool) -> Bool {
    defer { (elapsedBefore, usedBefore) = (elapsed, used) }
    guard let used, let usedBefore, isRunnable else { return false }
    return (used - usedBefore).nanoseconds * StarvationDetector.minimumShareDivisor
      < (elapsed - elapsedBefore).nanoseconds
  }
}
