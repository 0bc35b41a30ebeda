public import FramePacing
public import ScrollPhysics

/// What is on screen in a frame, and what will be: answers for any item when it will be seen, and how urgent it is.
public struct VisibilityForecast: Sendable {
  /// Items that will be seen within this time come before all others: a commit prepares what is not ready by then.
  public static let urgentThreshold = FrameDuration(nanoseconds: 100_000_000)
  /// The speed at which content that stands still may begin to move, in points a second: a brisk turn of the wheel.
  public static let briskSpeed = 2_000.0
  /// The longest time ahead that is counted as soon, however long preparing takes.
  static let maximumUrgentTime = FrameDuration(nanoseconds: 1_000_000_000)

  /// The refresh at which the frame is shown.
  public let shown: FrameInstant
  /// The time from one refresh to the next.
  public let interval: FrameDuration
  /// Where cells may wait.
  public let limits: KeepLimits
  /// What is on screen, in points of the content.
  public let viewport: ClosedRange<Double>
  /// Items that will be seen within this time are urgent: ``soon``, or longer where preparing them takes longer.
  public private(set) var urgentTime = VisibilityForecast.urgentThreshold
  /// Everything that is on screen at one of the refreshes within ``urgentTime``, and what lies between; while nothing
  /// moves, what would be too late if that began now.
  public private(set) var soonVisible: ClosedRange<Double>
  /// What will be on screen when the content has come to rest, if it is on its way there.
  public let landingViewport: ClosedRange<Double>?
  /// Whether larger offsets come next: by the motion, or by the last one where nothing moves.
  public let isForward: Bool

  private let scroll: ScrollState
  private let dragStep: Double
  private let length: Double

  /// Makes a situation.
  ///
  /// - Parameters:
  ///   - scroll: the content's position as a function of time.
  ///   - window: where cells may wait, as of this frame.
  ///   - shown: the refresh at which the frame is shown.
  ///   - interval: the time from one refresh to the next; at least a microsecond.
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

  /// Whether the content stands still: what will be seen next takes an input.
  public var isAtRest: Bool { dragStep == 0 && !scroll.isMoving(at: shown) }

  /// When an item will be on screen, or would be if content that stands still began to move briskly now.
  ///
  /// - Parameter candidate: the item.
  /// - Returns: nothing for one that the content moves away from.
  func expectedDue(of candidate: PreparationCandidate) -> FrameInstant? {
    if candidate.due < .distantFuture { return candidate.due }
    guard isAtRest, candidate.rank != .behind else { return nil }
    return shown + .seconds(candidate.distance / VisibilityForecast.briskSpeed)
  }

  /// An item would be too late if others were prepared before it: it is urgent, and so is what comes before it.
  ///
  /// - Parameters:
  ///   - candidate: the item.
  ///   - due: when it is expected on screen.
  mutating func markUrgent(_ candidate: PreparationCandidate, due: FrameInstant) {
    if isAtRest {
      // Half a point, so that the item is among what is seen, and its whole row.
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

  /// What is on screen at one of the refreshes within a time, and what lies between.
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

  /// The candidate that an item is, by where it lies along the axis.
  ///
  /// - Returns: nothing for an item that is on screen, outside of the limits, or flown past between two refreshes.
  /// - Complexity: O(1), no allocation.
  public func candidate(_ index: Int, start: Double, end: Double) -> PreparationCandidate? {
    guard !KeepLimits.overlaps(viewport, start, end), limits.contains(start: start, end: end),
      let due = firstRefresh(start: start, end: end)
    else { return nil }
    let isAfter = start >= viewport.upperBound
    return PreparationCandidate(
      index: index, rank: rank(due: due, isOnWay: isAfter == isForward, start, end), due: due,
      distance: max(0, isAfter ? start - viewport.upperBound : viewport.lowerBound - end))
  }

  private func rank(due: FrameInstant, isOnWay: Bool, _ start: Double, _ end: Double) -> PreparationRank {
    if isAtRest || due <= shown + urgentTime, KeepLimits.overlaps(limits.aroundViewport, start, end),
      KeepLimits.overlaps(soonVisible, start, end)
    {
      return .soon
    }
    guard let landingViewport else { return isOnWay ? .ahead : .behind }
    if KeepLimits.overlaps(landingViewport, start, end) { return .landing }
    guard isOnWay else { return .behind }
    return (isForward ? end <= landingViewport.lowerBound : start >= landingViewport.upperBound) ? .path : .ahead
  }

  /// The first refresh at which an item is on screen; nothing where it is there between two refreshes alone.
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
      // It stands right at the edge, where nothing of it is seen yet.
      due = due + interval
    }
    return first
  }

  /// When a hand that goes on as it did will have brought an item that lies so far beyond an edge.
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
