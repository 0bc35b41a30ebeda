public import FramePacing
public import ScrollPhysics

/// Decides where cells may wait: ahead in the direction of scrolling more than behind, and where a flick will land.
///
/// Told of every frame's position; what lies outside of the ``limits`` afterwards is let go. After a turn the side that
/// was ahead keeps no more than what is behind may keep.
public struct KeepWindow: Sendable {
  /// A motion of its own that ends within this time counts as on its way to a place: what lies there may wait as well.
  static let maximumApproachTime = FrameDuration(nanoseconds: 1_500_000_000)

  /// How far cells may wait.
  public var extent: KeepExtent
  /// Where cells may wait.
  public private(set) var limits = KeepLimits(near: 0...0)
  /// The points that the content moved in a frame, the middle one of the last five frames with a movement.
  ///
  /// What a hand does next is not known; this is what it did. Zero once it has held still for three frames.
  public private(set) var typicalStep = 0.0

  private var direction = ScrollDirectionTracker()
  private var reducedUntil = FrameInstant.distantPast
  private var lastOffset: Double?
  private var steps = InlineArray<5, Double>(repeating: 0)
  private var stepCount = 0
  private var idleFrames = 0

  /// Makes a window that keeps nothing yet.
  public init(reach: KeepExtent = .standard) { self.extent = reach }

  /// Whether the believed direction is towards larger offsets.
  public var isForward: Bool { direction.isForward }

  /// The content is shown at its position of a frame.
  ///
  /// - Parameters:
  ///   - scroll: its position as a function of time.
  ///   - shown: the frame's target.
  ///   - lead: how long preparing and decoding take: what will be seen sooner than that is ahead, too.
  /// - Returns: whether a turn is now believed.
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
    let stretch = scroll.velocity(at: shown).magnitude * max(0, lead.seconds)
    let ahead = min(max(reach.ahead * length, stretch), reach.maximumAhead * length)
    let behind = reach.behind * length
    setLimits(scroll, shown, ahead: ahead, behind: behind)
    return hasTurned
  }

  /// Memory is short: until an instant no more waits than ``KeepReach/tightened`` allows.
  ///
  /// - Parameters:
  ///   - end: the instant.
  ///   - scroll: the content's position as a function of time.
  ///   - shown: the last frame's target.
  public mutating func reduceForLowMemory(until end: FrameInstant, _ scroll: ScrollState, shown: FrameInstant) {
    reducedUntil = max(reducedUntil, end)
    self = withExtent(extent, scroll, shown: shown)
  }

  /// How far cells may wait in a frame: as far as they are to, or less while memory is short.
  public func extent(at shown: FrameInstant) -> KeepExtent {
    shown < reducedUntil ? extent.reducedForLowMemory : extent
  }

  /// The same window with another reach, as of the last frame: for what is wanted further ahead than cells.
  ///
  /// - Parameters:
  ///   - reach: how far.
  ///   - scroll: the content's position as a function of time.
  ///   - shown: the last frame's target.
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

  /// Every position moved by a distance: content above changed its length.
  ///
  /// That is no movement, and says nothing of a direction.
  public mutating func shiftContent(by points: Double) {
    guard points.isFinite else { return }
    lastOffset = lastOffset.map { $0 + points }
  }

  /// The flat indices that may wait around those on screen, where only their number is known.
  ///
  /// - Parameters:
  ///   - visible: the flat indices on screen.
  ///   - count: all items.
  public func indices(around visible: Range<Int>, of count: Int) -> Range<Int> {
    guard !visible.isEmpty else { return 0..<0 }
    let ahead = Int((Double(visible.count) * extent.ahead).rounded(.up))
    let behind = Int((Double(visible.count) * extent.behind).rounded(.up))
    let low = max(0, visible.lowerBound - (isForward ? behind : ahead))
    let high = min(max(count, visible.upperBound), visible.upperBound + (isForward ? ahead : behind))
    return min(low, high)..<high
  }

  /// Where the content will come to rest, if it is on its way there by itself.
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
      var place = end
      while place > 0, sorted[place] < sorted[place - 1] {
        (sorted[place], sorted[place - 1]) = (sorted[place - 1], sorted[place])
        place -= 1
      }
    }
    typicalStep = sorted[count / 2]
  }
}
