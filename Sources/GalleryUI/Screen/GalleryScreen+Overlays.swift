import CollectionEngine
import CollectionUI
import DiffableData
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
    if let path = menuPaths?.first, let item = dataSource.itemIdentifier(for: path) { openViewer(on: item) }
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
    cancelSearch()
    toolTipTimer.cancel()
    hideToolTip()
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
    window?.firstResponder = viewer?.isOpen == true ? viewer?.view : grid
  }

  // MARK: Tool tip

  /// Shows the name of the photograph under the pointer next to the pointer, unless an overlay or the viewer is open.
  func showToolTip() {
    guard overlay == nil, viewer == nil, let resources, let item = toolTipTimer.item,
      let index = dataSource.flatIndex(of: item), let cell = grid.cell(at: index)
    else { return }
    let tip = ToolTip(theme: theme)
    addSubview(tip)
    self.toolTip = tip
    let cellOrigin = grid.origin(of: cell) + grid.frame.origin
    let anchorPoint =
      lastPointerLocation
      ?? Point(x: cellOrigin.x + cell.frame.width / 2, y: cellOrigin.y + cell.frame.height / 2)
    tip.show(library.caption(of: item), near: anchorPoint, within: bounds, resources)
  }

  /// Hides the tool tip.
  func hideToolTip() {
    toolTip?.removeFromSuperview()
    toolTip = nil
  }

  /// Starts, continues or ends the delay before the tool tip, for the photograph that is under the pointer now.
  ///
  /// A tool tip is shown only for a photograph whose name is truncated in its cell.
  func updateToolTipTimer() {
    let index = grid.hoveredItem
    let item = index.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) }
    guard item != toolTipTimer.item else {
      // The photograph may have moved away from the pointer.
      if let index, !isPointerOver(index) {
        toolTipTimer.cancel()
        hideToolTip()
      }
      return
    }
    hideToolTip()
    let cell = index.flatMap { grid.cell(at: $0) } as? PictureCell
    let isNameTruncated = if let cell, let resources { cell.isNameTruncated(in: resources) } else { false }
    toolTipTimer.setItem(item, isTruncated: isNameTruncated, at: max(lastEventInstant, frameContext.instant))
  }

  private func isPointerOver(_ index: Int) -> Bool {
    guard let lastPointerLocation, let cell = grid.cell(at: index) else { return false }
    return Rect(origin: grid.origin(of: cell) + grid.frame.origin, size: cell.frame.size).contains(lastPointerLocation)
  }
}
