import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import PhotoLibrary
import Rendering
import Views

/// What lies over the photographs for a while: the menu, the keys, a name.
extension GalleryScreen {
  // MARK: Menu

  /// Shows what can be done.
  ///
  /// - Parameters:
  ///   - paths: with which photographs, the selected ones; none where none was clicked.
  ///   - point: where, in the screen's coordinates.
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

  /// Selects all photographs of the sections in which selected ones stand.
  private func selectSections() {
    grid.select(.replace(grid.selection.items.expandedToWholeSections(counts: dataSource.shownSnapshot().itemCounts)))
  }

  /// Takes a menu away that is about the photographs that were selected, as others are.
  func closeMenu() {
    if overlay is MenuLayer { closeOverlay() }
  }

  // MARK: Keys

  /// Shows what the keys do.
  func showKeyGuide() {
    openOverlay(KeyGuideLayer(theme: theme)) { layer, close in layer.onClose = close }
  }

  // MARK: One at a time

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

  /// Takes away what lies over everything; keys go to the photographs again.
  func closeOverlay() {
    guard let overlay else { return }
    self.overlay = nil
    overlay.removeFromSuperview()
    window?.firstResponder = viewer?.isOpen == true ? viewer?.view : grid
  }

  // MARK: Names

  /// Shows the whole name of what is pointed at, as it was pointed at long enough.
  func showToolTip() {
    guard overlay == nil, viewer == nil, let resources, let item = toolTipTimer.item,
      let index = dataSource.flatIndex(of: item), let cell = grid.cell(at: index)
    else { return }
    let tip = ToolTip(theme: theme)
    addSubview(tip)
    self.toolTip = tip
    let corner = grid.origin(of: cell) + grid.frame.origin
    let place = lastPointerLocation ?? Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
    tip.show(library.caption(of: item), beside: place, within: bounds, resources)
  }

  /// Takes the name away.
  func hideToolTip() {
    toolTip?.removeFromSuperview()
    toolTip = nil
  }
}
