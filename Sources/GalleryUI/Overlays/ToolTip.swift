import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// A tool tip near the pointer.
final class ToolTip: PanelView {
  private let label: Label
  private static let inset = (x: 10.0, height: 26.0)
  private static let margin = 4.0
  /// The distance below the pointer, in points, so that the arrow does not cover the text.
  private static let pointerOffset = 20.0

  init(theme: Theme) {
    label = Label(style: Theme.captionStyle, color: .white)
    label.lineBreakMode = .byTruncatingMiddle
    super.init(theme: theme, cornerRadius: Metrics.smallCornerRadius)
    isUserInteractionEnabled = false
    addSubview(label)
    themeDidChange()
  }

  override func themeDidChange() {
    super.themeDidChange()
    label.textColor = theme.primaryText
  }

  /// The text.
  var text: String { label.text }

  /// Shows a text near a point, within an area.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - point: The location of the pointer.
  ///   - control: The frame of the control that the text describes and must not cover, or nil.
  ///   - area: The area.
  ///   - resources: The resources that measure the text.
  func show(
    _ text: String, near point: Point, beside control: Rect?, within area: Rect, _ resources: RenderResources
  ) {
    label.text = text
    let inner = area.inset(by: Insets(uniform: ToolTip.margin))
    let width = min((label.measuredWidth(in: resources) + 2 * ToolTip.inset.x + 1).rounded(.up), inner.width)
    let height = ToolTip.inset.height
    let below = max(point.y + ToolTip.pointerOffset, control.map { $0.maxY + ToolTip.margin } ?? 0)
    let isAbove = below + height > inner.maxY
    let above = min(point.y, control?.minY ?? point.y) - height - ToolTip.margin
    let x = min(max(inner.minX, point.x - width / 2), max(inner.minX, inner.maxX - width))
    let y = isAbove ? above : below
    frame = Rect(
      x: resources.scale.snapped(x), y: resources.scale.snapped(max(inner.minY, y)), width: width, height: height)
    setNeedsLayout()
  }

  override func layoutSubviews() {
    label.frame = Rect(
      x: ToolTip.inset.x, y: 0, width: max(0, bounds.width - 2 * ToolTip.inset.x), height: bounds.height)
  }
}

/// What ``ToolTipController`` needs from the screen.
protocol ToolTipHost: AnyObject {
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { get }
  /// The bounds of the screen.
  var bounds: Rect { get }
  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? { get }
  /// The colors.
  var theme: Theme { get }
  /// Whether another view covers the photographs, so that only controls have tool tips.
  var coversPhotographs: Bool { get }
  /// Whether a menu or another overlay is open, so that there are no tool tips.
  var hidesToolTips: Bool { get }
  /// Returns the control at a point on the screen, or nil.
  func control(at point: Point) -> Control?
  /// The photograph under the pointer, or nil.
  var hoveredPhoto: PhotoID? { get }
  /// Returns the frame of a photograph's cell on the screen, or nil if it is not visible.
  func frameOnScreen(of item: PhotoID) -> Rect?
  /// Returns whether the name of a photograph is truncated in its cell.
  func isNameTruncated(of item: PhotoID) -> Bool
  /// Returns the name of a photograph.
  func caption(of item: PhotoID) -> String
  /// Adds a view in front of the others.
  func addSubview(_ view: View)
}

/// The owner of the tool tip, which shows what the control under a resting pointer does, or the whole name of the
/// photograph under it.
///
/// Invariants:
/// - Of photographs, a tool tip is shown only for one whose name is truncated in its cell.
/// - Any action hides it, and so does the photograph or control when it moves away from the pointer.
final class ToolTipController {
  /// The screen, which owns the controller.
  unowned let host: any ToolTipHost
  private var timer = ToolTipTimer()
  private(set) var toolTip: ToolTip?
  /// The last location of the pointer on the screen.
  private var pointerLocation: Point?
  /// The control under the pointer, or nil.
  private weak var control: Control?

  /// Creates the controller of a screen.
  init(host: any ToolTipHost) { self.host = host }

  /// The time at which the tool tip appears, or nil.
  var nextFrame: FrameInstant? { timer.fireInstant }

