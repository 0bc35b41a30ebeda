public import VitrineFramePacing
public import VitrineScrollPhysics

/// A forecast of what will be on screen, which determines when an item will be visible and how urgent its preparation
/// is.
public struct VisibilityForecast: Sendable {
  /// Items that will be visible within this time precede all others, because a commit would have to prepare them.
  public static let urgentThreshold = FrameDuration(nanoseconds: 100_000_000)
  /// The speed that content at rest is assumed to reach when the user starts to scroll briskly, in points per second.
  public static let briskSpeed = 2_000.0
  /// The maximum of ``urgentTime``, however long preparation takes.
  static let maximumUrgentTime = FrameDuration(nanoseconds: 1_000_000_000)

  /// The refresh at which the frame is shown.
  public let shown: FrameInstant
  /// The time between two refreshes.
  public let interval: FrameDuration
  /// The limits within which cells may wait.
  public let limits: KeepLimits
  /// The visible interval, in points of the content.
  public let viewport: ClosedRange<Double>
  /// The time within which visible items are urgent: ``urgentThreshold``, or longer if preparation takes longer.
  public private(set) var urgentTime = VisibilityForecast.urgentThreshold
  /// The interval that is visible at any refresh within ``urgentTime``.
  ///
  /// For content at rest, the interval that would be late if brisk scrolling began now.
  public private(set) var soonVisible: ClosedRange<Double>
  /// The interval that will be visible when the content comes to rest, or nil if it does not move towards a resting
  /// point.
  public let landingViewport: ClosedRange<Double>?
  /// Whether larger offsets will be visible next.
  ///
  /// At rest, the direction of the last movement.
  public let isForward: Bool

  private let scroll: ScrollState
  private let dragStep: Double
  private let length: Double

  /// Creates a forecast.
  ///
  /// - Parameters:
  ///   - scroll: The content's position as a function of time.
  ///   - window: The limits within which cells may wait, as of this frame.
  ///   - shown: The refresh at which the frame is shown.
  ///   - interval: The time between two refreshes, at least one microsecond.
  public init(scroll: ScrollState, window: KeepWindow, shown: FrameInstant, interval: FrameDuration) {
    self.scroll = scroll
    self.shown = shown
    self.interval = max(interval, FrameDuration(nanoseconds: 1_000))
    limits = window.limits
    let offset = scroll.offset(at: shown)
    length = scroll.range.viewportLength
    viewport = offset...(offset + length)
    let rest = scroll.projectedOffset
    landingViewport = limits.landing == nil ? nil : rest...(rest + length)
    dragStep = scroll.phase(at: shown) == .tracking ? window.typicalStep : 0
    if dragStep != 0 {
      isForward = dragStep > 0
    } else {
      isForward = scroll.isMoving(at: shown) && rest != offset ? rest > offset : window.isForward
    }
    soonVisible = viewport
    soonVisible = sweptRange(within: urgentTime)
  }

  /// Whether the content is at rest, so that only input makes other items visible.
  public var isAtRest: Bool { dragStep == 0 && !scroll.isMoving(at: shown) }

  /// Returns when an item is expected on screen.
  ///
  /// For content at rest, the time if brisk scrolling began now.
  ///
  /// - Parameter candidate: The item.
  /// - Returns: The instant, or nil if the content moves away from the item.
  func expectedDue(of candidate: PreparationCandidate) -> FrameInstant? {
    if candidate.due < .distantFuture { return candidate.due }
    guard isAtRest, candidate.rank != .behind else { return nil }
    return shown + .seconds(candidate.distance / VisibilityForecast.briskSpeed)
  }

  /// Marks an item and all items before it as urgent, because it would be late if others were prepared first.
  ///
  /// - Parameters:
  ///   - candidate: The item.
  ///   - due: When the item is expected on screen.
  mutating func markUrgent(_ candidate: PreparationCandidate, due: FrameInstant) {
    if isAtRest {
      // Half a point more, so that the item and its whole row are included.
      let low = min(
        soonVisible.lowerBound, isForward ? viewport.lowerBound : viewport.lowerBound - candidate.distance - 0.5)
      let high = max(
        soonVisible.upperBound, isForward ? viewport.upperBound + candidate.distance + 0.5 : viewport.upperBound)
      soonVisible = low...high
    } else if due - shown > urgentTime {
      urgentTime = min(due - shown, VisibilityForecast.maximumUrgentTime)
      soonVisible = sweptRange(within: urgentTime)
    }
  }

