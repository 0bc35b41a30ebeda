public import FramePacing
public import ScrollPhysics

/// What is on screen in a frame, and what will be: answers for any item when it will be seen, and how urgent it is.
public struct PreparationSituation: Sendable {
  /// Items that will be seen within this time come before all others: a commit prepares what is not ready by then.
  public static let soon = FrameDuration(nanoseconds: 100_000_000)

  /// The refresh at which the frame is shown.
  public let shown: FrameInstant
  /// The time from one refresh to the next.
  public let interval: FrameDuration
  /// Where cells may wait.
  public let limits: KeepLimits
  /// What is on screen, in points of the content.
  public let view: ClosedRange<Double>
  /// Everything that is on screen at one of the refreshes until ``soon``, and what lies between.
  public let soonView: ClosedRange<Double>
  /// What will be on screen when the content has come to rest, if it is on its way there.
  public let landingView: ClosedRange<Double>?
  /// Whether larger offsets come next: by the motion, or by the last one where nothing moves.
  public let isForward: Bool

  private let scroll: ScrollState
  private let handStep: Double
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
    view = offset...(offset + length)
    let rest = scroll.projectedOffset
    landingView = limits.landing == nil ? nil : rest...(rest + length)
    handStep = scroll.phase(at: shown) == .tracking ? window.typicalStep : 0
    var low = min(0, handStep)
    var high = max(0, handStep)
    let refreshes = max(1, min(32, PreparationSituation.soon.nanoseconds / self.interval.nanoseconds))
    low *= Double(refreshes)
    high *= Double(refreshes)
    for refresh in 1...refreshes where scroll.isMoving(at: shown) {
      let later = FrameInstant(nanoseconds: shown.nanoseconds + refresh * self.interval.nanoseconds)
      let step = scroll.offset(at: later) - offset
      low = min(low, step)
      high = max(high, step)
    }
    soonView = (offset + low)...(offset + length + high)
    if handStep != 0 {
      isForward = handStep > 0
    } else {
      isForward = scroll.isMoving(at: shown) && rest != offset ? rest > offset : window.isForward
    }
  }

  /// The candidate that an item is, by where it lies along the axis.
  ///
  /// - Returns: nothing for an item that is on screen, outside of the limits, or flown past between two refreshes.
  /// - Complexity: O(1), no allocation.
  public func candidate(_ index: Int, start: Double, end: Double) -> PreparationCandidate? {
    guard !KeepLimits.overlaps(view, start, end), limits.contains(start: start, end: end),
      let due = firstRefresh(start: start, end: end)
    else { return nil }
    let isAfter = start >= view.upperBound
    return PreparationCandidate(
      index: index, rank: rank(due: due, isOnWay: isAfter == isForward, start, end), due: due,
      distance: max(0, isAfter ? start - view.upperBound : view.lowerBound - end))
  }

  private func rank(due: FrameInstant, isOnWay: Bool, _ start: Double, _ end: Double) -> PreparationRank {
    if due <= shown + PreparationSituation.soon, KeepLimits.overlaps(limits.near, start, end),
      KeepLimits.overlaps(soonView, start, end)
    {
      return .soon
    }
    guard let landingView else { return isOnWay ? .ahead : .behind }
    if KeepLimits.overlaps(landingView, start, end) { return .landing }
    guard isOnWay else { return .behind }
    return (isForward ? end <= landingView.lowerBound : start >= landingView.upperBound) ? .path : .ahead
  }

  /// The first refresh at which an item is on screen; nothing where it is there between two refreshes alone.
  private func firstRefresh(start: Double, end: Double) -> FrameInstant? {
    let isAfter = start >= view.upperBound
    let entry = isAfter ? start - length : end
    var first = handRefresh(isAfter: isAfter, distance: isAfter ? start - view.upperBound : view.lowerBound - end)
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
  private func handRefresh(isAfter: Bool, distance: Double) -> FrameInstant {
    guard handStep != 0, isAfter == (handStep > 0) else { return .distantFuture }
    let frames = max(1, min(1_000_000, (distance / handStep.magnitude).rounded(.up)))
    return later(by: Int64(frames))
  }

  private func refresh(atOrAfter instant: FrameInstant) -> FrameInstant {
    let wait = (instant - shown).nanoseconds
    let period = interval.nanoseconds
    return later(by: max(1, wait / period + (wait % period > 0 ? 1 : 0)))
  }

  private func later(by frames: Int64) -> FrameInstant {
    FrameInstant(nanoseconds: shown.nanoseconds + frames * interval.nanoseconds)
  }
}
