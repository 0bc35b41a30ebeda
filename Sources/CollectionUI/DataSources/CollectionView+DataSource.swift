import CollectionEngine
import CollectionLayout
import DiffableData
import Views

/// The view's side of its data source.
extension CollectionView {
  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var displayedSource: (any CollectionViewSource)? { showsFormerItems ? nil : source }

  /// Replaces the data source, once running client code has returned.
  func switchSource(from former: (any CollectionViewSource)?) {
    showsFormerItems = true
    // Updates that client code applies meanwhile are updates of the new items.
    let exchange = {
      self.deferringUpdates {
        // While the former items are displayed, because the indices of pending updates differ.
        self.dataPrefetchController.cancelAll(of: former)
        former?.framesDidEnd()
        self.replaceAllItems()
      }
    }
    if clientCallDepth == 0 { exchange() } else { pendingUpdates.addSourceChange(exchange) }
  }

  /// Removes the items of a deallocated data source, with the selection and prefetched data.
  ///
  /// The view checks for this before it requests cells, because deallocation of a weakly referenced object is not
  /// reported.
  final func reloadIfSourceLost() {
    dataSourceAdapter?.reloadIfDataSourceLost()
    guard hasSource, source == nil else { return }
    hasSource = false
    hasUpdates = false
    showsFormerItems = true
    performWhenReady { self.deferringUpdates { self.replaceAllItems() } }
  }

  /// Replaces the items by those of another data source and scrolls to the start.
  func replaceAllItems() {
    let counts = source?.itemCounts ?? ItemCounts([])
    var update = CollectionUpdate(reloading: IndexMap(replacing: solution.itemCounts, by: counts))
    update.scrollsToStart = true
    performUpdate(update) { self.showsFormerItems = false }
  }
}

extension CollectionView: DataSourceAdapterHost {
  final func hasSource(_ source: any CollectionViewSource) -> Bool { self.source === source }

  final func isReady(for update: CollectionUpdate) -> Bool {
    // While a rubber band selects, the items under it depend on their frames.
    selectionController.prepare(for: update, isSelecting: !rubberBandController.isIdle)
  }

  final func sourceDidChange(_ source: any CollectionViewSource, adding counts: UpdateStatistics) {
    guard self.source === source else { return }
    hasUpdates = source.needsFrames
    updateStatistics.add(counts)
  }

  final func prefetchingWillChange(of source: any CollectionViewSource) {
    if displayedSource === source { resetAnnouncements() }
  }

  final func itemCounts(of dataSource: any CollectionViewDataSource) -> [Int] {
    let sections = clampedCount(dataSource.numberOfSections(in: self))
    return (0..<sections).map { clampedCount(dataSource.collectionView(self, numberOfItemsInSection: $0)) }
  }

  private func clampedCount(_ count: Int) -> Int {
    // The maximum that the moves of a changeset can represent.
    let bounded = min(max(0, count), Int(Int32.max))
    if bounded != count { didRejectInvalidNumber() }
    return bounded
  }

  final func performUpdates(
    of adapter: DataSourceAdapter, _ updates: () -> Void, completion: @escaping () -> Void
  ) {
    let current = dataSourceAdapter
    // The closure calls the view's methods, whose edits belong to the replaced adapter.
    dataSourceAdapter = adapter
    updates()
    if dataSourceAdapter === adapter { dataSourceAdapter = current }
    guard let current, current !== adapter, source === current else { return completion() }
    // Immediately, because the current adapter requested its counts before the data changed, and its pending batches
    // are relative to the current ones.
    current.commitReload(completion)
  }
}
