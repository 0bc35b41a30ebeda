public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
public import VitrineCollectionLayout
import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

extension CollectionView {
  /// Scrolls the content, and the item's orthogonal section, until an item is at the given position.
  ///
  /// The item arrives at its position even if sizes become known, or items are inserted, moved or resized, while
  /// the content scrolls, and it stays there until the content is scrolled again. At the top and at the bottom it is
  /// beside the views that are pinned there, not beneath them, and the content does not scroll beyond its ends: an item that
  /// an end keeps from its position stays where it was displayed when items are appended later. If the item is deleted,
  /// the content stops. An index path without an item is ignored.
  ///
  /// - Parameters:
  ///   - path: The index path of the item.
  ///   - position: The position to scroll the item to. An axis without a position is not scrolled.
  ///   - animated: Whether scrolling is animated. Of a long distance only the end is animated.
  /// - Precondition: `position` contains at most one position for each axis.
  public final func scrollToItem(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    let edges = (vertical: edge(.vertical, in: position), horizontal: edge(.horizontal, in: position))
    guard let index = flatIndex(at: path) else { return reportMissingItem(path, "scrollToItem(at:at:animated:)") }
    if animated { programWillScroll(to: "item \(path.item) of section \(path.section)") }
    let (along, across) =
      scrollAxis == .vertical ? (edges.vertical, edges.horizontal) : (edges.horizontal, edges.vertical)
    if let across, let section = solution.orthogonalSection(path.section) {
      let destination = ItemDestination(item: index, edge: across)
      itemScrollController.scrollSection(section, to: destination, animated: animated)
    }
    if let along { itemScrollController.scroll(to: ItemDestination(item: index, edge: along), animated: animated) }
  }

  /// Returns the length of the viewport that pinned views cover at an offset, in points.
  final func pinnedLength(at offset: Double) -> Double {
    var viewport = visibleRect
    viewport.origin[scrollAxis] = offset
    let start = offset + axisInsets.start
    var seen: [ElementAttributes] = []
    solution.appendElements(in: viewport, to: &seen)
    return seen.reduce(0) { length, element in
      let frame = element.frame
      guard element.isPinned, frame.origin[scrollAxis] <= start + 1 else { return length }
      return max(length, frame.origin[scrollAxis] + frame.size[scrollAxis] - start)
    }
  }

  /// Returns the edge of an axis that a scroll position contains, or nil if it contains none.
  private func edge(_ axis: Axis, in position: ScrollPosition) -> ScrollEdge? {
    let edge = position.intersection(axis == .vertical ? .vertical : .horizontal)
    checkPrecondition(
      edge.rawValue.nonzeroBitCount <= 1,
      """
      The scroll position contains two positions on the \(axis == .vertical ? "vertical" : "horizontal") axis. \
      Combine one vertical and one horizontal scroll position.
      """)
    let isMirrored = layoutDirection == .rightToLeft
    switch edge {
    case .top, .left: return .start
    case .bottom, .right: return .end
    case .centeredVertically, .centeredHorizontally: return .middle
    case .nearestVerticalEdge, .nearestHorizontalEdge: return .nearest
    case .leadingEdge: return isMirrored ? .end : .start
    case .trailingEdge: return isMirrored ? .start : .end
    default: return nil
    }
  }

  // MARK: - Alignment

  /// Scrolls an item to an alignment in the viewport, within the scrollable range.
  ///
  /// A missing item is ignored.
  public final func scrollToItem(at path: IndexPath, alignment: ScrollAlignment, animated: Bool) {
    guard let index = flatIndex(at: path) else {
      return reportMissingItem(path, "scrollToItem(at:alignment:animated:)")
    }
    if animated { programWillScroll(to: "item \(path.item) of section \(path.section)") }
    itemScrollController.scroll(
      to: ItemDestination(item: index, edge: ScrollEdge(alignment)), animated: animated)
  }

  // MARK: - Sections

  /// Returns the offset at which a section starts in the viewport, including its header, or nil if there is no such
  /// section.
  ///
  /// It may be larger than the maximum offset.
  ///
  /// - Complexity: O(log s) for s sections.
  public final func contentOffset(ofSection section: Int) -> Double? {
    requireSolvedLayout()
    guard (0..<solution.itemCounts.numberOfSections).contains(section) else { return nil }
    let start = solution.start(ofSection: section)
    guard contentBeginsAtEnd else { return start - axisInsets.start }
    return contentLength - start - viewportLength + axisInsets.end
  }

  // MARK: - Pages

  /// Returns the distance of pages from an offset, adjusted so that a row starts at the start of the viewport, in
  /// points.
  ///
  /// The distance is at most that of unadjusted pages and at least half of it. If no row starts in between, it is not
  /// adjusted.
  ///
  /// - Complexity: O(log n + items of a page).
  final func rowAlignedPageDistance(_ pages: Double, from offset: Double) -> Double {
    let distance = super.pageDistance(pages, from: offset)
    guard distance != 0, pages.isFinite else { return distance }
    requireSolvedLayout()
    let target = scroll.range.clamp(offset + distance)
    // At an end of the content, the distance is not adjusted.
    guard target == offset + distance else { return distance }
    let covered = axisInsets.start + pinnedLength(at: target)
    let (near, far) = (offset + distance / 2 + covered, target + covered)
    var strip = Rect(origin: .zero, size: solution.contentSize)
    strip.origin[scrollAxis] = min(near, far) - 0.5
    strip.size[scrollAxis] = (far - near).magnitude + 1
    var best: Double?
    solution.visitItems(in: strip) { run in
      for item in run {
        let start = solution.frame(ofItem: item).origin[scrollAxis]
        guard start >= min(near, far) - 0.5, start <= max(near, far) + 0.5 else { continue }
        if best.map({ distance > 0 ? start > $0 : start < $0 }) ?? true { best = start }
      }
    }
    return best.map { $0 - covered - offset } ?? distance
  }
}
