import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineViews

/// The view's side of its data source. Its owner is ``SourceController``.
extension CollectionView {
  /// The data source, or nil if there is none or it was deallocated.
  final var source: (any CollectionViewSource)? {
    get { sourceController.source }
    set { sourceController.setSource(newValue) }
  }

  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  final var displayedSource: (any CollectionViewSource)? { sourceController.displayedSource }
}

extension CollectionView: SourceHost {
  final func cancelPrefetching(of source: (any CollectionViewSource)?) { dataPrefetchController.cancelAll(of: source) }

  final func replaceItems(by counts: ItemCounts, showing show: @escaping () -> Void) {
    var update = CollectionUpdate(reloading: IndexMap(replacing: solution.itemCounts, by: counts))
    update.scrollsToStart = true
    performUpdate(update, showing: show)
  }
}

extension CollectionView: DataSourceAdapterHost {
  final func hasSource(_ source: any CollectionViewSource) -> Bool { sourceController.source === source }

  final func isReady(for update: CollectionUpdate) -> Bool {
    // While a rubber band selects, the items under it depend on their frames.
    selectionController.prepare(for: update, isSelecting: !rubberBandController.isIdle)
  }

  final func sourceDidChange(_ source: any CollectionViewSource, adding counts: UpdateStatistics) {
    sourceController.sourceDidChange(source, adding: counts)
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
    sourceController.performUpdates(of: adapter, updates, completion: completion)
  }
}
