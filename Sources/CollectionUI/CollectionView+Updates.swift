import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// A cell on screen whose item stays through an update.
private struct KeptCell {
  var cell: CollectionViewCell
  /// The flat index before the update.
  var old: Int
  /// The flat index after it.
  var new: Int
}

extension CollectionView {
  /// The items are other ones, or numbered anew: keeps the cells of those that stay.
  ///
  /// - Parameters:
  ///   - newIndex: the flat index of the item that stood at a path, or nothing when it is gone.
  ///   - isAppendOnly: whether every item of before stands where it stood.
  func applyUpdate(newIndex: (IndexPath) -> Int?, isAppendOnly: Bool) {
    guard !isAppendOnly else {
      relayout()
      return
    }
    let standing = solution.anchor(at: contentOffset)
    let stays = displayed.compactMap { cell in
      cell.itemIndex.flatMap { old in newIndex(indexPath(at: old)).map { KeptCell(cell: cell, old: old, new: $0) } }
    }
    let kept = longestRun(of: stays.sorted { $0.new < $1.new }, with: standing.item)
    let anchor = lastingAnchor(standing, kept, newIndex)
    let ending = withPaths(displayed.filter { cell in !kept.contains { $0.cell === cell } }[...])
    planner.reset()
    displayed = kept.map(\.cell)
    for item in kept { item.cell.itemIndex = item.new }
    visible.reset(to: displayedRange)
    relayout(keeping: anchor?.new, from: anchor.map { solution.offset(of: $0.old) } ?? 0)
    exclusively { for (cell, path) in ending { endDisplaying(cell, at: path) } }
  }

  /// The longest run of cells whose items stand side by side after the update; of equal ones that of an item.
  private func longestRun(of cells: [KeptCell], with anchored: Int?) -> ArraySlice<KeptCell> {
    var best = cells[0..<0]
    var start = 0
    for place in cells.indices {
      if place > 0, cells[place].new != cells[place - 1].new + 1 { start = place }
      let run = cells[start...place]
      if run.count > best.count || (run.count == best.count && run.contains { $0.old == anchored }) { best = run }
    }
    return best
  }

  /// What is to stay where it is, as an anchor before and after the update; nothing when nothing on screen stays.
  private func lastingAnchor(
    _ standing: ContentAnchor, _ kept: ArraySlice<KeptCell>, _ newIndex: (IndexPath) -> Int?
  ) -> (old: ContentAnchor, new: ContentAnchor)? {
    guard let item = standing.item else { return (standing, standing) }
    if let first = kept.first, !kept.contains(where: { $0.old == item }) {
      // The first item seen is gone, or went alone: most of what is seen stays with another one.
      let points = solution.frame(ofItem: first.old).minY - contentOffset
      let anchor = ContentAnchor.item(ItemAnchor(item: first.old, itemUnit: 0, viewportUnit: 0, points: points))
      return (anchor, anchor.renumbered(first.new))
    }
    return newIndex(indexPath(at: item)).map { (standing, standing.renumbered($0)) }
  }

  /// Runs the provider again on the item's own cell, if it has one.
  func reconfigure(_ path: IndexPath) {
    guard let source, let index = solution.itemCounts.index(section: path.section, item: path.item),
      let cell = cell(at: index)
    else { return }
    exclusively {
      // A handler may have other items reconfigured.
      let outer = reconfiguredCell
      reconfiguredCell = cell
      let answer = source.cell(at: index, in: self)
      reconfiguredCell = outer
      demandSame(answer, as: cell, at: path)
      // Now, as a layout while drawing would ask for another frame.
      cell.layoutIfNeeded()
    }
    statistics.reconfigured += 1
  }

  /// Gives the item another cell, if it has one.
  func reload(_ path: IndexPath) {
    guard let source, let index = solution.itemCounts.index(section: path.section, item: path.item),
      let place = place(of: index)
    else { return }
    let last = displayed[place]
    exclusively {
      let next = prepareCell(at: index, from: source)
      displayed[place] = next
      endDisplaying(last, at: path)
      beginDisplaying(next, at: path)
    }
  }

  /// Gives the items of sections other cells, where they have one.
  func reloadSections(_ isReloaded: (Int) -> Bool) {
    for (_, path) in withPaths(displayed[...]) where isReloaded(path.section) { reload(path) }
  }
}

extension ContentAnchor {
  /// The item that the anchor holds, if it holds one.
  fileprivate var item: Int? {
    if case .item(let anchor) = self { return anchor.item }
    return nil
  }

  /// The same place of an item that has another number.
  fileprivate func renumbered(_ number: Int) -> ContentAnchor {
    guard case .item(var anchor) = self else { return self }
    anchor.item = number
    return .item(anchor)
  }
}
