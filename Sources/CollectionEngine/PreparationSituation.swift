public import FramePacing
public import ScrollPhysics

/// What is on screen in a frame, and what will be: answers for any item when it will be seen, and how urgent it is.
public struct PreparationSituation: Sendable {
  /// Items that will be seen within this time come before all others: a commit prepares what is not ready by then.
  public static let soon = FrameDuration(nanoseconds: 100_000_000)
  /// The speed at which content that stands still may begin to move, in points a second: a brisk turn of the wheel.
  public static let briskSpeed = 2_000.0
  /// The longest time ahead that is counted as soon, however long preparing takes.
  static let longestSoon = FrameDuration(nanoseconds: 1_000_000_000)

  /// The refresh at which the frame is shown.
  public let shown: FrameInstant
  /// The time from one refresh to the next.
  public let interval: FrameDuration
  /// Where cells may wait.
  public let limits: KeepLimits
  /// What is on screen, in points of the content.
  public let view: ClosedRange<Double>
  /// Items that will be seen within this time are urgent: ``soon``, or longer where preparing them takes longer.
  public private(set) var urgentTime = PreparationSituation.soon
  /// Everything that is on screen at one of the refreshes within ``urgentTime``, and what lies between; while nothing
  /// moves, what would be too late if that began now.
  public private(set) var soonView: ClosedRange<Double>
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
    if handStep != 0 {
      isForward = handStep > 0
    } else {
      isForward = scroll.isMoving(at: shown) && rest != offset ? rest > offset : window.isForward
    }
    soonView = view
    soonView = swept(within: urgentTime)
  }

  /// Whether the content stands still: what will be seen next takes an input.
  public var isAtRest: Bool { handStep == 0 && !scroll.isMoving(at: shown) }

  /// When an item will be on screen, or would be if content that stands still began to move briskly now.
  ///
  /// - Parameter candidate: the item.
  /// - Returns: nothing for one that the content moves away from.
  func expectedDue(of candidate: PreparationCandidate) -> FrameInstant? {
    if candidate.due < .distantFuture { return candidate.due }
    guard isAtRest, candidate.rank != .behind else { return nil }
    return shown + .seconds(candidate.distance / PreparationSituation.briskSpeed)
  }

  /// An item would be too late if others were prepared before it: it is urgent, and so is what comes before it.
  ///
  /// - Parameters:
  ///   - candidate: the item.
  ///   - due: when it is expected on screen.
  mutating func makeUrgent(_ candidate: PreparationCandidate, due: FrameInstant) {
    if isAtRest {
      // Half a point, so that the item is among what is seen, and its whole row.
      let low = min(soonView.lowerBound, isForward ? view.lowerBound : view.lowerBound - candidate.distance - 0.5)
      let high = max(soonView.upperBound, isForward ? view.upperBound + candidate.distance + 0.5 : view.upperBound)
      soonView = low...high
    } else if due - shown > urgentTime {
      urgentTime = min(due - shown, PreparationSituation.longestSoon)
      soonView = swept(within: urgentTime)
    }
  }

  /// What is on screen at one of the refreshes within a time, and what lies between.
  private func swept(within time: FrameDuration) -> ClosedRange<Double> {
    let refreshes = max(1, time.nanoseconds / interval.nanoseconds)
    var low = min(0, handStep) * Double(refreshes)
    var high = max(0, handStep) * Double(refreshes)
    if scroll.isMoving(at: shown) {
      let stride = (refreshes + 31) / 32
      var refresh = Int64(0)
      while refresh < refreshes {
        refresh = min(refresh + stride, refreshes)
        let later = FrameInstant(nanoseconds: shown.nanoseconds + refresh * interval.nanoseconds)
        let step = scroll.offset(at: later) - view.lowerBound
        low = min(low, step)
        high = max(high, step)
      }
    }
    return (view.lowerBound + low)...(view.upperBound + high)
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
    if isAtRest || due <= shown + urgentTime, KeepLimits.overlaps(limits.near, start, end),
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
