import CollectionEngine
import DataStructures
import struct FoundationEssentials.IndexPath

/// Stops the program because the view requested an item that the data source does not have.
func failUnknownItem(_ path: IndexPath) -> Never {
  failPrecondition(
    """
    The collection view asked for section \(path.section), item \(path.item), which its data source does not have. \
    Change items by applying a snapshot, so that view and data source change together.
    """)
}

/// Checks that a provider returned the item's own cell when reconfiguring it.
func requireSameCell(_ returned: CollectionViewCell, as cell: CollectionViewCell, at path: IndexPath) {
  checkPrecondition(
    returned === cell,
    """
    While section \(path.section), item \(path.item) was reconfigured its provider returned another cell than the one it \
    dequeued. Return what dequeueConfiguredReusableCell gave.
    """)
}

/// Checks that a provider returned the cell that it dequeued.
func requireDequeuedCell(_ returned: CollectionViewCell, as cell: CollectionViewCell?, at path: IndexPath) {
  checkPrecondition(
    returned === cell,
    """
    The provider of section \(path.section), item \(path.item) returned a cell that it did not dequeue for this call. \
    Return what dequeueConfiguredReusableCell gave: any other cell would never be reused.
    """)
}

/// Stops the program because the layout contains supplementary views and the data source has no provider for them.
func failMissingSupplementaryProvider(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout places supplementary views of kind \(kind), and the data source has no supplementaryViewProvider. Give it \
    one before the first frame.
    """)
}

/// Stops the program because the layout contains supplementary views and the data source does not implement their
/// method.
func failMissingSupplementaryMethod(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout places supplementary views of kind \(kind), and the data source gives none. Implement \
    collectionView(_:viewForSupplementaryElementOfKind:at:).
    """)
}

/// Stops the program because a method that requires ``CollectionView/dataSource`` was called without one.
func failMissingDataSource(_ name: String) -> Never {
  failPrecondition(
    """
    \(name) was called of a collection view without a dataSource that is asked by index path. Set one before, or apply a \
    snapshot where a diffable data source gives the items.
    """)
}

/// Stops the program because the data source was deallocated during a frame.
func failReleasedDataSource() -> Never {
  failPrecondition(
    """
    The data source of a collection view went away while a cell was asked of it. The view does not keep it alive: keep it \
    as long as the view shows its items.
    """)
}

/// Stops the program because a closure of the layout queried the view while the layout was being solved.
func failAccessWhileSolving() -> Never {
  failPrecondition(
    """
    A closure of a layout asked its collection view for items or places, or changed them, while the layout was being \
    solved: nothing of that is known then. Answer from the index and the environment that the closure is given, and from \
    facts that collectionViewWillPrepareLayout(_:) handed over.
    """)
}

/// Checks that a provider returned the supplementary view that it dequeued, and that it is of the requested kind.
func requireDequeuedView(
  _ view: CollectionReusableView, as dequeued: (view: CollectionReusableView, kind: String)?, ofKind kind: String
) {
  checkPrecondition(
    view.number >= 0,
    """
    A supplementaryViewProvider returned a view of kind \(kind) that it made itself. Views are used again: dequeue them \
    with dequeueConfiguredReusableSupplementary(using:for:).
    """)
  checkPrecondition(
    view === dequeued?.view,
    """
    A supplementaryViewProvider returned a view of kind \(kind) that it did not dequeue for this call. Return what \
    dequeueConfiguredReusableSupplementary gave: a view stands in one place.
    """)
  let dequeuedKind = dequeued?.kind ?? kind
  checkPrecondition(
    dequeuedKind == kind,
    """
    A supplementaryViewProvider was asked for a view of kind \(kind) and dequeued one with a registration for kind \
    \(dequeuedKind). Make a registration for each kind that the layout names.
    """)
}

/// Stops the program because the layout contains decoration views of a kind without a registered class.
func failUnregisteredDecoration(_ kind: String) -> Never {
  failPrecondition(
    """
    The layout places decoration views of kind \(kind), for which no class is registered. Call \
    register(_:forDecorationViewOfKind:) of the collection view before the first frame.
    """)
}

/// Stops the program because a view in the reuse pool was written to.
func failWriteToPooledView(_ view: CollectionReusableView) -> Never {
  guard let item = (view as? CollectionViewCell)?.boundItem else {
    failPrecondition(
      """
      A \(type(of: view)) was written to after it had been put back for reuse. Keep no such view: what it shows is \
      looked up when its registration's handler runs.
      """)
  }
  failPrecondition(
    """
    A \(type(of: view)) was written to after it had been put back for reuse; the last item it showed was \(item). A cell \
    that was kept, by a closure say, may show another item when an answer comes: give the answer to the model and call \
    reconfigureItems([\(item)]), or keep a CellReference.
    """)
}
