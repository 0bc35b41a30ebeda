import CollectionUI
import ExampleSupport

/// The header of a section, which has a background while it is pinned.
///
/// A click expands or collapses all regions of the section.
final class HeaderView: CollectionReusableView {
  private let nameLabel = Label(style: OutlineStyle.headerStyle, color: .white)
  private let detailLabel = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)
  private var isPinned = false
  private var isPressed = false
  /// Whether the header spans the width of the window.
  var isFullWidth = false {
    didSet { if isFullWidth != oldValue { setNeedsLayout() } }
  }
  /// The action of a click.
  var onClick: (() -> Void)?
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { themeDidChange() } }
  }

  required init() {
    super.init()
    for view in [nameLabel, detailLabel] { addSubview(view) }
    themeDidChange()
  }

  /// Configures the header with a title and a detail text.
  func configure(title: String, detail: String) {
    nameLabel.text = title
    detailLabel.text = detail
  }

  private func themeDidChange() {
    nameLabel.textColor = theme.primaryText
    detailLabel.textColor = theme.secondaryText
    setNeedsDisplay()
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    onClick = nil
    isPressed = false
  }

  override func apply(_ attributes: ElementAttributes) {
    guard attributes.isPinned != isPinned else { return }
    isPinned = attributes.isPinned
    setNeedsDisplay()
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let width = 160.0
    let inset = isFullWidth ? OutlineLayout.margin(in: bounds.width) : OutlineStyle.inset
    // The title is low in the header, near the section's content.
    let (top, height) = (8.0, max(0, bounds.height - 8))
    let offset = OutlineStyle.baselineOffset(
      of: OutlineStyle.detailStyle, alignedWith: OutlineStyle.headerStyle, in: resources)
    detailLabel.frame = Rect(x: bounds.width - inset - width, y: top + offset, width: width, height: height)
    nameLabel.frame = Rect(x: inset, y: top, width: max(0, detailLabel.frame.minX - inset), height: height)
  }

  override func draw(in context: DrawContext) {
    guard isPinned else { return }
    context.fill(bounds, theme.background)
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(_, .primary, _, _) where onClick != nil:
      isPressed = true
      return true
    case .pointerUp(let point, .primary, _) where isPressed:
      isPressed = false
      if bounds.contains(convertFromWindow(point)) { onClick?() }
      return true
    case .cancelled:
      // The release was delivered to another view.
      isPressed = false
      return false
    default: return false
    }
  }
}
