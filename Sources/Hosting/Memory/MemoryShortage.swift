import FramePacing

/// Decides when to let go of memory, by what the kernel says of it: a pure machine.
///
/// A notice that programs stall is believed, once in a while. Where there are no such notices, samples of what is free say
/// when memory came to be short, and every so often that it still is; it is short no more when a good deal is free again.
nonisolated struct MemoryShortageDetector {
  /// What is known of memory.
  enum Event {
    /// Programs waited for memory, for longer than is usual.
    case stalled
    /// So much of it is free, or could be made so.
    case sampled(MemorySample)
  }

  /// After letting go, notices within this time are of the same shortage.
  static let coalescingInterval = FrameDuration.seconds(2)
  /// While samples show that it is still short, memory is let go of again after this time.
  static let repeatInterval = FrameDuration.seconds(10)
  /// The share of memory below which it is short, and the share above which it no longer is.
  static let thresholds = (short: 0.05, ample: 0.1)

  private var lastTrim = FrameInstant.distantPast
  private var isShort = false

  /// Takes in what became known.
  ///
  /// - Returns: whether memory is to be let go of now.
  mutating func handle(_ event: Event, at now: FrameInstant) -> Bool {
    switch event {
    case .stalled: return shouldTrim(at: now, after: MemoryShortageDetector.coalescingInterval)
    case .sampled(let sample):
      guard
        sample.availableShare
          < (isShort ? MemoryShortageDetector.thresholds.ample : MemoryShortageDetector.thresholds.short)
      else {
        isShort = false
        return false
      }
      let wasShort = isShort
      isShort = true
      return shouldTrim(
        at: now, after: wasShort ? MemoryShortageDetector.repeatInterval : MemoryShortageDetector.coalescingInterval)
    }
  }

  private mutating func shouldTrim(at now: FrameInstant, after pause: FrameDuration) -> Bool {
    guard lastTrim == .distantPast || now - lastTrim >= pause else { return false }
    lastTrim = now
    return true
  }
}
