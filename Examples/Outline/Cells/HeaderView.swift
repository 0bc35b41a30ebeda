import CollectionLayout
import CollectionUI
import ExampleSupport
import Geometry
import Rendering
import Views

/// The name of a section; at the window's edge it hides what passes beneath.
///
/// A click expands or collapses all of it.
final class HeaderView: CollectionReusableView {
  private let name = Label(style: OutlineStyle.headerStyle, color: .white)
  private let detail = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)
  private var isPinned = false
  private var isPressed = false
  /// Whether it goes from side to side of the window, as what is beneath it does.
  var isWide = false {
    didSet { if isWide != oldValue { setNeedsLayout() } }
  }
  /// What a click does.
  var onClick: (() -> Void)?
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { themeDidChange() } }
  }

  required init() {
    super.init()
    for view in [name, detail] { addSubview(view) }
    themeDidChange()
  }

  /// Shows a section's name, and what is to be said about it.
  func show(_ text: String, detail words: String) {
    name.text = text
    detail.text = words
  }

  private func themeDidChange() {
    name.color = theme.primaryText
    detail.color = theme.secondaryText
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
    let inset = isWide ? OutlineLayout.margin(in: bounds.width) : OutlineStyle.inset
    // The name stands low in its header: nearer to what it is the name of.
    let (top, height) = (8.0, max(0, bounds.height - 8))
    let drop = OutlineStyle.drop(of: OutlineStyle.detailStyle, beside: OutlineStyle.headerStyle, in: resources)
    detail.frame = Rect(x: bounds.width - inset - width, y: top + drop, width: width, height: height)
    name.frame = Rect(x: inset, y: top, width: max(0, detail.frame.minX - inset), height: height)
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
      // Its release went elsewhere.
      isPressed = false
      return false
    default: return false
    }
  }
}
