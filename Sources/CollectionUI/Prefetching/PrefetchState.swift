import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath

/// The state of prefetching the data of items.
struct PrefetchState {
  /// The planner, which stores the announced items.
  var planner = PrefetchPlanner()
  /// Whether the items to announce may have changed since the last plan.
  var needsUpdate = true
  /// Whether there is no prefetching data source and no announcement to cancel.
  var isIdle = false
  /// The scroll direction and the end of scrolling at the last plan.
  var trajectory: (isForward: Bool, landing: ClosedRange<Double>?) = (true, nil)
  /// The pending calls of prefetching data sources, in order.
  ///
  /// A call may cancel items whose announcement is still pending.
  var pendingCallbacks = Deque<() -> Void>()
  /// Whether pending calls are being delivered.
  var isDelivering = false
  /// The counts of announced items.
  var statistics = PrefetchStatistics()
  /// The prefetching data source by index path.
  weak var pathDataSource: (any CollectionViewDataSourcePrefetching)?
  /// The announced paths that still refer to the same items after the last update.
  var announcedPaths = AnnouncedItems<IndexPath>()

  /// The maximum number of items announced on each side of the visible ones.
  static let maximumItems = 8_192

  /// Updates the announcements after an update of the items.
  ///
  /// Announcements by index path remain for items whose path did not change. Data sources by identifier recorded their
  /// items before.
  ///
  /// - Returns: The former index paths of announced items that are not at the same path any more, to be cancelled.
  mutating func apply(_ map: IndexMap) -> [IndexPath] {
    let (announced, seen) = (planner.announced, planner.seen)
    planner.reset()
    needsUpdate = true
    isIdle = false
    guard pathDataSource != nil else { return [] }
    // Also the announcements that remain from the last update, if there was no frame in between.
    let remaining = announcedPaths.takeAll()
    let announcedNow = remaining.announced + announced.ranges.joined().compactMap { map.formerCounts.path(of: $0) }
    let seenNow = remaining.seen + seen.ranges.joined().compactMap { map.formerCounts.path(of: $0) }
    let isKept = { (path: IndexPath) -> Bool in
      map.formerCounts.index(section: path.section, item: path.item).flatMap { map.newIndex(ofItem: $0) }
        .flatMap { map.counts.path(of: $0) } == path
    }
    announcedPaths.add(announced: announcedNow.filter(isKept), seen: seenNow.filter(isKept))
    return announcedNow.filter { !isKept($0) }
  }
}

extension ItemCounts {
  /// Returns the index path of an item, or nil if there is no such item.
  fileprivate func path(of index: Int) -> IndexPath? {
    position(of: index).map { IndexPath(item: $0.item, section: $0.section) }
  }
}

/// An announcement to a prefetching data source.
struct PrefetchAnnouncement {
  /// The number of items to prefetch.
  let requested: Int
  /// The number of items to cancel.
  let cancelled: Int
  /// The indices of items that were displayed under other indices.
  let seen: [Int]
  /// Calls the prefetching data source.
  let deliver: () -> Void
}

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
