public import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
public import VitrineDiffableData

/// An object that manages data and provides cells for a collection view, by snapshots of identifiers.
///
/// Applying a snapshot computes the differences and updates the view. Snapshots contain identifiers, not models: look
/// up the model of an item when its cell is configured.
@MainActor
public final class DiffableDataSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: CollectionViewSource
{
  /// The type of the snapshots of this data source.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  /// A closure that returns the cell of an item, dequeued with a registration that was created before.
  public typealias CellProvider = (
    _ view: CollectionView, _ indexPath: IndexPath, _ item: ItemID
  ) -> CollectionViewCell

  /// A closure that returns a supplementary view, dequeued with a registration that was created before.
  public typealias SupplementaryViewProvider = (
    _ view: CollectionView, _ elementKind: String, _ indexPath: IndexPath
  ) -> CollectionReusableView

  /// The closure that returns the supplementary views.
  ///
  /// It is required if the layout contains any. The default is nil.
  ///
  /// The view calls it when a supplementary view becomes visible or is prepared ahead, and again for existing views
  /// after each update of the items. If sections are reloaded and no item is inserted or deleted, it is called again
  /// only for their views.
  public var supplementaryViewProvider: SupplementaryViewProvider?
  /// The handlers that are called when items of a section's tree are expanded and collapsed.
  public var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemID>()
  /// The handlers that are called when the user reorders items.
  public var reorderingHandlers = ReorderingHandlers<SectionID, ItemID>()
  /// The dragged item and its destination.
  var draggedItem: DraggedItem<SectionID, ItemID>?
  /// The trees that were applied to sections last.
  ///
  /// A tree is valid as long as the section contains its visible items.
  var outlines: [SectionID: DiffableDataSourceSectionSnapshot<ItemID>] = [:]

  /// The object that loads the data of items before they are visible.
  public weak var prefetching: (any DataPrefetching<ItemID>)? {
    willSet { if newValue !== prefetching { host?.prefetchingWillChange(of: self) } }
  }

  /// The collection view.
  weak var host: (any DataSourceHost)?
  private let provider: CellProvider
  /// The displayed snapshot.
  private(set) var current = Snapshot()
  /// The number of items of each section of the displayed snapshot.
  private(set) var itemCounts = ItemCounts([])
  /// The snapshot that was applied last.
  ///
  /// It is displayed too, unless it is pending.
  var latest = Snapshot()
  /// The items that were announced or displayed before an update changed the indices.
  private var announcedItems = AnnouncedItems<ItemID>()
  var queue = ApplyQueue<SectionID, ItemID>()
  var pacing = StepPacing()
  /// The completion handlers, by ticket.
  var completions: [Int: (Bool) -> Void] = [:]
  var lastTicket = 0
  var isProcessingQueue = false

  /// Creates a data source and connects it to a collection view.
  public convenience init(collectionView: CollectionView, cellProvider: @escaping CellProvider) {
    self.init(host: collectionView, cellProvider: cellProvider)
    collectionView.source = self
  }

  init(host: any DataSourceHost, cellProvider: @escaping CellProvider) {
    self.host = host
    provider = cellProvider
  }

  /// Returns a copy of the snapshot that was applied last, which you can change and apply.
  ///
  /// - Complexity: O(1). The first change of the copy copies the storage that it changes.
  public func snapshot() -> Snapshot { latest }

  /// Returns the displayed snapshot, which is the one applied last unless that one is pending.
  ///
  /// - Complexity: O(1).
  public func displayedSnapshot() -> Snapshot { current }

