import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view that shows why a photograph cannot be shown.
final class BrokenPictureView: View, ThemedView {
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let iconView: IconView
  private let label: Label

  init(theme: Theme, icon: SharedIcon) {
    self.theme = theme
    iconView = IconView(icon: icon, tint: .white)
    label = Label(style: Theme.reasonStyle, color: .white, alignment: .center)
    super.init()
    isUserInteractionEnabled = false
    addSubview(iconView)
    addSubview(label)
    themeDidChange()
  }

  private func themeDidChange() {
    iconView.tint = theme.tertiaryText
    label.textColor = theme.secondaryText
  }

  private static let maximumIconSide = 40.0
  private static let inset = 12.0
  private static let lineHeight = 20.0
  private static let gap = 8.0
  /// The minimum size with a label.
  ///
  /// A smaller view shows only the icon.
  private static let minimumSizeWithLabel = Size(width: 96, height: 52)

  /// The reason in a few words.
  ///
  /// If empty, only the icon is shown.
  var reason = "" {
    didSet {
      guard reason != oldValue else { return }
      label.text = reason
      setNeedsLayout()
    }
  }

  override func layoutSubviews() {
    let minimumSize = BrokenPictureView.minimumSizeWithLabel
    label.isHidden = reason.isEmpty || bounds.width < minimumSize.width || bounds.height < minimumSize.height
    let labelHeight = label.isHidden ? 0 : BrokenPictureView.gap + BrokenPictureView.lineHeight
    let availableSide = label.isHidden ? bounds.height * 0.75 : bounds.height / 2
    let side = min(BrokenPictureView.maximumIconSide, availableSide, bounds.width * 0.75).rounded(.down)
    let top = ((bounds.height - side - labelHeight) / 2).rounded()
    iconView.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: side, height: side)
    label.frame = Rect(
      x: BrokenPictureView.inset, y: top + side + BrokenPictureView.gap,
      width: max(0, bounds.width - 2 * BrokenPictureView.inset), height: BrokenPictureView.lineHeight)
  }
}

/// A badge on a picture that was decoded from a damaged file.
final class DamagedBadge: View, ThemedView {
  /// The size of the badge, in points.
  static let size = Size(width: 76, height: 20)

  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let label: Label

  init(theme: Theme) {
    self.theme = theme
    label = Label(style: Theme.badgeStyle, color: .white, alignment: .center)
    label.text = "damaged"
    super.init()
    isUserInteractionEnabled = false
    addSubview(label)
    themeDidChange()
  }

  private func themeDidChange() {
    label.textColor = theme.badgeText
    setNeedsDisplay()
  }

  override func layoutSubviews() { label.frame = bounds }

  override func draw(in context: DrawContext) {
    context.fillRounded(bounds, radius: bounds.height / 2, theme.badge)
  }
}

/// A tick in the corner of a selected picture, visible on bright and dark pictures.
final class SelectionTick: View, ThemedView {
  /// The size of the tick, in points.
  static let size = Size(width: 24, height: 24)
  /// The distance from the picture's edges, in points.
  static let inset = 8.0
  private static let edgeWidth = 1.0
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let tick: IconView

  init(theme: Theme, icon: SharedIcon) {
    self.theme = theme
    tick = IconView(icon: icon, tint: theme.onAccent)
    super.init()
    isUserInteractionEnabled = false
    tick.frame = Rect(origin: .zero, size: SelectionTick.size)
    addSubview(tick)
  }

  private func themeDidChange() {
    tick.tint = theme.onAccent
    setNeedsDisplay()
  }

  override func draw(in context: DrawContext) {
    // The dark edge is for bright pictures; on dark ones the tick's own color is sufficient.
    context.fillRounded(bounds, radius: bounds.width / 2, Color(hex: 0x000000, alpha: 110))
    let edge = SelectionTick.edgeWidth
    let inner = bounds.inset(by: Insets(top: edge, left: edge, bottom: edge, right: edge))
    context.fillRounded(inner, radius: inner.width / 2, theme.accent)
  }
}
