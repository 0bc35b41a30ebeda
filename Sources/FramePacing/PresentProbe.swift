/// Finds out what presenting does by watching it, as drivers say vsync and do not do it.
///
/// The software and dummy paths of SDL 2.26 report vsync and return at once. Watches twelve presents.
public struct PresentProbe: Sendable {
  /// What was found.
  public enum Finding: Hashable, Sendable {
    /// Not enough was seen yet.
    case undecided
    /// Presenting waits for the refresh.
    case vsync
    /// Presenting returns at once, or at no rate of the display: pace by our own timer.
    case timer
  }

  /// How many presents are watched.
  public static let sampleCount = 12

  private let interval: FrameDuration
  private var lastReturn: FrameInstant?
  private var durations = SampleWindow()
  private var intervals = SampleWindow()

  /// Starts watching for a refresh interval.
  public init(interval: FrameDuration) { self.interval = interval }

  /// Takes in one present call.
  ///
  /// Calls must follow each other without a rest between.
  public mutating func observePresent(start: FrameInstant, end: FrameInstant) {
    durations.append(end - start)
    if let lastReturn { intervals.append(end - lastReturn) }
    lastReturn = end
  }

  /// The typical time that presenting took.
  public var typicalDuration: FrameDuration { durations.largest(excluding: max(0, durations.count / 2 - 1)) }

  /// What the presents seen so far say.
  ///
  /// The first calls may return at once while the driver's queue fills, so medians decide: the interval between
  /// returns within 5 % of the refresh, and the call blocking for at least a quarter of it. Most intervals must be that
  /// median, within 5 %: what takes about as long as a refresh by itself, now less and now more, waits for none.
  public var finding: Finding {
    guard durations.count >= PresentProbe.sampleCount else { return .undecided }
    let typicalInterval = intervals.largest(excluding: max(0, intervals.count / 2 - 1))
    let ratio = Double(typicalInterval.nanoseconds) / Double(interval.nanoseconds)
    let blocks = typicalDuration.nanoseconds * 4 >= interval.nanoseconds
    let isRefresh = abs(ratio - ratio.rounded()) < 0.05 && ratio.rounded() >= 1
    return blocks && isRefresh && isSteady(typicalInterval) ? .vsync : .timer
  }

  private func isSteady(_ typical: FrameDuration) -> Bool {
    // Counted by ranks: the window tells its extremes.
    let (low, high) = (typical * 0.95, typical * 1.05)
    var outside = 0
    while outside < intervals.count, intervals.largest(excluding: outside) > high { outside += 1 }
    var below = 0
    while below < intervals.count, intervals.smallest(excluding: below) < low { below += 1 }
    return (outside + below) * 5 <= intervals.count * 2
  }
}
