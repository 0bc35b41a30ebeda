import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
public import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// The object that loads the data of items before they are visible, by index path.
  ///
  /// Data sources with identifiers have a `prefetching` property instead, whose requests stay valid over updates. The
  /// default is nil.
  public final weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
    get { prefetch.pathDataSource }
    set {
      guard newValue !== prefetch.pathDataSource else { return }
      // The former data source is notified first.
      cancelAnnouncements(displayedSource)
      prefetch.pathDataSource = newValue
      prefetch.needsUpdate = true
      needsVisibleUpdate = true
    }
  }

  /// The counts of items whose data was prefetched.
  public final var prefetchStatistics: PrefetchStatistics { prefetch.statistics }

  /// Cancels the announcements and announces all items again, because the prefetching data source changed.
  final func resetAnnouncements() {
    cancelAnnouncements(displayedSource)
    prefetch.needsUpdate = true
    needsVisibleUpdate = true
  }

  /// Announces the items that will be visible, if they may differ from those of the last frame.
  final func announceUpcomingItems() {
    updateScrollTrajectory()
    guard prefetch.needsUpdate, let source = displayedSource else { return }
    let isEnabled = isPrefetchingEnabled && (source.isPrefetching || prefetch.pathDataSource != nil)
    if !isEnabled, prefetch.isIdle { return prefetch.needsUpdate = false }
    // Items may be deleted once the pending snapshot is displayed. If it changes nothing, they are announced then.
    guard !source.hasPendingUpdate else {
      recordShownItems(for: source)
      return needsVisibleUpdate = true
    }
    prefetch.needsUpdate = false
    guard isEnabled else {
      cancelAnnouncements(source)
      return prefetch.isIdle = true
    }
    prefetch.isIdle = false
    let visible = IndexRuns(joining: displayed.runs)
    let window = preparation.window.withExtent(.data, scroll, shown: lastInstant)
    let situation = VisibilityForecast(
      scroll: scroll, window: window, shown: lastInstant, interval: preparation.costs.interval)
    let neighbours = crossAxisNeighbours(visible)
    let reach = itemsAlongTrajectory(situation).union(neighbours.ahead).union(neighbours.behind)
    let plan = prefetch.planner.update(visible: visible, inRange: reach) { index in
      if neighbours.ahead.contains(index) { return candidate(forNeighbour: index, rank: .ahead) }
      if neighbours.behind.contains(index) { return candidate(forNeighbour: index, rank: .behind) }
      let frame = solution.frame(ofItem: index)
      let start = frame.origin[scrollAxis]
      return situation.candidate(index, start: start, end: start + frame.size[scrollAxis])
    }
    deliverPlan(plan, source)
  }

  /// Records the displayed items, whose announcements are not cancelled any more, because their cells use the data.
  final func recordShownItems(for source: (any CollectionViewSource)?) {
    let shown = IndexRuns(displayed.entries.map(\.index))
    prefetch.planner.recordShown(shown)
    prefetch.announcedPaths.recordShown(shown) { indexPath(at: $0) }
    source?.recordShown(shown)
  }

  /// Cancels all announcements.
  final func cancelAnnouncements(_ source: (any CollectionViewSource)?) {
    prefetch.isIdle = false
    recordShownItems(for: source)
    let plan = prefetch.planner.cancelAll()
    // Even an empty plan, because items announced before the indices changed may be recorded by identifier.
    if let source { deliverPlan(plan, source) }
  }

  /// Cancels announcements of items whose index paths changed, at their former paths.
  final func cancelPrefetching(_ paths: [IndexPath]) {
    if !paths.isEmpty { prefetch.pathDataSource?.collectionView(self, cancelPrefetchingForItemsAt: paths) }
  }

  // MARK: - Items to announce

  /// Requires an update if the scroll direction or the end of scrolling changed.
  private func updateScrollTrajectory() {
    let trajectory = (isForward: preparation.window.isForward, landing: preparation.window.limits.landing)
    guard trajectory != prefetch.trajectory else { return }
    prefetch.trajectory = trajectory
    prefetch.needsUpdate = true
  }

  /// Returns the items on the scroll trajectory and at its end, limited to the nearest ones.
  private func itemsAlongTrajectory(_ situation: VisibilityForecast) -> IndexRuns {
    let (view, near) = (situation.viewport, situation.limits.aroundViewport)
    var runs = items(from: near.lowerBound, to: view.lowerBound, keepsLast: true)
    runs += items(from: view.upperBound, to: near.upperBound, keepsLast: false)
    if let landing = situation.limits.landing {
      runs += items(from: landing.lowerBound, to: landing.upperBound, keepsLast: !situation.isForward)
    }
    return IndexRuns(joining: runs)
  }

  private func items(from start: Double, to end: Double, keepsLast: Bool) -> [Range<Int>] {
    guard start < end else { return [] }
    var rect = Rect(origin: .zero, size: bounds.size)
    rect.origin[scrollAxis] = start
    rect.size[scrollAxis] = end - start
    var runs: [Range<Int>] = []
    solution.visitItems(in: rect) { runs.append($0) }
    var remaining = PrefetchState.maximumItems
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
    let counts = solution.itemCounts
    for run in visible.ranges {
      var next = run.lowerBound
      while next < run.upperBound, let section = counts.position(of: next)?.section {
        let items = counts.items(inSection: section)
        let seen = run.clamped(to: items)
        next = items.upperBound
        guard solution.orthogonalSection(section) != nil else { continue }
        let reach = (2 * seen.count, (seen.count + 1) / 2)
        let isBackward = orthogonal.projectedOffset(of: section) < orthogonal.offset(of: section, at: lastInstant)
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
    let cross = scrollAxis.cross
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[cross]
    let distance = max(start - bounds.size[cross], -(start + frame.size[cross]))
    return PreparationCandidate(index: index, rank: rank, due: .distantFuture, distance: max(0, distance))
  }

  // MARK: - Delivery

  private func deliverPlan(_ plan: PrefetchPlan, _ source: any CollectionViewSource) {
    let announcements = [source.announcement(of: plan, by: prefetch.planner), announcementByPath(of: plan)]
      .compactMap(\.self)
    for announcement in announcements { prefetch.planner.recordSeen(announcement.seen) }
    prefetch.statistics.requested += announcements.first?.requested ?? 0
    prefetch.statistics.cancelled += announcements.first?.cancelled ?? 0
    for announcement in announcements { prefetch.pendingCallbacks.append(announcement.deliver) }
    guard !prefetch.isDelivering else { return }
    prefetch.isDelivering = true
    deferringUpdates {
      while let callback = prefetch.pendingCallbacks.popFirst() { callback() }
      prefetch.isDelivering = false
    }
  }

  private func announcementByPath(of plan: PrefetchPlan) -> PrefetchAnnouncement? {
    guard let paths = prefetch.pathDataSource else { return nil }
    let changes = prefetch.announcedPaths.resolvePlan(plan, by: prefetch.planner) { indexPath(at: $0) }
    return PrefetchAnnouncement(requested: changes.prefetch.count, cancelled: changes.cancel.count, seen: changes.seen)
    {
      if !changes.cancel.isEmpty { paths.collectionView(self, cancelPrefetchingForItemsAt: changes.cancel) }
      if !changes.prefetch.isEmpty { paths.collectionView(self, prefetchItemsAt: changes.prefetch) }
    }
  }
}

// MARK: - Prefetching data sources

/// The methods that load the data of items before they are visible, by index path, as in UIKit.
///
/// They are equivalent to ``DataPrefetching``, for data sources without identifiers. An index path refers to another
/// item after items before it were inserted or deleted. When items change, requests for items whose path changes are
/// therefore cancelled before the change and announced at the new path after it.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
  /// Loads the data of items that will be visible soon, the nearest first.
  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// Cancels loading the data of announced items that are no longer expected and have not been displayed since.
  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
  /// Does nothing.
  public func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {}
}

