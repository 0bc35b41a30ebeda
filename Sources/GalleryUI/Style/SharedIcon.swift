import Geometry
import Rendering

/// An icon at the size drawn last, for all views that show it: one bitmap, one texture.
final class SharedIcon {
  private let render: (Int) -> Bitmap?
  private var cachedBitmap: Bitmap?

  /// Makes an icon.
  ///
  /// - Parameter paint: paints it white on nothing, so many pixels a side.
  init(render: @escaping (Int) -> Bitmap?) { self.render = render }

  /// The icon of a picture, whole or struck through.
  convenience init(isBroken: Bool) {
    self.init { PictureIcon.bitmap(side: $0, isBroken: isBroken) }
  }

  /// The icon of so many pixels a side; nothing where memory is out.
  func bitmap(side: Int) -> Bitmap? {
    if cachedBitmap?.size.width != side { cachedBitmap = render(side) }
    return cachedBitmap
  }
}