  /// Restarts the delay after a movement of the pointer.
  func pointerDidMove(to point: Point, at instant: FrameInstant) {
    pointerLocation = point
    guard !host.hidesToolTips else { return }
    control = host.control(at: point)
    targetDidChange()
    timer.pointerDidMove(at: instant)
  }

  /// What is under the pointer, or nil.
  private var target: ToolTipTimer.Target? {
    if let control { return .control(ObjectIdentifier(control)) }
    return host.coversPhotographs ? nil : host.hoveredPhoto.map { .photo($0) }
  }

  /// Hides the tool tip until the pointer moves.
  func cancel() {
    timer.cancel()
    hide()
  }

  /// Shows the tool tip if the pointer has rested long enough.
  func update(at instant: FrameInstant) {
    guard timer.advance(to: instant), !host.hidesToolTips, let resources = host.resources, let pointerLocation,
      let target = timer.target
    else { return }
    let tip = ToolTip(theme: host.theme)
    host.addSubview(tip)
    toolTip = tip
    let text =
      switch target {
      case .photo(let item): host.caption(of: item)
      case .control: control?.toolTip ?? ""
      }
    // The screen is the root of the window.
    tip.show(
      text, near: pointerLocation, beside: control?.frameInWindow, within: host.bounds, resources)
  }

  /// Starts, continues or ends the delay, for the photograph that is under the pointer now.
  func hoveredPhotoDidChange() {
    // The photograph may have moved away from the pointer.
    if case .photo(let item)? = target, target == timer.target, !isPointer(over: item) { return cancel() }
    targetDidChange()
  }

  private func targetDidChange() {
    let target = target
    guard target != timer.target else { return }
    hide()
    let hasText =
      switch target {
      case .photo(let item): host.isNameTruncated(of: item)
      case .control: control.map { !$0.toolTip.isEmpty } ?? false
      case nil: false
      }
    timer.setTarget(target, hasText: hasText, at: host.now)
  }

  private func hide() {
    toolTip?.removeFromSuperview()
    toolTip = nil
  }

  private func isPointer(over item: PhotoID) -> Bool {
    guard let pointerLocation else { return false }
    return host.frameOnScreen(of: item)?.contains(pointerLocation) ?? false
  }
}

/// A timer for the tool tip of what the pointer is over, on the clock of the frames.
nonisolated struct ToolTipTimer: Hashable, Sendable {
  /// What the pointer is over.
  enum Target: Hashable, Sendable {
    case photo(PhotoID)
    case control(ObjectIdentifier)
  }

  /// The time the pointer rests before the tool tip appears.
  static let delay = FrameDuration.milliseconds(500)

  /// What the pointer is over, or nil.
  private(set) var target: Target?
  /// The time at which to show the tool tip, or nil if it is shown or will not be.
  private(set) var fireInstant: FrameInstant?
  /// Whether there is a text to show.
  private var hasText = false
  /// Whether the tool tip is shown.
  private(set) var isShown = false

  /// Sets what the pointer is over.
  ///
  /// - Parameters:
  ///   - target: The photograph or control, or nil.
  ///   - hasText: Whether there is a text to show for it.
  ///   - instant: The current time.
  mutating func setTarget(_ target: Target?, hasText: Bool, at instant: FrameInstant) {
    guard target != self.target else { return }
    self.target = target
    isShown = false
    self.hasText = target != nil && hasText
    fireInstant = self.hasText ? instant + ToolTipTimer.delay : nil
  }

  /// Restarts the delay after a movement of the pointer, unless the tool tip is shown.
  mutating func pointerDidMove(at instant: FrameInstant) {
    if hasText, !isShown { fireInstant = instant + ToolTipTimer.delay }
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
class PanelView: View, ThemedView {
  final var theme: Theme {
    didSet { themeDidChange() }
  }
  /// The corner radius, in points.
  final let cornerRadius: Double
  /// The widths of the shadow's rings, and the opacity of each.
  private static let shadow = (rings: stride(from: 18.0, through: 1, by: -1), alpha: UInt8(6))

  init(theme: Theme, cornerRadius: Double) {
    self.theme = theme
    self.cornerRadius = cornerRadius
    super.init()
  }

  /// Applies the colors of the theme.
  ///
  /// Overrides must call super. Subclasses call the method at the end of their initializers.
  func themeDidChange() { setNeedsDisplay() }

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
