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

  /// How many presents must return at once, though they were farther ahead than any queue is deep, until nobody waits any
  /// more.
  public static let unpacedCount = 12
  /// How many refreshes ahead of its own a present must begin for that: drivers let one to three wait in a queue.
  public static let deepestQueue = 4.0
  /// How many intervals must agree on quite another rate.
  public static let agreeingCount = 5
  /// Of how many intervals the mean is taken for a rate that is a little off.
  public static let meanCount = 31
  /// How far off that mean must be.
  static let leastDifference = 0.003
  /// How many presents must be held back.
  public static let unseenCount = 4
  /// For how long, and for eight refreshes at least: what is slower than that is a slow display.
  static let shortestHold = FrameDuration.milliseconds(100)

  private var atOnce = 0
  private var heldBack = 0
  private var agreeing = 0
  private var lastReturn: FrameInstant?
  private var candidate = FrameDuration.zero
  private var (sum, summed) = (FrameDuration.zero, 0)

  /// Nothing was seen yet.
  public init() {}

  /// The loop rested: what comes does not follow what was.
  public mutating func rest() { self = VsyncWatch() }

  /// Whether a present that took so long was held back.
  public static func isHeldBack(_ duration: FrameDuration, _ interval: FrameDuration) -> Bool {
    duration >= max(shortestHold, interval * 8)
  }

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
    // What is not far ahead may have found room in a queue.
    if waits { atOnce = 0 } else if target - start >= interval * VsyncWatch.deepestQueue { atOnce += 1 }
    heldBack = VsyncWatch.isHeldBack(duration, interval) ? heldBack + 1 : 0
    note(end, sinceStart: start, waits: waits, interval)
    let finding = finding(interval)
    if finding != nil { self = VsyncWatch() }
    return finding
  }

  private func finding(_ interval: FrameDuration) -> Finding? {
    if atOnce >= VsyncWatch.unpacedCount { return .unpaced }
    if heldBack >= VsyncWatch.unseenCount { return .unseen }
    if agreeing >= VsyncWatch.agreeingCount, VsyncWatch.isOther(candidate, than: interval) {
      return .interval(candidate)
    }
    guard summed >= VsyncWatch.meanCount else { return nil }
    let mean = FrameDuration(nanoseconds: sum.nanoseconds / Int64(summed))
    let difference = (mean - interval).seconds / interval.seconds
    return difference.magnitude > VsyncWatch.leastDifference ? .interval(mean) : nil
  }

  /// Takes in an interval from return to return of presents that waited, in frames that were short.
  private mutating func note(
    _ end: FrameInstant, sinceStart start: FrameInstant, waits: Bool, _ believed: FrameDuration
  ) {
    defer { lastReturn = end }
    guard let lastReturn, waits else { return agreeing = 0 }
    let (interval, work) = (end - lastReturn, start - lastReturn)
    guard work.nanoseconds * 2 < interval.nanoseconds else { return agreeing = 0 }
    if agreeing > 0, VsyncWatch.agree(interval, candidate) {
      // The mean of those that agree.
      let whole = candidate.nanoseconds * Int64(agreeing) + interval.nanoseconds
      agreeing += 1
      candidate = FrameDuration(nanoseconds: whole / Int64(agreeing))
    } else {
      (agreeing, candidate) = (1, interval)
    }
    guard VsyncWatch.agree(interval, believed) else { return }
    if summed >= VsyncWatch.meanCount { (sum, summed) = (.zero, 0) }
    sum += interval
    summed += 1
  }

  /// Whether an interval is another refresh than the one that is believed.
  ///
  /// Not one that takes two of those, or three: that is what work in presenting looks like which takes longer than a
  /// refresh, and its frames are late.
  private static func isOther(_ interval: FrameDuration, than believed: FrameDuration) -> Bool {
    let multiple = max(1, (interval.seconds / believed.seconds).rounded())
    return !agree(interval, believed * multiple) && multiple < 3
  }

  /// Whether two intervals are one but for what is measured wrong: 4 %.
  private static func agree(_ left: FrameDuration, _ right: FrameDuration) -> Bool {
    abs(left.nanoseconds - right.nanoseconds) * 25 <= right.nanoseconds
  }
}
