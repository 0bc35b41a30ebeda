import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath

extension CollectionView {
  /// The items are other ones, or numbered anew: keeps the cells of those that stay.
  ///
  /// - Parameters:
  ///   - newIndex: the flat index of the item that stood at a path, or nothing when it is gone.
  ///   - isAppendOnly: whether every item of before stands where it stood.
  func applyUpdate(newIndex: (IndexPath) -> Int?, isAppendOnly: Bool) {
    // Items that were added after all others number none of them anew.
    if isAppendOnly, isLastDisplayedUnmoved(newIndex) {
      relayout()
      return
    }
    let anchored = anchoredItem.flatMap { newIndex(indexPath(at: $0)) }
    var kept: [(index: Int, cell: CollectionViewCell)] = []
    for cell in displayed {
      guard let old = cell.itemIndex, let index = newIndex(indexPath(at: old)) else {
        endDisplaying(cell)
        continue
      }
      kept.append((index, cell))
    }
    planner.reset()
    keep(kept.sorted { $0.index < $1.index })
    if let anchored { renumberAnchor(to: anchored) }
    relayout()
  }

  private func isLastDisplayedUnmoved(_ newIndex: (IndexPath) -> Int?) -> Bool {
    guard let last = displayed.last?.itemIndex else { return true }
    return newIndex(indexPath(at: last)) == last
  }

  /// Keeps the longest run of cells whose items still stand side by side; the others go to the pool.
  private func keep(_ cells: [(index: Int, cell: CollectionViewCell)]) {
    var best = 0..<0
    var start = 0
    for place in cells.indices {
      if place > 0, cells[place].index != cells[place - 1].index + 1 { start = place }
      if place + 1 - start > best.count { best = start..<(place + 1) }
    }
    for place in cells.indices where !best.contains(place) { endDisplaying(cells[place].cell) }
    displayed = cells[best].map(\.cell)
    for place in best { cells[place].cell.itemIndex = cells[place].index }
    let first = best.isEmpty ? 0 : cells[best.lowerBound].index
    visible.reset(to: first..<(first + best.count))
  }

  /// Runs the provider again on the item's own cell, if it has one.
  func reconfigure(_ path: IndexPath) {
    guard let source, let index = solution.itemCounts.index(section: path.section, item: path.item),
      let cell = cell(at: index)
    else { return }
    reconfiguredCell = cell
    let answer = source.cell(at: index, in: self)
    reconfiguredCell = nil
    demandSame(answer, as: cell, at: path)
    statistics.reconfigured += 1
  }

  /// Gives the item another cell, if it has one.
  func reload(_ path: IndexPath) {
    guard let index = solution.itemCounts.index(section: path.section, item: path.item), visible.range.contains(index)
    else { return }
    let place = index - visible.range.lowerBound
    guard let source, displayed.indices.contains(place) else { return }
    endDisplaying(displayed[place])
    displayed[place] = prepareForDisplay(index, source)
  }
}
