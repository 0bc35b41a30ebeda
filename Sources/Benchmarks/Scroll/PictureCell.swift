import CollectionUI
import Geometry
import Rendering
import Views

/// A cell as a gallery has it: a picture of exactly its size and a line beneath it.
@MainActor
class PictureCell: CollectionViewCell {
  /// The height of the line, in points.
  static let captionHeight = 17.0
  private let picture = ImageView()
  private let caption = Label(style: TextStyle(size: 12), color: Color(hex: 0xDDDDDD))

  required init() {
    super.init()
    addSubview(picture)
    addSubview(caption)
  }

  /// Shows an item.
  func show(_ image: Bitmap, _ text: String) {
    picture.image = image
    caption.text = text
  }

  override func layoutSubviews() {
    let height = max(0, bounds.height - PictureCell.captionHeight)
    picture.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    caption.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
  }
}
