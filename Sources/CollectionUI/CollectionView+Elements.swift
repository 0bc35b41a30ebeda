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
    decorations[kind] = type
  }

  /// The supplementary view of a kind at a path, if it is on screen.
  ///
  /// - Complexity: O(views beside the cells on screen).
  public final func supplementaryView(ofKind kind: String, at path: IndexPath) -> CollectionReusableView? {
    let isGlobal = path.count == 1
    let identity = ElementIdentity(
      kind: .supplementary(kind), section: isGlobal ? nil : path.section, item: isGlobal ? path[0] : path.item)
    return elements.place(of: identity).flatMap { elements.view(at: $0) }
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
    whenReady { self.exclusively { self.refreshElements() } }
  }

  // MARK: Frames

  /// Moves the views that are there to where the layout has them now.
  final func placeElements() {
    for place in 0..<elements.count {
      if let view = elements.view(at: place) { CollectionView.place(view, elements.attributes[place]) }
    }
  }

  private static func place(_ view: CollectionReusableView, _ attributes: ElementAttributes) {
    guard view.attributes != attributes else { return }
    view.attributes = attributes
    view.drawing.corner = attributes.frame.origin
    view.frame = attributes.frame
    view.apply(attributes)
    view.layoutIfNeeded()
  }

  /// Makes the views that came on screen, and configures those again that are there where items changed.
  final func fillElements() {
    if refreshesElements { refreshElements() }
    for place in 0..<elements.count where elements.view(at: place) == nil { makeElement(at: place) }
  }

  private func makeElement(at place: Int) {
    let attributes = elements.attributes[place]
    switch attributes.identity.kind {
    case .cell: break
    case .decoration(let kind): show(takeLeaving(attributes) ?? decoration(of: kind), at: place)
    case .supplementary(let kind):
      // One that was on its way out is shown again, and configured again as after each update.
      let leaving = takeLeaving(attributes)
      reconfiguredElement = leaving
      let answer = source?.supplementaryView(ofKind: kind, at: attributes.identity.path, in: self)
      reconfiguredElement = nil
      guard let view = answer else { misuseOfSupplementaries(kind) }
      if let leaving, leaving !== view { put(leaving) }
      show(view, at: place)
    }
  }

  private func show(_ view: CollectionReusableView, at place: Int) {
    let last = elements.setView(view, at: place)
    if let last, last !== view { put(last) }
    adopt(view)
    CollectionView.place(view, elements.attributes[place])
    view.layoutIfNeeded()
    askForSize(view, elements.attributes[place])
  }

  private func refreshElements() {
    refreshesElements = false
    for place in 0..<elements.count {
      guard case .supplementary(let kind) = elements.attributes[place].identity.kind,
        let view = elements.view(at: place)
      else { continue }
      let path = elements.attributes[place].identity.path
      reconfiguredElement = view
      let answer = source?.supplementaryView(ofKind: kind, at: path, in: self)
      reconfiguredElement = nil
      if let answer, answer !== view {
        show(answer, at: place)
      } else {
        view.layoutIfNeeded()
        askForSize(view, elements.attributes[place])
      }
    }
  }

  private func decoration(of kind: String) -> CollectionReusableView {
    guard let type = decorations[kind] else { misuseOfDecorations(kind) }
    let number = number(ofDecoration: type)
    if let pooled = elementPool.take(number) {
      pooled.isPooled = false
      pooled.prepareForReuse()
      return pooled
    }
    let view = type.init()
    view.registration = number
    return view
  }

  /// Puts views that left into the pool, or keeps them while they are seen to go.
  ///
  /// - Parameter areGone: whether the layout has no such elements any more.
  final func retire(
    _ leaving: [(identity: ElementIdentity, view: CollectionReusableView)], areGone: Bool = false
  ) {
    for (identity, view) in leaving where !keepLeaving(view, identity, isGone: areGone) { put(view) }
  }

  final func put(_ view: CollectionReusableView) {
    view.attributes = nil
    view.removeFromSuperview()
    view.isPooled = true
    elementPool.put(view, of: view.registration, keepingAtMost: max(8, 2 * elements.count))
  }
}

extension ElementIdentity {
  /// Section and place there; the place alone where the view belongs to the whole layout.
  fileprivate var path: IndexPath {
    section.map { IndexPath(item: item, section: $0) } ?? IndexPath(index: item)
  }
}
