package import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
package import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics

/// A data source whose client loads the data of items ahead, by flat index.
package protocol PrefetchingSource: AnyObject {
  /// Whether there is a prefetching data source.
  var isPrefetching: Bool { get }
  /// Whether a snapshot is waiting to be displayed.
  var hasPendingUpdate: Bool { get }
  /// Returns the announcement of a change of the items to prefetch.
  ///
  /// - Parameters:
  ///   - plan: The change, in current indices. If the indices changed, all items to prefetch.
  ///   - planner: The planner that made the plan.
  /// - Returns: The announcement, or nil if there is no prefetching data source.
  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement?

  /// Records that items have displayed cells, in a frame without an announcement.
  ///
  /// Announced items that are displayed are not cancelled later.
  func recordShown(_ items: IndexRuns)

  /// Records which items are announced and displayed, because an update is about to change their indices.
  ///
  /// - Parameters:
  ///   - announced: The announced items that have not been displayed.
  ///   - seen: The displayed items within the prefetching range.
  func indicesWillChange(announced: IndexRuns, seen: IndexRuns)
}

/// An announcement to a prefetching data source.
package struct PrefetchAnnouncement {
  /// The number of items to prefetch.
  package let requested: Int
  /// The number of items to cancel.
  package let cancelled: Int
  /// The indices of items that were displayed under other indices.
  package let seen: [Int]
  /// Calls the prefetching data source.
  package let deliver: () -> Void

  /// Creates an announcement.
  package init(requested: Int, cancelled: Int, seen: [Int], deliver: @escaping () -> Void) {
    self.requested = requested
    self.cancelled = cancelled
    self.seen = seen
    self.deliver = deliver
  }
}

/// What ``DataPrefetchController`` needs from the collection view.
package protocol DataPrefetchHost: ControllerHost {
  /// Whether data may be prefetched.
  var isPrefetchingEnabled: Bool { get }
  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var prefetchingSource: (any PrefetchingSource)? { get }
  /// The runs of items that are visible.
  var visibleRuns: [Range<Int>] { get }
  /// The visible items that have a cell.
  var itemsWithCells: IndexRuns { get }
  /// The scroll direction, and the viewport at the end of scrolling if it has a target.
  var scrollTrajectory: (isForward: Bool, landing: ClosedRange<Double>?) { get }
  /// When items within the reach of data prefetching will be visible.
  var dataForecast: VisibilityForecast { get }
  /// Returns whether an orthogonal section scrolls toward its start.
  func isScrollingBackward(section: Int) -> Bool
  /// Whether the client prefetches by index path.
  var prefetchesByPath: Bool { get }
  /// Calls the current client with items to load and items not to load any more, by index path; nil if there is none.
  var pathPrefetching: (([IndexPath], _ cancelled: [IndexPath]) -> Void)? { get }
}

