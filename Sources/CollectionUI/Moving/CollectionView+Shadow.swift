import Geometry
import Rendering
import Views

extension CollectionView {
  /// How far a lifted item's shadow reaches around it, in points, and how dark it is beneath it.
  private static let (shadowReach, shadowDepth) = (16.0, 0.26)

  /// Draws the shadow of an item that is lifted: wider, lower and darker the higher it is.
  ///
  /// - Parameters:
  ///   - arranged: the item, and how high it is.
  ///   - origin: where the content's corner is, in the view's coordinates.
  ///   - context: what is behind the item is drawn there already.
  final func drawShadow(of arranged: ArrangedView, at origin: Point, in context: DrawContext) {
    let height = arranged.height
    let place = arranged.place.offset(by: Point(x: origin.x, y: origin.y + 4 * height))
    let radius = (arranged.view as? CollectionViewCell)?.shadowCornerRadius ?? 0
    // One ring around the other: what lies within the smallest lies within all. The outermost are the faintest, so that
    // there is no edge to be seen.
    let rings = 10
    let sum = Double(rings * (rings + 1)) / 2
    for ring in 0..<rings {
      let share = Double(ring + 1) / sum
      let alpha = UInt8((CollectionView.shadowDepth * height * share * 255).rounded())
      guard alpha > 0 else { continue }
      let reach = CollectionView.shadowReach * (1 - Double(ring) / Double(rings)) * height
      context.fillRounded(
        Rect(
          x: place.minX - reach, y: place.minY - reach, width: place.width + 2 * reach,
          height: place.height + 2 * reach),
        radius: radius + reach, Color(red: 0, green: 0, blue: 0, alpha: alpha))
    }
  }
}
