import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import ScrollPhysics
import Views

/// An anchor whose position is preserved over layout changes, and the reason why it was chosen.
struct PreservedAnchor {
  /// The reason why an anchor was chosen.
  enum Reason: Equatable {
    /// It was the first visible item.
    case firstVisible
    /// The layout was zoomed around a point of the view, or around none.
    case zoom(Point?)
  }

  /// The anchor.
  var anchor: ContentAnchor
  /// The reason why it was chosen.
  var reason = Reason.firstVisible
}

extension CollectionView {
  /// The distance from the edge of the viewport to the edge that anchors refer to, which is that of the area inside the
  /// content's inset.
  private var anchorShift: Double { solution.beginsAtEnd ? -axisInsets.end : axisInsets.start }

  /// The offset that anchors refer to.
  ///
  /// For content that is scrolled beyond an end, it is the offset of that end.
  final var anchoringOffset: Double {
    let rest = scroll.range.clamp(contentOffset)
    // Within a point it is the whole pixel next to the end.
    return ((contentOffset - rest).magnitude < 1 ? contentOffset : rest) + anchorShift
  }

  /// Returns the anchor of the first visible item.
  final func firstVisibleAnchor() -> ContentAnchor { solution.anchor(at: anchoringOffset) }

  /// Returns the offset at which the anchor is at its position in the viewport, within the scrollable range.
  final func offset(of anchor: ContentAnchor) -> Double {
    let range = ScrollRange(
      contentLength: solution.contentSize[scrollAxis], viewportLength: solution.viewportLength,
      leadingInset: axisInsets.start, trailingInset: axisInsets.end)
    guard let unbounded = solution.unboundedOffset(of: anchor) else {
      return solution.beginsAtEnd ? range.maximum : range.minimum
    }
    return range.clamp(unbounded - anchorShift)
  }

  /// Restores the position of the anchor after a layout change, and positions the cells.
  ///
  /// The content moves by the anchor's delta, never to an absolute offset, so that scrolling continues. The delta is a
  /// whole number of pixels, from the displayed offset to the next one, so that repeated layout changes do not drift.
  ///
  /// - Parameters:
  ///   - anchor: The anchor, or nil to keep the offset.
  ///   - before: The offset that the anchor had before the change.
  final func restoreAnchor(_ anchor: PreservedAnchor?, from before: Double) {
    let scale = solution.environment.scale
    let delta = anchor.map { scale.snapped(offset(of: $0.anchor)) - scale.snapped(before) } ?? 0
    let origin = contentOrigin
    scrollAxis = solution.scrollAxis
    setContentLength(solution.contentSize[scrollAxis], adjustingOffsetBy: delta)
    updateAnimator.shiftContent(by: contentOrigin - origin)
    rubberBandController.shiftContent(by: contentOrigin - origin)
    dragController.contentDidChange()
    prefetchController.shiftContent(by: delta)
    preservedAnchor = anchor
    needsVisibleUpdate = true
    dataPrefetchController.setNeedsUpdate()
    layoutState.hasNewFrames = true
    scrollIndicator.reloadScrubber()
    cellController.layOutCells()
    pressController.updateHoveredItem()
    setNeedsDisplay()
  }

  /// Changes frames while preserving the position of the anchor that was displayed last.
  ///
  /// - Parameter change: A closure that returns whether any frame changed.
  final func preservingAnchor(_ change: () -> Bool) {
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    let before = offset(of: anchor.anchor)
    if change() { restoreAnchor(anchor, from: before) }
  }

  /// Returns the anchor of the first item that was visible in the last frame and still is.
  ///
  /// Unlike that of an entering item, its frame is final. An item whose cell just requested another size is not
  /// eligible, because it may grow to either side.
  final func displayedAnchor() -> ContentAnchor {
    let visible = firstVisibleAnchor()
    guard visible != .start else { return visible }
    let seen = cellController.displayedCells.lazy.compactMap(\.itemIndex).first { item in
      !self.sizeRequests.items.contains { $0.item == item }
        && self.solution.frame(ofItem: item).intersects(self.visibleRect)
    }
    return seen.map(leadingAnchor) ?? visible
  }

  /// Returns an anchor at the start of the item, at its current position.
  private func leadingAnchor(of item: Int) -> ContentAnchor {
    let points = solution.frame(ofItem: item).origin[scrollAxis] - anchoringOffset
    return .item(ItemAnchor(item: item, itemUnit: 0, viewportUnit: 0, points: points))
  }

  /// Returns the anchor of the item at or nearest to the point, or of the first item that starts inside the viewport if
  /// the point is nil.
  final func zoomAnchor(at point: Point?) -> ContentAnchor {
    guard let point else {
      let visible = firstVisibleAnchor()
      guard visible != .start else { return visible }
      let uncovered = uncoveredStart
      let first = solution.items(in: visibleRect).first {
        solution.frame(ofItem: $0).origin[scrollAxis] >= uncovered
      }
      return first.map(leadingAnchor) ?? visible
    }
    let location = point + contentOrigin
    guard let item = nearestItem(to: location) else { return firstVisibleAnchor() }
    let frame = solution.frame(ofItem: item)
    let start = frame.origin[scrollAxis]
    let length = frame.size[scrollAxis]
    let unit = min(1, max(0, (location[scrollAxis] - start) / length))
    return .item(
      ItemAnchor(item: item, itemUnit: unit, viewportUnit: 0, points: start + unit * length - anchoringOffset))
  }

  /// The end of the views pinned to the start of the viewport, which cover the content beneath them.
  final var uncoveredStart: Double {
    supplementaryController.elements.reduce(contentOffset + axisInsets.start) { start, element in
      let frame = element.frame
      guard element.attributes.isPinned, frame.origin[scrollAxis] <= start else { return start }
      return max(start, frame.origin[scrollAxis] + frame.size[scrollAxis])
    }
  }

  /// Returns the item at a point of the content, or the nearest of those around it.
  private func nearestItem(to location: Point) -> Int? {
    for reach in [1, 32, 128, max(bounds.width, bounds.height)] {
      let around = Rect(x: location.x - reach / 2, y: location.y - reach / 2, width: reach, height: reach)
      var nearest: (item: Int, distance: Double)?
      for item in solution.items(in: around) {
        let distance = solution.frame(ofItem: item).distance(to: location)
        if distance < nearest?.distance ?? .infinity { nearest = (item, distance) }
      }
      if let nearest { return nearest.item }
    }
    return nil
  }
}

extension Rect {
  /// Returns how far the point is outside, as the sum of the horizontal and vertical distances, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }
}
