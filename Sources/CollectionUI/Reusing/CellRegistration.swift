public import struct FoundationEssentials.IndexPath

/// How cells of one kind are made and configured for an item.
///
/// One registration is one reuse pool: make it once.
public final class CellRegistration<Cell: CollectionViewCell, ItemID: Hashable & Sendable> {
  /// Configures a cell for an item.
  public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemID: ItemID) -> Void

  let handler: Handler
  /// Whether it was made while a cell provider ran, where it would never be used twice.
  let isMadeInProvider: Bool

  /// Makes a registration.
  ///
  /// The handler runs again on the same cell when its item is reconfigured.
  public init(handler: @escaping Handler) {
    self.handler = handler
    isMadeInProvider = ProviderDepth.current.isInside
  }
}
