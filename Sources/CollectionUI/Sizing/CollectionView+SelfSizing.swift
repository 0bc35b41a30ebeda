import CollectionEngine
import CollectionLayout
import DataStructures
import Geometry
import Views

extension CollectionView {
  /// Gives items on screen their cells; where these ask for other sizes, once more for what that brings into view.
  final func fillInRounds() {
    askInvalidatedCells()
    for round in 0..<CollectionView.mostRounds {
      fill()
      fillElements()
      guard takePreferredSizes(), round < CollectionView.mostRounds - 1 else { return }
      layout()
    }
  }

  /// A cell's content has another size than when it was asked.
  final func cellSizeIsInvalid() {
    wishes.hasStaleCells = true
    needsCells = true
    setNeedsDisplay()
  }

  /// A cell was configured for an item, or said that its content has another size: asks what size it prefers.
  ///
  /// What it answers is taken by the layout once all cells of this frame were asked.
  func askForSize(_ cell: CollectionViewCell, at index: Int) {
    cell.needsSizing = false
    guard solution.asksForSize(ofItem: index) else { return }
    let attributes = solution.attributes(ofItem: index)
    let size = usable(cell.preferredLayoutAttributesFitting(attributes).frame.size, or: attributes.frame.size)
    // Also where it is the one that the layout has: that may be what it expects, which will be something else.
    wishes.items.append((index, size))
  }

  /// A supplementary view was configured: asks what size it prefers.
  func askForSize(_ view: CollectionReusableView, _ element: ElementAttributes) {
    guard solution.asksForSize(ofElement: element.identity) else { return }
    let size = usable(view.preferredElementAttributesFitting(element).frame.size, or: element.frame.size)
    if size != element.frame.size { wishes.elements.append((element.identity, size)) }
  }

  /// Hands the sizes that cells prefer to the layout, with what was seen last where it is.
  ///
  /// - Returns: whether anything moved.
  func takePreferredSizes() -> Bool {
    guard !wishes.isEmpty else { return false }
    var isMoved = false
    holdingAnchor {
      for (index, size) in wishes.items where index < itemCount {
        isMoved = note(solving { solution.setPreferredSize(size, ofItem: index) }) || isMoved
      }
      for (element, size) in wishes.elements {
        isMoved = note(solving { solution.setPreferredSize(size, ofElement: element) }) || isMoved
      }
      return isMoved
    }
    wishes.removeAll()
    return isMoved
  }

  /// Counts what became of a size, and tells whether something moved.
  private func note(_ verdict: SizeVerdict) -> Bool {
    if case .frozen = verdict { ledger.noteFrozenSize() }
    return verdict != .unchanged
  }

  /// Items get other numbers before the layout took the sizes that their cells asked for: these are asked again.
  func askAgain() {
    for (index, _) in wishes.items where !askWaitingAgain(at: index) {
      displayed[index]?.invalidateIntrinsicContentSize()
    }
    // Supplementary views are configured again after each update, and asked then.
    wishes.removeAll()
  }

  /// The layout knows sizes no more that cells asked for: these are asked again, in the coming frame, those that wait in
  /// slack.
  ///
  /// - Parameter isMeant: of which items that is so.
  final func askAgain(where isMeant: (Int) -> Bool) {
    for cell in displayed.cells {
      guard let index = cell.itemIndex, isMeant(index), solution.asksForSize(ofItem: index) else { continue }
      cell.invalidateIntrinsicContentSize()
    }
    for entry in preparation.waiting.entries where isMeant(entry.index) {
      if solution.asksForSize(ofItem: entry.index) { _ = askWaitingAgain(at: entry.index) }
    }
  }

  /// Asks the cells that said that their content has another size.
  func askInvalidatedCells() {
    guard wishes.hasStaleCells else { return }
    wishes.hasStaleCells = false
    for cell in displayed.cells where cell.needsSizing {
      if let index = cell.itemIndex { askForSize(cell, at: index) }
    }
  }

  /// A size that can be meant: no side that is no number, negative or infinite.
  private func usable(_ size: Size, or layouts: Size) -> Size {
    func bounded(_ length: Double, or layouts: Double) -> Double {
      length.isFinite && length >= 0 ? min(length, LayoutEnvironment.longestSide) : layouts
    }
    let usable = Size(
      width: bounded(size.width, or: layouts.width), height: bounded(size.height, or: layouts.height))
    if usable != size { ledger.noteRefusedSize() }
    return usable
  }
}
