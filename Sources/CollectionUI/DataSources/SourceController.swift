import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineViews

/// What ``SourceController`` needs from the collection view.
protocol SourceHost: ControllerHost {
  /// Reports that the data source was deallocated while its items were displayed.
  func reportReleasedSource()
  /// Cancels the announcements of items whose data a replaced data source prefetches, or of all announced items if
  /// there was none.
  func cancelPrefetching(of source: (any CollectionViewSource)?)
  /// Replaces all items and scrolls to the start.
  ///
  /// - Parameters:
  ///   - counts: The counts of the new items.
  ///   - show: A closure in which the controller starts to provide the new items.
  func replaceItems(by counts: ItemCounts, showing show: @escaping () -> Void)
}

/// The owner of the connection to the data source: which one the view has, whether its items are the displayed ones,
/// whether it has work to do in frames, and the counts of its updates.
///
/// The view has one ``CollectionViewSource``: a ``DiffableDataSource``, or a ``DataSourceAdapter`` for a client's
/// ``CollectionViewDataSource``. It does not retain the former, and retains the adapter.
///
/// Invariants:
/// - A replaced data source's items are displayed until running client code has returned (``displayedSource`` is nil
///   meanwhile), because index paths of that code refer to them. Then they are replaced before pending updates.
/// - A data source that was deallocated is replaced by none before its items are needed. Deallocation is not reported,
///   so that ``removeItemsIfLost()`` is called before.
/// - A data source that was replaced has no effect on the items. Its completion handlers are called.
final class SourceController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) unowned(unsafe) var host: (any SourceHost)!
  private let updates: DeferredUpdateController

  private weak var current: (any CollectionViewSource)?
  /// The adapter of a data source that provides items by index path.
  private var adapter: DataSourceAdapter?
  /// Whether the displayed items are those of a data source that was replaced or deallocated.
  private var showsFormerItems = false
  /// Whether there was a data source when it was set.
  ///
  /// It may have been deallocated since.
  private var wasSet = false
  // Unchecked: it is read in every frame, and nothing that changes it calls client code.
  /// Whether the data source has work to do in a frame.
  @exclusivity(unchecked) private var hasPendingWork = false
  private var counts = UpdateStatistics()

  /// Creates a controller without a data source.
  ///
  /// - Parameter updates: The owner of deferred updates.
  init(updates: DeferredUpdateController) { self.updates = updates }

  // MARK: - State

  /// The data source, or nil if there is none or it was deallocated.
  var source: (any CollectionViewSource)? { current }

  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var displayedSource: (any CollectionViewSource)? { showsFormerItems ? nil : current }

  /// The client's data source that provides items by index path, or nil if there is none.
  var dataSource: (any CollectionViewDataSource)? { current === adapter ? adapter?.dataSource : nil }

  /// The counts of the items to display.
  var itemCounts: ItemCounts { showsFormerItems ? host.solution.itemCounts : current?.itemCounts ?? ItemCounts([]) }

  /// Whether the data source was deallocated while its items are displayed.
  ///
  /// The items are removed in the coming frame.
  var isLost: Bool { wasSet && !showsFormerItems && current == nil }

  // MARK: - Replacing

  /// Replaces the data source and its items, the items once running client code has returned.
  ///
  /// The data source that is already set is ignored.
  func setSource(_ source: (any CollectionViewSource)?) {
    let former = current
    guard source !== former else { return }
    current = source
    wasSet = source != nil
    hasPendingWork = source?.needsFrames ?? false
    showsFormerItems = true
    // Retained, because client code may release the view.
    let host: any SourceHost = host
    // Updates that client code applies meanwhile are updates of the new items.
    updates.performSourceChange {
      host.deferringUpdates {
        // While the former items are displayed, because the indices of pending updates differ.
        host.cancelPrefetching(of: former)
        former?.framesDidEnd()
        self.replaceItems()
      }
    }
  }

  /// Replaces the data source by an adapter, or by none.
  func setAdapter(_ adapter: DataSourceAdapter?) {
    // Retained until it was replaced. Updates by client code meanwhile apply to the new data source.
    let last = self.adapter
    self.adapter = adapter
    setSource(adapter)
    withExtendedLifetime(last) {}
  }

  /// Removes the items of a deallocated data source, with the selection and prefetched data.
  func removeItemsIfLost() {
    if adapter?.reloadIfDataSourceLost() == true { host.reportReleasedSource() }
    guard wasSet, current == nil else { return }
    wasSet = false
    hasPendingWork = false
    showsFormerItems = true
    let host: any SourceHost = host
    host.reportReleasedSource()
    host.performWhenReady { host.deferringUpdates { self.replaceItems() } }
  }

  private func replaceItems() {
    host.replaceItems(by: current?.itemCounts ?? ItemCounts([])) { self.showsFormerItems = false }
  }

  // MARK: - Frames

  /// Whether the data source has work to do in a frame.
  var hasWork: Bool { hasPendingWork }

  /// Returns whether the data source has work to do in the frame that begins, and still exists.
  func hasWorkInFrame() -> Bool {
    if hasPendingWork, current == nil { hasPendingWork = false }
    return hasPendingWork
  }

  /// Records that a data source has more or less work to do in frames, and what it counted, unless it was replaced.
  func sourceDidChange(_ source: any CollectionViewSource, adding counts: UpdateStatistics) {
    guard current === source else { return }
    hasPendingWork = source.needsFrames
    self.counts.add(counts)
  }

  // MARK: - Batch updates

  /// Returns the adapter that performs batch updates.
  ///
  /// - Parameter name: The name of the method that the client called.
  /// - Precondition: There is a client's data source, or a replaced one performs a batch.
  func requireAdapter(for name: String) -> DataSourceAdapter {
    guard let adapter, current === adapter || adapter.isCollectingEdits else { failMissingDataSource(name) }
    return adapter
  }

  /// Performs a batch of an adapter that was replaced, and reloads the items of the current adapter.
  func performUpdates(of replaced: DataSourceAdapter, _ updates: () -> Void, completion: @escaping () -> Void) {
    let last = adapter
    // The closure calls the view's methods, whose edits belong to the replaced adapter.
    adapter = replaced
    updates()
    if adapter === replaced { adapter = last }
    guard let last, last !== replaced, current === last else { return completion() }
    // Immediately, because the current adapter requested its counts before the data changed, and its pending batches
    // are relative to the current ones.
    last.commitReload(completion)
  }

  // MARK: - Statistics

  /// The counts of updates.
  var statistics: UpdateStatistics { counts }

  /// Counts a performed update.
  func recordUpdate(_ changes: Changeset) {
    if changes.isReconfigureOnly { counts.reconfigureOnly += 1 }
    guard changes.hasStructuralChanges else { return }
    counts.structural += 1
    if changes.isAppendOnly { counts.appendOnly += 1 }
  }

  /// Counts an update that reloaded every cell.
  func recordReload() { counts.reloadedAll += 1 }

  /// Counts selected items that were remapped before a large update.
  func recordRemappedItems(_ count: Int) { counts.remappedAhead += count }
}
