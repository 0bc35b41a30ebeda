import FramePacing

/// Decides when to let go of memory, by what the kernel says of it: a pure machine.
///
/// A notice that programs stall is believed, once in a while. Where there are no such notices, samples of what is free say
/// when memory came to be short, and every so often that it still is; it is short no more when a good deal is free again.
nonisolated struct MemoryShortage {
  /// What is known of memory.
  enum Event {
    /// Programs waited for memory, for longer than is usual.
    case stalled
    /// So much of it is free, or could be made so.
    case sampled(MemorySample)
  }

  /// After letting go, notices within this time are of the same shortage.
  static let echo = FrameDuration.seconds(2)
  /// While samples show that it is still short, memory is let go of again after this time.
  static let patience = FrameDuration.seconds(10)
  /// The share of memory below which it is short, and the share above which it no longer is.
  static let bounds = (short: 0.05, ample: 0.1)

  private var lastRelief = FrameInstant.distantPast
  private var isShort = false

  /// Takes in what became known.
  ///
  /// - Returns: whether memory is to be let go of now.
  mutating func handle(_ event: Event, at now: FrameInstant) -> Bool {
    switch event {
    case .stalled: return relieve(at: now, after: MemoryShortage.echo)
    case .sampled(let sample):
      guard sample.availableShare < (isShort ? MemoryShortage.bounds.ample : MemoryShortage.bounds.short) else {
        isShort = false
        return false
      }
      let wasShort = isShort
      isShort = true
      return relieve(at: now, after: wasShort ? MemoryShortage.patience : MemoryShortage.echo)
    }
  }

  private mutating func relieve(at now: FrameInstant, after pause: FrameDuration) -> Bool {
    guard lastRelief == .distantPast || now - lastRelief >= pause else { return false }
    lastRelief = now
    return true
  }
}
