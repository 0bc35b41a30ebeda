/// Decides which items' data is wanted before they are seen: a pure machine over flat indices.
///
/// Ahead in the direction of scrolling more than behind; a turn is believed once it has gone on for some points, so that
/// a trembling wheel does not throw requests away and ask again.
public struct PrefetchPlanner: Sendable {
  /// How much is wanted, in screens.
  public struct Reach: Hashable, Sendable {
    /// In the direction of scrolling.
    public var ahead: Double
    /// Against it.
    public var behind: Double

    /// Makes a reach.
    public init(ahead: Double = 2, behind: Double = 0.5) {
      self.ahead = ahead
      self.behind = behind
    }
  }

  /// What changed: items newly wanted, nearest first, and items no longer wanted.
  public struct Plan: Hashable, Sendable {
    /// Newly wanted, in the order in which they will be seen.
    public var prefetch: [Int] = []
    /// No longer wanted, in ascending order.
    public var cancel: [Int] = []

    /// Whether nothing changed.
    public var isEmpty: Bool { prefetch.isEmpty && cancel.isEmpty }
  }

  /// Points against the direction after which a turn is believed.
  public static let turnThreshold = 8.0

  /// How much is wanted.
  public var reach: Reach
  /// Items wanted and not on screen lie in this range, around those on screen.
  public private(set) var wanted: Range<Int> = 0..<0
  /// Whether the last believed direction is towards higher indices.
  public private(set) var isForward = true

  private var visible: Range<Int> = 0..<0
  private var lastOffset: Double?
  private var against = 0.0

  /// Makes a planner that wants nothing yet.
  public init(reach: Reach = Reach()) { self.reach = reach }

  /// The content stands at an offset and shows a range of items.
  ///
  /// - Parameters:
  ///   - visible: the flat indices on screen.
  ///   - count: all items.
  ///   - offset: the scroll offset in points.
  /// - Complexity: O(changed items).
  public mutating func handle(visible: Range<Int>, count: Int, offset: Double) -> Plan {
    believe(offset)
    let screen = Double(visible.count)
    let ahead = Int((screen * reach.ahead).rounded(.up))
    let behind = Int((screen * reach.behind).rounded(.up))
    let below = max(0, visible.lowerBound - (isForward ? behind : ahead))
    let above = min(max(count, visible.upperBound), visible.upperBound + (isForward ? ahead : behind))
    let next = visible.isEmpty ? 0..<0 : below..<max(below, above)
    var plan = Plan()
    guard next != wanted || visible != self.visible else { return plan }
    for index in wanted where !next.contains(index) { plan.cancel.append(index) }
    for index in inOrder(of: next, around: visible) where !wanted.contains(index) { plan.prefetch.append(index) }
    wanted = next
    self.visible = visible
    return plan
  }

  /// Items were numbered anew: forgets what was wanted.
  ///
  /// The caller cancels or keeps by identifier.
  public mutating func reset() {
    wanted = 0..<0
    visible = 0..<0
  }

  private mutating func believe(_ offset: Double) {
    defer { lastOffset = offset }
    guard let lastOffset else { return }
    let step = offset - lastOffset
    guard step != 0 else { return }
    if (step > 0) == isForward {
      against = 0
    } else {
      against += abs(step)
      if against >= PrefetchPlanner.turnThreshold {
        isForward.toggle()
        against = 0
      }
    }
  }

  /// The items around those on screen, in the believed direction first, nearest first.
  private func inOrder(of range: Range<Int>, around visible: Range<Int>) -> [Int] {
    let after = Array(max(visible.upperBound, range.lowerBound)..<max(visible.upperBound, range.upperBound))
    let before = Array(min(range.lowerBound, visible.lowerBound)..<visible.lowerBound).reversed()
    return isForward ? after + before : before + after
  }
}
