/// A pure state machine that monitors presents on the vsync clock for displays that deviate from their driver's claims.
///
/// A compositor may stop waiting, wait at another rate than the display reported, or hold back presents for an
/// invisible window; SDL 2.26 reports none of these. The monitor observes presents of consecutive frames without an
/// idle period; a single odd one has no meaning.
public struct VsyncMonitor: Sendable {
  /// A deviation from the assumed behavior.
  public enum Finding: Hashable, Sendable {
    /// Presenting returns immediately.
    case unpaced
    /// Presenting waits for refreshes of this interval.
    case interval(FrameDuration)
    /// Presenting is held back because the window is invisible.
    case occluded
  }

  /// The number of presents, farther ahead than any queue is deep, that must return immediately for
  /// ``Finding/unpaced``.
  public static let unpacedCount = 12
  /// The number of refreshes by which a present must be early to be farther ahead than a queue; drivers queue one to
  /// three.
  public static let maximumQueueDepth = 4.0
  /// The number of consecutive intervals on one grid that establish an observed refresh interval.
  public static let steadyCount = RefreshGrid.count
  /// The number of consecutive intervals that establish a rate at least 2 % faster, with a smaller tolerance.
  ///
  /// It is small because frames for the assumed rate soon run far ahead of the display, and would then wait for
  /// something else.
  public static let fasterSteadyCount = 7
  /// The minimum relative difference from the assumed interval at which another one is adopted.
  static let minimumDifference = 0.003
  /// The number of presents that must be held back for ``Finding/occluded``.
  public static let occludedCount = 4
  /// The minimum time for which a present is held back, at least eight refreshes; anything shorter is a slow display.
  static let minimumHoldTime = FrameDuration.milliseconds(100)

  /// Whether the last presents steadily waited for refreshes of the assumed interval.
  public private(set) var confirmsInterval = false

  private var immediateCount = 0
  private var heldBackCount = 0
  private var lastReturn: FrameInstant?
  private var grid = RefreshGrid()

  /// Creates a monitor without observations.
  public init() {}

  /// Resets the monitor after an idle period.
  public mutating func reset() { self = VsyncMonitor() }

  /// Returns whether a present of the given duration was held back.
  public static func isHeldBack(_ duration: FrameDuration, _ interval: FrameDuration) -> Bool {
    duration >= max(minimumHoldTime, interval * 8)
  }

  /// Records a present.
  ///
  /// - Parameters:
  ///   - start: The start of the present.
  ///   - end: Its return.
  ///   - target: The target of its frame.
  ///   - interval: The assumed interval.
  /// - Returns: A finding, once.
  /// - Complexity: O(``steadyCount``), without allocation.
  public mutating func observePresent(
    start: FrameInstant, end: FrameInstant, target: FrameInstant, interval: FrameDuration
  ) -> Finding? {
    let duration = end - start
    let blocks = duration.nanoseconds * 8 >= interval.nanoseconds
    // A present that is not far ahead may have found space in a queue.
    if blocks {
      immediateCount = 0
    } else if target - start >= interval * VsyncMonitor.maximumQueueDepth {
      immediateCount += 1
    }
    heldBackCount = VsyncMonitor.isHeldBack(duration, interval) ? heldBackCount + 1 : 0
    addReturn(at: end, from: start, blocks: blocks)
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
    guard let observed = grid.interval else { return nil }
    let share = observed.seconds / believed.seconds
    if (share - 1).magnitude <= VsyncMonitor.minimumDifference {
      confirmsInterval = true
      return nil
    }
    // Two or three times the assumed interval indicates drawing that takes longer than a refresh, so that its frames
    // are late.
    let multiple = max(1, share.rounded())
    let isMultiple = multiple >= 3 || multiple == 2 && (share - 2).magnitude <= 0.08
    return isMultiple ? nil : .interval(observed)
  }

  /// Records the return of a present that waited in a short frame; any other present ends the series.
  private mutating func addReturn(at end: FrameInstant, from start: FrameInstant, blocks: Bool) {
    defer { lastReturn = end }
    guard blocks else { return grid = RefreshGrid() }
    // The first return of a series starts the grid.
    guard let lastReturn else { return grid.add(end) }
    let (interval, work) = (end - lastReturn, start - lastReturn)
    if work.nanoseconds * 2 >= interval.nanoseconds { grid = RefreshGrid() }
    grid.add(end)
  }
}

// MARK: - Refresh grid

/// A series of returns of presents, and the refresh grid that they fit, if any.
///
/// Presents that wait for refreshes are late by small independent amounts and stay near the grid. Presents that take
/// long for other reasons, such as drawing, drift from it: their intervals can look alike, but the deviations add up.
/// The grid is therefore fitted to whole series.
private struct RefreshGrid: Sendable {
  /// The number of intervals in a series.
  static let count = 24
  /// The tolerance of the returns of a series around an even grid, as a fraction of the interval: 2 % to either side.
  static let tolerance = 0.04
  /// The minimum tolerance: the wake-up lateness of systems at any rate.
  static let minimumTolerance = FrameDuration.microseconds(300)
  /// The plausible refresh intervals of displays: 1,000 Hz to 10 Hz.
  static let plausibleIntervals = FrameDuration.milliseconds(1)...FrameDuration.milliseconds(100)

