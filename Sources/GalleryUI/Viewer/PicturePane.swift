import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A picture in the viewer, with its name and a button that removes it if there are others beside it.
final class PicturePane: View, ThemedView {
  /// The view of the picture.
  let picture: PictureView
  /// The colors.
  var theme: Theme {
    didSet { updateColors() }
  }
  /// Called to remove the picture from the comparison.
  var onRemove: () -> Void = {}
  /// Whether there are pictures beside this one.
  var isCompared = false {
    didSet {
      guard isCompared != oldValue else { return }
      picture.clipsPicture = isCompared
      setNeedsLayout()
    }
  }
  /// Whether steps and commands apply to this one of several pictures.
  var isActive = true {
    didSet { if isActive != oldValue { updateColors() } }
  }
  /// Whether the name and the button are hidden.
  var hidesCaption = false {
    didSet { if hidesCaption != oldValue { setNeedsLayout() } }
  }
  /// The height of what covers the lower edge, above which the name is shown.
  var coveredHeight = 0.0 {
    didSet { if coveredHeight != oldValue { setNeedsLayout() } }
  }
  /// Whether the picture is shown at the common place in the next layout, because it is new.
  var joinsLink = false
  /// The common place at which the picture was shown last, or nil if it has been moved or resized since.
  var followedPlace: PictureZoom.Place?

  private let caption = View()
  private let nameLabel = Label(style: Theme.captionStyle, color: .white)
  private let removeButton: BarButton
  private let ring: ActiveRing
  /// The height of the strip with the name, in points.
  static let captionHeight = 32.0

  /// Creates a pane without a picture.
  ///
  /// - Parameters:
  ///   - theme: The colors.
  ///   - brokenIcon: The icon of a picture that cannot be shown.
  init(theme: Theme, brokenIcon: SharedIcon) {
    self.theme = theme
    picture = PictureView(theme: theme, brokenIcon: brokenIcon)
    removeButton = BarButton(icon: SharedIcon(.close), toolTip: "Take out of the comparison (X)", theme: theme)
    ring = ActiveRing(color: theme.accent)
    super.init()
    isUserInteractionEnabled = false
    caption.isUserInteractionEnabled = false
    nameLabel.lineBreakMode = .byTruncatingMiddle
    removeButton.action = { [weak self] in self?.onRemove() }
    for view in [nameLabel, removeButton] { caption.addSubview(view) }
    for view in [picture, caption, ring] { addSubview(view) }
    updateColors()
  }

  private func updateColors() {
    nameLabel.textColor = isActive ? theme.primaryText : theme.secondaryText
    caption.backgroundColor = theme.viewerBar
    ring.color = theme.accent
    setNeedsLayout()
  }

  /// Shows the content of a picture, or an update of it.
  func show(_ content: PictureView.Content) {
    if content.item != picture.content.item { joinsLink = isCompared }
    if content.name != nameLabel.text {
      nameLabel.text = content.name
      setNeedsLayout()
    }
    picture.show(content)
  }

  private var showsCaption: Bool { isCompared && !hidesCaption && picture.opacity == 1 }

  override func layoutSubviews() {
    picture.frame = bounds
    (caption.isHidden, ring.isHidden) = (!showsCaption, !showsCaption || !isActive)
    guard showsCaption else { return }
    let height = min(bounds.height, PicturePane.captionHeight)
    caption.frame = Rect(x: 0, y: max(0, bounds.height - coveredHeight - height), width: bounds.width, height: height)
    ring.frame = bounds
    let side = min(BarButton.height, height)
    removeButton.frame = Rect(x: max(0, bounds.width - side), y: 0, width: side, height: side)
    nameLabel.frame = Rect(x: 12, y: 0, width: max(0, removeButton.frame.minX - 20), height: height)
  }

  /// Returns whether the name is at a point of the superview.
  func hasCaption(at point: Point) -> Bool { showsCaption && caption.frame.contains(point - frame.origin) }
}

/// The ring around the active picture.
private final class ActiveRing: View {
  /// The color.
  var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }

  init(color: Color) {
    self.color = color
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    let width = Metrics.focusWidth
    context.fillRing(around: bounds.inset(by: Insets(uniform: width)), width: width, cornerRadius: 0, color)
  }
}
