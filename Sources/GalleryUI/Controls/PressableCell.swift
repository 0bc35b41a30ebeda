import CollectionUI
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A cell that acts when it is clicked or tapped, like a button.
class PressableCell: CollectionViewCell {
  /// Called when the cell is clicked or tapped.
  final var onPress: () -> Void = {}
  /// Whether each click of a double click acts; false for a cell whose second click would undo the first.
  var actsOnEveryClick: Bool { false }

  private var isPressed = false

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(_, .primary, let clicks, _): isPressed = clicks == 1 || actsOnEveryClick
    case .pointerUp(let point, .primary, _):
      let isInside = isPressed && bounds.contains(convertFromWindow(point))
      isPressed = false
      if isInside { onPress() }
    case .cancelled:
      isPressed = false
      return super.handle(event)
    default: return super.handle(event)
    }
    return true
  }
}
