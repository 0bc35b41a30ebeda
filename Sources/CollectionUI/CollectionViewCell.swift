/// A cell: what shows one item, and another one later.
open class CollectionViewCell: CollectionReusableView {
  /// The flat index of the item that the cell shows; nothing while it waits in the pool.
  public internal(set) var itemIndex: Int?
}
