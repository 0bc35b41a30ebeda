import ExampleSupport
import Geometry
import Rendering
import Views

/// A destination: a small picture, its name, and where it lies.
final class DestinationCell: OutlineCell {
  private let picture = ImageView()
  private let name = Label(style: OutlineStyle.nameStyle, color: .white)
  private let place = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)

  required init() {
    super.init()
    picture.cornerRadius = 4
    picture.isInteractive = false
    for view in [picture, name, place] { addSubview(view) }
    themeDidChange()
  }

  /// Shows a destination.
  func show(_ destination: Destination, picture bitmap: Bitmap?) {
    name.text = destination.name
    place.text = destination.coordinates
    picture.image = bitmap
  }

  override func themeDidChange() {
    super.themeDidChange()
    name.color = theme.primaryText
    place.color = theme.secondaryText
    picture.placeholderColor = theme.placeholder
    picture.cornerColor = ground
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let (inset, size) = (OutlineStyle.inset, OutlineStyle.pictureSize)
    picture.frame = Rect(
      origin: Point(x: OutlineStyle.indent, y: ((bounds.height - size.height) / 2).rounded()), size: size)
    let start = picture.frame.maxX + inset
    let width = min(112, max(0, bounds.width - start - inset))
    let drop = OutlineStyle.drop(of: OutlineStyle.detailStyle, beside: OutlineStyle.nameStyle, in: resources)
    place.frame = Rect(x: bounds.width - inset - width, y: drop, width: width, height: bounds.height)
    name.frame = Rect(x: start, y: 0, width: max(0, place.frame.minX - start - inset), height: bounds.height)
  }
}
