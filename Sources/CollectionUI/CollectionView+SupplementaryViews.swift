import CollectionEngine
import CollectionLayout
import DataStructures
public import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Registers a class for decoration views of the given kind, such as section backgrounds.
  ///
  /// UIKit registers these classes with the layout. Here a layout is a value and creates no views.
  public final func register(_ type: CollectionReusableView.Type, forDecorationViewOfKind kind: String) {
    elementPreparation.decorations[kind] = type
  }

  /// Returns the displayed supplementary view of a kind at an index path, or nil if it is not visible.
  ///
  /// - Complexity: O(displayed supplementary and decoration views).
  public final func supplementaryView(forElementKind kind: String, at path: IndexPath) -> CollectionReusableView? {
    let isGlobal = path.count == 1
    let identity = ElementIdentity(
      kind: .supplementary(kind), section: isGlobal ? nil : path.section, item: isGlobal ? path[0] : path.item)
    return elements.index(of: identity).flatMap { elements.view(at: $0) }
  }

  /// Returns the displayed supplementary views of a kind, back to front.
  public final func visibleSupplementaryViews(ofKind kind: String) -> [CollectionReusableView] {
    (0..<elements.count).compactMap { position in
      elements.attributes[position].identity.kind == .supplementary(kind) ? elements.view(at: position) : nil
    }
  }

  /// Configures the displayed supplementary views again, as after each update of the items.
  public final func reconfigureSupplementaryViews() {
    guard elements.count > 0 else { return }
    performWhenReady { self.deferringUpdates { self.refreshElements() } }
  }

  // MARK: - Frames

  /// Applies the layout's current attributes to the displayed views.
  final func positionElements() {
    for position in 0..<elements.count {
      if let view = elements.view(at: position) { CollectionView.positionView(view, elements.attributes[position]) }
    }
  }

  /// Returns the displayed frame of an element.
  ///
  /// A pinned view may have moved since the layout was queried.
  final func displayedFrame(ofElementAt position: Int) -> Rect {
    let element = elements.attributes[position]
    return element.isPinned ? elements.view(at: position)?.frame ?? element.frame : element.frame
  }

  static func positionView(_ view: CollectionReusableView, _ attributes: ElementAttributes) {
    guard view.attributes != attributes else { return }
    view.attributes = attributes
    view.drawing.corner = attributes.frame.origin
    view.frame = attributes.frame
    view.apply(attributes)
    view.layoutIfNeeded()
  }

  /// Provides visible elements with views, and configures the displayed views again after an update.
  final func fillVisibleElements() {
    if elementPreparation.needsRefresh { refreshElements() }
    for position in 0..<elements.count where elements.view(at: position) == nil { makeElement(at: position) }
  }

  private func makeElement(at position: Int) {
    guard let source = displayedSource else { return }
    let element = elements.attributes[position]
    if case .cell = element.identity.kind { return }
    // A view that is being animated out is displayed again. A supplementary view is configured again, as after each
    // update.
    if let leaving = updateAnimator.reclaimView(of: element) {
      guard case .supplementary = element.identity.kind else { return showView(leaving, at: position) }
      let view = configureView(of: element, from: source, onto: leaving)
      guard view !== leaving else { return showView(view, at: position) }
      endDisplaying(leaving, element.identity, mayWait: false)
      recordElementPrepared(view, isForced: true)
      beginDisplaying(view, element.identity)
      return showView(view, at: position)
    }
    let view = dequeueWaitingView(of: element, from: source) ?? configureView(of: element, from: source, onto: nil)
    recordElementPrepared(view, isForced: true)
    beginDisplaying(view, element.identity)
    showView(view, at: position)
  }

  // MARK: - Configuring

  /// Returns a configured view for an element.
  ///
  /// - Parameter existing: The element's current view, which is configured again, or nil.
  final func configureView(
    of element: ElementAttributes, from source: any CollectionViewSource, onto existing: CollectionReusableView?
  ) -> CollectionReusableView {
    let kind = element.identity.kind
    let view: CollectionReusableView
    switch kind {
    case .supplementary(let name):
      let outer = elementPreparation.reconfigured
      elementPreparation.reconfigured = existing
      let returned = source.supplementaryView(ofKind: name, at: element.identity.path, in: self)
      elementPreparation.reconfigured = outer
      guard let returned else { failMissingSupplementaryProvider(name) }
      requireDequeuedView(returned, as: elementPreparation.dequeued, ofKind: name)
      elementPreparation.dequeued = nil
      view = returned
    case .decoration(let name): view = existing ?? makeDecoration(of: name)
    case .cell: failPrecondition("A layout named a cell among the views beside cells.")
    }
    elementPreparation.registrations[kind] = view.registration
    view.configuredUpdate = elementPreparation.updates
    return view
  }

  private func showView(_ view: CollectionReusableView, at position: Int) {
    _ = elements.setView(view, at: position)
    adoptChild(view)
    CollectionView.positionView(view, elements.attributes[position])
    view.layoutIfNeeded()
    requestPreferredSize(view, elements.attributes[position])
  }

  /// Configures the supplementary views of reloaded sections again: displayed views now, waiting views in slack time.
  final func reloadElements(ofSections isReloaded: (Int) -> Bool) {
    func isAffected(_ identity: ElementIdentity) -> Bool { identity.section.map(isReloaded) ?? false }
    elementPreparation.waiting.resetProgress(to: .configure, where: isAffected)
    updateAnimator.forEachElementView { identity, view in
      if isAffected(identity) { view.configuredUpdate = nil }
    }
    if !elementPreparation.waiting.isEmpty { preparation.hasWork = preparesAhead }
    // After an update, all views are configured again in the coming frame.
    guard !elementPreparation.needsRefresh, elements.count > 0 else { return }
    deferringUpdates { refreshElements(where: isAffected) }
  }

  private func refreshElements() {
    elementPreparation.needsRefresh = false
    refreshElements { _ in true }
  }

  private func refreshElements(where predicate: (ElementIdentity) -> Bool) {
    guard let source = displayedSource else { return }
    for position in 0..<elements.count {
      let element = elements.attributes[position]
      guard case .supplementary = element.identity.kind, predicate(element.identity),
        let view = elements.view(at: position)
      else { continue }
      let refreshed = configureView(of: element, from: source, onto: view)
      if refreshed !== view {
        endDisplaying(view, element.identity, mayWait: false)
        recordElementPrepared(refreshed, isForced: true)
        beginDisplaying(refreshed, element.identity)
        showView(refreshed, at: position)
      } else {
        elementPreparation.lifecycle.handle(.reconfigure, of: view.number)
        view.layoutIfNeeded()
        requestPreferredSize(view, element)
      }
    }
  }

  private func makeDecoration(of kind: String) -> CollectionReusableView {
    guard let type = elementPreparation.decorations[kind] else { failUnregisteredDecoration(kind) }
    let number = number(ofDecoration: type)
    return dequeuePooledView(number) ?? registerNewView(measuringStep(.create, of: number) { type.init() }, number)
  }

  /// Returns a reset view of a registration from its pool, or nil if the pool is empty.
  final func dequeuePooledView(_ registration: Int) -> CollectionReusableView? {
    guard let view = elementPreparation.pool.dequeueCell(of: registration) else { return nil }
    view.isPooled = false
    elementPreparation.lifecycle.handle(.reuse, of: view.number)
    view.prepareForReuse()
    return view
  }

  /// Assigns a number to a new view.
  final func registerNewView<View: CollectionReusableView>(_ view: View, _ registration: Int) -> View {
    view.registration = registration
    view.number = elementPreparation.lifecycle.create()
    return view
  }

  /// Ends the display of views that left the viewport, unless they are being animated out.
  ///
  /// - Parameter areDeleted: Whether the layout no longer contains the elements.
  final func endDisplayingElements(
    _ leaving: [(identity: ElementIdentity, view: CollectionReusableView)], areDeleted: Bool = false
  ) {
    guard !leaving.isEmpty else { return }
    deferringUpdates {
      for (identity, view) in leaving where !updateAnimator.retain(view, identity, isDeleted: areDeleted) {
        endDisplaying(view, identity, mayWait: !areDeleted)
      }
    }
  }
}

extension ElementIdentity {
  /// The section and the index in it, or the index alone if the view belongs to the whole layout.
  var path: IndexPath {
    section.map { IndexPath(item: item, section: $0) } ?? IndexPath(index: item)
  }
}
