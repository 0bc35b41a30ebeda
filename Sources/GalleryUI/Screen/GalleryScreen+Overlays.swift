import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import PhotoLibrary
import Rendering
import Views

/// Views that temporarily cover the photographs.
///
/// The context menu and the list of keyboard shortcuts receive all input while they are open. The tool tip receives
/// none.
extension GalleryScreen {
  // MARK: Menu

  /// Shows the context menu.
  ///
  /// - Parameters:
  ///   - indexPaths: The selected photographs to which the menu applies; empty if none was clicked.
  ///   - point: The menu's position in this view's coordinates.
  func showMenu(for indexPaths: IndexPathRuns, at point: Point) {
    menuPaths = indexPaths
    openOverlay(MenuLayer(menuEntries(selectedCount: indexPaths.count), at: point, theme: theme)) { layer, close in
      layer.onClose = close
    }
  }

  /// Opens the photograph to which the menu applies.
  func openMenuItem() {
    if let path = menuPaths?.first, let item = dataSource.itemIdentifier(for: path) { viewer.open(item) }
  }

  /// Extends the selection to whole sections: to all photographs of each section that contains a selected one.
  func selectSections() {
    grid.select(
      .replace(grid.selection.items.expandedToWholeSections(counts: dataSource.displayedSnapshot().itemCounts)))
  }

  /// Closes the context menu if it is open.
  ///
  /// Call it when the selection changes, to which the menu applies.
  func closeMenu() {
    if overlay is MenuLayer { closeOverlay() }
  }

  // MARK: Keyboard shortcuts

  /// Shows the list of keyboard shortcuts.
  func showKeyboardShortcuts() {
    openOverlay(KeyboardShortcutsLayer(theme: theme)) { layer, close in layer.onClose = close }
  }

  // MARK: Presentation

  /// Shows a view over the whole screen, which receives the keyboard focus.
  ///
  /// Replaces the open overlay, hides the tool tip and ends a search by typed text.
  ///
  /// - Parameters:
  ///   - layer: The view.
  ///   - connect: A closure that sets the view's closing handler to its second argument.
  private func openOverlay<Layer: View>(_ layer: Layer, connectClose connect: (Layer, @escaping () -> Void) -> Void) {
    closeOverlay()
    nameSearch.cancel()
    toolTips.cancel()
    connect(layer) { [weak self] in self?.closeOverlay() }
    overlay = layer
    addSubview(layer)
    layer.frame = bounds
    window?.firstResponder = layer
  }

  /// Closes the open overlay, if any, and moves the keyboard focus to the viewer if it is open, or to the grid.
  func closeOverlay() {
    guard let overlay else { return }
    self.overlay = nil
    overlay.removeFromSuperview()
    window?.firstResponder = viewer.openView ?? grid
  }
}

// MARK: - Tool tip

extension GalleryScreen: ToolTipHost {
  var coversPhotographs: Bool { overlay != nil || viewer.isShown }

  var hoveredPhoto: PhotoID? { grid.hoveredItem.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) } }

  func frameOnScreen(of item: PhotoID) -> Rect? {
    cell(of: item).map { Rect(origin: grid.origin(of: $0) + grid.frame.origin, size: $0.frame.size) }
  }

  func isNameTruncated(of item: PhotoID) -> Bool {
    guard let cell = cell(of: item) as? PictureCell, let resources else { return false }
    return cell.isNameTruncated(in: resources)
  }

  func caption(of item: PhotoID) -> String { library.caption(of: item) }

  private func cell(of item: PhotoID) -> CollectionViewCell? {
    dataSource.flatIndex(of: item).flatMap { grid.cell(at: $0) }
  }
}

// MARK: - Viewer

extension GalleryScreen: ViewerHost {
  var frameInstant: FrameInstant { frameContext.instant }

  var noticeText: String? { notice?.text }

  func viewerWillOpen() {
    closeOverlay()
    nameSearch.cancel()
    toolTips.cancel()
  }

  func moveKeyboardFocus(to view: View) { window?.firstResponder = view }
}
