import CollectionEngine
import DataStructures
public import struct FoundationEssentials.IndexPath

extension CollectionView {
  /// A cell of a registration, from its pool or newly made, configured for an item.
  ///
  /// While an item is reconfigured this is the item's own cell, and `prepareForReuse` is not called. To be called by a
  /// cell provider, once for each of its calls.
  ///
  /// - Precondition: the registration was made outside of the provider.
  public final func dequeueConfiguredReusableCell<Cell: CollectionViewCell, ItemID: Hashable & Sendable>(
    using registration: CellRegistration<Cell, ItemID>, for indexPath: IndexPath, item: ItemID
  ) -> Cell {
    demand(
      !registration.isMadeInProvider,
      """
      A cell registration was made inside a cell provider. Each request would make another one, none would ever be \
      used twice, and its cells would never be reused: make the registration once, outside the provider.
      """)
    statistics.prepared += 1
    if let existing = reconfiguredCell {
      guard let cell = existing as? Cell, cell.registration == number(of: registration) else {
        misuse(
          """
          While item \(item) was reconfigured its provider asked for a cell of another registration. Reconfiguring keeps \
          the cell: use reloadItems to change its kind.
          """)
      }
      registration.handler(cell, indexPath, item)
      return cell
    }
    demand(
      dequeuedCell == nil,
      """
      A cell was dequeued that no provider returned. Dequeue cells within a cell provider alone, one for each call: any \
      other would be lost.
      """)
    statistics.dequeued += 1
    let number = number(of: registration)
    let cell: Cell
    if let pooled = pool.take(number) as? Cell {
      statistics.reused += 1
      pooled.prepareForReuse()
      cell = pooled
    } else {
      statistics.created += 1
      cell = Cell()
      cell.registration = number
    }
    dequeuedCell = cell
    registration.handler(cell, indexPath, item)
    return cell
  }

  /// The small number that stands for a registration in this view.
  private func number(of registration: AnyObject) -> Int {
    let key = ObjectIdentifier(registration)
    if let number = registrations[key] { return number.number }
    let number = registrations.count
    // Held, so that the identity cannot become another registration's.
    registrations[key] = (number, registration)
    return number
  }
}
