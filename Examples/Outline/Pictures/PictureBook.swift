import Geometry
import Rendering
import Views

/// The painted pictures: painted before the first frame that could show one, and anew on a display of another scale.
///
/// A cell's handler finds them here and paints nothing: it runs while a frame is made. There are few, and small ones. What
/// takes longer is painted elsewhere and comes by `reconfigureItems`, as in the destinations example.
final class PictureBook: FrameParticipant {
  /// What is painted: a destination, in points.
  struct Page: Hashable {
    var destination: Destination
    var size: Size
  }

  private let pages: [Page]
  private var pictures: [Page: Bitmap] = [:]
  /// Called when all pictures are other ones.
  var onPaint: () -> Void = {}

  /// Makes a book without pictures.
  init(_ pages: [Page]) { self.pages = pages }

  /// The picture of a page; nothing where there is none such, or memory was out.
  func picture(of destination: Destination, _ size: Size) -> Bitmap? {
    pictures[Page(destination: destination, size: size)]
  }

  /// Told when the book takes its place in a window's frames, and when the window comes to a display of another scale.
  func displayScaleDidChange(_ scale: DisplayScale) {
    pictures = [:]
    for page in pages {
      guard
        let size = PixelSize(width: Int(scale.pixel(page.size.width)), height: Int(scale.pixel(page.size.height)))
      else { continue }
      pictures[page] = Landscape(page.destination.scenery, number: page.destination.id).bitmap(size)
    }
    onPaint()
  }
}
