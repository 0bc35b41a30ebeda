import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view over an enlarged picture that shows a part of it with more pixels.
///
/// A part stays until the next one can be drawn, so that a picture that is moved does not become blurred in between.
final class PicturePartView: View {
  /// A part of a picture.
  struct Part {
    /// The pixels of the part, possibly fewer than the picture has.
    var bitmap: Bitmap
    /// The part, in pixels of the picture.
    var region: PixelRect
  }

  private struct Entry {
    let part: Part
    let view: ImageView
  }

  /// The last part that was drawn, and the one that replaces it.
  private var entries: [Entry] = []
  private let pixelatedMagnification: Double
  /// The size of the picture, in its pixels.
  private var pictureSize = PixelRect.zero

  /// Creates a view without a part.
  ///
  /// - Parameter pixelatedMagnification: The factor of enlargement from which pixels are shown as squares.
  init(pixelatedMagnification: Double) {
    self.pixelatedMagnification = pixelatedMagnification
    super.init()
    isUserInteractionEnabled = false
  }

  /// Whether there is a part.
  var hasPart: Bool { !entries.isEmpty }

  /// Shows a part.
  ///
  /// - Parameters:
  ///   - part: The part, or nil to show none.
  ///   - picture: The size of the picture, in its pixels.
  func show(_ part: Part?, of picture: PixelSize?) {
    pictureSize = picture.map { PixelRect(x: 0, y: 0, width: Int32($0.width), height: Int32($0.height)) } ?? .zero
    guard let part else { return remove(entries.count) }
    guard entries.last?.part.bitmap !== part.bitmap else { return }
    // Of two that have not been drawn, only the last one is wanted.
    if entries.count > 1, entries.last?.view.showsImage == false { entries.removeLast().view.removeFromSuperview() }
    let view = ImageView()
    view.isUserInteractionEnabled = false
    view.pixelatedMagnification = pixelatedMagnification
    view.image = part.bitmap
    addSubview(view)
    entries.append(Entry(part: part, view: view))
    setNeedsLayout()
  }

  private func remove(_ count: Int) {
    for entry in entries.prefix(count) { entry.view.removeFromSuperview() }
    entries.removeFirst(count)
  }

  override func layoutSubviews() {
    if let drawn = entries.lastIndex(where: \.view.showsImage) { remove(drawn) }
    guard pictureSize.width > 0, pictureSize.height > 0 else { return }
    let (across, down) = (bounds.width / Double(pictureSize.width), bounds.height / Double(pictureSize.height))
    for entry in entries {
      let region = entry.part.region
      entry.view.frame = Rect(
        x: Double(region.x) * across, y: Double(region.y) * down, width: Double(region.width) * across,
        height: Double(region.height) * down)
    }
  }

  override func textureDidArrive() {
    // The last part is removed when the next one is drawn.
    setNeedsLayout()
    super.textureDidArrive()
  }
}
