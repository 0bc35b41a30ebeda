public import DiffableData

/// Decides which items' data is wanted before they are seen: a pure machine over flat indices.
///
/// An item is announced once while it is within reach, never while it is on screen, and given up only if it was announced
/// and did not come on screen since: giving up is a subset of announcing.
public struct PrefetchPlanner: Sendable {
  /// Items that were announced and were not on screen since.
  public private(set) var announced = IndexRuns()
  /// Items within reach that were on screen: their data was asked for by their cells.
  public private(set) var seen = IndexRuns()

  /// Makes a planner that wants nothing yet.
  public init() {}

  /// Other items are on screen or within reach.
  ///
  /// - Parameters:
  ///   - visible: the items on screen.
  ///   - reach: the items around those on screen that will be seen soon; they may hold those on screen.
  ///   - candidate: how urgent an item is; nothing for one that flies past unseen.
  /// - Complexity: O(r + k log k) for r runs and k items that came within reach.
  public mutating func handle(
    visible: IndexRuns, reach: IndexRuns, candidate: (Int) -> PreparationCandidate?
  ) -> PrefetchPlan {
    let expected = reach.union(visible)
    var plan = PrefetchPlan()
    plan.cancel = announced.subtracting(expected)
    plan.release = seen.subtracting(expected)
    seen = seen.intersection(expected).union(visible)
    announced = announced.intersection(expected).subtracting(visible)
    let fresh = expected.subtracting(seen).subtracting(announced)
    guard !fresh.isEmpty else { return plan }
    var candidates: [PreparationCandidate] = []
    candidates.reserveCapacity(fresh.count)
    fresh.forEach { if let next = candidate($0) { candidates.append(next) } }
    candidates.sort { $0.precedes($1) }
    plan.prefetch = candidates.map(\.index)
    announced = announced.union(IndexRuns(plan.prefetch))
    return plan
  }

  /// Nothing is wanted any more.
  public mutating func cancelAll() -> PrefetchPlan {
    defer { reset() }
    var plan = PrefetchPlan()
    plan.cancel = announced
    plan.release = seen
    return plan
  }

  /// Items were numbered anew: forgets what was wanted.
  ///
  /// The caller compares by identifier what was announced with what is now.
  public mutating func reset() {
    announced = IndexRuns()
    seen = IndexRuns()
  }

  /// Items have cells on screen, and what is wanted is not asked yet: those that were announced are so no more.
  public mutating func recordShown(_ items: IndexRuns) {
    let shown = announced.intersection(items)
    seen = seen.union(shown)
    announced = announced.subtracting(shown)
  }

  /// Items that count as new are not: their data was asked for under another number.
  public mutating func recordSeen(_ items: [Int]) {
    let items = IndexRuns(items)
    seen = seen.union(items)
    announced = announced.subtracting(items)
  }
}
