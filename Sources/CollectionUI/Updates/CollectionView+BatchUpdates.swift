public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineDataStructures
import VitrineDiffableData

/// Items provided by index path, and updates of them.
extension CollectionView {
  /// The object that provides the collection view's items by index path, or nil if there is none or a ``DiffableDataSource``
  /// provides them.
  ///
  /// The view requests the counts when the property is set. It does not retain the data source. After the data source
  /// was deallocated, the view has no items.
  public final var dataSource: (any CollectionViewDataSource)? {
    get { sourceController.dataSource }
    set { sourceController.setAdapter(newValue.map { DataSourceAdapter($0, for: self) }) }
  }

  /// Reloads all counts and cells.
  ///
  /// The offset is preserved within the scrollable range, and the selection is cleared.
  ///
  /// Within a batch of updates, all other updates of the batch are ignored.
  ///
  /// - Precondition: The view has a ``dataSource``.
  /// - Complexity: O(sections + displayed cells).
  public final func reloadData() { requireAdapter(for: "reloadData()").reloadData() }

  /// Performs multiple inserts, deletes, reloads and moves of items and sections as one update.
  ///
  /// Index paths of deleted, reloaded and reconfigured items and sources of moves refer to the state before the batch.
  /// Index paths of inserted items and targets of moves refer to the state after it. The order of the calls does not
  /// matter. Updates of sections are applied before those of items: items of deleted and inserted sections need not be
  /// listed. An item may be reconfigured more than once, and reconfigured as well as moved or reloaded. Any other double
  /// listing is an error. A reloaded section may have any number of items.
  ///
  /// If you call this method while cells are being prepared, for example in the data source or the delegate, the whole
  /// batch is performed afterwards. A nested batch is part of the outer one.
  ///
  /// - Parameters:
  ///   - isAnimated: Whether the changes are animated, as by `apply(_:animatingDifferences:completion:)`. Default:
  ///     true.
  ///   - updates: A closure that changes the data and calls a method for every change.
  ///   - completion: A closure that is called after the update is displayed and its animations finished or were
  ///     interrupted by another update, in the collect phase of the following frame. If the window displays no frames,
  ///     it is called immediately after the pending updates. Handlers are called in the order of the batches. `isFinished` is false if the
  ///     animations were interrupted, or if the data source was replaced before the batch was performed. Default: nil.
  /// - Precondition: The view has a ``dataSource`` whose counts after the updates match those before and the listed
  ///   changes.
  /// - Complexity: O(s + e log e) for s sections and e updates, and O(displayed cells).
  public final func performBatchUpdates(
    animated isAnimated: Bool = true, _ updates: @escaping () -> Void,
    completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    requireAdapter(for: "performBatchUpdates(animated:_:completion:)")
      .performUpdates(isAnimated: isAnimated, updates, completion: completion)
  }

  /// Inserts items at index paths that refer to the state after the batch.
  ///
  /// Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func insertItems(at paths: [IndexPath]) {
    addEdits("insertItems(at:)") { $0.inserts += paths.map(ItemPosition.init) }
  }

  /// Deletes the items at index paths that refer to the state before the batch.
  ///
  /// Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func deleteItems(at paths: [IndexPath]) {
    addEdits("deleteItems(at:)") { $0.deletes += paths.map(ItemPosition.init) }
  }

  /// Moves an item from an index path before the batch to one after it.
  ///
  /// Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func moveItem(at path: IndexPath, to newPath: IndexPath) {
    addEdits("moveItem(at:to:)") { $0.moves.append(.init(from: ItemPosition(path), to: ItemPosition(newPath))) }
  }

  /// Reloads items with new cells.
  ///
  /// Their index paths refer to the state before the batch. Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func reloadItems(at paths: [IndexPath]) {
    addEdits("reloadItems(at:)") { $0.reloads += paths.map(ItemPosition.init) }
  }

  /// Configures the current cells of items again.
  ///
  /// Their index paths refer to the state before the batch. The data source's method is called for items that have a
  /// cell and dequeues the same cell. Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func reconfigureItems(at paths: [IndexPath]) {
    addEdits("reconfigureItems(at:)") { $0.reconfigures += paths.map(ItemPosition.init) }
  }

  /// Inserts sections with their items at indices that refer to the state after the batch.
  ///
  /// Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func insertSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("insertSections(_:)") { $0.sectionInserts += sections }
  }

  /// Deletes sections with their items.
  ///
  /// Their indices refer to the state before the batch. Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func deleteSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("deleteSections(_:)") { $0.sectionDeletes += sections }
  }

  /// Moves a section with its items from an index before the batch to one after it.
  ///
  /// Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func moveSection(_ section: Int, toSection newSection: Int) {
    addEdits("moveSection(_:toSection:)") { $0.sectionMoves.append(SectionMove(from: section, to: newSection)) }
  }

  /// Reloads sections, whose numbers of items may change.
  ///
  /// Their indices refer to the state before the batch. Outside of a batch, the call is performed as a batch.
  ///
  /// - Precondition: The view has a ``dataSource``.
  public final func reloadSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("reloadSections(_:)") { $0.sectionReloads += sections }
  }

  private func addEdits(_ name: String, _ change: @escaping (inout BatchEdits) -> Void) {
    requireAdapter(for: name).addEdits(change)
  }

  private func requireAdapter(for name: String) -> DataSourceAdapter {
    sourceController.requireAdapter(for: name)
  }
}

extension ItemPosition {
  fileprivate init(_ path: IndexPath) {
    checkPrecondition(
      path.count == 2,
      "An update contains an index path with \(path.count) indices. That of an item has a section and an item."
    )
    self.init(section: path.section, item: path.item)
  }
}
