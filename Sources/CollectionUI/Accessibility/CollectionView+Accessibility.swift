import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// What is told of items to whoever cannot see them: of those on screen, by their place among all.
///
/// Cells that were prepared and are not seen are not told of.
extension CollectionView {
  /// The view as a grid, or a list where no two items on screen stand side by side, with headings and items in it.
  func makeAccessibilityElement() -> AccessibilityElement {
    let cells = displayed.entries.sorted { $0.index < $1.index }
    let isList = areInOneColumn(cells.map(\.index))
    var element = AccessibilityElement(role: isList ? .list : .grid, label: accessibilityLabel, frame: frameInWindow)
    element.itemCount = itemCount
    element.selectedCount = interaction.selection.items.count
    element.isFocused = isWindowFirstResponder && interaction.showsFocus && interaction.selection.lead == nil
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
    return element
  }

  private func makeCellElement(_ cell: CollectionViewCell, _ index: Int, _ role: AccessibilityRole)
    -> AccessibilityElement
  {
    var element = AccessibilityElement(role: role, label: cell.accessibilityLabel, frame: cell.frameInWindow)
    element.value = cell.accessibilityValue
    element.position = AccessibilityElement.Position(number: index + 1, count: itemCount)
    let state = interaction.state(of: index)
    element.isSelected = state.isSelected
    element.isFocused = isWindowFirstResponder && state.isFocused
    return element
  }

  /// Whether keys go to the view: not beneath a menu, say.
  private var isWindowFirstResponder: Bool { window?.firstResponder === self }

  /// The supplementary views on screen that say something, by section.
  private func makeHeadingElements() -> [(section: Int, element: AccessibilityElement)] {
    var headings: [(section: Int, element: AccessibilityElement)] = []
    for (place, attributes) in elements.attributes.enumerated() {
      guard case .supplementary = attributes.identity.kind, let section = attributes.identity.section,
        let view = elements.view(at: place), !view.accessibilityLabel.isEmpty
      else { continue }
      var element = AccessibilityElement(role: .heading, label: view.accessibilityLabel, frame: view.frameInWindow)
      element.value = view.accessibilityValue
      headings.append((section, element))
    }
    return headings.sorted { $0.section < $1.section }
  }

  /// Whether no two of some items, in order, stand side by side across the way in which content scrolls.
  private func areInOneColumn(_ items: [Int]) -> Bool {
    guard items.count > 1 else { return false }
    let frames = items.map { solution.frame(ofItem: $0) }
    return zip(frames, frames.dropFirst()).allSatisfy { first, second in
      second.origin[scrollAxis] >= first.origin[scrollAxis] + first.size[scrollAxis]
    }
  }
}
