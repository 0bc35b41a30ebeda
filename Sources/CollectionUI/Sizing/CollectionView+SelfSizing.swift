import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry
import Views

extension CollectionView {
  /// Gives items on screen their cells; where these ask for other sizes, once more for what that brings into view.
  final func fillVisibleViews() {
    measureInvalidatedCells()
    for round in 0..<CollectionView.maximumLayoutPasses {
      fillVisibleCells()
      fillVisibleElements()
      guard applyPreferredSizes(), round < CollectionView.maximumLayoutPasses - 1 else { return }
      layout()
    }
  }

  /// A cell's content has another size than when it was asked.
  final func cellSizeDidBecomeInvalid() {
    sizeRequests.hasStaleCells = true
    needsCells = true
    setNeedsDisplay()
  }

  /// A cell was configured for an item, or said that its content has another size: asks what size it prefers.
  ///
  /// What it answers is taken by the layout once all cells of this frame were asked.
  func requestPreferredSize(_ cell: CollectionViewCell, at index: Int) {
    cell.needsSizing = false
    guard solution.asksForSize(ofItem: index) else { return }
    let attributes = solution.attributes(ofItem: index)
    let size = sanitizedSize(cell.preferredLayoutAttributesFitting(attributes).frame.size, or: attributes.frame.size)
    // Also where it is the one that the layout has: that may be what it expects, which will be something else.
    sizeRequests.items.append((index, size))
  }

  /// A supplementary view was configured: asks what size it prefers.
  func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {
    guard solution.asksForSize(ofElement: element.identity) else { return }
    let size = sanitizedSize(view.preferredElementAttributesFitting(element).frame.size, or: element.frame.size)
    if size != element.frame.size { sizeRequests.elements.append((element.identity, size)) }
  }

  /// Hands the sizes that cells prefer to the layout, with what was seen last where it is.
  ///
  /// - Returns: whether anything moved.
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

  /// Counts what became of a size, and tells whether something moved.
  private func recordVerdict(_ verdict: SizeVerdict) -> Bool {
    if case .frozen = verdict { lifecycle.recordFrozenSize() }
    return verdict != .unchanged
  }

  /// Items get other numbers before the layout took the sizes that their cells asked for: these are asked again.
  func remeasurePendingItems() {
    for (index, _) in sizeRequests.items where !remeasureWaitingCell(at: index) {
      displayed[index]?.invalidateIntrinsicContentSize()
    }
    // Supplementary views are configured again after each update, and asked then.
    sizeRequests.removeAll()
  }

  /// The layout knows sizes no more that cells asked for: these are asked again, in the coming frame, those that wait in
  /// slack.
  ///
  /// - Parameter isMeant: of which items that is so.
  final func remeasureItems(where isMeant: (Int) -> Bool) {
    for cell in displayed.cells {
      guard let index = cell.itemIndex, isMeant(index), solution.asksForSize(ofItem: index) else { continue }
      cell.invalidateIntrinsicContentSize()
    }
    for entry in preparation.waiting.entries where isMeant(entry.index) {
      if solution.asksForSize(ofItem: entry.index) { _ = remeasureWaitingCell(at: entry.index) }
    }
  }

  /// Asks the cells that said that their content has another size.
  func measureInvalidatedCells() {
    guard sizeRequests.hasStaleCells else { return }
    sizeRequests.hasStaleCells = false
    for cell in displayed.cells where cell.needsSizing {
      if let index = cell.itemIndex { requestPreferredSize(cell, at: index) }
    }
  }

  /// A size that can be meant: no side that is no number, negative or infinite.
  private func sanitizedSize(_ size: Size, or layouts: Size) -> Size {
    func bounded(_ length: Double, or layouts: Double) -> Double {
      length.isFinite && length >= 0 ? min(length, LayoutEnvironment.longestSide) : layouts
    }
    let usable = Size(
      width: bounded(size.width, or: layouts.width), height: bounded(size.height, or: layouts.height))
    if usable != size { lifecycle.recordRefusedSize() }
    return usable
  }
}
