import Geometry
import Rendering
import Views

extension CollectionView {
  /// How far a lifted item's shadow reaches around it and how much lower it lies, in points, and how dark it is.
  private static let (shadowReach, shadowDrop, shadowDepth) = (16.0, 4.0, 0.26)

  /// Draws the shadow of an item that is lifted: the darker the higher it is, and always as large, so that nothing is painted
  /// for it while it rises.
  ///
  /// - Parameters:
  ///   - arranged: the item, and how high it is.
  ///   - origin: where the content's corner is, in the view's coordinates.
  ///   - context: what is behind the item is drawn there already.
  final func drawShadow(of arranged: PresentedView, at origin: Point, in context: DrawContext) {
    context.drawShadow(
      of: arranged.frame.offset(by: origin),
      radius: (arranged.view as? CollectionViewCell)?.shadowCornerRadius ?? 0, reach: CollectionView.shadowReach,
      drop: CollectionView.shadowDrop,
      Color(red: 0, green: 0, blue: 0).opacity(CollectionView.shadowDepth * arranged.liftProgress))
  }
}
