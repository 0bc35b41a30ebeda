import Geometry
import Rendering

/// The picture icon at the size drawn last, for all views that show it: one bitmap, one texture.
final class SharedIcon {
  private let isBroken: Bool
  private var painted: Bitmap?

  init(isBroken: Bool) { self.isBroken = isBroken }

  /// The icon of so many pixels a side; nothing where memory is out.
  func bitmap(side: Int) -> Bitmap? {
    if painted?.size.width != side { painted = PictureIcon.bitmap(side: side, isBroken: isBroken) }
    return painted
  }
}
