public import DiffableData
import CollectionEngine
public import struct FoundationEssentials.IndexPath

/// Feeds a collection view from snapshots of identifiers: an apply makes the differences and nothing else.
///
/// Identifiers, never models: what an item looks like now is looked up when its cell is configured.
public final class DiffableDataSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: CollectionViewSource
{
  /// The snapshots of this data source.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  /// Gives the cell of an item; it dequeues one with a registration made before.
  public typealias CellProvider = (
    _ view: CollectionView, _ indexPath: IndexPath, _ item: ItemID
  ) -> CollectionViewCell

  /// Gives the supplementary view of a kind at a path; it dequeues one with a registration made before.
  public typealias SupplementaryViewProvider = (
    _ view: CollectionView, _ elementKind: String, _ indexPath: IndexPath
  ) -> CollectionReusableView

  /// Gives the supplementary views that the layout places; needed where it places any.
  ///
  /// Called when a view comes on screen or is prepared ahead, and again for those that are there after each update of the
  /// items; where sections are reloaded and no item comes or goes, for theirs.
  public var supplementaryViewProvider: SupplementaryViewProvider?
  /// Is asked and told when items of a section's tree are expanded and collapsed.
  public var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemID>()
  /// Is asked and told when items are put elsewhere by hand.
  public var reorderingHandlers = ReorderingHandlers<SectionID, ItemID>()
  /// The item that a hand carries, and where it would be put.
  var draggedItem: DraggedItem<SectionID, ItemID>?
  /// The trees that were applied to sections last; one counts as long as the section holds its visible items.
  var outlines: [SectionID: DiffableDataSourceSectionSnapshot<ItemID>] = [:]

  /// Starts and stops the loading of what items need, ahead of their being seen.
  public weak var prefetching: (any DataPrefetching<ItemID>)? {
    willSet {
      if newValue !== prefetching, let view, view.displayedSource === self { view.cancelAnnouncements(self) }
    }
    didSet {
      if oldValue !== prefetching, let view, view.displayedSource === self { view.resetAnnouncements() }
    }
  }

  weak var view: CollectionView?
  private let provider: CellProvider
  /// What the view shows.
  var current = Snapshot()
  /// What was applied last; shown too, unless it waits for its turn.
  var latest = Snapshot()
  /// What was announced before the items were numbered anew, or was on screen then.
  private var announcedItems = AnnouncedItems<ItemID>()
  var queue = ApplyQueue<SectionID, ItemID>()
  var pacing = StepPacing()
  /// What is selected, followed before a large update.
  var selectionRemapper: SelectionRemapper?
  /// The completion handlers of the queue's tickets.
  var completions: [Int: (Bool) -> Void] = [:]
  var lastTicket = 0
  var isProcessingQueue = false

  /// Makes a data source and gives it to a view.
  public init(collectionView: CollectionView, cellProvider: @escaping CellProvider) {
    view = collectionView
    provider = cellProvider
    collectionView.source = self
  }

  /// A copy of what was applied last, to be changed and applied.
  ///
  /// - Complexity: O(1); the first change of the copy copies what it touches.
  public func snapshot() -> Snapshot { latest }

  /// What the view shows: what was applied last, unless that waits for its turn.
  ///
  /// - Complexity: O(1).
  public func shownSnapshot() -> Snapshot { current }

