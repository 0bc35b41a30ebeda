import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
public import VitrineViews

extension CollectionView {
  /// The view behind the content, which fills the collection view and does not scroll.
  ///
  /// The default is nil.
  public final var backgroundView: View? {
    get { contentEnvironment.background }
    set {
      guard newValue !== contentEnvironment.background else { return }
      contentEnvironment.background?.removeFromSuperview()
      contentEnvironment.background = newValue
      guard let newValue else { return }
      addSubview(newValue)
      newValue.frame = bounds
    }
  }

  /// The background view, unless it is hidden or has been removed from the collection view.
  final var visibleBackground: View? {
    guard let view = contentEnvironment.background, view.superview === self, !view.isHidden else { return nil }
    return view
  }

  // MARK: - Drawing

  /// Draws the background, the content, and the subviews in front of it.
  final func renderLayers(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    let background = visibleBackground
    if let background { context.clipped(to: bounds) { render(background, in: $0) } }
    context.clipped(to: bounds) { visibleItemController.render(atContentOrigin: contentOrigin, in: $0) }
    guard background != nil else { return renderSubviews(in: context) }
    for view in subviews where view !== background { render(view, in: context) }
  }

  /// Returns the frontmost view at a point: a subview in front of the content, a view of the content, or the
  /// background.
  final func hitTestLayers(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    let background = visibleBackground
    for view in subviews.reversed() where view !== background {
      if let hit = view.hitTest(point, displayedAt: view.frame.origin) { return hit }
    }
    if let hit = visibleItemController.hitTest(point, atContentOrigin: contentOrigin) { return hit }
    return background?.hitTest(point) ?? (isUserInteractionEnabled ? self : nil)
  }
}

/// How the displayed views are shown. Its owner is ``VisibleItemController``.
extension CollectionView: VisibleItemHost {
  package final var liftedItem: LiftedItem? {
    dragController.movingItem.map {
      LiftedItem(index: $0, frame: dragController.draggedFrame, progress: dragController.liftProgress)
    }
  }
}
