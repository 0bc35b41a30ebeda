public import VitrineFramePacing
public import VitrineScrollPhysics

/// Decides where cells may wait outside the viewport: farther ahead of the scrolling direction than behind it, and
/// around the point where a flick will end.
///
/// The owner calls ``handle(_:shown:lead:)`` in every frame and discards the cells outside the resulting ``limits``.
/// After a change of direction the side that was ahead keeps no more than the extent behind.
public struct KeepWindow: Sendable {
  /// The maximum remaining time of an animation for cells to wait around its end point.
  static let maximumApproachTime = FrameDuration(nanoseconds: 1_500_000_000)

  /// How far around the viewport cells may wait.
  public var extent: KeepExtent
  /// The limits within which cells may wait, as of the last frame.
  public private(set) var limits = KeepLimits(aroundViewport: 0...0)
  /// The distance that the content moves per frame, in points: the median of the last five frames with movement.
  ///
  /// It predicts the movement of a drag, whose future is unknown. It is 0 after three frames without movement.
  public private(set) var typicalStep = 0.0

  private var direction = ScrollDirectionTracker()
  private var reducedUntil = FrameInstant.distantPast
  private var lastOffset: Double?
  private var steps = InlineArray<5, Double>(repeating: 0)
  private var stepCount = 0
  private var idleFrames = 0

  /// Creates a window with empty limits.
  public init(extent: KeepExtent = .standard) { self.extent = extent }

  /// Whether the scrolling direction is towards larger offsets, as ``ScrollDirectionTracker`` determines it.
  public var isForward: Bool { direction.isForward }

  /// Updates the limits for the content's position in a frame.
  ///
  /// - Parameters:
  ///   - scroll: The content's position as a function of time.
  ///   - shown: The frame's target time.
  ///   - lead: The time that preparing and decoding take. The limits ahead extend at least as far as the content moves
  ///     in this time, up to ``KeepExtent/maximumAhead``.
  /// - Returns: Whether the scrolling direction changed.
  /// - Complexity: O(1), no allocation.
  @discardableResult
  public mutating func handle(
    _ scroll: ScrollState, shown: FrameInstant, lead: FrameDuration = .zero
  ) -> Bool {
    let offset = scroll.offset(at: shown)
    let step = lastOffset.map { offset - $0 } ?? 0
    lastOffset = offset
    let hasTurned = direction.recordMovement(by: step)
    if hasTurned { stepCount = 0 }
    recordStep(step)
    let length = scroll.range.viewportLength
    let reach = extent(at: shown)
    let leadDistance = scroll.velocity(at: shown).magnitude * max(0, lead.seconds)
    let ahead = min(max(reach.ahead * length, leadDistance), reach.maximumAhead * length)
    let behind = reach.behind * length
    setLimits(scroll, shown, ahead: ahead, behind: behind)
    return hasTurned
  }

  /// Reduces the extent as ``KeepExtent/reducedForLowMemory`` does, until an instant.
  ///
  /// - Parameters:
  ///   - end: The end of the reduction.
  ///   - scroll: The content's position as a function of time.
  ///   - shown: The last frame's target time.
  public mutating func reduceForLowMemory(until end: FrameInstant, _ scroll: ScrollState, shown: FrameInstant) {
    reducedUntil = max(reducedUntil, end)
    self = withExtent(extent, scroll, shown: shown)
  }

  /// Returns the extent in a frame, which is reduced while memory is low.
  public func extent(at shown: FrameInstant) -> KeepExtent {
    shown < reducedUntil ? extent.reducedForLowMemory : extent
  }

  /// Returns the window of the last frame with a different extent, for example that of data prefetching.
  ///
  /// - Parameters:
  ///   - reach: The extent.
  ///   - scroll: The content's position as a function of time.
  ///   - shown: The last frame's target time.
  /// - Complexity: O(1), no allocation.
  public func withExtent(_ reach: KeepExtent, _ scroll: ScrollState, shown: FrameInstant) -> KeepWindow {
    var window = self
    window.extent = reach
    let reach = window.extent(at: shown)
    let length = scroll.range.viewportLength
    window.setLimits(scroll, shown, ahead: reach.ahead * length, behind: reach.behind * length)
    return window
  }

