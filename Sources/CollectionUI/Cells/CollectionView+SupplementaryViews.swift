public import struct FoundationEssentials.IndexPath
public import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
package import VitrineViews

/// Supplementary and decoration views. Their owner is ``SupplementaryController``.
extension CollectionView {
  /// The kind of the headers of list sections.
  public static let elementKindSectionHeader = CollectionLayoutListConfiguration.headerKind
  /// The kind of the footers of list sections.
  public static let elementKindSectionFooter = CollectionLayoutListConfiguration.footerKind

  /// Registers a class for decoration views of the given kind, such as section backgrounds.
  ///
  /// UIKit registers these classes with the layout. Here a layout is a value and creates no views.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - kind: The kind.
  ///   - handler: A closure that configures a view before it is displayed, and again after
  ///     ``reconfigureSupplementaryViews()``. By default, it does nothing.
  public final func register<View: CollectionReusableView>(
    _ type: View.Type, forDecorationViewOfKind kind: String, handler: @escaping (View) -> Void = { _ in }
  ) {
    supplementaryController.register(type, forDecorationViewOfKind: kind) { view in
      if let view = view as? View { handler(view) }
    }
  }

  /// Returns the displayed supplementary view of a kind at an index path, or nil if it is not visible.
  ///
  /// - Complexity: O(displayed supplementary and decoration views).
  public final func supplementaryView(forElementKind kind: String, at path: IndexPath) -> CollectionReusableView? {
    let isGlobal = path.count == 1
    let identity = ElementIdentity(
      kind: .supplementary(kind), section: isGlobal ? nil : path.section, item: isGlobal ? path[0] : path.item)
    return supplementaryController.element(identity)?.view
  }

  /// Returns the displayed supplementary views of a kind, back to front.
  public final func visibleSupplementaryViews(ofKind kind: String) -> [CollectionReusableView] {
    supplementaryController.elements.compactMap { $0.attributes.identity.kind == .supplementary(kind) ? $0.view : nil }
  }

  /// Configures the supplementary and decoration views again: displayed views now, prepared views before they are
  /// displayed.
  public final func reconfigureSupplementaryViews() {
    performWhenReady { self.deferringUpdates { self.supplementaryController.refresh() } }
  }

  /// The counts of supplementary and decoration views over the view's lifetime, as ``statistics`` are for cells.
  public final var supplementaryStatistics: CellStatistics { supplementaryController.statistics }

  /// The prepared supplementary and decoration views that are not displayed, in order of preparation.
  public final var preparedSupplementaryViews: [CollectionReusableView] { supplementaryController.waitingViews }

  /// The number of supplementary and decoration views in the reuse pools.
  public final var pooledSupplementaryCount: Int { supplementaryController.pooledCount }

  /// Dequeues a supplementary view of a registration, reused or created, and configures it for an index path.
  ///
  /// Call this method in a supplementary view provider, once for each call of the provider. After an update of the
  /// items, the method returns the current view, and `prepareForReuse` is not called.
  ///
  /// - Precondition: The registration was not created inside the provider.
  public final func dequeueConfiguredReusableSupplementary<View: CollectionReusableView>(
    using registration: SupplementaryRegistration<View>, for indexPath: IndexPath
  ) -> View {
    checkPrecondition(
      !registration.isMadeInProvider,
      """
      A supplementary registration was made inside a provider. Each request would make another one, and its views would \
      never be reused: make the registration once, outside the provider.
      """)
    let number = stepMeter.number(of: registration)
    let start = stepMeter.clock?.workTimestamp()
    let view: View = supplementaryController.dequeueView(ofKind: registration.elementKind, registration: number)
    stepMeter.callingClient(.handler, of: number, View.self) {
      registration.handler(view, registration.elementKind, indexPath)
    }
    if let start { stepMeter.record(.configure, of: number, since: start) }
    return view
  }
}

extension CollectionView: SupplementaryHost {
  package final var keepLimits: KeepLimits { prefetchController.keepLimits }

  package final var renderResources: RenderResources? { window?.resources }

  package final func maximumWaitingViews(displayed count: Int) -> Int {
    prefetchController.maximumWaitingViews(displayed: count)
  }

  package final var providesSupplementaryViews: Bool { displayedSource != nil }

  package final func provideSupplementaryView(
    ofKind kind: String, _ identity: ElementIdentity
  ) -> CollectionReusableView {
    guard let source = displayedSource else { failReleasedDataSource() }
    guard let view = source.supplementaryView(ofKind: kind, at: identity.path, in: self) else {
      failMissingSupplementaryProvider(kind)
    }
    return view
  }

  package final func supplementaryViewsDidChange() { steadyScrollController.invalidateRange() }

  package final func retainLeavingView(
    _ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool
  ) -> Bool {
    updateAnimator.retain(view, identity, isDeleted: isDeleted)
  }

  package final func reclaimLeavingView(of element: ElementAttributes) -> CollectionReusableView? {
    updateAnimator.reclaimView(of: element)
  }

  package final func invalidateLeavingViews(where predicate: (ElementIdentity) -> Bool) {
    updateAnimator.forEachElementView { identity, view in
      if predicate(identity) { view.configuredUpdate = nil }
    }
  }

  package final func willDisplay(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    guard case .supplementary(let kind) = identity.kind else { return }
    delegate?.collectionView(self, willDisplaySupplementaryView: view, forElementKind: kind, at: identity.path)
  }

  package final func didEndDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    guard case .supplementary(let kind) = identity.kind else { return }
    delegate?.collectionView(self, didEndDisplayingSupplementaryView: view, forElementOfKind: kind, at: identity.path)
  }
}
