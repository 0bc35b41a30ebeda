import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineGeometry
import VitrineViews

/// What ``OverlayController`` needs from the screen.
protocol OverlayHost: AnyObject {
  /// The bounds of the screen.
  var bounds: Rect { get }
  /// The colors.
  var theme: Theme { get }
  /// Returns a menu.
  func menu(of menu: GalleryCommand.Menu, selectedCount: Int) -> Menu
  /// Ends a search and hides the tool tip.
  func overlayWillOpen()
  /// Adds a view in front of the others.
  func addSubview(_ view: View)
  /// Moves the keyboard focus to a view.
  func moveKeyboardFocus(to view: View)
  /// Moves the keyboard focus to the view below the overlay.
  func restoreKeyboardFocus()
}

/// The owner of the views that temporarily cover the photographs: the context menu and the list of keyboard shortcuts.
///
/// It owns the view that is open, and the photographs to which the context menu applies.
///
/// Invariants:
/// - At most one overlay is open. It covers the screen, and receives all input and the keyboard focus.
/// - When an overlay closes, the keyboard focus returns to the view below it.
/// - The context menu closes when the selection to which it applies changes, and any menu when the window is resized.
final class OverlayController {
  /// The screen, which owns the controller.
  unowned var host: (any OverlayHost)!
  private var overlay: View?
  /// The photographs to which the context menu applies, or nil if it was never opened.
  private var menuPaths: IndexPathRuns?

  /// The open overlay, or nil.
  var openView: View? { overlay }

  /// Whether an overlay is open.
  var isOpen: Bool { overlay != nil }

  /// The index path of the photograph to which the context menu applies, or nil if it applies to none or to several.
  var menuItemPath: IndexPath? { menuPaths?.count == 1 ? menuPaths?.first : nil }

  /// Shows the context menu.
  ///
  /// - Parameters:
  ///   - indexPaths: The selected photographs to which the menu applies; empty if none was clicked.
  ///   - point: The menu's position on the screen.
  func showMenu(for indexPaths: IndexPathRuns, at point: Point) {
    menuPaths = indexPaths
    showMenu(.context, selectedCount: indexPaths.count, at: point)
  }

  /// Shows a menu of the header bar.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - point: The menu's position on the screen.
  func showMenu(_ menu: GalleryCommand.Menu, at point: Point) {
    menuPaths = nil
    showMenu(menu, selectedCount: 0, at: point)
  }

  /// Shows the menu of the picture in the viewer.
  ///
  /// - Parameter point: The menu's position on the screen.
  func showPictureMenu(at point: Point) {
    menuPaths = nil
    showMenu(.picture, selectedCount: 1, at: point)
  }

  private func showMenu(_ menu: GalleryCommand.Menu, selectedCount: Int, at point: Point) {
    let layer = MenuLayer(host.menu(of: menu, selectedCount: selectedCount), at: point, theme: host.theme)
    open(layer) { layer, close in layer.onClose = close }
    layer.beginTracking()
  }

  /// Closes the context menu if it is open.
  ///
  /// Call it when the selection changes, to which the menu applies.
  func closeMenu() {
    if overlay is MenuLayer { close() }
  }

  /// Shows the list of keyboard shortcuts.
  func showKeyboardShortcuts() {
    open(KeyboardShortcutsLayer(theme: host.theme)) { layer, close in layer.onClose = close }
  }

  /// Shows the name of the program and lines about it.
  func showAbout(_ headline: String, _ text: [String]) {
    open(AboutLayer(headline: headline, text: text, theme: host.theme)) { layer, close in layer.onClose = close }
  }

  /// Shows a view over the whole screen, which receives the keyboard focus.
  ///
  /// Replaces the open overlay, hides the tool tip and ends a search by typed text.
  ///
  /// - Parameters:
  ///   - layer: The view.
  ///   - connect: A closure that sets the view's closing handler to its second argument.
  private func open<Layer: View>(_ layer: Layer, connectClose connect: (Layer, @escaping () -> Void) -> Void) {
    close()
    host.overlayWillOpen()
    connect(layer) { [weak self] in self?.close() }
    overlay = layer
    host.addSubview(layer)
    layout()
    host.moveKeyboardFocus(to: layer)
  }

  /// Resizes the open overlay to the screen, or closes a menu, whose button is elsewhere in a window of another size.
  func layout() {
    if let menu = overlay as? MenuLayer, menu.frame.size != .zero, menu.frame.size != host.bounds.size {
      return close()
    }
    overlay?.frame = host.bounds
  }

  /// Closes the open overlay, if any.
  func close() {
    guard let overlay else { return }
    self.overlay = nil
    overlay.removeFromSuperview()
    host.restoreKeyboardFocus()
  }
}