  private mutating func setLimits(_ scroll: ScrollState, _ shown: FrameInstant, ahead: Double, behind: Double) {
    let length = scroll.range.viewportLength
    limits.aroundViewport = interval(from: scroll.offset(at: shown), length: length, ahead: ahead, behind: behind)
    limits.landing = KeepWindow.landing(of: scroll, shown: shown).map { landing in
      interval(from: landing, length: length, ahead: extent(at: shown).ahead * length, behind: behind)
    }
  }

  /// Shifts all positions because the length of the content above changed.
  ///
  /// A shift is not a movement and does not affect the direction.
  public mutating func shiftContent(by points: Double) {
    guard points.isFinite else { return }
    lastOffset = lastOffset.map { $0 + points }
  }

  /// Returns the flat indices that may wait around the visible ones, when the frames of the items are not known.
  ///
  /// - Parameters:
  ///   - visible: The flat indices on screen.
  ///   - count: The number of all items.
  public func indices(around visible: Range<Int>, of count: Int) -> Range<Int> {
    guard !visible.isEmpty else { return 0..<0 }
    let ahead = Int((Double(visible.count) * extent.ahead).rounded(.up))
    let behind = Int((Double(visible.count) * extent.behind).rounded(.up))
    let low = max(0, visible.lowerBound - (isForward ? behind : ahead))
    let high = min(max(count, visible.upperBound), visible.upperBound + (isForward ? ahead : behind))
    return min(low, high)..<high
  }

  /// Returns the offset where the content will come to rest by itself, or nil if it does not move by itself.
  static func landing(of scroll: ScrollState, shown: FrameInstant) -> Double? {
    guard let rest = scroll.restInstant, rest > shown else { return nil }
    switch scroll.phase(at: shown) {
    case .idle: return nil
    case .decelerating, .bouncing: break
    case .animating, .tracking: guard rest - shown <= maximumApproachTime else { return nil }
    }
    return scroll.isMoving(at: shown) ? scroll.projectedOffset : nil
  }

  private func interval(from offset: Double, length: Double, ahead: Double, behind: Double) -> ClosedRange<Double> {
    let before = direction.isForward ? behind : ahead
    let after = direction.isForward ? ahead : behind
    return (offset - before)...(offset + length + after)
  }

  private mutating func recordStep(_ step: Double) {
    guard step != 0 else {
      idleFrames += 1
      if idleFrames >= 3 {
        stepCount = 0
        typicalStep = 0
      }
      return
    }
    idleFrames = 0
    steps[stepCount % 5] = step
    stepCount += 1
    let count = min(stepCount, 5)
    var sorted = steps
    for end in 1..<5 where end < count {
      var position = end
      while position > 0, sorted[position] < sorted[position - 1] {
        (sorted[position], sorted[position - 1]) = (sorted[position - 1], sorted[position])
        position -= 1
      }
    }
    typicalStep = sorted[count / 2]
  }
}

// MARK: - Limits

/// The intervals along the scrolling axis in which items may have a waiting cell, in points of the content.
public struct KeepLimits: Hashable, Sendable {
  /// The interval around the viewport.
  public var aroundViewport: ClosedRange<Double>
  /// The interval around the point where the content will come to rest, or nil if it does not move towards one.
  public var landing: ClosedRange<Double>?

  /// Creates limits.
  public init(aroundViewport: ClosedRange<Double>, landing: ClosedRange<Double>? = nil) {
    self.aroundViewport = aroundViewport
    self.landing = landing
  }

  /// Returns whether any part of an item between two points is within the limits.
  public func contains(start: Double, end: Double) -> Bool {
    KeepLimits.overlaps(aroundViewport, start, end) || landing.map { KeepLimits.overlaps($0, start, end) } ?? false
  }

  /// Returns whether any part of an item is in an interval.
  ///
  /// An item without length counts as a point.
  static func overlaps(_ interval: ClosedRange<Double>, _ start: Double, _ end: Double) -> Bool {
    if end <= start { return interval.contains(start) }
    return start < interval.upperBound && end > interval.lowerBound
  }
}

// MARK: - Extent

