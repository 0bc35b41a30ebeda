import VitrineCollectionLayout
import VitrineGeometry
import VitrineScrollPhysics

/// The target of a scroll to an item: the item, and its position in the viewport.
///
/// The offset is derived from it in each layout, because the sizes of the item, of what is before it and of the views
/// pinned over it may be estimates when scrolling begins.
nonisolated package struct ItemDestination: Hashable, Sendable {
  /// The index of the item across all sections.
  package var item: Int
  /// The edge of the item that is aligned with the same edge of the viewport.
  let edge: ScrollEdge
  /// The length of content to show on both sides of the item, in points.
  ///
  /// Near an end, all content up to the end is shown.
  let margin: Double

  /// The part of the view in which items are shown: its insets, and the distances of pinned views from its edges.
  package struct Viewport: Sendable {
    /// The insets of the content.
    package let insets: (start: Double, end: Double)
    /// The distances of pinned views.
    package let pinning: (start: Double, end: Double)

    /// Creates a viewport from the insets of the content and the distances of pinned views, in points.
    package init(insets: (start: Double, end: Double), pinning: (start: Double, end: Double)) {
      (self.insets, self.pinning) = (insets, pinning)
    }
  }

  /// Whether the item has no position of its own: a key showed it with some content around it, or an end of the content.
  var isRevealed: Bool { margin > 0 || edge == .contentStart || edge == .contentEnd }

  /// Creates the target of a scroll.
  init(item: Int, edge: ScrollEdge, margin: Double = 0) {
    (self.item, self.edge, self.margin) = (item, edge, margin)
  }

  /// Returns the same target with an edge that no longer depends on the current offset, or nil if the item is at the
  /// nearest position already.
  func resolved(in solution: any SolvedLayout, _ viewport: Viewport, from offset: Double) -> ItemDestination? {
    guard edge == .nearest else { return self }
    let target = self.offset(in: solution, viewport, from: offset)
    guard !target.isNearly(offset) else { return nil }
    return ItemDestination(item: item, edge: target < offset ? .start : .endOrStart, margin: margin)
  }

  /// Returns the offset at which the item is at its position, within the scrollable range.
  ///
  /// - Parameters:
  ///   - solution: The layout.
  ///   - viewport: The part of the view in which the item is shown.
  ///   - current: The current offset, for the nearest edge.
  /// - Precondition: The item exists.
  /// - Complexity: That of one query of the layout for each edge at which views may be pinned.
  func offset(in solution: any SolvedLayout, _ viewport: Viewport, from current: Double = 0) -> Double {
    let (offset, range) = unboundedOffset(in: solution, viewport, from: current)
    // To an end of the content, rather than almost to it.
    if offset < range.minimum + 2 * margin { return range.minimum }
    if offset > range.maximum - 2 * margin { return range.maximum }
    return range.clamp(offset)
  }

  /// Returns whether the content is too short to bring the item to its position.
  ///
  /// - Precondition: The item exists.
  func isCutOff(in solution: any SolvedLayout, _ viewport: Viewport) -> Bool {
    let (offset, range) = unboundedOffset(in: solution, viewport, from: 0)
    let scale = solution.environment.scale
    return scale.snapped(range.clamp(offset)) != scale.snapped(offset)
  }

  private func unboundedOffset(
    in solution: any SolvedLayout, _ viewport: Viewport, from current: Double
  ) -> (offset: Double, range: ScrollRange) {
    let (axis, insets) = (solution.scrollAxis, viewport.insets)
    let frame = solution.frame(ofItem: item)
    let start = frame.origin[axis] - margin
    let end = start + frame.size[axis] + 2 * margin
    let length = max(0, solution.viewportLength - insets.start - insets.end)
    var covered = (
      start: edge.isAtStart ? solution.pinnedLength(beside: item, frame, .leading, viewport) : 0,
      end: edge.isAtEnd ? solution.pinnedLength(beside: item, frame, .trailing, viewport) : 0
    )
    // If pinned views leave no space, whether they are pinned may change with the offset that depends on them.
    if covered.start >= length { covered.start = 0 }
    if covered.start + covered.end >= length { covered.end = 0 }
    let offset =
      edge.offset(showing: (start - covered.start)...(end + covered.end), in: length, from: current + insets.start)
      - insets.start
    let range = ScrollRange(
      contentLength: solution.contentSize[axis], viewportLength: solution.viewportLength, leadingInset: insets.start,
      trailingInset: insets.end)
    return (offset, range)
  }
}

