import Geometry
import Rendering

/// The painted pictures, each painted once for a size.
final class PictureBook {
  private struct Key: Hashable {
    var destination: Destination.ID
    var size: PixelSize
  }

  private var pictures: [Key: Bitmap] = [:]

  /// The picture of a destination at a size in points; nothing where memory is out.
  func picture(of destination: Destination, _ size: Size, scale: DisplayScale) -> Bitmap? {
    let pixels = PixelSize(width: Int(scale.pixel(size.width)), height: Int(scale.pixel(size.height)))
    guard let pixels else { return nil }
    let key = Key(destination: destination.id, size: pixels)
    if let picture = pictures[key] { return picture }
    let picture = Landscape(destination.scenery, number: destination.id).bitmap(pixels)
    pictures[key] = picture
    return picture
  }
}
