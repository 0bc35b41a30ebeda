public import CollectionEngine
public import struct FoundationEssentials.IndexPath

/// How supplementary views of one kind, such as a section's header, are made and configured.
///
/// One registration is one reuse pool: make it once.
public final class SupplementaryRegistration<View: CollectionReusableView> {
  /// Configures a view for its place.
  ///
  /// The path names the section and the place among views of this kind there: for a badge its item. That of a view that
  /// belongs to the whole layout has one index.
  public typealias Handler = (_ view: View, _ elementKind: String, _ indexPath: IndexPath) -> Void

  /// The kind by which the layout names such views.
  public let elementKind: String
  /// What preparing a view is said to cost, on the virtual clock and until a view has shown what it does cost.
  public let declaredCosts: DeclaredCosts
  let handler: Handler
  let log = PreparationLog()
  /// Whether it was made while a provider ran, where it would never be used twice.
  let isMadeInProvider: Bool

  /// Makes a registration.
  ///
  /// The handler runs again on the same view after each update of the items, as a header often tells of them.
  ///
  /// - Parameters:
  ///   - elementKind: the kind by which the layout names such views.
  ///   - declaredCosts: what the steps cost on the virtual clock, where nothing takes time by itself.
  ///   - handler: configures a view.
  public init(elementKind: String, declaredCosts: DeclaredCosts = .none, handler: @escaping Handler) {
    self.elementKind = elementKind
    self.declaredCosts = declaredCosts
    self.handler = handler
    isMadeInProvider = ProviderContext.current.isInside
  }

  /// What preparing its views took so far, step by step, in all collection views.
  public var metrics: PreparationMetrics { log.metrics }
}
