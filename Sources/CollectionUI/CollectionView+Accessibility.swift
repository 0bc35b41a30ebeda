import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineViews

/// The accessibility tree of the displayed items, numbered among all items.
///
/// Prepared cells that are not displayed are not included.
extension CollectionView {
  /// Returns the view as a grid, or as a list if no two displayed items are in the same line, with its headings and
  /// items.
  func makeAccessibilityElement() -> AccessibilityElement {
    let cells = cellController.displayedEntries.sorted { $0.index < $1.index }
    let isList = areInOneColumn(cells.map(\.index))
    var element = AccessibilityElement(role: isList ? .list : .grid, label: accessibilityLabel, frame: frameInWindow)
    element.itemCount = itemCount
    element.selectedCount = selection.items.count
    element.isFocused = isWindowFirstResponder && selectionController.showsFocus && selection.lead == nil
    let headings = makeHeadingElements()
    var next = 0
    for (index, cell) in cells {
      let section = indexPath(at: index).section
      while next < headings.count, headings[next].section <= section {
        element.children.append(headings[next].element)
        next += 1
      }
      element.children.append(makeCellElement(cell, index, isList ? .listItem : .cell))
    }
    element.children += headings[next...].map(\.element)
    if let swipeController { element.children += swipeController.accessibilityElements }
    return element
  }

  private func makeCellElement(_ cell: CollectionViewCell, _ index: Int, _ role: AccessibilityRole)
    -> AccessibilityElement
  {
    var element = AccessibilityElement(role: role, label: cell.accessibilityLabel, frame: cell.frameInWindow)
    element.value = cell.accessibilityValue
    element.position = AccessibilityElement.Position(number: index + 1, count: itemCount)
    let state = configurationState(of: index)
    element.isSelected = state.isSelected
    element.isFocused = isWindowFirstResponder && state.isFocused
    return element
  }

  /// Whether key events go to the view, which is not the case while a menu is open.
  private var isWindowFirstResponder: Bool { window?.firstResponder === self }

  /// Returns the displayed supplementary views that have an accessibility label, ordered by section.
  private func makeHeadingElements() -> [(section: Int, element: AccessibilityElement)] {
    var headings: [(section: Int, element: AccessibilityElement)] = []
    for (attributes, view, _) in supplementaryController.elements {
      guard case .supplementary = attributes.identity.kind, let section = attributes.identity.section,
        let view, !view.accessibilityLabel.isEmpty
      else { continue }
      var element = AccessibilityElement(role: .heading, label: view.accessibilityLabel, frame: view.frameInWindow)
      element.value = view.accessibilityValue
      headings.append((section, element))
    }
    return headings.sorted { $0.section < $1.section }
  }

  /// Returns whether no two of the given items, in order, are next to each other on the cross axis.
  private func areInOneColumn(_ items: [Int]) -> Bool {
    guard items.count > 1 else { return false }
    let frames = items.map { solution.frame(ofItem: $0) }
    return zip(frames, frames.dropFirst()).allSatisfy { first, second in
      second.origin[scrollAxis] >= first.origin[scrollAxis] + first.size[scrollAxis]
    }
  }
}
