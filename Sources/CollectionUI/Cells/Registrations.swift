public import struct FoundationEssentials.IndexPath
public import VitrineCollectionEngine
import VitrineFramePacing

/// A registration of a cell class and the handler that configures its cells.
///
/// Create a registration once: each one has its own reuse pool.
@MainActor
public final class CellRegistration<Cell: CollectionViewCell, ItemID: Hashable & Sendable> {
  /// A closure that configures a cell for an item.
  public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemID: ItemID) -> Void

  /// The declared costs of preparing a cell, used with a virtual clock and until costs have been measured.
  public let declaredCosts: DeclaredCosts
  let handler: Handler
  let log = PreparationLog()
  /// Whether the registration was created while a provider ran, so that it would be used only once.
  let isMadeInProvider: Bool

  /// Creates a registration.
  ///
  /// The handler is called again for the same cell when its item is reconfigured.
  ///
  /// - Parameters:
  ///   - declaredCosts: The costs of the preparation steps with a virtual clock, on which code takes no time. Default:
  ///     none.
  ///   - handler: The closure that configures a cell.
  public init(declaredCosts: DeclaredCosts = .none, handler: @escaping Handler) {
    self.declaredCosts = declaredCosts
    self.handler = handler
    isMadeInProvider = ProviderContext.current.isInside
  }

  /// The measured costs of preparing its cells in all views, by step, both ahead and when needed.
  public var metrics: PreparationMetrics { log.metrics }
}

/// A registration of a class of supplementary views, such as section headers, and the handler that configures them.
///
/// Create a registration once: each one has its own reuse pool.
@MainActor
public final class SupplementaryRegistration<View: CollectionReusableView> {
  /// A closure that configures a supplementary view.
  ///
  /// The index path contains the section and the index among its views of this kind. For a badge, that is the index of
  /// the item. The index path of a view that belongs to the whole layout has one index.
  public typealias Handler = (_ view: View, _ elementKind: String, _ indexPath: IndexPath) -> Void

  /// The element kind that the layout uses for these views.
  public let elementKind: String
  /// The declared costs of preparing a view, used with a virtual clock and until costs have been measured.
  public let declaredCosts: DeclaredCosts
  let handler: Handler
  let log = PreparationLog()
  /// Whether the registration was created while a provider ran, so that it would be used only once.
  let isMadeInProvider: Bool

  /// Creates a registration.
  ///
  /// The handler is called again for the same view after each update of the items, because headers often depend on
  /// them.
  ///
  /// - Parameters:
  ///   - elementKind: The element kind that the layout uses for these views.
  ///   - declaredCosts: The costs of the preparation steps with a virtual clock, on which code takes no time. Default:
  ///     none.
  ///   - handler: The closure that configures a view.
  public init(elementKind: String, declaredCosts: DeclaredCosts = .none, handler: @escaping Handler) {
    self.elementKind = elementKind
    self.declaredCosts = declaredCosts
    self.handler = handler
    isMadeInProvider = ProviderContext.current.isInside
  }

  /// The measured costs of preparing its views in all collection views, by step.
  public var metrics: PreparationMetrics { log.metrics }
}

/// The measured costs of a registration's views, recorded by all views that use the registration.
final class PreparationLog {
  private(set) var metrics = PreparationMetrics()

  func record(_ cost: FrameDuration, for step: PreparationStep) { metrics.record(cost, for: step) }
}

/// A task-local value that indicates whether a provider is running.
///
/// Registrations created meanwhile are refused at their first dequeue. The value is task-local, because the provider is
/// client code, through which no argument can be passed.
enum ProviderContext {
  struct Value: Sendable {
    var isInside = false
  }

  @TaskLocal static var current = Value()
}
