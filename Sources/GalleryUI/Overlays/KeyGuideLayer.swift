import Geometry
import Rendering
import Views

/// Shows what the keys do over the whole window, until a key or a press closes it.
final class KeyGuideLayer: View {
  /// Called when it is to be taken away.
  var onClose: () -> Void = {}

  private let panel: KeyGuidePanel
  /// From the window's edges, where there is room for that.
  private static let margin = 16.0

  init(theme: Theme) {
    panel = KeyGuidePanel(theme: theme)
    super.init()
    // What is beneath steps back.
    backgroundColor = Color(hex: 0x000000, alpha: 120)
    addSubview(panel)
  }

  override func layoutSubviews() {
    let wanted = KeyGuidePanel.preferredSize
    let margin = min(KeyGuideLayer.margin, (bounds.height / 32).rounded())
    let (width, height) = (
      min(wanted.width, max(0, bounds.width - 2 * margin)), min(wanted.height, max(0, bounds.height - 2 * margin))
    )
    panel.frame = Rect(
      x: ((bounds.width - width) / 2).rounded(), y: ((bounds.height - height) / 2).rounded(), width: width,
      height: height)
    panel.setNeedsLayout()
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown: onClose()
    // The key that opened it is still held.
    case .keyDown(_, _, isRepeat: true): break
    case .keyDown(let key, let modifiers, _):
      // The window's own keys work as ever.
      if case .function(let number) = key, number != 1 { return false }
      if case .character = key, modifiers.contains(.control) { return false }
      onClose()
    case .pointerMoved, .pointerUp, .pointerLeft, .wheel, .keyUp: break
    default: return false
    }
    return true
  }
}