/// The owner of data prefetching: which items' data was announced to the client.
///
/// After each layout the controller computes which items will be visible soon, compares them with those it announced
/// (``PrefetchPlanner``), and announces the difference: items to load, and items that are no longer expected. Clients
/// are told by identifier or by index path, or both.
///
/// Invariants:
/// - Every announced item is displayed, cancelled or released exactly once, by the name under which it was announced,
///   also if updates change its index.
/// - An item that was displayed is never cancelled, because its cell uses the data.
/// - Calls reach the client in the order of the plans, never one within another, and none is made while an update is
///   waiting that may delete the items.
/// - An update of the items announces nothing itself: the next layout does.
package final class DataPrefetchController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any DataPrefetchHost)!

  private var planner = PrefetchPlanner()
  /// Whether the items to announce may have changed since the last plan.
  private var needsUpdate = true
  /// Whether there is no prefetching data source and no announcement to cancel.
  private var isIdle = false
  /// The scroll direction and the end of scrolling at the last plan.
  private var trajectory: (isForward: Bool, landing: ClosedRange<Double>?) = (true, nil)
  /// The pending calls of prefetching data sources, in order.
  ///
  /// A call may cancel items whose announcement is still pending.
  private var pendingCalls = Deque<() -> Void>()
  private var isDelivering = false
  private var counts = PrefetchStatistics()
  /// The announced paths that still refer to the same items after the last update.
  private var announcedPaths = AnnouncedItems<IndexPath>()

  /// The maximum number of items announced on each side of the visible ones.
  private static let maximumItems = 8_192

  /// Creates a controller that has announced no items.
  package init() {}

  /// The counts of announced items.
  package var statistics: PrefetchStatistics { counts }

  /// Requires a plan after the coming layout, because other items are visible or may be announced.
  package func setNeedsUpdate() { needsUpdate = true }

  // MARK: - Announcing

  /// Announces the items that will be visible, if they may differ from those of the last frame.
  package func announceUpcomingItems() {
    let current = host.scrollTrajectory
    if current != trajectory {
      trajectory = current
      needsUpdate = true
    }
    guard needsUpdate, let source = host.prefetchingSource else { return }
    let isEnabled = host.isPrefetchingEnabled && (source.isPrefetching || host.prefetchesByPath)
    if !isEnabled, isIdle { return needsUpdate = false }
    // Items may be deleted once the pending snapshot is displayed. If it changes nothing, they are announced then.
    guard !source.hasPendingUpdate else {
      recordShownItems(for: source)
      return host.setNeedsVisibleUpdate()
    }
    needsUpdate = false
    guard isEnabled else {
      cancelAll(of: source)
      return isIdle = true
    }
    isIdle = false
    let visible = IndexRuns(joining: host.visibleRuns)
    let (forecast, layout, axis) = (host.dataForecast, host.solution, host.scrollAxis)
    let neighbours = crossAxisNeighbours(visible)
    let reach = itemsAlongTrajectory(forecast).union(neighbours.ahead).union(neighbours.behind)
    let plan = planner.update(visible: visible, inRange: reach) { index in
      if neighbours.ahead.contains(index) { return candidate(forNeighbour: index, rank: .ahead) }
      if neighbours.behind.contains(index) { return candidate(forNeighbour: index, rank: .behind) }
      let frame = layout.frame(ofItem: index)
      return forecast.candidate(index, start: frame.origin[axis], end: frame.origin[axis] + frame.size[axis])
    }
    deliver(plan, to: source)
  }

  /// Records the displayed items, whose announcements are not cancelled any more, because their cells use the data.
  private func recordShownItems(for source: (any PrefetchingSource)?) {
    let shown = host.itemsWithCells
    planner.recordShown(shown)
    announcedPaths.recordShown(shown) { host.indexPath(at: $0) }
    source?.recordShown(shown)
  }

  /// Cancels all announcements, because their data source or the client's prefetching changes.
  ///
  /// - Parameter source: The data source, or nil if it was deallocated.
  package func cancelAll(of source: (any PrefetchingSource)?) {
    isIdle = false
    recordShownItems(for: source)
    let plan = planner.cancelAll()
    // Even an empty plan, because items announced before the indices changed may be recorded by identifier.
    if let source { deliver(plan, to: source) }
  }

  // MARK: - Items to announce

  /// Returns the items on the scroll trajectory and at its end, limited to the nearest ones.
  private func itemsAlongTrajectory(_ forecast: VisibilityForecast) -> IndexRuns {
    let (view, near) = (forecast.viewport, forecast.limits.aroundViewport)
    var runs = items(from: near.lowerBound, to: view.lowerBound, keepsLast: true)
    runs += items(from: view.upperBound, to: near.upperBound, keepsLast: false)
    if let landing = forecast.limits.landing {
      runs += items(from: landing.lowerBound, to: landing.upperBound, keepsLast: !forecast.isForward)
    }
    return IndexRuns(joining: runs)
  }

  private func items(from start: Double, to end: Double, keepsLast: Bool) -> [Range<Int>] {
    guard start < end else { return [] }
    let axis = host.scrollAxis
    var rect = Rect(origin: .zero, size: host.bounds.size)
    rect.origin[axis] = start
    rect.size[axis] = end - start
    var runs: [Range<Int>] = []
    host.solution.visitItems(in: rect) { runs.append($0) }
    var remaining = DataPrefetchController.maximumItems
    for position in keepsLast ? Array(runs.indices.reversed()) : Array(runs.indices) {
      let count = min(remaining, runs[position].count)
      remaining -= count
      let run = runs[position]
      runs[position] = keepsLast ? (run.upperBound - count)..<run.upperBound : run.lowerBound..<(run.lowerBound + count)
    }
    return runs
  }

  /// Returns the items next to the visible ones in orthogonal sections.
  private func crossAxisNeighbours(_ visible: IndexRuns) -> (ahead: IndexRuns, behind: IndexRuns) {
    var ahead: [Range<Int>] = []
    var behind: [Range<Int>] = []
    let layout = host.solution
    let counts = layout.itemCounts
    for run in visible.ranges {
      var next = run.lowerBound
      while next < run.upperBound, let section = counts.position(of: next)?.section {
        let items = counts.items(inSection: section)
        let seen = run.clamped(to: items)
        next = items.upperBound
        guard layout.orthogonalSection(section) != nil else { continue }
        let reach = (2 * seen.count, (seen.count + 1) / 2)
        let isBackward = host.isScrollingBackward(section: section)
        let (before, after) = isBackward ? (reach.0, reach.1) : (reach.1, reach.0)
        let left = max(items.lowerBound, seen.lowerBound - before)..<seen.lowerBound
        let right = seen.upperBound..<min(items.upperBound, seen.upperBound + after)
        ahead.append(isBackward ? left : right)
        behind.append(isBackward ? right : left)
      }
    }
    return (IndexRuns(joining: ahead), IndexRuns(joining: behind))
  }

  private func candidate(forNeighbour index: Int, rank: PreparationRank) -> PreparationCandidate {
    let cross = host.scrollAxis.cross
    let frame = host.solution.frame(ofItem: index)
    let start = frame.origin[cross]
    let distance = max(start - host.bounds.size[cross], -(start + frame.size[cross]))
    return PreparationCandidate(index: index, rank: rank, due: .distantFuture, distance: max(0, distance))
  }

  // MARK: - Delivery

  private func deliver(_ plan: PrefetchPlan, to source: any PrefetchingSource) {
    let announcements = [source.announcement(of: plan, by: planner), announcementByPath(of: plan)].compactMap(\.self)
    for announcement in announcements { planner.recordSeen(announcement.seen) }
    counts.requested += announcements.first?.requested ?? 0
    counts.cancelled += announcements.first?.cancelled ?? 0
    for announcement in announcements { pendingCalls.append(announcement.deliver) }
    guard !isDelivering else { return }
    isDelivering = true
    host.deferringUpdates {
      while let call = pendingCalls.popFirst() { call() }
      isDelivering = false
    }
  }

  private func announcementByPath(of plan: PrefetchPlan) -> PrefetchAnnouncement? {
    // The client that is announced to, also if another one replaces it before the call.
    guard let host, let client = host.pathPrefetching else { return nil }
    let changes = announcedPaths.resolvePlan(plan, by: planner) { host.indexPath(at: $0) }
    return PrefetchAnnouncement(requested: changes.prefetch.count, cancelled: changes.cancel.count, seen: changes.seen)
    {
      client(changes.prefetch, changes.cancel)
    }
  }

  // MARK: - Updates

  /// Records which items are announced and displayed, before an update changes their indices.
  package func indicesWillChange() {
    let source = host.prefetchingSource
    recordShownItems(for: source)
    source?.indicesWillChange(announced: planner.announced, seen: planner.seen)
  }

  /// Updates the announcements after an update of the items.
  ///
  /// Announcements by index path remain for items whose path did not change. Data sources by identifier recorded their
  /// items before.
  ///
  /// - Returns: The former index paths of announced items that are not at the same path any more, which are to be
  ///   cancelled when the update is complete.
  package func apply(_ map: IndexMap) -> [IndexPath] {
    let (announced, seen) = (planner.announced, planner.seen)
    planner.reset()
    needsUpdate = true
    isIdle = false
    guard host.prefetchesByPath else { return [] }
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
