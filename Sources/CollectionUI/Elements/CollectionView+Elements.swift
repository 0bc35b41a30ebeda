import CollectionEngine
import CollectionLayout
import DataStructures
public import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Names the class of the decoration views of a kind, such as backgrounds of sections.
  ///
  /// UIKit registers them with the layout; here a layout is a value that makes nothing.
  public final func register(_ type: CollectionReusableView.Type, forDecorationViewOfKind kind: String) {
    elementPreparation.decorations[kind] = type
  }

  /// The supplementary view of a kind at a path, if it is on screen.
  ///
  /// - Complexity: O(views beside the cells on screen).
  public final func supplementaryView(ofKind kind: String, at path: IndexPath) -> CollectionReusableView? {
    let isGlobal = path.count == 1
    let identity = ElementIdentity(
      kind: .supplementary(kind), section: isGlobal ? nil : path.section, item: isGlobal ? path[0] : path.item)
    return elements.index(of: identity).flatMap { elements.view(at: $0) }
  }

  /// The supplementary views of a kind on screen, those behind first.
  public final func visibleSupplementaryViews(ofKind kind: String) -> [CollectionReusableView] {
    (0..<elements.count).compactMap { place in
      elements.attributes[place].identity.kind == .supplementary(kind) ? elements.view(at: place) : nil
    }
  }

  /// Configures the supplementary views on screen again, as after each update of the items.
  public final func reconfigureSupplementaryViews() {
    guard elements.count > 0 else { return }
    performWhenReady { self.deferringUpdates { self.refreshElements() } }
  }

  // MARK: Frames

  /// Moves the views that are there to where the layout has them now.
  final func positionElements() {
    for place in 0..<elements.count {
      if let view = elements.view(at: place) { CollectionView.positionView(view, elements.attributes[place]) }
    }
  }

  /// Where a view beside the cells stands by now: one that is pinned moved on since the layout was asked.
  final func displayedFrame(ofElementAt place: Int) -> Rect {
    let element = elements.attributes[place]
    return element.isPinned ? elements.view(at: place)?.frame ?? element.frame : element.frame
  }

  static func positionView(_ view: CollectionReusableView, _ attributes: ElementAttributes) {
    guard view.attributes != attributes else { return }
    view.attributes = attributes
    view.drawing.corner = attributes.frame.origin
    view.frame = attributes.frame
    view.apply(attributes)
    view.layoutIfNeeded()
  }

  /// Makes the views that came on screen, and configures those again that are there where items changed.
  final func fillVisibleElements() {
    if elementPreparation.needsRefresh { refreshElements() }
    for place in 0..<elements.count where elements.view(at: place) == nil { makeElement(at: place) }
  }

  private func makeElement(at place: Int) {
    guard let source = displayedSource else { return }
    let element = elements.attributes[place]
    if case .cell = element.identity.kind { return }
    // One that was on its way out is shown again, a supplementary view configured again as after each update.
    if let leaving = reclaimDisappearingView(element) {
      guard case .supplementary = element.identity.kind else { return showView(leaving, at: place) }
      let view = configureView(of: element, from: source, onto: leaving)
      guard view !== leaving else { return showView(view, at: place) }
      endDisplaying(leaving, element.identity, mayWait: false)
      recordElementPrepared(view, isForced: true)
      beginDisplaying(view, element.identity)
      return showView(view, at: place)
    }
    let view = dequeueWaitingView(of: element, from: source) ?? configureView(of: element, from: source, onto: nil)
    recordElementPrepared(view, isForced: true)
    beginDisplaying(view, element.identity)
    showView(view, at: place)
  }

  /// Has the view of an element given and configured.
  ///
  /// - Parameter existing: the view that the element has, which is configured again.
  final func configureView(
    of element: ElementAttributes, from source: any CollectionViewSource, onto existing: CollectionReusableView?
  ) -> CollectionReusableView {
    let kind = element.identity.kind
    let view: CollectionReusableView
    switch kind {
    case .supplementary(let name):
      let outer = elementPreparation.reconfigured
      elementPreparation.reconfigured = existing
      let answer = source.supplementaryView(ofKind: name, at: element.identity.path, in: self)
      elementPreparation.reconfigured = outer
      guard let answer else { failMissingSupplementaryProvider(name) }
      requireDequeuedView(answer, as: elementPreparation.dequeued, ofKind: name)
      elementPreparation.dequeued = nil
      view = answer
    case .decoration(let name): view = existing ?? makeDecoration(of: name)
    case .cell: failPrecondition("A layout named a cell among the views beside cells.")
    }
    elementPreparation.registrations[kind] = view.registration
    view.configuredUpdate = elementPreparation.updates
    return view
  }

  private func showView(_ view: CollectionReusableView, at place: Int) {
    _ = elements.setView(view, at: place)
    adoptChild(view)
    CollectionView.positionView(view, elements.attributes[place])
    view.layoutIfNeeded()
    requestPreferredSize(view, elements.attributes[place])
  }

  /// Sections are shown anew: their supplementary views are configured again, those that wait in slack.
  final func reloadElements(ofSections isReloaded: (Int) -> Bool) {
    func isMeant(_ identity: ElementIdentity) -> Bool { identity.section.map(isReloaded) ?? false }
    elementPreparation.waiting.resetProgress(to: .configure, where: isMeant)
    for entry in updateAnimation.disappearing {
      if case .element(let identity?) = entry.completion, isMeant(identity) { entry.view.configuredUpdate = nil }
    }
    if !elementPreparation.waiting.isEmpty { preparation.hasWork = preparesAhead }
    // What an update of the items asks for is done in the coming frame, for all of them.
    guard !elementPreparation.needsRefresh, elements.count > 0 else { return }
    deferringUpdates { refreshElements(where: isMeant) }
  }

  private func refreshElements() {
    elementPreparation.needsRefresh = false
    refreshElements { _ in true }
  }

  private func refreshElements(where isMeant: (ElementIdentity) -> Bool) {
    guard let source = displayedSource else { return }
    for place in 0..<elements.count {
      let element = elements.attributes[place]
      guard case .supplementary = element.identity.kind, isMeant(element.identity),
        let view = elements.view(at: place)
      else { continue }
      let answer = configureView(of: element, from: source, onto: view)
      if answer !== view {
        endDisplaying(view, element.identity, mayWait: false)
        recordElementPrepared(answer, isForced: true)
        beginDisplaying(answer, element.identity)
        showView(answer, at: place)
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

  /// A view of a registration from its pool, emptied.
  final func dequeuePooledView(_ registration: Int) -> CollectionReusableView? {
    guard let view = elementPreparation.pool.dequeueCell(of: registration) else { return nil }
    view.isPooled = false
    elementPreparation.lifecycle.handle(.reuse, of: view.number)
    view.prepareForReuse()
    return view
  }

  /// Gives a new view its number.
  final func registerNewView<View: CollectionReusableView>(_ view: View, _ registration: Int) -> View {
    view.registration = registration
    view.number = elementPreparation.lifecycle.create()
    return view
  }

  /// Lets views that left wait or go to the pool, or keeps them while they are seen to go.
  ///
  /// - Parameter areGone: whether the layout has no such elements any more.
  final func endDisplayingElements(
    _ leaving: [(identity: ElementIdentity, view: CollectionReusableView)], areGone: Bool = false
  ) {
    guard !leaving.isEmpty else { return }
    deferringUpdates {
      for (identity, view) in leaving where !retainDisappearingView(view, identity, isGone: areGone) {
        endDisplaying(view, identity, mayWait: !areGone)
      }
    }
  }
}

extension ElementIdentity {
  /// Section and place there; the place alone where the view belongs to the whole layout.
  var path: IndexPath {
    section.map { IndexPath(item: item, section: $0) } ?? IndexPath(index: item)
  }
}
