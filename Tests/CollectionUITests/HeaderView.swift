import CollectionLayout
import CollectionUI
import Geometry
import Rendering
import Views

/// A header in a test: a colour, and what was done with it.
final class HeaderView: CollectionReusableView {
  static let color = Color(hex: 0x102030)

  var text = "" {
    didSet { if text != oldValue { setNeedsDisplay() } }
  }
  private(set) var isPinned = false
  private(set) var drawings = 0
  private(set) var reuses = 0
  var configured = 0

  override func prepareForReuse() {
    super.prepareForReuse()
    reuses += 1
  }

  override var accessibilityLabel: String { text }

  override func apply(_ attributes: ElementAttributes) { isPinned = attributes.isPinned }

  override func draw(in context: DrawContext) {
    drawings += 1
    context.fill(bounds, HeaderView.color)
  }
}

/// A background in a test.
final class BackgroundView: CollectionReusableView {
  static let color = Color(hex: 0x405060)

  override func draw(in context: DrawContext) { context.fill(bounds, BackgroundView.color) }
}
