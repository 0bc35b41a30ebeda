import CollectionLayout
import CollectionUI
import Geometry
import Rendering
import Views

/// Names a section and says how many photographs are in it; at the window's edge it hides what passes beneath.
final class SectionHeaderView: CollectionReusableView {
  private let title = Label(style: Theme.sectionStyle, color: Theme.dark.primaryText)
  private let count = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)
  private let theme = Theme.dark
  private var isPinned = false

  private static let gap = 16.0
  /// A narrower label would say nothing, and is left out.
  private static let narrowestLabel = 24.0

  required init() {
    super.init()
    title.truncation = .middle
    addSubview(title)
    addSubview(count)
  }

  /// Writes both texts.
  func show(title: String, count: String) {
    guard title != self.title.text || count != self.count.text else { return }
    self.title.text = title
    self.count.text = count
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
    let inner = Rect(
      x: Metrics.margin, y: 0, width: max(0, bounds.width - 2 * Metrics.margin), height: bounds.height)
    guard let resources = window?.resources else { return }
    let countWidth = min(count.measuredWidth(in: resources) + 1, inner.width / 2)
    count.frame = Rect(
      x: inner.maxX - countWidth, y: SectionHeaderView.baselineOffset(in: resources), width: countWidth,
      height: inner.height)
    title.frame = Rect(
      x: inner.minX, y: 0, width: max(0, inner.width - countWidth - SectionHeaderView.gap), height: inner.height)
    count.isHidden = countWidth < count.measuredWidth(in: resources)
    title.isHidden = title.frame.width < SectionHeaderView.narrowestLabel
  }

  /// How much lower the smaller type of the count must stand to be on the title's baseline.
  private static func baselineOffset(in resources: RenderResources) -> Double {
    let scale = resources.scale
    // A line stands in the middle of its label, so its baseline is half of (ascent - descent) below the middle.
    func baseline(_ style: TextStyle) -> Double {
      let metrics = resources.text.metrics(style, scale: scale)
      return scale.points(Int32(metrics.ascent)) - scale.points(Int32(metrics.ascent + metrics.descent)) / 2
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
