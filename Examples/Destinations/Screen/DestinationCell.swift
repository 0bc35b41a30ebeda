import CollectionLayout
import CollectionUI
import ExampleSupport
import Geometry
import ImagePipeline
import Rendering
import Views

/// A post: its picture, and under it what there is to say.
final class DestinationCell: CollectionViewCell {
  private static let radius = 10.0
  private static let margin = 4.0

  private let picture = ImageView()
  private let failure = Label(style: ExampleTheme.bodyStyle, color: .white, alignment: .center)
  private let title = Label(style: ExampleTheme.headlineStyle, color: .white)
  private let likes = Label(style: ExampleTheme.captionStyle, color: .white, alignment: .trailing)
  private let region = Label(style: ExampleTheme.captionStyle, color: .white)
  private let damage = Label(style: ExampleTheme.captionStyle, color: .white, alignment: .trailing)
  private let caption = Paragraph(
    style: ExampleTheme.bodyStyle, color: .white, lineHeight: 20, numberOfLines: 4, alignment: .leading)

  required init() {
    super.init()
    picture.cornerRadius = Self.radius
    for view in [picture, failure, title, likes, region, damage, caption] { addSubview(view) }
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    picture.image = nil
    picture.placeholderImage = nil
  }

  /// Whether the cell waits for its picture: neither that is seen nor why there is none.
  var isWaiting: Bool { !picture.showsImage && failure.text.isEmpty }

  /// What is seen of the picture.
  var image: Bitmap? { picture.image }
  /// Why there is no picture, as the cell says it.
  var failureText: String { failure.text }
  /// What is wrong with the picture that is seen, as the cell says it.
  var damageText: String { damage.text }
  /// How often the post is liked, as the cell says it.
  var likesText: String { likes.text }

  /// Shows a post with what there is of its picture.
  func show(_ post: DestinationPost, _ asset: Asset<DestinationPost.AssetID>, in theme: ExampleTheme) {
    show(post, in: theme)
    let isPicture = !asset.isPlaceholder && asset.failure == nil
    picture.image = isPicture ? asset.image : nil
    // What stood in its place stays until the picture is a texture.
    if !isPicture { picture.placeholderImage = asset.image }
    failure.text = asset.failure?.description ?? ""
    show(isDamaged: asset.isDamaged)
  }

  /// Shows a post with a picture, or with something in its place.
  func show(_ post: DestinationPost, picture image: DecodedImage?, else placeholder: Bitmap?, in theme: ExampleTheme) {
    show(post, in: theme)
    picture.placeholderImage = placeholder
    show(image)
    failure.text = ""
  }

  /// Shows a picture, whatever the post.
  func show(_ image: DecodedImage?) {
    picture.image = image?.bitmap
    show(isDamaged: image?.isDamaged ?? false)
  }

  /// Says why there is no picture.
  func show(failure text: String) { failure.text = text }

  /// Says whether the picture is what could be saved of it.
  private func show(isDamaged: Bool) {
    let text = isDamaged ? "picture is damaged" : ""
    guard text != damage.text else { return }
    damage.text = text
    setNeedsLayout()
  }

  private func show(_ post: DestinationPost, in theme: ExampleTheme) {
    picture.placeholderColor = theme.placeholder
    picture.cornerColor = theme.background
    failure.color = theme.secondaryText
    title.color = theme.primaryText
    region.color = theme.secondaryText
    damage.color = theme.warning
    likes.color = theme.secondaryText
    caption.color = theme.secondaryText
    title.text = post.title
    region.text = post.region
    caption.text = post.caption
    likes.text = "\(post.likes) likes"
  }

  /// The picture's height follows from the width, and the caption's from its text.
  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    let width = attributes.frame.width
    caption.sizeToFit(width: max(0, width - 2 * Self.margin))
    attributes.frame.size.height = Self.captionTop(width: width) + caption.frame.height
    return attributes
  }

  override func layoutSubviews() {
    let width = bounds.width
    let inner = max(0, width - 2 * Self.margin)
    picture.frame = Rect(x: 0, y: 0, width: width, height: DestinationsLayout.pictureHeight(width: width))
    failure.frame = picture.frame
    let top = picture.frame.maxY + 10
    title.frame = Rect(x: Self.margin, y: top, width: max(0, inner - 96), height: 20)
    // A point lower: smaller type in a box of the same height would stand above the title's baseline.
    likes.frame = Rect(x: Self.margin + max(0, inner - 88), y: top + 1, width: min(inner, 88), height: 20)
    let room = damage.text.isEmpty ? inner : max(0, inner - 128)
    region.frame = Rect(x: Self.margin, y: top + 22, width: room, height: 16)
    damage.frame = Rect(x: Self.margin + max(0, inner - 120), y: top + 22, width: min(inner, 120), height: 16)
    caption.sizeToFit(width: inner)
    caption.frame.origin = Point(x: Self.margin, y: Self.captionTop(width: width))
  }

  private static func captionTop(width: Double) -> Double { DestinationsLayout.pictureHeight(width: width) + 54 }
}
