import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry

extension CollectionView {
  /// A cell was configured for an item, or said that its content has another size: asks what size it prefers.
  ///
  /// What it answers is taken by the layout once all cells of this frame were asked.
  func askForSize(_ cell: CollectionViewCell, at index: Int) {
    cell.needsSizing = false
    guard solution.asksForSize(ofItem: index) else { return }
    let attributes = solution.attributes(ofItem: index)
    let size = cell.preferredLayoutAttributesFitting(attributes).frame.size
    let usable = Size(
      width: bounded(size.width, or: attributes.frame.width), height: bounded(size.height, or: attributes.frame.height))
    if usable != size { statistics.refusedSizes += 1 }
    if usable != attributes.frame.size { preferredSizes.append((index, usable)) }
  }

  /// Hands the sizes that cells prefer to the layout, with what was seen last where it is.
  ///
  /// - Returns: whether anything moved.
  func takePreferredSizes() -> Bool {
    guard !preferredSizes.isEmpty else { return false }
    let sizes = preferredSizes
    preferredSizes.removeAll(keepingCapacity: true)
    var isMoved = false
    holdingAnchor {
      for (index, size) in sizes where index < itemCount {
        switch solution.setPreferredSize(size, ofItem: index) {
        case .unchanged: break
        case .changed: isMoved = true
        case .frozen:
          isMoved = true
          statistics.frozenSizes += 1
        }
      }
      return isMoved
    }
    return isMoved
  }

  /// Items get other numbers before the layout took the sizes that their cells asked for: these are asked again.
  func askAgain() {
    for (index, _) in preferredSizes { displayed[index]?.invalidateIntrinsicContentSize() }
    preferredSizes.removeAll(keepingCapacity: true)
  }

  /// Asks the cells that said that their content has another size.
  func askInvalidatedCells() {
    guard hasInvalidSizes else { return }
    hasInvalidSizes = false
    for cell in displayed.cells where cell.needsSizing {
      if let index = cell.itemIndex { askForSize(cell, at: index) }
    }
  }

  /// A length that can be meant: none that is no number, negative or infinite.
  private func bounded(_ length: Double, or layouts: Double) -> Double {
    length.isFinite && length >= 0 ? min(length, LayoutEnvironment.longestSide) : layouts
  }
}
