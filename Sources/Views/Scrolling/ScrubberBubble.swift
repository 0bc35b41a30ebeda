import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics

/// A bubble next to the dragged thumb with the current position and the gain.
final class ScrubberBubble: View {
  private static let titleStyle = TextStyle(size: 16, weight: .semibold, hasMonospacedDigits: true)
  private static let detailStyle = TextStyle(size: 12, weight: .medium, hasMonospacedDigits: true)
  private static let padding = 16.0
  private static let maximumWidth = 360.0
  /// The step by which the width grows, so that the bubble does not resize with each letter.
  private static let widthStep = 24.0
  private static let heights = (title: 40.0, both: 56.0)
  /// The distance from the view's ends.
  private static let margin = 4.0

  /// The colors.
  var style = ScrubberStyle.dark {
    didSet {
      title.textColor = style.primaryText
      detail.textColor = style.secondaryText
      setNeedsDisplay()
    }
  }
  private let title = Label(style: ScrubberBubble.titleStyle, color: ScrubberStyle.dark.primaryText)
  private let detail = Label(style: ScrubberBubble.detailStyle, color: ScrubberStyle.dark.secondaryText)
  /// The maximum width since the bubble appeared: it grows during a drag and does not shrink.
  private var width = 0.0

  init() {
    super.init()
    isHidden = true
    isUserInteractionEnabled = false
    title.lineBreakMode = .byTruncatingMiddle
    addSubview(title)
    addSubview(detail)
  }

  func hide() {
    isHidden = true
    width = 0
  }

  /// Shows a text next to the thumb.
  ///
  /// - Parameters:
  ///   - text: The current position.
  ///   - gain: The gain of the thumb.
  ///   - center: The center of the thumb along the view.
  ///   - edge: The trailing edge of the bubble, next to the thumb.
  ///   - availableSize: The maximum width of the bubble and the length of the view.
  ///   - resources: The drawing resources.
  func show(
    _ text: String, gain: ScrubberGain, center: Double, edge: Double, availableSize: Size,
    in resources: RenderResources
  ) {
    title.text = text
    detail.text = gain.text
    detail.isHidden = gain == .whole
    let requiredWidth = max(
      title.measuredWidth(in: resources), detail.isHidden ? 0 : detail.measuredWidth(in: resources))
    let steps = (requiredWidth / ScrubberBubble.widthStep).rounded(.up) * ScrubberBubble.widthStep
    width = max(width, steps)
    let extent = max(0, min(width + 2 * ScrubberBubble.padding, ScrubberBubble.maximumWidth, availableSize.width))
    let height = detail.isHidden ? ScrubberBubble.heights.title : ScrubberBubble.heights.both
    let lowest = availableSize.height - height - ScrubberBubble.margin
    isHidden = extent < 2 * ScrubberBubble.padding + 16 || lowest < ScrubberBubble.margin
    let top = max(ScrubberBubble.margin, min(lowest, center - height / 2))
    frame = Rect(x: edge - extent, y: resources.scale.snapped(top), width: extent, height: height)
  }

  override func layoutSubviews() {
    let inner = Rect(
      x: ScrubberBubble.padding, y: 0, width: max(0, bounds.width - 2 * ScrubberBubble.padding), height: bounds.height)
    if detail.isHidden {
      title.frame = inner
    } else {
      title.frame = Rect(x: inner.minX, y: 7, width: inner.width, height: 24)
      detail.frame = Rect(x: inner.minX, y: 30, width: inner.width, height: 18)
    }
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    let rim = Rect(x: -hairline, y: -hairline, width: bounds.width + 2 * hairline, height: bounds.height + 2 * hairline)
    context.fillRounded(rim, radius: 10 + hairline, style.border)
    context.fillRounded(bounds, radius: 10, style.bubble)
  }
}

extension ScrubberGain {
  /// The description of the gain; empty if the thumb follows the pointer.
  fileprivate var text: String {
    switch self {
    case .whole: ""
    case .half: "1/2 speed"
    case .quarter: "1/4 speed"
    case .tenth: "1/10 speed"
    }
  }
}
