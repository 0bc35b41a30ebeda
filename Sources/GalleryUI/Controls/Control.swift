import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view that the user presses, by pointer, finger or keyboard.
///
/// Subclasses draw themselves over the backdrop, which shows the state: whether the pointer is over the control, whether
/// it is pressed, on, or has the keyboard focus.
class Control: View, ThemedView {
  /// The colors.
  var theme: Theme {
    didSet { if theme != oldValue { themeDidChange() } }
  }
  /// The action of a press.
  var action: () -> Void = {}
  /// The text that is shown while the pointer rests on the control; empty for none.
  var toolTip = ""
  /// Whether the control can be pressed.
  var isEnabled = true {
    didSet { if isEnabled != oldValue { stateDidChange() } }
  }
  /// Whether what the control stands for is shown or chosen.
  var isOn = false {
    didSet { if isOn != oldValue { stateDidChange() } }
  }
  /// Whether the control has the keyboard focus and shows it.
  var isFocused = false {
    didSet { if isFocused != oldValue { stateDidChange() } }
  }
  /// Whether the pointer is over the control.
  private(set) var isHovered = false {
    didSet { if isHovered != oldValue { stateDidChange() } }
  }
  /// Whether the control is being pressed.
  private(set) var isPressed = false {
    didSet { if isPressed != oldValue { stateDidChange() } }
  }

  /// Creates a control.
  init(theme: Theme) {
    self.theme = theme
    super.init()
  }

  /// The view that receives keys while the control has the keyboard focus.
  var responder: View { self }

  /// Called when the state changed.
  func stateDidChange() { setNeedsDisplay() }
  /// Called when the colors changed.
  func themeDidChange() { stateDidChange() }

  /// The color of the control's content.
  var contentColor: Color {
    isEnabled ? isOn || isHovered || isPressed ? theme.primaryText : theme.secondaryText : theme.tertiaryText
  }

  override var accessibility: AccessibilityElement? {
    var element = AccessibilityElement(role: .button, label: accessibilityLabel, frame: frameInWindow)
    (element.isFocused, element.isSelected) = (isFocused, isOn)
    return element
  }

  override var accessibilityLabel: String { toolTip }

  /// Draws the backdrop of the state.
  override func draw(in context: DrawContext) {
    let radius = min(Metrics.smallCornerRadius + 2, bounds.height / 2)
    if isFocused { FocusRing.draw(around: bounds, radius: radius, theme, in: context) }
    if isOn { context.fillRounded(bounds, radius: radius, theme.chosenOverlay) }
    if isEnabled, isPressed || isHovered {
      context.fillRounded(bounds, radius: radius, isPressed ? theme.pressOverlay : theme.hoverOverlay)
    }
  }

  /// Performs the action if the control is enabled.
  func press() { if isEnabled { action() } }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      isHovered = bounds.contains(convertFromWindow(point))
      return isPressed
    case .pointerLeft: isHovered = false
    case .pointerDown(_, .primary, _, _):
      isPressed = isEnabled
      return true
    case .pointerUp(let point, .primary, _) where isPressed:
      isPressed = false
      if bounds.contains(convertFromWindow(point)) { press() }
      return true
    case .cancelled: (isPressed, isHovered) = (false, false)
    case .keyDown(.enter, let modifiers, false) where modifiers.isEmpty,
      .keyDown(.space, let modifiers, false) where modifiers.isEmpty:
      press()
      return true
    default: break
    }
    return false
  }
}

/// The ring that marks the keyboard focus of a control or row on a bar.
enum FocusRing {
  /// Draws the ring inside an area, and fills the area within it with the color of the bars.
  static func draw(around area: Rect, radius: Double, _ theme: Theme, in context: DrawContext) {
    context.fillRounded(area, radius: radius, theme.accent)
    let inner = area.inset(by: Insets(uniform: Metrics.focusWidth))
    context.fillRounded(inner, radius: max(0, radius - Metrics.focusWidth), theme.bar)
  }
}

/// A button with an icon, a title or both.
final class BarButton: Control {
  /// The side length of the icon, in points.
  static let iconSide = 20.0
  /// The height of a button, in points.
  static let height = 32.0
  private static let padding = 8.0

  private let iconView: IconView?
  private let label: Label?

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - icon: The icon, or nil.
  ///   - title: The title; empty for none.
  ///   - toolTip: The text that is shown while the pointer rests on the button, and that is its name.
  ///   - theme: The colors.
  init(icon: SharedIcon? = nil, title: String = "", toolTip: String, theme: Theme) {
    iconView = icon.map { IconView(icon: $0, tint: theme.secondaryText) }
    label = title.isEmpty ? nil : Label(style: Theme.detailStyle, color: theme.secondaryText)
    super.init(theme: theme)
    self.toolTip = toolTip
    label?.text = title
    label?.lineBreakMode = .byTruncatingMiddle
    if let iconView { addSubview(iconView) }
    if let label { addSubview(label) }
  }

  /// The title.
  var title: String {
    get { label?.text ?? "" }
    set {
      label?.text = newValue
      setNeedsLayout()
    }
  }

  /// Replaces the icon.
  func setIcon(_ icon: SharedIcon) { iconView?.icon = icon }

  override func stateDidChange() {
    super.stateDidChange()
    iconView?.tint = contentColor
    label?.textColor = contentColor
  }

  override var accessibilityLabel: String { toolTip.isEmpty ? title : toolTip }

  /// Returns the width that the content needs, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    let text = label.map { $0.measuredWidth(in: resources).rounded(.up) + 1 } ?? 0
    let icon = iconView == nil ? 0 : BarButton.iconSide
    return icon + text + (icon > 0 && text > 0 ? 6 : 0) + 2 * BarButton.padding
  }

  override func layoutSubviews() {
    var x = BarButton.padding
    if let iconView {
      if label == nil { x = ((bounds.width - BarButton.iconSide) / 2).rounded() }
      iconView.frame = Rect(
        x: x, y: ((bounds.height - BarButton.iconSide) / 2).rounded(), width: BarButton.iconSide,
        height: BarButton.iconSide)
      x += BarButton.iconSide + 6
    }
    if iconView == nil { label?.textAlignment = .center }
    label?.frame = Rect(x: x, y: 0, width: max(0, bounds.width - x - BarButton.padding), height: bounds.height)
  }
}
