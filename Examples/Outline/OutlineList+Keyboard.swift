import CollectionUI
import struct FoundationEssentials.IndexPath

/// Keyboard navigation.
///
/// Up and Down move between rows. Left and Right move between favorites, and into and out of regions. The collection
/// view itself handles Alt with an arrow key, which moves the item.
extension OutlineList {
  /// Handles a key.
  ///
  /// - Returns: Whether the key was handled.
  func handleKey(_ key: Key) -> Bool {
    switch key {
    case .down: return moveFocus(by: 1)
    case .up: return moveFocus(by: -1)
    case .left, .right: return moveFocusSideways(forward: key == .right)
    case .enter, .space:
      guard let item = focusedItem, case .region = item else { return false }
      toggle(item)
      return true
    default: return false
    }
  }

  /// The item with the keyboard focus.
  private var focusedItem: Item? { view.focusedIndexPath.flatMap { dataSource.itemIdentifier(for: $0) } }

  private func focus(at path: IndexPath?) -> Bool {
    guard let path else { return false }
    view.focusedIndexPath = path
    view.scrollToItem(at: path, at: [.nearestVerticalEdge, .nearestHorizontalEdge], animated: true)
    return true
  }

  /// Moves the focus by one row; the favorites are one row.
  private func moveFocus(by step: Int) -> Bool {
    let items = dataSource.displayedSnapshot().itemIdentifiers
    guard let focusedItem, var index = items.firstIndex(of: focusedItem) else { return focus(at: firstIndexPath) }
    repeat { index += step } while items.indices.contains(index) && isFavorite(items[index]) && isFavorite(focusedItem)
    guard items.indices.contains(index) else { return true }
    // From below, the focus moves to the first favorite.
    return focus(at: isFavorite(items[index]) ? firstIndexPath : dataSource.indexPath(for: items[index]))
  }

  private var firstIndexPath: IndexPath? {
    dataSource.displayedSnapshot().itemIdentifiers.first.flatMap { dataSource.indexPath(for: $0) }
  }

  private func isFavorite(_ item: Item) -> Bool {
    if case .favorite = item { true } else { false }
  }

  /// Moves the focus sideways: between favorites, and into and out of regions.
  ///
  /// Right expands a region and then enters it; Left leaves it and then collapses it.
  private func moveFocusSideways(forward: Bool) -> Bool {
    guard let item = focusedItem, let path = view.focusedIndexPath else { return false }
    switch item {
    case .favorite:
      let next = IndexPath(item: path.item + (forward ? 1 : -1), section: path.section)
      return focus(at: dataSource.itemIdentifier(for: next).map { _ in next } ?? path)
    case .region:
      if dataSource.isExpanded(item) == forward { return forward ? moveFocus(by: 1) : true }
      toggle(item)
    case .destination(let id):
      guard !forward, let region = store.region(of: id) else { return true }
      return focus(at: dataSource.indexPath(for: .region(region)))
    }
    return true
  }
}

/// A collection view with additional keys, similar to overriding `pressesBegan` in UIKit.
final class OutlineView: CollectionView {
  /// Handles a key without modifiers, and returns whether it did.
  var onKey: (Key) -> Bool = { _ in false }

  override func handle(_ event: InputEvent) -> Bool {
    if case .keyDown(let key, [], _) = event.kind, onKey(key) { return true }
    return super.handle(event)
  }
}
