import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineViews

/// What a data source may ask of the collection view that displays its items.
///
/// A data source knows the view by nothing else. It passes changes of the items to
/// ``performUpdate(_:showing:)``; everything that depends on the items, such as cells, the selection and
/// prefetching, follows on the view's side. The tests of data sources use a double.
protocol DataSourceHost: AnyObject {
  // MARK: - State

  /// Returns whether the data source is the view's, and not one that was replaced.
  ///
  /// The items of the former data source are displayed until running client code returns.
  func hasSource(_ source: any CollectionViewSource) -> Bool
  /// Whether frames are produced.
  ///
  /// Without frames, updates are performed and their completion handlers called immediately.
  var runsFrames: Bool { get }
  /// Whether an animated update is in progress.
  var isAnimatingUpdates: Bool { get }

  // MARK: - Updates

  /// Calls a closure now, or after running client code returned.
  ///
  /// A data source begins every update in such a closure.
  func performWhenReady(_ update: @escaping () -> Void)
  /// Returns whether an update can be performed in one frame.
  ///
  /// If false, the view prepares for the update in the slack time of frames, and the data source asks again in the next
  /// collect phase.
  func isReady(for update: CollectionUpdate) -> Bool
  /// Performs an update.
  ///
  /// Updates that client code requests meanwhile are performed afterwards, because its index paths would not be valid.
  ///
  /// - Parameters:
  ///   - makeUpdate: A closure that returns the update, whose map leads from the displayed items to the new ones, or nil
  ///     to perform none. It may call client code.
  ///   - show: A closure in which the data source starts to provide the new items. It is called once. If client code
  ///     replaces the data source before, it is called later and the view is not updated.
  /// - Complexity: O(displayed, waiting and animated cells), each with a question to the map, and the complexity of
  ///   the layout's and the selection's update.
  func performUpdate(_ makeUpdate: () -> CollectionUpdate?, showing show: @escaping () -> Void)
  /// Reports that a data source has more or less work to do in frames, and what it counted.
  ///
  /// The view ignores this from a data source that was replaced.
  func sourceDidChange(_ source: any CollectionViewSource, adding counts: UpdateStatistics)

  // MARK: - Items

  /// Configures the cell of an item again, if it has one.
  func reconfigureItem(at index: Int)
  /// Invalidates the layout of items whose properties changed.
  func invalidateItems(at paths: [IndexPath])
  /// Cancels the announcements of a data source's items, which are announced again in the coming frame, because its
  /// client's prefetching object is about to change.
  func prefetchingWillChange(of source: any CollectionViewSource)
}

extension DataSourceHost {
  /// Performs an update.
  func performUpdate(_ update: CollectionUpdate, showing show: @escaping () -> Void) {
    performUpdate({ update }, showing: show)
  }
}

/// What the adapter of a ``CollectionViewDataSource`` needs in addition.
protocol DataSourceAdapterHost: DataSourceHost {
  /// Returns the client's current counts of items, with invalid ones clamped.
  func itemCounts(of dataSource: any CollectionViewDataSource) -> [Int]
  /// Performs a batch of an adapter that was replaced: its closure changes the data, and the view reloads the items of
  /// the current adapter.
  ///
  /// - Parameters:
  ///   - adapter: The replaced adapter, which receives the edits of the closure.
  ///   - updates: The closure.
  ///   - completion: A closure that is called after the items were reloaded.
  func performUpdates(of adapter: DataSourceAdapter, _ updates: () -> Void, completion: @escaping () -> Void)
}