  private var returns = InlineArray<25, FrameInstant>(repeating: .zero)
  private var next = 0
  private var returnCount = 0

  /// Adds a return; replaces the oldest one of a full series.
  mutating func add(_ instant: FrameInstant) {
    returns[next] = instant
    next = (next + 1) % returns.count
    returnCount = min(returnCount + 1, returns.count)
  }

  /// The interval of the grid that a whole series fits, or nil if there are too few returns or they fit none.
  ///
  /// - Complexity: O(``count``), without allocation.
  var interval: FrameDuration? {
    interval(of: RefreshGrid.count, within: RefreshGrid.tolerance, atLeast: RefreshGrid.minimumTolerance)
  }

  /// Returns the interval of the grid that the most recent returns fit, or nil if there is none.
  ///
  /// - Parameters:
  ///   - count: The number of intervals to use, at most ``count``.
  ///   - share: The tolerance of the returns around an even grid, as a fraction of the interval.
  ///   - least: The minimum tolerance.
  /// - Complexity: O(count), without allocation.
  func interval(of count: Int, within share: Double, atLeast least: FrameDuration) -> FrameDuration? {
    guard returnCount > count else { return nil }
    // The index of the oldest return in use.
    let oldest = next + returns.count - 1 - count
    let first = returns[oldest % returns.count]
    let span = returns[(oldest + count) % returns.count] - first
    let mean = FrameDuration(nanoseconds: span.nanoseconds / Int64(count))
    guard RefreshGrid.plausibleIntervals.contains(mean) else { return nil }
    var (earliest, latest) = (FrameDuration.zero, FrameDuration.zero)
    for step in 0...count {
      let due = first + FrameDuration(nanoseconds: mean.nanoseconds * Int64(step))
      let late = returns[(oldest + step) % returns.count] - due
      (earliest, latest) = (min(earliest, late), max(latest, late))
    }
    return latest - earliest <= max(mean * share, least) ? mean : nil
  }
}

// MARK: - Probe

/// A probe that determines whether presenting waits for the refresh, because drivers that report vsync may not.
///
/// The software and dummy paths of SDL 2.26 report vsync and return immediately. The probe observes twelve presents.
public struct PresentProbe: Sendable {
  /// The result of the probe.
  public enum Finding: Hashable, Sendable {
    /// Too few presents have been observed.
    case undecided
    /// Presenting waits for the refresh.
    case vsync
    /// Presenting returns immediately, or at no rate of the display, so the loop paces itself by a timer.
    case timer
  }

  /// The number of presents to observe.
  public static let sampleCount = 12

  private let interval: FrameDuration
  private var lastReturn: FrameInstant?
  private var durations = SampleWindow()
  private var intervals = SampleWindow()

  /// Creates a probe for a refresh interval.
  public init(interval: FrameDuration) { self.interval = interval }

  /// Records a present; presents must follow each other without an idle period.
  public mutating func observePresent(start: FrameInstant, end: FrameInstant) {
    durations.append(end - start)
    if let lastReturn { intervals.append(end - lastReturn) }
    lastReturn = end
  }

  /// The median duration of presenting.
  public var typicalDuration: FrameDuration { durations.largest(excluding: max(0, durations.count / 2 - 1)) }

  /// The result of the presents observed so far.
  ///
  /// The first calls may return immediately while the driver's queue fills, so medians decide: vsync requires an
  /// interval between returns within 5 % of a multiple of the refresh, and calls that block for at least a quarter of
  /// it. Most intervals must be within 5 % of their median: presents that take about as long as a refresh for other
  /// reasons vary more.
  public var finding: Finding {
    guard durations.count >= PresentProbe.sampleCount else { return .undecided }
    let typicalInterval = intervals.largest(excluding: max(0, intervals.count / 2 - 1))
    let ratio = Double(typicalInterval.nanoseconds) / Double(interval.nanoseconds)
    let blocks = typicalDuration.nanoseconds * 4 >= interval.nanoseconds
    let isRefresh = abs(ratio - ratio.rounded()) < 0.05 && ratio.rounded() >= 1
    return blocks && isRefresh && isSteady(typicalInterval) ? .vsync : .timer
  }

  private func isSteady(_ typical: FrameDuration) -> Bool {
    // Counts by rank, because the window provides its extremes.
    let (low, high) = (typical * 0.95, typical * 1.05)
    var outside = 0
    while outside < intervals.count, intervals.largest(excluding: outside) > high { outside += 1 }
    var below = 0
    while below < intervals.count, intervals.smallest(excluding: below) < low { below += 1 }
    return (outside + below) * 5 <= intervals.count * 2
  }
}