/// The methods that load the data of items before they are visible.
///
/// Items are passed by identifier, so requests stay valid over updates. The view calls these methods while the content
/// scrolls, and once before it scrolls. They are not called for items that are needed immediately, and need not be
/// called for every item that becomes visible: a cell provider must handle data that is loaded, being loaded, or not
/// requested yet.
public protocol DataPrefetching<ItemID>: AnyObject {
  /// The type of the identifiers of items.
  associatedtype ItemID: Hashable & Sendable

  /// Loads the data of items that will be visible soon, the most urgent first.
  ///
  /// Items at the end of a flick precede those that it passes.
  func prefetchItems(_ items: [ItemID])
  /// Cancels loading the data of announced items that are no longer expected and have not been displayed since.
  func cancelPrefetchingItems(_ items: [ItemID])
  /// Releases items that were displayed and are now far from the viewport. Loading their data may be cancelled.
  func releaseItems(_ items: [ItemID])
}

extension DataPrefetching {
  /// Does nothing.
  public func releaseItems(_ items: [ItemID]) {}
}

/// Counts of prefetched items over a collection view's lifetime.
public struct PrefetchStatistics: Hashable, Sendable {
  /// The number of items that were announced.
  public var requested: Int
  /// The number of announced items that were cancelled before they were displayed.
  public var cancelled: Int

  /// Creates counts.
  ///
  /// Default: zero.
  public init(requested: Int = 0, cancelled: Int = 0) {
    self.requested = requested
    self.cancelled = cancelled
  }
}
