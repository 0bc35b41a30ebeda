import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
public import Views

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
    if let background { context.clipped(to: bounds) { background.render(in: $0) } }
    context.clipped(to: bounds) { renderContent(in: $0) }
    guard background != nil else { return renderSubviews(in: context) }
    for view in subviews where !view.isHidden && view !== background {
      context.translated(by: view.frame.origin) { view.render(in: $0) }
    }
  }

  /// Returns the frontmost view at a point: a subview in front of the content, a view of the content, or the
  /// background.
  final func hitTestLayers(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    let background = visibleBackground
    for view in subviews.reversed() where view !== background {
      if let hit = view.hitTest(point - view.frame.origin) { return hit }
    }
    return hitTestContent(point) ?? background?.hitTest(point) ?? (isUserInteractionEnabled ? self : nil)
  }

  /// Appends the cached drawings of the elements behind the cells, of the cells, and of the elements in front of them,
  /// at their current positions.
  final func renderContent(in context: DrawContext) {
    guard arrangement.isEmpty else { return renderArrangement(in: context) }
    supplementaryController.render(areBehindCells: true, atContentOrigin: contentOrigin, in: context)
    cellController.render(atContentOrigin: contentOrigin, in: context)
    supplementaryController.render(areBehindCells: false, atContentOrigin: contentOrigin, in: context)
  }

  /// Returns the frontmost cell or element at a point.
  final func hitTestContent(_ point: Point) -> View? {
    let origin = contentOrigin
    if let hit = supplementaryController.hitTest(areBehindCells: false, point, atContentOrigin: origin) { return hit }
    if let hit = cellController.hitTest(point + origin) { return hit }
    return supplementaryController.hitTest(areBehindCells: true, point, atContentOrigin: origin)
  }

  // MARK: - Shadows

  /// The reach of a dragged item's shadow around it and its vertical offset, in points, and its opacity.
  private static let (shadowReach, shadowDrop, shadowDepth) = (16.0, 4.0, 0.26)

  /// Draws the shadow of a lifted item.
  ///
  /// The shadow is darker the higher the item is lifted. Its size is constant, so that no texture is made while the
  /// item rises.
  ///
  /// - Parameters:
  ///   - arranged: The item, with its lift progress.
  ///   - origin: The content's origin, in the view's coordinates.
  ///   - context: The context, into which the views behind the item have been drawn.
  final func drawShadow(of arranged: PresentedView, at origin: Point, in context: DrawContext) {
    context.drawShadow(
      of: arranged.frame.offset(by: origin),
      radius: (arranged.view as? CollectionViewCell)?.shadowCornerRadius ?? 0, extent: CollectionView.shadowReach,
      verticalOffset: CollectionView.shadowDrop,
      Color(red: 0, green: 0, blue: 0).opacity(CollectionView.shadowDepth * arranged.liftProgress))
  }
}
