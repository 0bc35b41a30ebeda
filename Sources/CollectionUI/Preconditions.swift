import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineDataStructures

/// Stops the program because the view requested an item that the data source does not have.
func failUnknownItem(_ path: IndexPath) -> Never {
  failPrecondition(
    """
    The collection view requested section \(path.section), item \(path.item), which its data source does not have. \
    Change items by applying a snapshot, so that view and data source change together.
    """)
}

/// Checks that a provider returned the item's own cell when reconfiguring it.
func requireSameCell(_ returned: CollectionViewCell, as cell: CollectionViewCell, at path: IndexPath) {
  checkPrecondition(
    returned === cell,
    """
    While section \(path.section), item \(path.item) was reconfigured, its provider returned another cell than it \
    dequeued. Return the result of dequeueConfiguredReusableCell.
    """)
}

/// Checks that a provider returned the cell that it dequeued.
func requireDequeuedCell(_ returned: CollectionViewCell, as cell: CollectionViewCell?, at path: IndexPath) {
  checkPrecondition(
    returned === cell,
    """
    The provider of section \(path.section), item \(path.item) returned a cell that it did not dequeue for this call. \
    Return the result of dequeueConfiguredReusableCell; any other cell would never be reused.
    """)
}

/// Stops the program because the layout contains supplementary views and the data source has no provider for them.
func failMissingSupplementaryProvider(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout contains supplementary views of kind \(kind), and the data source has no \
    supplementaryViewProvider. Set one before the first frame.
    """)
}

/// Stops the program because the layout contains supplementary views and the data source does not implement their
/// method.
func failMissingSupplementaryMethod(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout contains supplementary views of kind \(kind), and the data source provides none. Implement \
    collectionView(_:viewForSupplementaryElementOfKind:at:).
    """)
}

/// Stops the program because a method that requires ``CollectionView/dataSource`` was called without one.
func failMissingDataSource(_ name: String) -> Never {
  failPrecondition(
    """
    \(name) was called on a collection view without a dataSource. Set one first. If a diffable data source provides the \
    items, call its apply(_:) or applySnapshotUsingReloadData(_:) instead.
    """)
}

/// Stops the program because the data source was deallocated during a frame.
func failReleasedDataSource() -> Never {
  failPrecondition(
    """
    The data source was deallocated while the collection view requested a cell. The view does not retain it: keep a \
    strong reference while the view displays its items.
    """)
}

/// Stops the program because a closure of the layout queried the view while the layout was being solved.
func failAccessWhileSolving() -> Never {
  failPrecondition(
    """
    A closure of a layout queried its collection view for items or frames, or changed them, while the layout was being \
    solved. They are not known then. Use the index and the environment that are passed to the closure, and data that \
    collectionViewWillPrepareLayout(_:) stored.
    """)
}

/// Checks that a provider returned the supplementary view that it dequeued, and that it is of the requested kind.
func requireDequeuedView(
  _ view: CollectionReusableView, as dequeued: (view: CollectionReusableView, kind: String)?, ofKind kind: String
) {
  checkPrecondition(
    view.number >= 0,
    """
    A supplementaryViewProvider returned a view of kind \(kind) that it created itself. Views are reused: dequeue them \
    with dequeueConfiguredReusableSupplementary(using:for:).
    """)
  checkPrecondition(
    view === dequeued?.view,
    """
    A supplementaryViewProvider returned a view of kind \(kind) that it did not dequeue for this call. Return the \
    result of dequeueConfiguredReusableSupplementary; a view can be displayed only once.
    """)
  let dequeuedKind = dequeued?.kind ?? kind
  checkPrecondition(
    dequeuedKind == kind,
    """
    A supplementaryViewProvider was called for a view of kind \(kind) and dequeued one with a registration for kind \
    \(dequeuedKind). Create a registration for each kind of the layout.
    """)
}

/// Stops the program because the layout contains decoration views of a kind without a registered class.
func failUnregisteredDecoration(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout contains decoration views of kind \(kind), for which no class is registered. Call \
    register(_:forDecorationViewOfKind:) of the collection view before the first frame.
    """)
}

/// Stops the program because a view in the reuse pool was written to.
func failWriteToPooledView(_ view: CollectionReusableView) -> Never {
  guard let item = (view as? CollectionViewCell)?.boundItem else {
    failPrecondition(
      """
      A \(type(of: view)) was written to after it was returned for reuse. Do not store such a view: set its content \
      in the handler of its registration.
      """)
  }
  failPrecondition(
    """
    A \(type(of: view)) was written to after it was returned for reuse; the last item it displayed was \(item). A \
    stored cell, for example in a closure, may display another item when a result arrives: store the result in the model and \
    call reconfigureItems([\(item)]), or use a CellReference.
    """)
}
