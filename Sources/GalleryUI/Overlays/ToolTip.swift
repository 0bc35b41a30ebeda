import FramePacing
import Geometry
import PhotoLibrary
import Rendering
import Views

/// A tool tip near the pointer with the whole name of a photograph whose caption is truncated.
final class ToolTip: PanelView {
  private let label: Label
  private static let inset = (x: 10.0, height: 26.0)
  private static let margin = 4.0
  /// The distance below the pointer, in points, so that the arrow does not cover the text.
  private static let pointerOffset = 20.0

  init(theme: Theme) {
    label = Label(style: Theme.captionStyle, color: theme.primaryText)
    label.lineBreakMode = .byTruncatingMiddle
    super.init(theme: theme, cornerRadius: Metrics.smallCornerRadius)
    isUserInteractionEnabled = false
    addSubview(label)
  }

  /// The text.
  var text: String { label.text }

  /// Shows a text near a point, within an area.
  func show(_ text: String, near point: Point, within area: Rect, _ resources: RenderResources) {
    label.text = text
    let inner = area.inset(by: Insets(uniform: ToolTip.margin))
    let width = min((label.measuredWidth(in: resources) + 2 * ToolTip.inset.x + 1).rounded(.up), inner.width)
    let height = ToolTip.inset.height
    let isAbove = point.y + ToolTip.pointerOffset + height > inner.maxY
    let x = min(max(inner.minX, point.x - width / 2), max(inner.minX, inner.maxX - width))
    let y = isAbove ? point.y - height - ToolTip.margin : point.y + ToolTip.pointerOffset
    frame = Rect(
      x: resources.scale.snapped(x), y: resources.scale.snapped(max(inner.minY, y)), width: width, height: height)
    setNeedsLayout()
  }

  override func layoutSubviews() {
    label.frame = Rect(
      x: ToolTip.inset.x, y: 0, width: max(0, bounds.width - 2 * ToolTip.inset.x), height: bounds.height)
  }
}

/// A timer for the tool tip of the hovered photograph, on the clock of the frames.
nonisolated struct ToolTipTimer: Hashable, Sendable {
  /// The time the pointer rests before the tool tip appears.
  static let delay = FrameDuration.milliseconds(500)

  /// The hovered photograph.
  private(set) var item: PhotoID?
  /// The time at which to show the tool tip, or nil if it is shown or will not be.
  private(set) var fireInstant: FrameInstant?
  /// Whether the name is truncated.
  private var isTruncated = false
  /// Whether the tool tip is shown.
  private(set) var isShown = false

  /// Sets the hovered photograph.
  ///
  /// - Parameters:
  ///   - item: The photograph, or nil.
  ///   - isTruncated: Whether its name is truncated.
  ///   - instant: The current time.
  mutating func setItem(_ item: PhotoID?, isTruncated: Bool, at instant: FrameInstant) {
    guard item != self.item else { return }
    self.item = item
    isShown = false
    self.isTruncated = item != nil && isTruncated
    fireInstant = self.isTruncated ? instant + ToolTipTimer.delay : nil
  }

  /// Restarts the delay after a movement of the pointer, unless the tool tip is shown.
  mutating func pointerDidMove(at instant: FrameInstant) {
    if isTruncated, !isShown { fireInstant = instant + ToolTipTimer.delay }
  }

  /// Cancels the timer after a user action, until the pointer moves.
  mutating func cancel() {
    fireInstant = nil
    isShown = false
  }

  /// Advances the timer, and returns whether the tool tip must be shown now.
  mutating func advance(to instant: FrameInstant) -> Bool {
    guard let fireInstant, fireInstant <= instant else { return false }
    self.fireInstant = nil
    isShown = true
    return true
  }
}

/// A panel above the photographs with rounded corners, a hairline border and a soft shadow.
class PanelView: View {
  final let theme: Theme
  /// The corner radius, in points.
  final let cornerRadius: Double
  /// The widths of the shadow's rings, and the opacity of each.
  private static let shadow = (rings: stride(from: 18.0, through: 1, by: -1), alpha: UInt8(6))

  init(theme: Theme, cornerRadius: Double) {
    self.theme = theme
    self.cornerRadius = cornerRadius
    super.init()
  }

  override func draw(in context: DrawContext) {
    let shadow = PanelView.shadow
    for width in shadow.rings {
      context.fillRing(
        around: bounds, width: width, cornerRadius: cornerRadius, Color(hex: 0x000000, alpha: shadow.alpha))
    }
    context.fillRounded(bounds, radius: cornerRadius, theme.panelEdge)
    let line = 1 / context.scale.pixelsPerPoint
    let inner = bounds.inset(by: Insets(uniform: line))
    context.fillRounded(inner, radius: cornerRadius - line, theme.panel)
  }
}
