/// Watches presents on the vsync clock for a display that does not do what its driver said: a pure machine.
///
/// A compositor may stop waiting, wait at another rate than the display told, or hold presents back for a window that
/// nobody sees (SDL 2.26 tells nothing of any of these). Presents of frames that follow each other without a rest are
/// looked at; one that is odd alone means nothing.
public struct VsyncMonitor: Sendable {
  /// What was found.
  public enum Finding: Hashable, Sendable {
    /// Presenting returns at once.
    case unpaced
    /// Presenting waits for refreshes of this interval.
    case interval(FrameDuration)
    /// Presenting is held back: nobody sees the window.
    case occluded
  }

  /// How many presents must return at once, though they were farther ahead than any queue is deep, until nobody waits any
  /// more.
  public static let unpacedCount = 12
  /// How many refreshes ahead of its own a present must begin for that: drivers let one to three wait in a queue.
  public static let maximumQueueDepth = 4.0
  /// How many intervals in a row must stand on one grid for its interval to be a refresh that was observed.
  public static let steadyCount = RefreshGrid.count
  /// How many must, more exactly, for a rate faster by 2 % and more to be paced by: frames for the believed one are soon far
  /// ahead of those that are shown, and would then wait for something else.
  public static let fasterSteadyCount = 7
  /// How far off the believed interval such a grid's must be for the other one to be taken.
  static let minimumDifference = 0.003
  /// How many presents must be held back.
  public static let occludedCount = 4
  /// For how long, and for eight refreshes at least: what is slower than that is a slow display.
  static let minimumHoldTime = FrameDuration.milliseconds(100)

  /// Whether the last presents waited for refreshes of the believed interval, steadily.
  public private(set) var confirmsInterval = false

  private var immediateCount = 0
  private var heldBackCount = 0
  private var lastReturn: FrameInstant?
  private var grid = RefreshGrid()

  /// Nothing was seen yet.
  public init() {}

  /// The loop rested: what comes does not follow what was.
  public mutating func reset() { self = VsyncMonitor() }

  /// Whether a present that took so long was held back.
  public static func isHeldBack(_ duration: FrameDuration, _ interval: FrameDuration) -> Bool {
    duration >= max(minimumHoldTime, interval * 8)
  }

  /// Takes in one present.
  ///
  /// - Parameters:
  ///   - start: when it began.
  ///   - end: when it returned.
  ///   - target: when its frame was due.
  ///   - interval: the interval that is believed.
  /// - Returns: what is known by it, once.
  /// - Complexity: O(``steadyCount``), no allocation.
  public mutating func observePresent(
    start: FrameInstant, end: FrameInstant, target: FrameInstant, interval: FrameDuration
  ) -> Finding? {
    let duration = end - start
    let waits = duration.nanoseconds * 8 >= interval.nanoseconds
    // What is not far ahead may have found room in a queue.
    if waits {
      immediateCount = 0
    } else if target - start >= interval * VsyncMonitor.maximumQueueDepth {
      immediateCount += 1
    }
    heldBackCount = VsyncMonitor.isHeldBack(duration, interval) ? heldBackCount + 1 : 0
    addReturn(at: end, from: start, waits: waits)
    confirmsInterval = false
    let finding = finding(interval)
    if finding != nil { self = VsyncMonitor() }
    return finding
  }

  private mutating func finding(_ believed: FrameDuration) -> Finding? {
    if immediateCount >= VsyncMonitor.unpacedCount { return .unpaced }
    if heldBackCount >= VsyncMonitor.occludedCount { return .occluded }
    if let faster = grid.interval(of: VsyncMonitor.fasterSteadyCount, within: 0.015, atLeast: .microseconds(150)),
      faster < believed * 0.98
    {
      return .interval(faster)
    }
    guard let seen = grid.interval else { return nil }
    let share = seen.seconds / believed.seconds
    if (share - 1).magnitude <= VsyncMonitor.minimumDifference {
      confirmsInterval = true
      return nil
    }
    // Twice what is believed, or three times, is what drawing looks like that takes longer than a refresh: its frames are late.
    let multiple = max(1, share.rounded())
    let isMultiple = multiple >= 3 || multiple == 2 && (share - 2).magnitude <= 0.08
    return isMultiple ? nil : .interval(seen)
  }

  /// Takes in when a present returned that waited, in a frame that was short; any other one ends the row.
  private mutating func addReturn(at end: FrameInstant, from start: FrameInstant, waits: Bool) {
    defer { lastReturn = end }
    guard waits else { return grid = RefreshGrid() }
    // The first of a row begins the grid.
    guard let lastReturn else { return grid.add(end) }
    let (interval, work) = (end - lastReturn, start - lastReturn)
    if work.nanoseconds * 2 >= interval.nanoseconds { grid = RefreshGrid() }
    grid.add(end)
  }
}

/// The returns of presents in a row, and the refresh grid that they stand on, if they do.
///
/// What waits for refreshes is late by a little, each time anew, and never runs away from the grid. What takes long by
/// itself, such as painting a window, does: its intervals may look alike one by one, but their deviations add up. So whole rows
/// are judged, by how far from an even grid they stray.
struct RefreshGrid: Sendable {
  /// How many intervals a row has.
  static let count = 24
  /// The part of the interval within which all returns of a row must stand about an even grid: 2 % to either side.
  static let band = 0.04
  /// The least such band: what systems wake a thread late by, at whatever rate.
  static let minimumBand = FrameDuration.microseconds(300)
  /// What displays refresh by: from 1,000 Hz to 10.
  static let plausibleIntervals = FrameDuration.milliseconds(1)...FrameDuration.milliseconds(100)

  private var returns = InlineArray<25, FrameInstant>(repeating: .zero)
  private var next = 0
  private var filled = 0

  /// Takes in when a present returned; the oldest of a full row is forgotten.
  mutating func add(_ instant: FrameInstant) {
    returns[next] = instant
    next = (next + 1) % returns.count
    filled = min(filled + 1, returns.count)
  }

  /// The interval of the grid that a whole row stands on; nil where there are too few returns, or where they stand on none.
  ///
  /// - Complexity: O(``count``), no allocation.
  var interval: FrameDuration? {
    interval(of: RefreshGrid.count, within: RefreshGrid.band, atLeast: RefreshGrid.minimumBand)
  }

  /// The interval of the grid that the last returns stand on.
  ///
  /// - Parameters:
  ///   - count: how many intervals are looked at, at most ``count``.
  ///   - share: the part of the interval within which all returns must stand about an even grid.
  ///   - least: the least such band.
  /// - Complexity: O(count), no allocation.
  func interval(of count: Int, within share: Double, atLeast least: FrameDuration) -> FrameDuration? {
    guard filled > count else { return nil }
    // The oldest return that counts.
    let oldest = next + returns.count - 1 - count
    let first = returns[oldest % returns.count]
    let span = returns[(oldest + count) % returns.count] - first
    let mean = FrameDuration(nanoseconds: span.nanoseconds / Int64(count))
    guard RefreshGrid.plausibleIntervals.contains(mean) else { return nil }
    var (earliest, latest) = (FrameDuration.zero, FrameDuration.zero)
    for place in 0...count {
      let due = first + FrameDuration(nanoseconds: mean.nanoseconds * Int64(place))
      let late = returns[(oldest + place) % returns.count] - due
      (earliest, latest) = (min(earliest, late), max(latest, late))
    }
    return latest - earliest <= max(mean * share, least) ? mean : nil
  }
}
