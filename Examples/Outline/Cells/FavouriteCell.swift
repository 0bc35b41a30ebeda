import ExampleSupport
import Geometry
import Rendering
import Views

/// A favourite: a card with a picture, and under it the destination's name.
final class FavouriteCell: OutlineCell {
  private let picture = ImageView()
  private let name = Label(style: OutlineStyle.nameStyle, color: .white)

  /// From a card's edge to its picture.
  private static let margin = 4.0
  /// The picture's size in a card.
  static let pictureSize = Size(
    width: OutlineLayout.cardSize.width - 2 * margin, height: OutlineLayout.cardSize.height - 36)

  override var restingFill: Color { theme.surface }

  required init() {
    super.init()
    picture.cornerRadius = OutlineStyle.cornerRadius - FavouriteCell.margin / 2
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
    name.color = theme.primaryText
    picture.placeholderColor = theme.placeholder
    picture.cornerColor = ground
  }

  override func layoutSubviews() {
    let margin = FavouriteCell.margin
    picture.frame = Rect(origin: Point(x: margin, y: margin), size: FavouriteCell.pictureSize)
    let inset = OutlineStyle.inset
    name.frame = Rect(
      x: inset, y: picture.frame.maxY, width: bounds.width - 2 * inset, height: bounds.height - picture.frame.maxY)
  }
}
