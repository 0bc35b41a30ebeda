import ExampleSupport
import Geometry
import Rendering
import Views

/// A favourite: a picture, and under it the destination's name.
final class FavouriteCell: OutlineCell {
  private let picture = ImageView()
  private let name = Label(style: OutlineStyle.nameStyle, color: .white)

  /// The picture's size in a card.
  static let pictureSize = Size(width: OutlineLayout.cardSize.width, height: OutlineLayout.cardSize.height - 32)

  required init() {
    super.init()
    picture.cornerRadius = OutlineStyle.cornerRadius
    picture.isInteractive = false
    for view in [picture, name] { addSubview(view) }
    themeDidChange()
  }

  /// Shows a destination.
  func show(_ destination: Destination, picture bitmap: Bitmap?) {
    name.text = destination.name
    picture.image = bitmap
  }

  override func themeDidChange() {
    super.themeDidChange()
    name.color = rowState == .resting ? theme.secondaryText : theme.primaryText
    picture.placeholderColor = theme.placeholder
    picture.cornerColor = ground
  }

  override func layoutSubviews() {
    picture.frame = Rect(origin: .zero, size: FavouriteCell.pictureSize)
    name.frame = Rect(x: 8, y: picture.frame.maxY, width: bounds.width - 16, height: bounds.height - picture.frame.maxY)
  }
}
