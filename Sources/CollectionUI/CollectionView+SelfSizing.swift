import CollectionEngine
package import CollectionLayout
import DataStructures
import Geometry
import Views

extension CollectionView {
  /// Provides visible items with their cells, repeating if preferred sizes bring more items into view.
  final func fillVisibleViews() {
    measureInvalidatedCells()
    for round in 0..<CollectionView.maximumLayoutPasses {
      fillVisibleCells()
      supplementaryController.fillVisibleElements()
      guard applyPreferredSizes(), round < CollectionView.maximumLayoutPasses - 1 else { return }
      layout()
    }
  }

  /// Schedules measuring the cells whose content size changed.
  final func cellSizeDidBecomeInvalid() {
    sizeRequests.hasStaleCells = true
    needsCells = true
    setNeedsDisplay()
  }

  /// Requests the preferred size of a cell that was configured or whose content size changed.
  ///
  /// The layout receives the sizes once all cells of this frame were measured.
  package func requestPreferredSize(_ cell: CollectionViewCell, at index: Int) {
    cell.needsSizing = false
    guard solution.usesPreferredSize(ofItem: index) else { return }
    let attributes = solution.attributes(ofItem: index)
    let size = sanitizedSize(cell.preferredLayoutAttributesFitting(attributes).frame.size, or: attributes.frame.size)
    // Even if it equals the layout's size, which may be an estimate that will change.
    sizeRequests.items.append((index, size))
  }

  /// Requests the preferred size of a supplementary view that was configured.
  package func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {
    guard solution.usesPreferredSize(ofElement: element.identity) else { return }
    let size = sanitizedSize(view.preferredLayoutAttributesFitting(element).frame.size, or: element.frame.size)
    if size != element.frame.size { sizeRequests.elements.append((element.identity, size)) }
  }

  /// Passes the preferred sizes to the layout, preserving the position of the anchor that was displayed last.
  ///
  /// - Returns: Whether any frame changed.
  func applyPreferredSizes() -> Bool {
    guard !sizeRequests.isEmpty else { return false }
    var isMoved = false
    preservingAnchor {
      for (index, size) in sizeRequests.items where index < itemCount {
        isMoved = recordVerdict(solving { solution.setPreferredSize(size, ofItem: index) }) || isMoved
      }
      for (element, size) in sizeRequests.elements {
        isMoved = recordVerdict(solving { solution.setPreferredSize(size, ofElement: element) }) || isMoved
      }
      return isMoved
    }
    sizeRequests.removeAll()
    return isMoved
  }

  /// Records the layout's verdict on a preferred size, and returns whether a frame changed.
  private func recordVerdict(_ verdict: PreferredSizeResult) -> Bool {
    if case .frozen = verdict { cellController.recordFrozenSize() }
    return verdict != .unchanged
  }

  /// Schedules measuring again the cells whose requests are pending while items get other indices.
  func remeasurePendingItems() {
    for (index, _) in sizeRequests.items where !cellController.remeasureWaitingCell(at: index) {
      cellController.displayedCell(at: index)?.invalidateIntrinsicContentSize()
    }
    // Supplementary views are configured and measured again after each update.
    sizeRequests.removeAll()
  }

  /// Schedules measuring cells again after the layout discarded their preferred sizes: displayed cells in the coming
  /// frame, prepared cells in slack time.
  ///
  /// - Parameter predicate: A closure that returns whether an item is affected.
  final func remeasureItems(where predicate: (Int) -> Bool) {
    for cell in cellController.displayedCells {
      guard let index = cell.itemIndex, predicate(index), solution.usesPreferredSize(ofItem: index) else { continue }
      cell.invalidateIntrinsicContentSize()
    }
    cellController.remeasureWaitingCells { predicate($0) && solution.usesPreferredSize(ofItem: $0) }
  }

  /// Measures the cells whose content size changed.
  func measureInvalidatedCells() {
    guard sizeRequests.hasStaleCells else { return }
    sizeRequests.hasStaleCells = false
    for cell in cellController.displayedCells where cell.needsSizing {
      if let index = cell.itemIndex { requestPreferredSize(cell, at: index) }
    }
  }

  /// Returns a usable size, with the fallback's lengths in place of those that are not a number, negative or infinite.
  private func sanitizedSize(_ size: Size, or fallback: Size) -> Size {
    func bounded(_ length: Double, or fallback: Double) -> Double {
      length.isFinite && length >= 0 ? min(length, LayoutEnvironment.maximumLength) : fallback
    }
    let usable = Size(
      width: bounded(size.width, or: fallback.width), height: bounded(size.height, or: fallback.height))
    if usable != size { cellController.recordRefusedSize() }
    return usable
  }
}

/// The preferred sizes that cells and supplementary views requested, until the layout receives them in the same frame.
struct PreferredSizeRequests {
  /// The requests of items.
  var items: [(item: Int, size: Size)] = []
  /// The requests of supplementary views.
  var elements: [(element: ElementIdentity, size: Size)] = []
  /// Whether cells whose content size changed have not been measured yet.
  var hasStaleCells = false

  /// Whether there are no requests.
  var isEmpty: Bool { items.isEmpty && elements.isEmpty }

  /// Removes all requests, after the layout received them or because they are no longer valid.
  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}
