import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A menu in the colors of the theme, over the whole window.
final class MenuLayer: View, ThemedView {
  var theme: Theme {
    didSet { menuView.colors = theme.menuColors }
  }
  /// Called to close the menu, before the chosen action is performed.
  var onClose: () -> Void {
    get { menuView.onClose }
    set { menuView.onClose = newValue }
  }

  private let menuView: MenuView

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - anchorPoint: The position of the menu, in the coordinates of the view that the layer will fill.
  ///   - theme: The colors.
  init(_ menu: Menu, at anchorPoint: Point, theme: Theme) {
    self.theme = theme
    menuView = MenuView(menu, at: anchorPoint, colors: theme.menuColors)
    super.init()
    addSubview(menuView)
  }

  /// The titles of the entries, from top to bottom.
  var titles: [String] { menuView.titles }

  /// Returns the center of the entry with the given title, in this view's coordinates.
  func center(of title: String) -> Point? { menuView.center(of: title) }

  /// Lets a drag from the press that opened the menu choose an entry.
  func beginTracking() { menuView.beginTracking() }

  override func layoutSubviews() { menuView.frame = bounds }

  /// Passes keys to the menu, for the layer is the first responder.
  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .keyDown, .keyUp, .text, .cancelled: menuView.handle(event)
    default: false
    }
  }
}

extension Theme {
  /// The colors of menus.
  fileprivate var menuColors: MenuColors {
    MenuColors(
      background: panel, border: panelEdge, highlight: panelHighlight, label: primaryText,
      secondaryLabel: secondaryText, disabledLabel: tertiaryText, tint: accent, destructive: primaryText)
  }
}
