/// Watches presents on the vsync clock for a display that does not do what its driver said: a pure machine.
///
/// A compositor may stop waiting, wait at another rate than the display told, or hold presents back for a window that
/// nobody sees (SDL 2.26 tells nothing of any of these). Presents of frames that follow each other without a rest are
/// looked at; one that is odd alone means nothing.
public struct VsyncWatch: Sendable {
  /// What was found.
  public enum Finding: Hashable, Sendable {
    /// Presenting returns at once.
    case unpaced
    /// Presenting waits for refreshes of this interval.
    case interval(FrameDuration)
    /// Presenting is held back: nobody sees the window.
    case unseen
  }

  /// How many presents must return at once, though there was time to wait, until nobody waits any more: a driver's queue
  /// takes three before it makes anyone wait.
  public static let unpacedCount = 12
  /// How many intervals must agree.
  public static let agreeingCount = 5
  /// How many presents must be held back.
  public static let unseenCount = 4

  private var atOnce = 0
  private var heldBack = 0
  private var agreeing = 0
  private var lastReturn: FrameInstant?
  private var candidate = FrameDuration.zero

  /// Nothing was seen yet.
  public init() {}

  /// Whether presents seem to have stopped waiting: the loop is not to run ahead of the display until that is known.
  public var isDoubted: Bool { atOnce >= 3 }

  /// The loop rested: what comes does not follow what was.
  public mutating func rest() { self = VsyncWatch() }

  /// Takes in one present.
  ///
  /// - Parameters:
  ///   - start: when it began.
  ///   - end: when it returned.
  ///   - target: when its frame was due.
  ///   - interval: the interval that is believed.
  /// - Returns: what is known by it, once.
  public mutating func observe(
    start: FrameInstant, end: FrameInstant, target: FrameInstant, interval: FrameDuration
  ) -> Finding? {
    let duration = end - start
    let waits = duration.nanoseconds * 8 >= interval.nanoseconds
    // Without time to wait nothing is told.
    if waits { atOnce = 0 } else if (target - start).nanoseconds * 8 >= interval.nanoseconds { atOnce += 1 }
    heldBack = duration.nanoseconds >= interval.nanoseconds * 3 ? heldBack + 1 : 0
    note(end, sinceStart: start, waits: waits)
    let finding: Finding?
    if atOnce >= VsyncWatch.unpacedCount {
      finding = .unpaced
    } else if heldBack >= VsyncWatch.unseenCount {
      finding = .unseen
    } else if agreeing >= VsyncWatch.agreeingCount, !VsyncWatch.agree(candidate, interval),
      candidate.nanoseconds < interval.nanoseconds * 3
    {
      finding = .interval(candidate)
    } else {
      finding = nil
    }
    if finding != nil { self = VsyncWatch() }
    return finding
  }

  /// Takes in an interval from return to return of presents that waited, in frames that were short.
  private mutating func note(_ end: FrameInstant, sinceStart start: FrameInstant, waits: Bool) {
    defer { lastReturn = end }
    guard let lastReturn, waits else { return agreeing = 0 }
    let (interval, work) = (end - lastReturn, start - lastReturn)
    guard work.nanoseconds * 2 < interval.nanoseconds else { return agreeing = 0 }
    if agreeing > 0, VsyncWatch.agree(interval, candidate) {
      // The mean of those that agree.
      let sum = candidate.nanoseconds * Int64(agreeing) + interval.nanoseconds
      agreeing += 1
      candidate = FrameDuration(nanoseconds: sum / Int64(agreeing))
    } else {
      (agreeing, candidate) = (1, interval)
    }
  }

  /// Whether two intervals are one but for what is measured wrong: 4 %.
  private static func agree(_ left: FrameDuration, _ right: FrameDuration) -> Bool {
    abs(left.nanoseconds - right.nanoseconds) * 25 <= right.nanoseconds
  }
}
