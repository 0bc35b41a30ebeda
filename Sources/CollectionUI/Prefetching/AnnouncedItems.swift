import VitrineCollectionEngine
import VitrineDiffableData

/// Announced items, recorded by identifier while their indices change.
///
/// Indices refer to other items after an update. The items that were announced are therefore recorded by identifier
/// until the next plan, which contains all items to announce and is compared with them.
nonisolated struct AnnouncedItems<ID: Hashable> {
  /// The changes to report to a prefetching data source.
  struct Changes {
    /// The items to prefetch, in order.
    var prefetch: [ID] = []
    /// The items to cancel.
    var cancel: [ID] = []
    /// The items that were displayed and are far from the viewport now.
    var release: [ID] = []
    /// The indices of items that were displayed under other indices, when their data was requested.
    var seen: [Int] = []
  }

  private var announced: [ID] = []
  private var seen: [ID] = []

  /// Whether no items are recorded.
  var isEmpty: Bool { announced.isEmpty && seen.isEmpty }

  /// Records announced and displayed items before their indices change.
  mutating func add(announced more: some Sequence<ID>, seen moreSeen: some Sequence<ID>) {
    announced += more
    seen += moreSeen
  }

  /// Records that items are displayed, so that their announcements are not cancelled.
  ///
  /// - Complexity: O(1) if no items are announced.
  mutating func recordShown(_ items: IndexRuns, identifier: (Int) -> ID?) {
    guard !announced.isEmpty else { return }
    var shown: Set<ID> = []
    items.forEach { if let item = identifier($0) { shown.insert(item) } }
    seen += announced.filter(shown.contains)
    announced.removeAll(where: shown.contains)
  }

  /// Removes and returns all recorded items.
  mutating func takeAll() -> (announced: [ID], seen: [ID]) {
    defer { self = AnnouncedItems() }
    return (announced, seen)
  }

  /// Resolves a plan to identifiers, excluding items that were announced before their indices changed.
  ///
  /// - Parameters:
  ///   - plan: The changed items.
  ///   - planner: The planner that made the plan.
  ///   - identifier: A closure that returns the identifier of the item at an index.
  mutating func resolvePlan(
    _ plan: PrefetchPlan, by planner: PrefetchPlanner, identifier: (Int) -> ID?
  ) -> Changes {
    var changes = Changes()
    plan.cancel.forEach { if let item = identifier($0) { changes.cancel.append(item) } }
    plan.release.forEach { if let item = identifier($0) { changes.release.append(item) } }
    guard !isEmpty else {
      changes.prefetch = plan.prefetch.compactMap(identifier)
      return changes
    }
    let previous = takeAll()
    let (former, formerSeen) = (Set(previous.announced), Set(previous.seen))
    var expected: Set<ID> = []
    for index in plan.prefetch {
      guard let item = identifier(index) else { continue }
      expected.insert(item)
      // It was displayed under its former index and is still in range, so that its cell requested the data.
      if formerSeen.contains(item) {
        changes.seen.append(index)
      } else if !former.contains(item) {
        changes.prefetch.append(item)
      }
    }
    planner.seen.forEach { if let item = identifier($0) { expected.insert(item) } }
    // Each item is reported once.
    expected.formUnion(changes.cancel)
    expected.formUnion(changes.release)
    changes.cancel += previous.announced.filter { !expected.contains($0) }
    changes.release += previous.seen.filter { !expected.contains($0) }
    return changes
  }
}
