import CollectionUI
import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A section header with the title and the number of photographs.
///
/// Its background is opaque, so that no content shows through while it is pinned.
final class SectionHeaderView: CollectionReusableView, ThemedView {
  var theme = Theme.dark {
    didSet { themeDidChange() }
  }
  private let titleLabel = Label(style: Theme.sectionStyle, color: .white)
  private let countLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
  private var isPinned = false
  /// The input of the layout, which determines how far the number is from the edge.
  var layoutInput: LayoutInput? {
    didSet { setNeedsLayout() }
  }

  private static let gap = 16.0
  /// The minimum width of a label.
  ///
  /// A narrower one is hidden.
  private static let minimumLabelWidth = 24.0

  required init() {
    super.init()
    titleLabel.lineBreakMode = .byTruncatingMiddle
    addSubview(titleLabel)
    addSubview(countLabel)
    themeDidChange()
  }

  private func themeDidChange() {
    titleLabel.textColor = theme.primaryText
    countLabel.textColor = theme.secondaryText
    setNeedsDisplay()
  }

  /// Sets both texts.
  func show(title: String, count: String) {
    guard title != self.titleLabel.text || count != self.countLabel.text else { return }
    self.titleLabel.text = title
    self.countLabel.text = count
    setNeedsLayout()
  }

  override func apply(_ attributes: ElementAttributes) {
    guard attributes.isPinned != isPinned else { return }
    isPinned = attributes.isPinned
    setNeedsDisplay()
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    isPinned = false
  }

  override func layoutSubviews() {
    let trailingInset = layoutInput?.trailingInset(inWidth: bounds.width) ?? Metrics.margin
    let inner = Rect(
      x: Metrics.margin, y: 0, width: max(0, bounds.width - Metrics.margin - trailingInset), height: bounds.height)
    guard let resources = window?.resources else { return }
    let countWidth = min(countLabel.measuredWidth(in: resources) + 1, inner.width / 2)
    countLabel.frame = Rect(
      x: inner.maxX - countWidth, y: SectionHeaderView.baselineOffset(in: resources), width: countWidth,
      height: inner.height)
    titleLabel.frame = Rect(
      x: inner.minX, y: 0, width: max(0, inner.width - countWidth - SectionHeaderView.gap), height: inner.height)
    countLabel.isHidden = countWidth < countLabel.measuredWidth(in: resources)
    titleLabel.isHidden = titleLabel.frame.width < SectionHeaderView.minimumLabelWidth
  }

  /// Returns the offset by which the count, whose font is smaller, must be lowered to share the title's baseline.
  private static func baselineOffset(in resources: RenderResources) -> Double {
    let scale = resources.scale
    // Text is vertically centered in its label, so the baseline is half of (ascent - descent) below the middle.
    func baseline(_ style: TextStyle) -> Double {
      let metrics = resources.text.metrics(style, scale: scale)
      return scale.length(ofPixels: Int32(metrics.ascent)) - scale.length(
        ofPixels: Int32(metrics.ascent + metrics.descent)) / 2
    }
    return scale.snapped(baseline(Theme.sectionStyle) - baseline(Theme.detailStyle))
  }

  override func draw(in context: DrawContext) {
    guard isPinned else { return }
    context.fill(bounds, theme.background)
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(
      Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
  }
}

/// The separator between two rows of a list.
final class SeparatorView: CollectionReusableView, ThemedView {
  var theme = Theme.dark {
    didSet { backgroundColor = theme.separator }
  }

  required init() {
    super.init()
    backgroundColor = theme.separator
    isUserInteractionEnabled = false
  }
}
