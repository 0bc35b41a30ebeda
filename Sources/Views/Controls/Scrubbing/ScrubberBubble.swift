import Geometry
import Rendering
import ScrollPhysics

/// Says beside the thumb that is dragged where one is, and how fine it goes.
final class ScrubberBubble: View {
  private static let titleStyle = TextStyle(size: 16, weight: .semibold, hasMonospacedDigits: true)
  private static let detailStyle = TextStyle(size: 12, weight: .medium, hasMonospacedDigits: true)
  private static let padding = 16.0
  private static let maximumWidth = 360.0
  /// Widths go in steps, so that the bubble does not breathe with each letter.
  private static let widthStep = 24.0
  private static let heights = (title: 40.0, both: 56.0)
  /// From the view's ends.
  private static let margin = 4.0

  /// The colours.
  var style = ScrubberStyle.dark {
    didSet {
      title.color = style.primaryText
      detail.color = style.secondaryText
      setNeedsDisplay()
    }
  }
  private let title = Label(style: ScrubberBubble.titleStyle, color: ScrubberStyle.dark.primaryText)
  private let detail = Label(style: ScrubberBubble.detailStyle, color: ScrubberStyle.dark.secondaryText)
  /// The widest it was since it came: it grows while the thumb is held, and does not shrink.
  private var width = 0.0

  init() {
    super.init()
    isHidden = true
    isInteractive = false
    title.truncation = .middle
    addSubview(title)
    addSubview(detail)
  }

  /// Goes away.
  func hide() {
    isHidden = true
    width = 0
  }

  /// Says something beside a place.
  ///
  /// - Parameters:
  ///   - text: where one is.
  ///   - gain: how fine the thumb goes.
  ///   - middle: the middle of the thumb along the view.
  ///   - edge: where the bubble ends, beside the thumb.
  ///   - room: how far it may reach from there, and how long the view is.
  func show(
    _ text: String, gain: ScrubberGain, beside middle: Double, edge: Double, availableSize: Size,
    in resources: RenderResources
  ) {
    title.text = text
    detail.text = gain.text
    detail.isHidden = gain == .whole
    let wanted = max(title.measuredWidth(in: resources), detail.isHidden ? 0 : detail.measuredWidth(in: resources))
    let steps = (wanted / ScrubberBubble.widthStep).rounded(.up) * ScrubberBubble.widthStep
    width = max(width, steps)
    let extent = max(0, min(width + 2 * ScrubberBubble.padding, ScrubberBubble.maximumWidth, availableSize.width))
    let height = detail.isHidden ? ScrubberBubble.heights.title : ScrubberBubble.heights.both
    let lowest = availableSize.height - height - ScrubberBubble.margin
    isHidden = extent < 2 * ScrubberBubble.padding + 16 || lowest < ScrubberBubble.margin
    let top = max(ScrubberBubble.margin, min(lowest, middle - height / 2))
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
  /// What the bubble says of it; nothing where the thumb follows the pointer.
  fileprivate var text: String {
    switch self {
    case .whole: ""
    case .half: "1/2 speed"
    case .quarter: "1/4 speed"
    case .tenth: "1/10 speed"
    }
  }
}