  /// Returns the identifier of the item at an index path, or nil if there is no item.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
    current.itemIdentifier(section: indexPath.section, item: indexPath.item)
  }

  /// Returns the index path of an item, or nil if it is not displayed.
  ///
  /// - Complexity: That of `position(ofItem:)`.
  public func indexPath(for item: ItemID) -> IndexPath? {
    current.position(ofItem: item).map { IndexPath(item: $0.item, section: $0.section) }
  }

  /// Returns the identifier of the section at an index, or nil if there is no section.
  ///
  /// - Complexity: O(1).
  public func sectionIdentifier(for index: Int) -> SectionID? { current.sectionIdentifier(at: index) }

  /// Returns the index of a section, or nil if it is not displayed.
  ///
  /// - Complexity: O(1).
  public func index(for section: SectionID) -> Int? { current.indexOfSection(section) }

  /// Returns the flat index of an item, or nil if it is not displayed.
  ///
  /// - Complexity: That of `indexOfItem(_:)`.
  public func flatIndex(of item: ItemID) -> Int? { current.indexOfItem(item) }

  /// Returns the identifier of the item at a flat index, or nil if there is no item.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(atFlatIndex index: Int) -> ItemID? {
    itemCounts.position(of: index).flatMap { current.itemIdentifier(section: $0.section, item: $0.item) }
  }

  // MARK: - Updates

  /// Updates the collection view to display a snapshot, optionally animating the changes.
  ///
  /// Remaining items keep their cells, and the position of the first visible item is preserved. Items marked for
  /// reconfiguring are configured again in their current cell; items marked for reloading get another cell. A snapshot
  /// whose only changes are marks to reconfigure affects only these cells.
  ///
  /// Snapshots are applied one after the other. If you call this method while cells are being prepared, for example in
  /// a provider or the delegate, or while another snapshot is being applied, the snapshot is applied afterwards. If the
  /// difference is large and the view's window displays frames, it is computed in the slack time of frames, and the
  /// snapshot is displayed when the difference is complete. A pending snapshot is replaced by the next one, unless it
  /// has a completion handler. Its marks are merged into the next one, and an item that is missing only in the replaced
  /// snapshot keeps its cell.
  ///
  /// With animation, cells appear, disappear and move from their current positions on screen, while the view's items
  /// and frames are those of the snapshot immediately. Animated cells scroll with the content, and the next snapshot
  /// animates them from where they are. If most visible cells would move far, the view cross-fades instead. Nothing is
  /// animated if the window displays no frames or ``CollectionView/reducesMotion`` is true.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to display.
  ///   - isAnimated: Whether the changes are animated. Default: true.
  ///   - completion: A closure that is called after the update is displayed and its animations finished or were
  ///     interrupted by another update, in the collect phase of the following frame. It is called immediately if the
  ///     window displays no frames. Handlers are called in the order of the snapshots. Default: nil.
  /// - Complexity: That of `changeset(from:)`, and O(displayed cells). If only marks changed, O(marks) in addition to
  ///   the comparison of the snapshots.
  public func apply(
    _ snapshot: Snapshot, animatingDifferences isAnimated: Bool = true, completion: (() -> Void)? = nil
  ) {
    enqueueSnapshot(snapshot, isAnimated: isAnimated, completion.map { completion in { _ in completion() } })
  }

  /// Updates the collection view to display a snapshot, and reports whether its animations finished.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to display.
  ///   - isAnimated: Whether the changes are animated. Default: true.
  ///   - completion: A closure that is called as that of `apply(_:animatingDifferences:completion:)`. `isFinished` is
  ///     false if another update interrupted the animations. The closure is then called in the collect phase before the
  ///     first frame that displays the other update, when the view's items are already those of the other one. Items
  ///     that move out of the way of a dragged item interrupt nothing; they extend the animation.
  public func apply(
    _ snapshot: Snapshot, animatingDifferences isAnimated: Bool = true,
    completion: @escaping (_ isFinished: Bool) -> Void
  ) {
    enqueueSnapshot(snapshot, isAnimated: isAnimated, completion)
  }

  /// Updates the collection view to display a snapshot without computing differences, reloading every cell.
  ///
  /// Use this method for entirely different data. The offset is preserved within the scrollable range, and animations
  /// are interrupted. Pending snapshots are not displayed. Their completion handlers are called before this one's.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to display. Its marks are ignored.
  ///   - completion: A closure that is called as that of `apply(_:animatingDifferences:completion:)`. Default: nil.
  /// - Complexity: O(sections + displayed cells).
  public func applySnapshotUsingReloadData(_ snapshot: Snapshot, completion: (() -> Void)? = nil) {
    enqueueSnapshot(snapshot, isReload: true, completion.map { completion in { _ in completion() } })
  }

  /// Updates the collection view to display a snapshot, and waits until its completion handler would be called.
  ///
  /// As in UIKit, the method returns after the update is displayed and its animations finished or were interrupted by
  /// another update, or immediately after the update if the window displays no frames. A task of the main actor
  /// continues in the collect phase of a frame. Cancelling the task has no effect.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to display.
  ///   - isAnimated: Whether the changes are animated. Default: true.
  public func apply(_ snapshot: Snapshot, animatingDifferences isAnimated: Bool = true) async {
    await withCheckedContinuation { continuation in
      apply(snapshot, animatingDifferences: isAnimated, completion: { continuation.resume() })
    }
  }

  /// Updates the collection view to display a snapshot by reloading every cell, and waits until it is displayed.
  ///
  /// - Parameter snapshot: The snapshot to display. Its marks are ignored.
  public func applySnapshotUsingReloadData(_ snapshot: Snapshot) async {
    await withCheckedContinuation { continuation in
      applySnapshotUsingReloadData(snapshot, completion: { continuation.resume() })
    }
  }

  /// Configures the cells of the given items again, if they have any.
  ///
  /// Use this method when asynchronously loaded data arrives. It has the effect of applying a snapshot in which the
  /// items are marked, without creating one.
  public func reconfigureItems(_ items: [ItemID]) {
    guard let host else { return }
    for item in items {
      if let index = current.indexOfItem(item) { host.reconfigureItem(at: index) }
    }
  }

  /// Invalidates the layout of items whose properties changed, preserving the position of the first visible item.
  ///
  /// Use this method for properties that layouts read by index, such as the aspect ratio of an image. Call it once per
  /// frame with all changed items. Items that are not displayed are ignored.
  ///
  /// - Complexity: O(k log n) for k items, in addition to the layout's work for them.
  public func invalidateLayout(ofItems items: [ItemID]) {
    host?.invalidateItems(at: items.compactMap { indexPath(for: $0) })
  }

  // MARK: - CollectionViewSource

  /// Starts to provide the items of a snapshot.
  func show(_ snapshot: Snapshot, _ counts: ItemCounts) {
    current = snapshot
    current.adoptHashes()
    itemCounts = counts
  }

  /// Adopts what another thread hashed.
  func itemsDidHash() {
    current.adoptHashes()
    latest.adoptHashes()
  }

  package func cell(at index: Int, in view: CollectionView) -> CollectionViewCell {
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

  package var isPrefetching: Bool { prefetching != nil }

  // Stored, because it is read before every step of work ahead and the queue is expensive to query.
  package var hasPendingUpdate = false

  package func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? {
    let changes = announcedItems.resolvePlan(plan, by: planner) { itemIdentifier(atFlatIndex: $0) }
    guard let prefetching else { return nil }
    return PrefetchAnnouncement(requested: changes.prefetch.count, cancelled: changes.cancel.count, seen: changes.seen)
    {
      if !changes.cancel.isEmpty { prefetching.cancelPrefetchingItems(changes.cancel) }
      if !changes.release.isEmpty { prefetching.releaseItems(changes.release) }
      if !changes.prefetch.isEmpty { prefetching.prefetchItems(changes.prefetch) }
    }
  }

  package func recordShown(_ items: IndexRuns) { announcedItems.recordShown(items) { itemIdentifier(atFlatIndex: $0) } }

  package func indicesWillChange(announced: IndexRuns, seen: IndexRuns) {
    if prefetching != nil { announcedItems.add(announced: items(in: announced), seen: items(in: seen)) }
  }

  private func items(in runs: IndexRuns) -> [ItemID] {
    var items: [ItemID] = []
    runs.forEach { if let item = itemIdentifier(atFlatIndex: $0) { items.append(item) } }
    return items
  }
}
