/// A cell for as long as it is bound to the item that it is bound to now: what a closure may keep.
///
/// An answer that comes later belongs into the model, and from there, by `reconfigureItems`, into whichever cell shows the
/// item by then. Where a closure has to keep a cell all the same, it keeps this: once the cell was put back or shows another
/// item, there is nothing to write to.
public struct CellReference<Cell: CollectionViewCell> {
  /// The identifier of the item.
  public let itemIdentifier: (any Hashable & Sendable)?
  private weak var kept: Cell?
  private let generation: Int

  /// Keeps a cell that is being configured or shown.
  public init(_ cell: Cell) {
    kept = cell
    generation = cell.generation
    itemIdentifier = cell.itemIdentifier
  }

  /// The cell, or nothing once it was put back or shows another item.
  public var cell: Cell? {
    guard let kept, !kept.isPooled, kept.generation == generation else { return nil }
    return kept
  }
}