  /// The item at a path, if there is one.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
    current.itemIdentifier(section: indexPath.section, item: indexPath.item)
  }

  /// Where an item stands, if it is there.
  ///
  /// - Complexity: that of `position(ofItem:)`.
  public func indexPath(for item: ItemID) -> IndexPath? {
    current.position(ofItem: item).map { IndexPath(item: $0.item, section: $0.section) }
  }

  /// The section at an index, if there is one.
  ///
  /// - Complexity: O(1).
  public func sectionIdentifier(for index: Int) -> SectionID? { current.sectionIdentifier(at: index) }

  /// The index of a section, if it is there.
  ///
  /// - Complexity: O(1).
  public func index(for section: SectionID) -> Int? { current.indexOfSection(section) }

  /// The flat index of an item, if it is there.
  ///
  /// - Complexity: that of `indexOfItem(_:)`.
  public func flatIndex(of item: ItemID) -> Int? { current.indexOfItem(item) }

  /// The item at a flat index, if there is one.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(atFlatIndex index: Int) -> ItemID? {
    guard let view, index >= 0, index < view.itemCount else { return nil }
    return itemIdentifier(for: view.indexPath(at: index))
  }

  // MARK: Updates

  /// Shows a snapshot: cells of items that stay are kept, and the first item seen stays where it is.
  ///
  /// Marks to reconfigure run the provider again on the item's own cell, at its new place; marks to reload give it another
  /// one. A snapshot with marks to reconfigure alone touches nothing but these cells.
  ///
  /// Applies are carried out one after the other. Called while cells are being prepared, such as by a provider or the
  /// delegate, or while another apply is carried out, it waits until that has ended. Where the difference is large and the
  /// view's window shows frames, it is found in the slack of frames and shown when it is complete. A snapshot that waits is
  /// replaced by the next one, unless it has a completion handler: its marks are carried over, and an item that it leaves
  /// out and the next one brings back keeps its cell.
  ///
  /// Animated, cells come, go and move from where they are on the screen, while the view's items and places are those of
  /// the snapshot at once. What moves is taken along by scrolling, and by the next apply from where it is by then. So much
  /// that most of what is seen would fly by is faded over instead. Nothing is animated where the window shows no frames, or
  /// where the view's ``CollectionView/reducesMotion`` is on.
  ///
  /// - Parameters:
  ///   - snapshot: what to show.
  ///   - isAnimated: whether the way to what is new is shown.
  ///   - completion: called once the update is shown and its motion has ended or was cut short by another one, in the
  ///     collect phase of the frame after that; at once where the window shows no frames. Handlers are called in the order
  ///     of the applies.
  /// - Complexity: that of `changeset(from:)`, and O(cells on screen). O(marks) beyond the comparison of what both
  ///   snapshots share, where nothing but marks is new.
  public func apply(
    _ snapshot: Snapshot, animatingDifferences isAnimated: Bool = true, completion: (() -> Void)? = nil
  ) {
    enqueueSnapshot(snapshot, isAnimated: isAnimated, completion.map { completion in { _ in completion() } })
  }

  /// Shows a snapshot as `apply(_:animatingDifferences:completion:)` does, and tells whether that was seen to its end.
  ///
  /// - Parameters:
  ///   - snapshot: what to show.
  ///   - isAnimated: whether the way to what is new is shown.
  ///   - completion: called as the other's is. `isFinished` is false where another update cut the motion short: it is told
  ///     in the collect phase before the first frame that shows the other, though the view's items are the other's by then.
  ///     Items that make way for one that is carried cut nothing short; their ways last longer.
  public func apply(
    _ snapshot: Snapshot, animatingDifferences isAnimated: Bool = true,
    completion: @escaping (_ isFinished: Bool) -> Void
  ) {
    enqueueSnapshot(snapshot, isAnimated: isAnimated, completion)
  }

  /// Shows a snapshot without comparing it: every cell is asked for anew, and the offset stays as far as it can.
  ///
  /// For other data altogether; whatever moves is cut short. Snapshots that wait are not shown any more; their completion handlers are called before
  /// this one's.
  ///
  /// - Parameters:
  ///   - snapshot: what to show; its marks mean nothing.
  ///   - completion: called as that of `apply(_:animatingDifferences:completion:)`.
  /// - Complexity: O(sections + cells on screen).
  public func applySnapshotUsingReloadData(_ snapshot: Snapshot, completion: (() -> Void)? = nil) {
    enqueueSnapshot(snapshot, isReload: true, completion.map { completion in { _ in completion() } })
  }

  /// Runs the provider again on the cells of items that have one; for the many answers of loading.
  ///
  /// The same as applying a snapshot that marks them, without one.
  public func reconfigureItems(_ items: [ItemID]) {
    guard let view else { return }
    for item in items {
      // Most answers are for items that have no cell, and need no path.
      guard let index = current.indexOfItem(item), view.hasCell(at: index) else { continue }
      view.reconfigureItem(view.indexPath(at: index))
    }
  }

  /// What the layout knows of items is different: their places are asked for anew, and what is seen first stays.
  ///
  /// For facts that layouts ask by index, such as the shape of a picture. To be called once a frame, with all of them;
  /// items that are not there are ignored.
  ///
  /// - Complexity: O(k log n) for k items, and what the layout takes to look at them.
  public func invalidateLayout(ofItems items: [ItemID]) {
    view?.invalidateItems(at: items.compactMap { indexPath(for: $0) })
  }

  // MARK: CollectionViewSource

  var sectionCounts: [Int] { current.itemCounts }

  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell {
    let path = view.indexPath(at: index)
    guard let item = itemIdentifier(for: path) else {
      failUnknownItem(path)
    }
    return ProviderContext.$current.withValue(ProviderContext.Value(isInside: true)) { provider(view, path, item) }
  }

  func supplementaryView(
    ofKind kind: String, at path: IndexPath, in view: CollectionView
  ) -> CollectionReusableView? {
    guard let provider = supplementaryViewProvider else { return nil }
    return ProviderContext.$current.withValue(ProviderContext.Value(isInside: true)) { provider(view, kind, path) }
  }

  var isPrefetching: Bool { prefetching != nil }

  // Kept, as it is asked before every step of work ahead, and the queue holds snapshots.
  var hasPendingUpdate = false

  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? {
    let notice = announcedItems.resolvePlan(plan, by: planner) { itemIdentifier(atFlatIndex: $0) }
    guard let prefetching else { return nil }
    return PrefetchAnnouncement(requested: notice.prefetch.count, cancelled: notice.cancel.count, seen: notice.seen) {
      if !notice.cancel.isEmpty { prefetching.cancelPrefetchingItems(notice.cancel) }
      if !notice.release.isEmpty { prefetching.releaseItems(notice.release) }
      if !notice.prefetch.isEmpty { prefetching.prefetchItems(notice.prefetch) }
    }
  }

  func recordShown(_ items: IndexRuns) { announcedItems.recordShown(items) { itemIdentifier(atFlatIndex: $0) } }

  /// Notes by name what is announced or on screen, before these numbers mean other items.
  func preserveAnnouncements(of view: CollectionView) {
    guard prefetching != nil else { return }
    view.recordShownItems(for: self)
    let planner = view.prefetch.planner
    announcedItems.add(announced: items(in: planner.announced), seen: items(in: planner.seen))
  }

  private func items(in runs: IndexRuns) -> [ItemID] {
    var items: [ItemID] = []
    runs.forEach { if let item = itemIdentifier(atFlatIndex: $0) { items.append(item) } }
    return items
  }
}
