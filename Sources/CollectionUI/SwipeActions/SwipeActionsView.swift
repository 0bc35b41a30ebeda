import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The revealed actions at one edge of an item.
///
/// The view covers what the item leaves free. Its actions share the width, and the first one covers the others in a full
/// swipe.
final class SwipeActionsView: View {
  /// Whether the actions are at the left edge of the item.
  let isLeft: Bool
  /// The configuration.
  let configuration: SwipeActionsConfiguration
  /// Called when an action is chosen.
  var onChoose: (ContextualAction) -> Void = { _ in }
  /// The part of the way by which the first action covers the others, 0 to 1.
  var expansion = 0.0 {
    didSet { if expansion != oldValue { setNeedsLayout() } }
  }
  /// The width of the actions when they are open, in points.
  let extent: Double

  private let buttons: [SwipeButton]
  private var pressed: SwipeButton?

  /// Creates a view with an empty frame.
  init(_ configuration: SwipeActionsConfiguration, isLeft: Bool, rowHeight: Double, resources: RenderResources) {
    (self.configuration, self.isLeft) = (configuration, isLeft)
    buttons = configuration.actions.map { SwipeButton($0, rowHeight: rowHeight, isLeft: isLeft) }
    for button in buttons { button.measure(in: resources) }
    extent = buttons.reduce(0) { $0 + $1.naturalWidth }
    super.init()
    clipsToBounds = true
    for button in buttons { addSubview(button) }
  }

  override func layoutSubviews() {
    guard extent > 0 else { return }
    // From the item's edge inward.
    var distance = 0.0
    for (index, button) in buttons.enumerated() {
      let share = button.naturalWidth * bounds.width / extent
      let width = index == 0 ? share + expansion * (bounds.width - share) : share * (1 - expansion)
      let x = isLeft ? distance : bounds.width - distance - width
      button.frame = Rect(x: x, y: 0, width: width, height: bounds.height)
      button.expansion = index == 0 ? expansion : 0
      distance += width
    }
  }

  override func hitTest(_ point: Point) -> View? {
    isUserInteractionEnabled && !isHidden && bounds.contains(point) ? self : nil
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let point, .primary, _, _): setPressed(button(at: point))
    case .pointerMoved(let point):
      guard let pressed else { return true }
      pressed.isPressed = button(at: point) === pressed
    case .pointerUp(let point, .primary, _):
      let chosen = pressed.flatMap { button(at: point) === $0 ? $0 : nil }
      setPressed(nil)
      if let chosen { onChoose(chosen.action) }
    case .cancelled:
      setPressed(nil)
      return false
    default: return false
    }
    return true
  }

  private func setPressed(_ button: SwipeButton?) {
    pressed?.isPressed = false
    pressed = button
    button?.isPressed = true
  }

  private func button(at point: Point) -> SwipeButton? {
    let point = convertFromWindow(point)
    return bounds.contains(point) ? buttons.first { $0.frame.contains(point) } : nil
  }
}

/// An action that a swipe reveals.
private final class SwipeButton: View {
  let action: ContextualAction
  private(set) var naturalWidth = 0.0
  var isPressed = false {
    didSet { if isPressed != oldValue { setNeedsDisplay() } }
  }
  /// The part of the way by which the action covers the others, 0 to 1.
  var expansion = 0.0 {
    didSet { if expansion != oldValue { setNeedsLayout() } }
  }

  private let label: Label
  private var imageView: ImageView?
  private let isLeft: Bool
  private let showsTitle: Bool

  private static let minimumWidth = 74.0
  private static let padding = 18.0
  private static let imageSize = 16.0
  private static let lineHeight = 18.0
  /// The height from which on an image and a title are displayed, in points.
  private static let tallHeight = 52.0

  init(_ action: ContextualAction, rowHeight: Double, isLeft: Bool) {
    (self.action, self.isLeft) = (action, isLeft)
    showsTitle = action.image == nil || (rowHeight >= SwipeButton.tallHeight && !action.title.isEmpty)
    label = Label(style: TextStyle(size: 13, weight: .medium), color: action.foreground, alignment: .center)
    super.init()
    clipsToBounds = true
    backgroundColor = action.resolvedBackground
    label.text = action.title
    label.isHidden = !showsTitle
    addSubview(label)
    guard case .bitmap(let bitmap) = action.image else { return }
    let view = ImageView()
    view.image = bitmap
    addSubview(view)
    imageView = view
  }

  func measure(in resources: RenderResources) {
    let width = showsTitle ? label.measuredWidth(in: resources).rounded(.up) : SwipeButton.imageSize
    naturalWidth = max(SwipeButton.minimumWidth, width + 2 * SwipeButton.padding)
  }

  override var accessibility: AccessibilityElement? {
    AccessibilityElement(role: .button, label: action.title, frame: frameInWindow)
  }

  /// The distance of the center of the title from the left edge: in the middle, or next to the item if the action covers
  /// the others.
  private var center: Double {
    let inward = (1 - expansion) * bounds.width / 2 + expansion * naturalWidth / 2
    return isLeft ? bounds.width - inward : inward
  }

  private var imageFrame: Rect {
    let (size, line) = (SwipeButton.imageSize, showsTitle ? SwipeButton.lineHeight + 2 : 0)
    return Rect(
      x: (center - size / 2).rounded(), y: ((bounds.height - size - line) / 2).rounded(), width: size, height: size)
  }

  override func layoutSubviews() {
    let top =
      action.image == nil ? ((bounds.height - SwipeButton.lineHeight) / 2).rounded() : imageFrame.maxY + 2
    label.frame = Rect(
      x: (center - naturalWidth / 2).rounded(), y: top, width: naturalWidth, height: SwipeButton.lineHeight)
    imageView?.frame = imageFrame
  }

  override func draw(in context: DrawContext) {
    if isPressed { context.fill(bounds, Color(hex: 0x000000, alpha: 56)) }
    guard case .glyph(let path) = action.image else { return }
    context.translated(by: imageFrame.origin) {
      $0.stroke(path, action.foreground, style: StrokeStyle(lineWidth: 1.5, lineCap: .round, lineJoin: .round))
    }
  }
}