  /// Returns the interval that is visible at any refresh within a time.
  private func sweptRange(within time: FrameDuration) -> ClosedRange<Double> {
    let refreshes = max(1, time.nanoseconds / interval.nanoseconds)
    var low = min(0, dragStep) * Double(refreshes)
    var high = max(0, dragStep) * Double(refreshes)
    if scroll.isMoving(at: shown) {
      let stride = (refreshes + 31) / 32
      var refresh = Int64(0)
      while refresh < refreshes {
        refresh = min(refresh + stride, refreshes)
        let later = FrameInstant(nanoseconds: shown.nanoseconds + refresh * interval.nanoseconds)
        let step = scroll.offset(at: later) - viewport.lowerBound
        low = min(low, step)
        high = max(high, step)
      }
    }
    return (viewport.lowerBound + low)...(viewport.upperBound + high)
  }

  /// Returns the preparation candidate for an item with the given start and end along the axis.
  ///
  /// - Returns: The candidate, or nil if the item is on screen, outside the limits, or passes between two refreshes.
  /// - Complexity: O(1), no allocation.
  public func candidate(_ index: Int, start: Double, end: Double) -> PreparationCandidate? {
    guard !KeepLimits.overlaps(viewport, start, end), limits.contains(start: start, end: end),
      let due = firstRefresh(start: start, end: end)
    else { return nil }
    let isAfter = start >= viewport.upperBound
    return PreparationCandidate(
      index: index, rank: rank(due: due, isAhead: isAfter == isForward, start, end), due: due,
      distance: max(0, isAfter ? start - viewport.upperBound : viewport.lowerBound - end))
  }

  private func rank(due: FrameInstant, isAhead: Bool, _ start: Double, _ end: Double) -> PreparationRank {
    if isAtRest || due <= shown + urgentTime, KeepLimits.overlaps(limits.aroundViewport, start, end),
      KeepLimits.overlaps(soonVisible, start, end)
    {
      return .soon
    }
    guard let landingViewport else { return isAhead ? .ahead : .behind }
    if KeepLimits.overlaps(landingViewport, start, end) { return .landing }
    guard isAhead else { return .behind }
    return (isForward ? end <= landingViewport.lowerBound : start >= landingViewport.upperBound) ? .path : .ahead
  }

  /// Returns the first refresh at which an item is on screen, or nil if it is on screen only between two refreshes.
  private func firstRefresh(start: Double, end: Double) -> FrameInstant? {
    let isAfter = start >= viewport.upperBound
    let entry = isAfter ? start - length : end
    var first = dragRefresh(
      isAfter: isAfter, distance: isAfter ? start - viewport.upperBound : viewport.lowerBound - end)
    guard let reached = scroll.instant(reaching: entry, after: shown) else { return first }
    var due = refresh(atOrAfter: reached)
    for _ in 0..<2 {
      let offset = scroll.offset(at: due)
      if KeepLimits.overlaps(offset...(offset + length), start, end) {
        first = min(first, due)
        return first
      }
      let isPast = isAfter ? end <= offset : start >= offset + length
      if isPast { return first == .distantFuture ? nil : first }
      // The item touches the edge, where none of it is visible yet.
      due = due + interval
    }
    return first
  }

  /// Returns when a drag that continues at its typical speed reveals an item at a distance from the viewport's edge.
  private func dragRefresh(isAfter: Bool, distance: Double) -> FrameInstant {
    guard dragStep != 0, isAfter == (dragStep > 0) else { return .distantFuture }
    let frames = max(1, min(1_000_000, (distance / dragStep.magnitude).rounded(.up)))
    return refresh(after: Int64(frames))
  }

  private func refresh(atOrAfter instant: FrameInstant) -> FrameInstant {
    let wait = (instant - shown).nanoseconds
    let period = interval.nanoseconds
    return refresh(after: max(1, wait / period + (wait % period > 0 ? 1 : 0)))
  }

  private func refresh(after frames: Int64) -> FrameInstant {
    FrameInstant(nanoseconds: shown.nanoseconds + frames * interval.nanoseconds)
  }
}
