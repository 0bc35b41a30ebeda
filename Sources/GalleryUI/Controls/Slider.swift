import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A control that chooses one of several steps by moving a knob along a line.
final class Slider: Control {
  private static let knobRadius = 7.0
  private static let lineHeight = 4.0

  /// The number of steps.
  var stepCount = 2 {
    didSet { if stepCount != oldValue { setNeedsDisplay() } }
  }
  /// The index of the chosen step.
  var step = 0 {
    didSet { if step != oldValue { setNeedsDisplay() } }
  }
  /// Called when the user chose another step.
  var onChange: (Int) -> Void = { _ in }
  private var isDragging = false
  private var zoomWheel = ZoomWheel()

  override var accessibility: AccessibilityElement? {
    var element = AccessibilityElement(role: .slider, label: toolTip, frame: frameInWindow)
    element.position = AccessibilityElement.Position(number: step + 1, count: stepCount)
    element.isFocused = isFocused
    return element
  }

  override var treatsTouchAsPointer: Bool { true }

  /// The line along which the center of the knob moves.
  private var track: Rect {
    let inset = Slider.knobRadius + Metrics.focusWidth
    return Rect(x: inset, y: bounds.height / 2, width: max(0, bounds.width - 2 * inset), height: 0)
  }

  private func choose(_ step: Int) {
    let next = max(0, min(stepCount - 1, step))
    guard next != self.step, isEnabled else { return }
    self.step = next
    onChange(next)
  }

  private func choose(at x: Double) {
    guard track.width > 0 else { return }
    choose(Int(((x - track.minX) / track.width * Double(stepCount - 1)).rounded()))
  }

  override func draw(in context: DrawContext) {
    let track = track
    let center = track.minX + (stepCount > 1 ? track.width * Double(step) / Double(stepCount - 1) : 0)
    func line(_ start: Double, _ end: Double, _ color: Color) {
      let height = Slider.lineHeight
      context.fillRounded(
        Rect(x: start, y: track.minY - height / 2, width: end - start, height: height), radius: height / 2, color)
    }
    line(track.minX, track.maxX, theme.primaryText.opacity(0.18))
    line(track.minX, center, isEnabled ? theme.accent : theme.tertiaryText)
    let radius = Slider.knobRadius
    let knob = Rect(x: center - radius, y: track.minY - radius, width: 2 * radius, height: 2 * radius)
    context.fillRounded(knob, radius: radius, isHovered || isDragging ? theme.primaryText : theme.secondaryText)
    if isFocused { context.fillRing(around: knob, width: Metrics.focusWidth, cornerRadius: radius, theme.accent) }
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let point, .primary, _, _):
      isDragging = true
      choose(at: convertFromWindow(point).x)
      return true
    case .pointerMoved(let point) where isDragging:
      choose(at: convertFromWindow(point).x)
      return true
    case .pointerUp(_, .primary, _):
      isDragging = false
      setNeedsDisplay()
      return true
    case .wheel(let wheel):
      choose(step + zoomWheel.steps(of: wheel.deltaY))
      return true
    case .keyDown(let key, let modifiers, _) where modifiers.isEmpty:
      switch key {
      case .left, .down: choose(step - 1)
      case .right, .up: choose(step + 1)
      case .home: choose(0)
      case .end: choose(stepCount - 1)
      default: return false
      }
      return true
    case .cancelled: isDragging = false
    default: break
    }
    return super.handle(event)
  }
}
