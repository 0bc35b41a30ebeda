import CollectionUI
import ExampleSupport

/// A card, whose number determines its color and size.
nonisolated struct Card {
  let id: Int

  /// The height of a card in a column.
  var height: Double { 64 + Double(mixed % 8) * 28 }

  /// The diameter of a card in a circle.
  var diameter: Double { 96 + Double(mixed % 5) * 14 }

  /// The color.
  var color: Color { Color(hex: [0x4E6E8E, 0x7A5C8E, 0x8E5C5C, 0x5C8E6C, 0x8E845C][Int(mixed / 8 % 5)]) }

  /// The number with its bits mixed.
  private var mixed: UInt64 {
    let product = UInt64(bitPattern: Int64(id)) &* 0x9E37_79B9_7F4A_7C15
    return (product ^ (product >> 32)) >> 7
  }

  /// Returns the height of an item before its card was measured.
  static func estimatedHeight(ofItem item: Int) -> Double { 120 + Double(item % 3) * 40 }
}

/// A rounded card with a number, as high as its content.
final class CardCell: CollectionViewCell {
  private let label = Label(style: ExampleTheme.bodyStyle, color: .white, alignment: .center)
  private var card = Card(id: 0)
  private var isRound = false

  required init() {
    super.init()
    addSubview(label)
  }

  func configure(with card: Card, isRound: Bool, theme: ExampleTheme) {
    self.card = card
    self.isRound = isRound
    label.text = String(card.id)
    setNeedsDisplay()
  }

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    if isRound {
      attributes.frame.size = Size(width: card.diameter, height: card.diameter)
    } else {
      attributes.frame.size.height = card.height
    }
    return attributes
  }

  override func layoutSubviews() {
    label.style = bounds.height > 300 ? TextStyle(size: 56, weight: .semibold) : ExampleTheme.bodyStyle
    label.frame = bounds
  }

  override func draw(in context: DrawContext) {
    let radius = isRound ? min(bounds.width, bounds.height) / 2 : 10
    context.fillRounded(bounds, radius: radius, card.color)
  }
}
