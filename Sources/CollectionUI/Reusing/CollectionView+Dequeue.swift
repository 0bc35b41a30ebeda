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
    if let existing = reconfiguredCell {
      guard let cell = existing as? Cell, cell.registration == number(of: registration) else {
        misuse(
          """
          While item \(item) was reconfigured its provider asked for a cell of another registration. Reconfiguring keeps \
          the cell: use reloadItems to change its kind.
          """)
      }
      cell.boundItem = item
      registration.handler(cell, indexPath, item)
      cell.configure(using: state(at: indexPath))
      return cell
    }
    demand(
      dequeuedCell == nil,
      """
      A cell was dequeued that no provider returned. Dequeue cells within a cell provider alone, one for each call: any \
      other would be lost.
      """)
    let number = number(of: registration)
    let cell: Cell
    if let pooled = pool.take(number, leaving: cellQuarantine) as? Cell {
      pooled.isPooled = false
      ledger.handle(.reuse, of: pooled.number)
      pooled.prepareForReuse()
      cell = pooled
    } else {
      cell = Cell()
      cell.number = ledger.create()
      cell.registration = number
    }
    dequeuedCell = cell
    cell.boundItem = item
    registration.handler(cell, indexPath, item)
    cell.configure(using: state(at: indexPath))
    return cell
  }

  private func state(at path: IndexPath) -> CellConfigurationState {
    flatIndex(at: path).map { interaction.state(of: $0) } ?? CellConfigurationState()
  }

  /// A supplementary view of a registration, from its pool or newly made, configured for its place.
  ///
  /// After an update of the items this is the view that stands there already, and `prepareForReuse` is not called. To be
  /// called by a supplementary view provider, once for each of its calls.
  ///
  /// - Precondition: the registration was made outside of the provider.
  public final func dequeueConfiguredReusableSupplementary<View: CollectionReusableView>(
    using registration: SupplementaryRegistration<View>, for indexPath: IndexPath
  ) -> View {
    demand(
      !registration.isMadeInProvider,
      """
      A supplementary registration was made inside a provider. Each request would make another one, and its views would \
      never be reused: make the registration once, outside the provider.
      """)
    let number = number(of: registration)
    let view: View
    if let existing = reconfiguredElement as? View, existing.registration == number {
      view = existing
    } else if let pooled = elementPool.take(number) as? View {
      pooled.isPooled = false
      pooled.prepareForReuse()
      view = pooled
    } else {
      view = View()
      view.registration = number
    }
    registration.handler(view, registration.elementKind, indexPath)
    return view
  }

  /// The small number that stands for a registration in this view.
  private func number(of registration: AnyObject) -> Int {
    // Held, so that the identity cannot become another registration's.
    number(ofPool: ObjectIdentifier(registration), holding: registration)
  }

  /// The small number that stands for a registration or a class in this view.
  final func number(ofPool key: ObjectIdentifier, holding object: AnyObject? = nil) -> Int {
    if let number = registrations[key] { return number.number }
    let number = registrations.count
    registrations[key] = (number, object)
    return number
  }
}
