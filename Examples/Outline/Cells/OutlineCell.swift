import CollectionUI
import ExampleSupport
import Geometry
import Rendering
import Views

/// What all cells of the outline do: a round ground that shows what a person does with them, and a ring for the keyboard.
class OutlineCell: CollectionViewCell {
  private(set) var rowState = RowState.resting
  private var isFocusShown = false
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { themeDidChange() } }
  }

  /// What is behind the cell's content: its own ground, or the window's.
  var ground: Color {
    let fill =
      switch rowState {
      case .resting: restingFill
      case .hovered: restingFill == theme.surface ? theme.raisedSurface : theme.surface
      case .selected: theme.raisedSurface
      // What is lifted is nearer to the light.
      case .lifted: theme.background.green < 128 ? theme.raisedSurface : theme.surface
      }
    return fill.alpha == 0 ? theme.background : fill
  }

  /// What the cell is filled with while nobody does anything with it.
  var restingFill: Color { .clear }

  /// Takes over the theme's colours.
  func themeDidChange() { setNeedsDisplay() }

  override var shadowCornerRadius: Double { OutlineStyle.cornerRadius }

  override func updateConfiguration(using state: CellConfigurationState) {
    isFocusShown = state.isFocused
    if state.isReordering {
      rowState = .lifted
    } else if state.isSelected || state.isHighlighted {
      rowState = .selected
    } else {
      rowState = state.isHovered ? .hovered : .resting
    }
    themeDidChange()
  }

  override func draw(in context: DrawContext) {
    let radius = OutlineStyle.cornerRadius
    if isFocusShown {
      context.fillRounded(bounds, radius: radius, theme.accent)
      let inner = Rect(x: 2, y: 2, width: bounds.width - 4, height: bounds.height - 4)
      context.fillRounded(inner, radius: radius - 2, ground)
    } else if ground != theme.background {
      context.fillRounded(bounds, radius: radius, ground)
    }
  }
}
