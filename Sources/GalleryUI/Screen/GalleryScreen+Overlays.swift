import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import PhotoLibrary
import Rendering
import Views

/// Views that temporarily cover the photographs: the menu, the key guide and the tool tip.
extension GalleryScreen {
  // MARK: Menu

  /// Shows the context menu.
  ///
  /// - Parameters:
  ///   - paths: The selected photographs to which the menu applies; empty if none was clicked.
  ///   - point: The position in the screen's coordinates.
  func showMenu(for paths: IndexPathRuns, at point: Point) {
    openOverlay(MenuLayer(menuEntries(for: paths), at: point, theme: theme)) { layer, close in layer.onClose = close }
  }

  private func menuEntries(for paths: IndexPathRuns) -> [MenuEntry] {
    var entries: [MenuEntry] = []
    if let first = paths.first {
      let item = dataSource.itemIdentifier(for: first)
      let isOne = paths.count == 1
      entries = [
        MenuEntry(title: "Open", keys: "Enter", isEnabled: isOne) { [weak self] in
          if let self, let item { openViewer(on: item) }
        },
        MenuEntry(title: isOne ? "Copy path" : "Copy paths", keys: "Ctrl+C", beginsGroup: true) { [weak self] in
          self?.copyPaths(as: .plain)
        },
        MenuEntry(title: isOne ? "Copy address" : "Copy addresses", keys: "Ctrl+Shift+C") { [weak self] in
          self?.copyPaths(as: .addresses)
        },
      ]
      if sectionCount > 1 {
        entries.append(
          MenuEntry(title: "Select section", beginsGroup: true) { [weak self] in self?.selectSections() })
      }
    }
    entries.append(
      MenuEntry(
        title: "Select all", keys: "Ctrl+A", isEnabled: library.count > 0,
        beginsGroup: !entries.isEmpty && entries.last?.title != "Select section"
      ) { [weak self] in self?.grid.select(.all) })
    let orders: [(GallerySorting, String, String)] = [
      (.name, "Sort by name", "Ctrl+1"), (.date, "Sort by date", "Ctrl+2"), (.size, "Sort by size", "Ctrl+3"),
    ]
    for (sorting, title, keys) in orders {
      entries.append(
        MenuEntry(
          title: title, keys: keys, state: library.sorting == sorting ? .on : .off, beginsGroup: sorting == .name
        ) { [weak self] in self?.sort(by: sorting) })
    }
    return entries
  }

  /// Selects all photographs of the sections that contain selected ones.
  private func selectSections() {
    grid.select(.replace(grid.selection.items.expandedToWholeSections(counts: dataSource.shownSnapshot().itemCounts)))
  }

  /// Closes the menu, because the selection to which it applies has changed.
  func closeMenu() {
    if overlay is MenuLayer { closeOverlay() }
  }

  // MARK: Key guide

  /// Shows the key guide.
  func showKeyGuide() {
    openOverlay(KeyGuideLayer(theme: theme)) { layer, close in layer.onClose = close }
  }

  // MARK: Presentation

  private func openOverlay<Layer: View>(_ layer: Layer, _ connect: (Layer, @escaping () -> Void) -> Void) {
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

  /// Closes the overlay, and returns the keyboard focus to the view below.
  func closeOverlay() {
    guard let overlay else { return }
    self.overlay = nil
    overlay.removeFromSuperview()
    window?.firstResponder = viewer?.isOpen == true ? viewer?.view : grid
  }

  // MARK: Tool tip

  /// Shows the tool tip of the hovered photograph.
  func showToolTip() {
    guard overlay == nil, viewer == nil, let resources, let item = toolTipTimer.item,
      let index = dataSource.flatIndex(of: item), let cell = grid.cell(at: index)
    else { return }
    let tip = ToolTip(theme: theme)
    addSubview(tip)
    self.toolTip = tip
    let corner = grid.origin(of: cell) + grid.frame.origin
    let location = lastPointerLocation ?? Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
    tip.show(library.caption(of: item), near: location, within: bounds, resources)
  }

  /// Hides the tool tip.
  func hideToolTip() {
    toolTip?.removeFromSuperview()
    toolTip = nil
  }

  /// Updates the hovered photograph.
  func updateHover() {
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
    let hasMore = if let cell, let resources { cell.isNameTruncated(in: resources) } else { false }
    toolTipTimer.setItem(item, isTruncated: hasMore, at: max(lastEventInstant, frameContext.instant))
  }

  private func isPointerOver(_ index: Int) -> Bool {
    guard let lastPointerLocation, let cell = grid.cell(at: index) else { return false }
    return Rect(origin: grid.origin(of: cell) + grid.frame.origin, size: cell.frame.size).contains(lastPointerLocation)
  }
}
