import Rendering
import Views

/// A picture and its line on a surface of their own.
@MainActor
final class SurfacedPictureCell: PictureCell {
  required init() {
    super.init()
    backgroundColor = Color(hex: 0x202020)
  }
}