/// How far around the viewport cells may wait, in multiples of the viewport's length.
public struct KeepExtent: Hashable, Sendable {
  /// The extent in the scrolling direction.
  public var ahead: Double
  /// The extent against the scrolling direction.
  public var behind: Double
  /// The maximum of ``ahead`` during fast scrolling.
  public var maximumAhead: Double
  /// The maximum memory that waiting cells may use together, in bytes.
  ///
  /// A cell that uses more waits alone.
  public var maximumBytes: Int

  /// One viewport ahead, half a viewport behind, and 2.5 viewports ahead of a fast scroll.
  public static let standard = KeepExtent(ahead: 1, behind: 0.5, maximumAhead: 2.5)
  /// A quarter of a viewport in both directions, for low memory.
  public static let lowMemory = KeepExtent(ahead: 0.25, behind: 0.25, maximumAhead: 0.25)
  /// Two viewports ahead and half a viewport behind, for data, which takes longer to load than a cell.
  public static let data = KeepExtent(ahead: 2, behind: 0.5, maximumAhead: 2.5)
  /// No waiting cells.
  public static let none = KeepExtent(ahead: 0, behind: 0, maximumAhead: 0)

  /// The default memory limit: 64 MiB, the pixels and textures of four screens of 1080 lines.
  public static let defaultMaximumBytes = 64 << 20

  /// Creates an extent.
  ///
  /// Negative values and NaN count as 0.
  public init(ahead: Double, behind: Double, maximumAhead: Double, maximumBytes: Int = KeepExtent.defaultMaximumBytes) {
    self.ahead = KeepExtent.sanitized(ahead)
    self.behind = KeepExtent.sanitized(behind)
    self.maximumAhead = max(KeepExtent.sanitized(ahead), KeepExtent.sanitized(maximumAhead))
    self.maximumBytes = max(0, maximumBytes)
  }

  /// The extent to use while memory is low: a quarter of a viewport in both directions, and a quarter of the bytes.
  public var reducedForLowMemory: KeepExtent {
    var tight = KeepExtent.lowMemory
    tight.maximumBytes = maximumBytes / 4
    return tight
  }

  /// Returns the maximum number of waiting cells for a maximum number of visible cells.
  ///
  /// The number covers the extents around the viewport and around the end point of a flick. It is at least 8.
  public func maximumCells(visible: Int) -> Int {
    let screens = max(maximumAhead + behind, 2 * (ahead + behind) + 1)
    return max(KeepExtent.minimumCells, Int((Double(max(0, visible)) * screens).rounded(.up)))
  }

  /// A few cells cost next to nothing, whatever their size.
  private static let minimumCells = 8

  private static func sanitized(_ screens: Double) -> Double { screens > 0 ? min(screens, 1_000) : 0 }
}

// MARK: - Scrolling direction

/// The scrolling direction, with hysteresis.
///
/// The direction changes after a movement of eight points against it, or after two consecutive frames of such movement.
/// A jittering wheel does not discard prepared cells.
public struct ScrollDirectionTracker: Hashable, Sendable {
  /// The distance against the current direction that changes it, in points.
  public static let pointThreshold = 8.0
  /// The number of consecutive frames against the current direction that changes it.
  public static let frameThreshold = 2

  /// Whether the direction is towards larger offsets.
  public private(set) var isForward: Bool
  private var opposingDistance = 0.0
  private var opposingFrames = 0

  /// Creates a tracker with an initial direction.
  public init(isForward: Bool = true) { self.isForward = isForward }

  /// Records the content's movement in a frame.
  ///
  /// - Parameter step: The distance, in points. NaN counts as no movement.
  /// - Returns: Whether the direction changed.
  public mutating func recordMovement(by step: Double) -> Bool {
    guard step < 0 || step > 0 else { return false }
    guard (step > 0) != isForward else {
      opposingDistance = 0
      opposingFrames = 0
      return false
    }
    opposingDistance += step.magnitude
    opposingFrames += 1
    guard
      opposingDistance >= ScrollDirectionTracker.pointThreshold
        || opposingFrames >= ScrollDirectionTracker.frameThreshold
    else {
      return false
    }
    isForward.toggle()
    opposingDistance = 0
    opposingFrames = 0
    return true
  }
}
