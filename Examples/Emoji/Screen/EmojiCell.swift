import CollectionUI
import ExampleSupport
import Geometry
import Rendering
import Views

/// An emoji on a card, over its stars or what stands there until they are loaded.
final class EmojiCell: CollectionViewCell {
  private static let cornerRadius = 12.0
  private static let ratingHeight = 20.0

  /// The colours.
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { takeTheme() } }
  }
  /// The emoji, which is there at once.
  var emoji = "" {
    didSet { emojiLabel.text = emoji }
  }
  /// How well it is liked; nothing until that is loaded.
  var rating: EmojiRating? {
    didSet {
      ratingLabel.text = rating?.text ?? ""
      loadingIndicator.isHidden = rating != nil
    }
  }
  /// What stands in the stars' place until they are there.
  let loadingIndicator = LoadingIndicator()

  private let emojiLabel = Label(style: TextStyle(size: 40), color: .white, alignment: .center)
  private let ratingLabel = Label(style: TextStyle(size: 14), color: .white, alignment: .center)

  required init() {
    super.init()
    addSubview(emojiLabel)
    addSubview(ratingLabel)
    addSubview(loadingIndicator)
    takeTheme()
  }

  private func takeTheme() {
    emojiLabel.color = theme.primaryText
    ratingLabel.color = theme.star
    loadingIndicator.color = theme.tertiaryText
    setNeedsDisplay()
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    rating = nil
  }

  override func layoutSubviews() {
    let foot = min(bounds.height, 14 + EmojiCell.ratingHeight)
    let place = Rect(x: 0, y: bounds.height - foot, width: bounds.width, height: EmojiCell.ratingHeight)
    emojiLabel.frame = Rect(x: 0, y: 8, width: bounds.width, height: max(0, place.minY - 8))
    ratingLabel.frame = place
    loadingIndicator.frame = place
  }

  override func draw(in context: DrawContext) {
    context.fillRounded(bounds, radius: EmojiCell.cornerRadius, theme.surface)
  }
}
