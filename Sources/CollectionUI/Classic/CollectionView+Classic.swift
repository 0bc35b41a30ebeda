import CollectionEngine
import DataStructures
import DiffableData
public import struct FoundationEssentials.IndexPath

/// Items by index path, and updates of them that the program names.
extension CollectionView {
  /// Who gives items and cells by index path; nothing where a ``DiffableDataSource`` does.
  ///
  /// It is asked for its counts when it is set. The view does not keep it alive: once it is gone, there are no items.
  public final var dataSource: (any CollectionViewDataSource)? {
    get { source === dataSourceAdapter ? dataSourceAdapter?.dataSource : nil }
    set {
      let next = newValue.map { DataSourceAdapter($0, for: self) }
      // Held until it has left; what the client asks for when it is told of that is meant for the next.
      let last = dataSourceAdapter
      dataSourceAdapter = next
      source = next
      withExtendedLifetime(last) {}
    }
  }

  /// Asks for counts and cells anew; the offset stays as far as there is content, and nothing is selected any more.
  ///
  /// Within a batch of updates these count for nothing then.
  ///
  /// - Precondition: the view has a ``dataSource``.
  /// - Complexity: O(sections + cells on screen).
  public final func reloadData() { requireAdapter(for: "reloadData()").reloadData() }

  /// Carries out several updates of items and sections as one.
  ///
  /// What is deleted, reloaded, reconfigured and moved from is named by its path before the batch, what is inserted and
  /// moved to by its path after it, in whichever order. Sections come before items: items of a section that is gone need
  /// not be named, nor those of one that is new. An item may be both reconfigured and moved, but neither reloaded and
  /// moved, nor named twice otherwise. A reloaded section may have any number of items.
  ///
  /// Called while cells are being prepared, such as by the data source or the delegate, the whole batch waits until that has
  /// ended. A batch within a batch is part of it.
  ///
  /// - Parameters:
  ///   - isAnimated: whether the way to what is new is shown, as that of
  ///     `apply(_:animatingDifferences:completion:)` is.
  ///   - updates: changes the data and names every change.
  ///   - completion: called once the update is shown and its motion has ended, or was cut short by another one, in the
  ///     collect phase of the frame after that; at once where the window shows no frames. Handlers are called in the order
  ///     of the batches. `isFinished` is false where the motion was cut short.
  /// - Precondition: the view has a ``dataSource``, whose counts after the updates are those before and what was named.
  /// - Complexity: O(s + e log e) for s sections and e updates, and O(cells on screen).
  public final func performBatchUpdates(
    animated isAnimated: Bool = true, _ updates: @escaping () -> Void,
    completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    requireAdapter(for: "performBatchUpdates(animated:_:completion:)")
      .performUpdates(isAnimated: isAnimated, updates, completion: completion)
  }

  /// Items are there that were not, at paths after the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func insertItems(at paths: [IndexPath]) {
    addEdits("insertItems(at:)") { $0.inserts += paths.map(ItemPosition.init) }
  }

  /// Items are gone, by their paths before the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func deleteItems(at paths: [IndexPath]) {
    addEdits("deleteItems(at:)") { $0.deletes += paths.map(ItemPosition.init) }
  }

  /// An item is elsewhere: from its path before the batch to that after it.
  ///
  /// Outside of a batch this is one of its own.
  public final func moveItem(at path: IndexPath, to newPath: IndexPath) {
    addEdits("moveItem(at:to:)") { $0.moves.append(.init(from: ItemPosition(path), to: ItemPosition(newPath))) }
  }

  /// Items get other cells; by their paths before the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func reloadItems(at paths: [IndexPath]) {
    addEdits("reloadItems(at:)") { $0.reloads += paths.map(ItemPosition.init) }
  }

  /// The data source is asked again for the cells of items that have one, and dequeues the same; by their paths before the
  /// batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func reconfigureItems(at paths: [IndexPath]) {
    addEdits("reconfigureItems(at:)") { $0.reconfigures += paths.map(ItemPosition.init) }
  }

  /// Sections are there that were not, with their items, at indices after the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func insertSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("insertSections(_:)") { $0.sectionInserts += sections }
  }

  /// Sections are gone with their items; by their indices before the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func deleteSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("deleteSections(_:)") { $0.sectionDeletes += sections }
  }

  /// A section is elsewhere with its items: from its index before the batch to that after it.
  ///
  /// Outside of a batch this is one of its own.
  public final func moveSection(_ section: Int, toSection newSection: Int) {
    addEdits("moveSection(_:toSection:)") { $0.sectionMoves.append(SectionMove(from: section, to: newSection)) }
  }

  /// Sections have other items, however many; by their indices before the batch.
  ///
  /// Outside of a batch this is one of its own.
  public final func reloadSections(_ sections: some Sequence<Int>) {
    let sections = Array(sections)
    addEdits("reloadSections(_:)") { $0.sectionReloads += sections }
  }

  private func addEdits(_ name: String, _ change: @escaping (inout BatchEdits) -> Void) {
    requireAdapter(for: name).addEdits(change)
  }

  private func requireAdapter(for name: String) -> DataSourceAdapter {
    guard let dataSourceAdapter, source === dataSourceAdapter || dataSourceAdapter.isCollectingEdits else {
      failMissingDataSource(name)
    }
    return dataSourceAdapter
  }
}

extension ItemPosition {
  fileprivate init(_ path: IndexPath) {
    checkPrecondition(
      path.count == 2,
      "An index path with \(path.count) indices was named in an update. Name an item by its section and its place there."
    )
    self.init(section: path.section, item: path.item)
  }
}
