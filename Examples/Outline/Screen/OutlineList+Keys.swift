import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Rendering

/// The keyboard goes from entry to entry: up and down through the rows, to the sides through the favourites and into and out
/// of regions. Alt and an arrow is the collection view's own: it moves the entry.
extension OutlineList {
  /// Takes a key.
  ///
  /// - Returns: whether it means something here.
  func take(_ key: Key) -> Bool {
    switch key {
    case .down: return move(by: 1)
    case .up: return move(by: -1)
    case .left, .right: return goAside(forward: key == .right)
    case .enter, .space:
      guard let entry = focused, case .region = entry else { return false }
      toggle(entry)
      return true
    default: return false
    }
  }

  /// The entry where the keyboard is.
  private var focused: Entry? { view.focusedIndexPath.flatMap { dataSource.itemIdentifier(for: $0) } }

  private func focus(_ path: IndexPath?) -> Bool {
    guard let path else { return false }
    view.focusedIndexPath = path
    view.scrollToItem(at: path, at: [.nearestVerticalEdge, .nearestHorizontalEdge], animated: true)
    return true
  }

  /// The next row, or the one before; the favourites are one row.
  private func move(by step: Int) -> Bool {
    let items = dataSource.shownSnapshot().itemIdentifiers
    guard let focused, var place = items.firstIndex(of: focused) else { return focus(first) }
    repeat { place += step } while items.indices.contains(place) && isFavourite(items[place]) && isFavourite(focused)
    guard items.indices.contains(place) else { return true }
    // From below one comes to the first of the favourites.
    return focus(isFavourite(items[place]) ? first : dataSource.indexPath(for: items[place]))
  }

  private var first: IndexPath? {
    dataSource.shownSnapshot().itemIdentifiers.first.flatMap { dataSource.indexPath(for: $0) }
  }

  private func isFavourite(_ entry: Entry) -> Bool {
    if case .favourite = entry { true } else { false }
  }

  /// Among favourites to the next; right expands a region and then enters it, left leaves it and then collapses it.
  private func goAside(forward: Bool) -> Bool {
    guard let entry = focused, let path = view.focusedIndexPath else { return false }
    switch entry {
    case .favourite:
      let next = IndexPath(item: path.item + (forward ? 1 : -1), section: path.section)
      return focus(dataSource.itemIdentifier(for: next).map { _ in next } ?? path)
    case .region:
      if dataSource.isExpanded(entry) == forward { return forward ? move(by: 1) : true }
      toggle(entry)
    case .destination(let id):
      guard !forward, let region = atlas.region(of: id) else { return true }
      return focus(dataSource.indexPath(for: .region(region)))
    }
    return true
  }
}