// MARK: - Sections that scroll across

extension ItemDestination {
  /// Returns the offset of a section that scrolls across at which the item is at its position.
  ///
  /// - Parameters:
  ///   - solution: The layout.
  ///   - strip: The section of the item.
  ///   - current: The current offset, for the nearest edge. Default: 0.
  func offset(in solution: any SolvedLayout, across strip: OrthogonalSection, from current: Double = 0) -> Double {
    let axis = strip.axis
    let seen = strip.frame.size[axis]
    let frame = solution.frame(ofItem: item)
    let near = frame.origin[axis] - strip.frame.origin[axis]
    let length = frame.size[axis]
    // Offsets are measured from the leading edge.
    let isMirrored = axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let start = (isMirrored ? seen - near - length : near) + strip.offset
    let offset = (isMirrored ? edge.mirrored : edge).offset(showing: start...(start + length), in: seen, from: current)
    return max(0, min(offset, strip.maximumOffset))
  }

  /// Returns the same target with an edge that no longer depends on the current offset, or nil if the item is at the
  /// nearest position already.
  func resolved(in solution: any SolvedLayout, across strip: OrthogonalSection) -> ItemDestination? {
    guard edge == .nearest else { return self }
    let target = offset(in: solution, across: strip, from: strip.offset)
    guard !target.isNearly(strip.offset) else { return nil }
    let isMirrored = strip.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let logical: ScrollEdge = target < strip.offset ? .start : .endOrStart
    return ItemDestination(item: item, edge: isMirrored ? logical.mirrored : logical)
  }
}

// MARK: - Pinned views

extension SolvedLayout {
  /// Returns the length of the viewport that pinned views cover beside an item at an edge, in points.
  ///
  /// These are the views of the item's section and of the whole layout that are pinned to the edge while the item is
  /// there. A view that the end of its section pushes out counts with its whole length: it is not pushed out once the
  /// item is beside it.
  fileprivate nonisolated func pinnedLength(
    beside item: Int, _ frame: Rect, _ edge: ScrollAlignment, _ viewport: ItemDestination.Viewport
  ) -> Double {
    let (axis, isStart) = (scrollAxis, edge == .leading)
    let offset =
      isStart
      ? frame.origin[axis] - viewport.insets.start
      : frame.origin[axis] + frame.size[axis] + viewport.insets.end - viewportLength
    var elements: [ElementAttributes] = []
    appendElements(in: visibleRect(at: offset), to: &elements)
    let section = itemCounts.position(of: item)?.section
    // Distances from the edge, inward.
    func distances(of element: ElementAttributes) -> (near: Double, far: Double) {
      let (near, length) = (element.frame.origin[axis] - offset, element.frame.size[axis])
      return isStart ? (near, near + length) : (viewportLength - near - length, viewportLength - near)
    }
    elements.removeAll { element in
      guard element.isPinned, element.identity.section == nil || element.identity.section == section else {
        return true
      }
      // Views beside the items do not cover them.
      let (view, cross) = (element.frame, axis.cross)
      return view.origin[cross] >= frame.origin[cross] + frame.size[cross]
        || view.origin[cross] + view.size[cross] <= frame.origin[cross]
    }
    elements.sort { distances(of: $0).near < distances(of: $1).near }
    let pinning = isStart ? viewport.pinning.start : viewport.pinning.end
    guard let first = elements.first.map(distances), first.near <= pinning + 1 else { return 0 }
    var covered = first.far
    for element in elements where distances(of: element).near <= covered + 1 {
      covered = max(covered, distances(of: element).far)
    }
    let inset = isStart ? viewport.insets.start : viewport.insets.end
    return max(0, covered + max(0, pinning - first.near) - inset)
  }
}

extension Double {
  /// Returns whether an offset differs from another one by no more than rounding errors.
  ///
  /// An item that is in view already must not count as scrolled to an edge.
  fileprivate nonisolated func isNearly(_ other: Double) -> Bool { (self - other).magnitude < 0.001 }
}
