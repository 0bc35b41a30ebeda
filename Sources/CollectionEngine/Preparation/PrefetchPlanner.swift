public import VitrineDiffableData

/// A state machine over flat indices that decides for which items data is prefetched.
///
/// An item is announced once while it is within the prefetching range, and never while it is on screen. It is cancelled
/// only if it was announced and has not been on screen since.
public struct PrefetchPlanner: Sendable {
  /// The items that were announced and have not been on screen since.
  public private(set) var announced = IndexRuns()
  /// The items within the prefetching range that were on screen.
  ///
  /// Their cells requested the data.
  public private(set) var seen = IndexRuns()

  /// Creates a planner without announced items.
  public init() {}

  /// Updates the visible items and those within the prefetching range.
  ///
  /// - Parameters:
  ///   - visible: The items on screen.
  ///   - inRange: The items around the viewport that will be visible soon. They may include the visible items.
  ///   - candidate: Returns the urgency of an item, or nil for an item that passes without being displayed.
  /// - Returns: The items to prefetch, to cancel and to release.
  /// - Complexity: O(r + k log k) for r runs and k items that came within the range.
  public mutating func update(
    visible: IndexRuns, inRange: IndexRuns, candidate: (Int) -> PreparationCandidate?
  ) -> PrefetchPlan {
    let expected = inRange.union(visible)
    var plan = PrefetchPlan()
    plan.cancel = announced.subtracting(expected)
    plan.release = seen.subtracting(expected)
    seen = seen.intersection(expected).union(visible)
    announced = announced.intersection(expected).subtracting(visible)
    let newItems = expected.subtracting(seen).subtracting(announced)
    guard !newItems.isEmpty else { return plan }
    var candidates: [PreparationCandidate] = []
    candidates.reserveCapacity(newItems.count)
    newItems.forEach { if let next = candidate($0) { candidates.append(next) } }
    candidates.sort { $0.precedes($1) }
    plan.prefetch = candidates.map(\.index)
    announced = announced.union(IndexRuns(plan.prefetch))
    return plan
  }

  /// Cancels and releases all items.
  public mutating func cancelAll() -> PrefetchPlan {
    defer { reset() }
    var plan = PrefetchPlan()
    plan.cancel = announced
    plan.release = seen
    return plan
  }

  /// Forgets all items after an update of the items.
  ///
  /// The caller compares the announced items before and after by identifier.
  public mutating func reset() {
    announced = IndexRuns()
    seen = IndexRuns()
  }

  /// Records that items got cells on screen before the next call of ``update(visible:inRange:candidate:)``.
  ///
  /// They no longer count as announced.
  public mutating func recordShown(_ items: IndexRuns) {
    let shown = announced.intersection(items)
    seen = seen.union(shown)
    announced = announced.subtracting(shown)
  }

  /// Records that items only look new: their data was requested under another index.
  public mutating func recordSeen(_ items: [Int]) {
    let items = IndexRuns(items)
    seen = seen.union(items)
    announced = announced.subtracting(items)
  }
}

/// The changes of the set of items whose data is prefetched.
public struct PrefetchPlan: Hashable, Sendable {
  /// Items to prefetch, in the order in which they will be visible.
  public var prefetch: [Int] = []
  /// Items that were announced, have not been on screen since, and are no longer expected.
  public var cancel = IndexRuns()
  /// Items that were on screen and are now outside the prefetching range.
  public var release = IndexRuns()

  /// Creates an empty plan.
  public init() {}

  /// Whether the plan contains no change.
  public var isEmpty: Bool { prefetch.isEmpty && cancel.isEmpty && release.isEmpty }
}
