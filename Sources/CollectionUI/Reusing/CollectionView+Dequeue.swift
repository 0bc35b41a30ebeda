import CollectionEngine
import DataStructures
import FramePacing
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
    checkPrecondition(
      !registration.isMadeInProvider,
      """
      A cell registration was made inside a cell provider. Each request would make another one, none would ever be \
      used twice, and its cells would never be reused: make the registration once, outside the provider.
      """)
    if let existing = reconfiguredCell {
      guard let cell = existing as? Cell, cell.registration == number(of: registration) else {
        failPrecondition(
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
    checkPrecondition(
      dequeuedCell == nil,
      """
      A cell was dequeued that no provider returned. Dequeue cells within a cell provider alone, one for each call: any \
      other would be lost.
      """)
    let number = number(of: registration)
    // Before there are more cells than are seen and may wait, the one that is needed least goes on as another item's.
    if pool.isEmpty(of: number), hasReachedCellLimit {
      recycleLeastNeeded(than: flatIndex(at: indexPath)) { $0.registration == number }
    }
    let cell: Cell
    if let pooled = pool.dequeueCell(of: number, leaving: cellQuarantine) as? Cell {
      pooled.isPooled = false
      let isSpare = lifecycle.isSpare(pooled.number)
      lifecycle.handle(.reuse, of: pooled.number)
      if !isSpare { pooled.prepareForReuse() }
      cell = pooled
    } else {
      cell = measuringStep(.create, of: number) { Cell() }
      cell.number = lifecycle.create()
      cell.registration = number
    }
    dequeuedCell = cell
    cell.hasRequestedReconfigure = false
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
    checkPrecondition(
      !registration.isMadeInProvider,
      """
      A supplementary registration was made inside a provider. Each request would make another one, and its views would \
      never be reused: make the registration once, outside the provider.
      """)
    checkPrecondition(
      elementPreparation.dequeued == nil,
      """
      A view of kind \(registration.elementKind) was dequeued after another one that no provider returned. Dequeue views \
      within a supplementary view provider alone, one for each call: any other would be lost.
      """)
    let number = number(of: registration)
    let start = frameClock?.workTimestamp()
    let view: View
    if let existing = elementPreparation.reconfigured as? View, existing.registration == number {
      view = existing
    } else {
      view =
        dequeuePooledView(number) as? View ?? registerNewView(measuringStep(.create, of: number) { View() }, number)
    }
    elementPreparation.dequeued = (view, registration.elementKind)
    registration.handler(view, registration.elementKind, indexPath)
    if let start { recordStep(.configure, of: number, since: start) }
    return view
  }

  private func number<Cell, ItemID>(of registration: CellRegistration<Cell, ItemID>) -> Int {
    let key = ObjectIdentifier(registration)
    return registrations.number(of: key)
      ?? registerEntry(
        RegistrationTable.Entry(
          registration: registration, makeCell: { Cell() }, declared: registration.declaredCosts, log: registration.log),
        for: key)
  }

  private func number<View>(of registration: SupplementaryRegistration<View>) -> Int {
    let key = ObjectIdentifier(registration)
    return registrations.number(of: key)
      ?? registerEntry(
        RegistrationTable.Entry(
          registration: registration, makeCell: nil, declared: registration.declaredCosts, log: registration.log),
        for: key)
  }

  /// The small number that stands for a class of decoration views in this view.
  final func number(ofDecoration type: CollectionReusableView.Type) -> Int {
    let key = ObjectIdentifier(type)
    return registrations.number(of: key)
      ?? registerEntry(RegistrationTable.Entry(registration: nil, makeCell: nil, declared: .none, log: nil), for: key)
  }

  private func registerEntry(_ entry: RegistrationTable.Entry, for key: ObjectIdentifier) -> Int {
    let number = registrations.add(entry, for: key)
    for step in PreparationStep.allCases where entry.declared[step] > .zero {
      preparation.costs.declare(entry.declared[step], for: step, of: number)
    }
    return number
  }
}
