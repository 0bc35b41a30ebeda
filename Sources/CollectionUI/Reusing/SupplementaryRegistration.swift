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
  let handler: Handler
  /// Whether it was made while a provider ran, where it would never be used twice.
  let isMadeInProvider: Bool

  /// Makes a registration.
  ///
  /// The handler runs again on the same view after each update of the items, as a header often tells of them.
  public init(elementKind: String, handler: @escaping Handler) {
    self.elementKind = elementKind
    self.handler = handler
    isMadeInProvider = ProviderDepth.current.isInside
  }
}
