public import CollectionEngine
public import struct FoundationEssentials.IndexPath

/// How cells of one kind are made and configured for an item.
///
/// One registration is one reuse pool: make it once.
public final class CellRegistration<Cell: CollectionViewCell, ItemID: Hashable & Sendable> {
  /// Configures a cell for an item.
  public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemID: ItemID) -> Void

  /// What preparing a cell is said to cost, on the virtual clock and until a cell has shown what it does cost.
  public let declaredCosts: DeclaredCosts
  let handler: Handler
  let log = PreparationLog()
  /// Whether it was made while a cell provider ran, where it would never be used twice.
  let isMadeInProvider: Bool

  /// Makes a registration.
  ///
  /// The handler runs again on the same cell when its item is reconfigured.
  ///
  /// - Parameters:
  ///   - declaredCosts: what the steps cost on the virtual clock, where nothing takes time by itself.
  ///   - handler: configures a cell.
  public init(declaredCosts: DeclaredCosts = .none, handler: @escaping Handler) {
    self.declaredCosts = declaredCosts
    self.handler = handler
    isMadeInProvider = ProviderContext.current.isInside
  }

  /// What preparing its cells took so far, step by step, on screen and ahead, in all views.
  public var metrics: PreparationMetrics { log.metrics }
}
