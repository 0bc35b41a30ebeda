import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Starts and stops the loading of what items need ahead of their being seen, by index path.
  ///
  /// Data sources with identifiers have a `prefetching` of their own, which no update makes stale.
  public final weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
    get { prefetch.pathDataSource }
    set {
      guard newValue !== prefetch.pathDataSource else { return }
      // Who was told until now is told first.
      cancelAnnouncements(displayedSource)
      prefetch.pathDataSource = newValue
      prefetch.needsUpdate = true
      needsVisibleUpdate = true
    }
  }

  /// Counts of items whose data was asked for ahead.
  public final var prefetchStatistics: PrefetchStatistics { prefetch.statistics }

  /// Somebody else is to be told, or nobody: what was announced is given up, and what is wanted is told anew.
  final func resetAnnouncements() {
    cancelAnnouncements(displayedSource)
    prefetch.needsUpdate = true
    needsVisibleUpdate = true
  }

  /// Tells what will be seen, where that may be something else than in the last frame.
  final func announceUpcomingItems() {
    updateScrollTrajectory()
    guard prefetch.needsUpdate, let source = displayedSource else { return }
    let isWanted = isPrefetchingEnabled && (source.isPrefetching || prefetch.pathDataSource != nil)
    if !isWanted, prefetch.isIdle { return prefetch.needsUpdate = false }
    // Items ahead may be gone once the snapshot that waits is shown; if it changes nothing, they are wanted then.
    guard !source.hasPendingUpdate else {
      recordShownItems(for: source)
      return needsVisibleUpdate = true
    }
    prefetch.needsUpdate = false
    guard isWanted else {
      cancelAnnouncements(source)
      return prefetch.isIdle = true
    }
    prefetch.isIdle = false
    let visible = IndexRuns(joining: displayed.runs)
    let window = preparation.window.withExtent(.data, scroll, shown: lastInstant)
    let situation = VisibilityForecast(
      scroll: scroll, window: window, shown: lastInstant, interval: preparation.costs.interval)
    let beside = crossAxisNeighbours(visible)
    let reach = itemsAlongTrajectory(situation).union(beside.ahead).union(beside.behind)
    let plan = prefetch.planner.handle(visible: visible, reach: reach) { index in
      if beside.ahead.contains(index) { return candidate(beside: index, rank: .ahead) }
      if beside.behind.contains(index) { return candidate(beside: index, rank: .behind) }
      let frame = solution.frame(ofItem: index)
      let start = frame.origin[scrollAxis]
      return situation.candidate(index, start: start, end: start + frame.size[scrollAxis])
    }
    deliverPlan(plan, source)
  }

  /// What has a cell on screen is not given up: its data was asked for by that.
  final func recordShownItems(for source: (any CollectionViewSource)?) {
    let shown = IndexRuns(displayed.entries.map(\.index))
    prefetch.planner.recordShown(shown)
    prefetch.announcedPaths.recordShown(shown) { indexPath(at: $0) }
    source?.recordShown(shown)
  }

  /// Nothing is wanted ahead any more.
  final func cancelAnnouncements(_ source: (any CollectionViewSource)?) {
    prefetch.isIdle = false
    recordShownItems(for: source)
    let plan = prefetch.planner.cancelAll()
    // An empty plan, too: names may be kept that were announced before the items were numbered anew.
    if let source { deliverPlan(plan, source) }
  }

  /// Items are numbered anew: those who are told by path give up what has another one.
  ///
  /// - Parameter newIndex: the new number of an item by its path; nothing for one that is gone, or where all are other
  ///   ones.
  /// - Returns: what is to be called once the new numbers hold.
  final func remapAnnouncements(_ newIndex: (IndexPath) -> Int?) -> () -> Void {
    let planner = prefetch.planner
    prefetch.planner.reset()
    prefetch.needsUpdate = true
    prefetch.isIdle = false
    guard prefetch.pathDataSource != nil else { return {} }
    // What still stands since the last update, unless a frame came in between.
    let standing = prefetch.announcedPaths.takeAll()
    var moves: [(path: IndexPath, new: Int?, isSeen: Bool)] = []
    for (paths, runs, isSeen) in [(standing.announced, planner.announced, false), (standing.seen, planner.seen, true)] {
      for path in paths { moves.append((path, newIndex(path), isSeen)) }
      runs.forEach { moves.append((indexPath(at: $0), newIndex(indexPath(at: $0)), isSeen)) }
    }
    return { [weak self] in
      guard let self else { return }
      var gone: [IndexPath] = []
      for (path, new, isSeen) in moves {
        if let new, indexPath(at: new) == path {
          prefetch.announcedPaths.add(announced: isSeen ? [] : [path], seen: isSeen ? [path] : [])
        } else if !isSeen {
          gone.append(path)
        }
      }
      if !gone.isEmpty { prefetch.pathDataSource?.collectionView(self, cancelPrefetchingForItemsAt: gone) }
    }
  }

  // MARK: What is wanted

  /// A turn, or another place at which the content will come to rest, makes other items wanted.
  private func updateScrollTrajectory() {
    let course = (isForward: preparation.window.isForward, landing: preparation.window.limits.landing)
    guard course != prefetch.trajectory else { return }
    prefetch.trajectory = course
    prefetch.needsUpdate = true
  }

  /// The items along the way, and where a flick will land: the nearest where there are more than can be wanted.
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
    var left = PrefetchState.maximumItems
    for place in keepsLast ? Array(runs.indices.reversed()) : Array(runs.indices) {
      let count = min(left, runs[place].count)
      left -= count
      let run = runs[place]
      runs[place] = keepsLast ? (run.upperBound - count)..<run.upperBound : run.lowerBound..<(run.lowerBound + count)
    }
    return runs
  }

  /// The items beside those on screen in sections that scroll across.
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

  private func candidate(beside index: Int, rank: PreparationRank) -> PreparationCandidate {
    let cross = scrollAxis.cross
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[cross]
    let distance = max(start - bounds.size[cross], -(start + frame.size[cross]))
    return PreparationCandidate(index: index, rank: rank, due: .distantFuture, distance: max(0, distance))
  }

  // MARK: Telling

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
      while let tell = prefetch.pendingCallbacks.popFirst() { tell() }
      prefetch.isDelivering = false
    }
  }

  private func announcementByPath(of plan: PrefetchPlan) -> PrefetchAnnouncement? {
    guard let paths = prefetch.pathDataSource else { return nil }
    let notice = prefetch.announcedPaths.resolvePlan(plan, by: prefetch.planner) { indexPath(at: $0) }
    return PrefetchAnnouncement(requested: notice.prefetch.count, cancelled: notice.cancel.count, seen: notice.seen) {
      if !notice.cancel.isEmpty { paths.collectionView(self, cancelPrefetchingForItemsAt: notice.cancel) }
      if !notice.prefetch.isEmpty { paths.collectionView(self, prefetchItemsAt: notice.prefetch) }
    }
  }
}
