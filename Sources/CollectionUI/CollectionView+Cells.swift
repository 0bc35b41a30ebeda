import CollectionEngine
import struct FoundationEssentials.IndexPath
import Views

extension CollectionView {
  /// Prepares the cells that the visible range lacks, nearest to those that are displayed first.
  func fill() {
    guard let source else { return }
    let range = visible.range
    while let first = displayed.first?.itemIndex, first > range.lowerBound {
      displayed.insert(showCell(at: first - 1, from: source), at: 0)
    }
    while displayed.count < range.count {
      displayed.append(showCell(at: range.lowerBound + displayed.count, from: source))
    }
  }

  private func showCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let cell = prepareCell(at: index, from: source)
    beginDisplaying(cell, at: indexPath(at: index))
    return cell
  }

  /// Has the data source give and configure a cell for an item, and places it.
  func prepareCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let cell = source.cell(at: index, in: self)
    demandDequeued(cell, as: dequeuedCell, at: indexPath(at: index))
    dequeuedCell = nil
    place(cell, at: index)
    adopt(cell)
    cell.layoutIfNeeded()
    return cell
  }

  /// Tells of a cell that is about to come on screen.
  func beginDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    statistics.displayed += 1
    entered += 1
    delegate?.collectionView(self, willDisplay: cell, at: path)
  }

  /// Puts a cell that is no longer among those displayed into the pool.
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    cell.itemIndex = nil
    delegate?.collectionView(self, didEndDisplaying: cell, at: path)
    cell.removeFromSuperview()
    pool.put(cell, of: cell.registration, keepingAtMost: max(16, mostVisible))
  }

  /// Ends the display of what left.
  func retire(_ change: VisibleWindow.Change) {
    let leavingAfter = change.leavingAfter.count
    let leavingBefore = change.leavingBefore.count
    let ending = withPaths(displayed.suffix(leavingAfter) + displayed.prefix(leavingBefore))
    displayed.removeLast(leavingAfter)
    displayed.removeFirst(leavingBefore)
    for (cell, path) in ending { endDisplaying(cell, at: path) }
  }

  /// Ends the display of every cell.
  func removeAllCells() {
    let ending = withPaths(displayed[...])
    displayed = []
    visible.reset(to: 0..<0)
    planner.reset()
    exclusively { for (cell, path) in ending { endDisplaying(cell, at: path) } }
  }

  /// Begins anew with the items of another data source, at the top.
  func replaceAllItems() {
    removeAllCells()
    relayout(keeping: nil, from: 0)
    scroll(to: 0, animated: false)
  }

  /// Cells that leave, and where their items stand as long as the solution holds.
  func withPaths(_ cells: ArraySlice<CollectionViewCell>) -> [(cell: CollectionViewCell, path: IndexPath)] {
    cells.map { ($0, indexPath(at: $0.itemIndex ?? 0)) }
  }
}
