internal import VitrineGeometry

/// A placer that computes the frames of a group's boxes from the outermost to the innermost, and rounds those of cells.
///
/// Edges are computed as Double values relative to the group's corner. Edges of cells are rounded, extents are not.
struct GroupPlacer {
  private let container: SectionContainer
  private var slots: [GroupSlot] = []
  private var supplementaries: [GroupSupplementary] = []

  private init(_ container: SectionContainer) { self.container = container }

  /// Returns the frames of the cells and supplementary views of a group.
  ///
  /// - Complexity: O(b) for b boxes.
  static func template(of root: GroupBox, in container: SectionContainer) -> GroupTemplate {
    var placer = GroupPlacer(container)
    placer.slots.reserveCapacity(root.slots.count)
    // The outermost group has a length of whole pixels, so that each repetition starts on a pixel edge.
    let x = outermost(root, .horizontal, in: container)
    let y = outermost(root, .vertical, in: container)
    let frame = Rect(x: x.start, y: y.start, width: x.length, height: y.length)
    placer.layOut(root, in: frame)
    return GroupTemplate(
      slots: placer.slots, supplementaries: placer.supplementaries, width: Int(x.outer), height: Int(y.outer))
  }

  /// Returns the start and length of the outermost box along an axis, and its length including margins, as whole
  /// numbers.
  private static func outermost(
    _ root: GroupBox, _ axis: Axis, in container: SectionContainer
  ) -> (start: Double, length: Double, outer: Double) {
    let margins = root.margins[axis]
    let length = Double(PixelEdge.nearest(root.need[axis]))
    guard axis != container.flow, !container.isCrossAxisUnbounded else {
      return (margins.leading, length, margins.leading + length + margins.trailing)
    }
    let whole = Double(max(1, container.pixelLength(axis)))
    let bounded = min(length, whole)
    let cut = margins.cut(to: whole - bounded + 1)
    let slack = whole - bounded - cut.sum
    guard cut.flexibleCount > 0 else { return (cut.leading, bounded, bounded + cut.sum) }
    let share = cut.leadingIsFlexible ? (slack / Double(cut.flexibleCount)).rounded(.down) : 0
    return (cut.leading + share, bounded, whole)
  }

  private mutating func layOut(_ box: GroupBox, in frame: Rect) {
    let pixels = snapped(frame, within: frame)
    for item in box.supplementaryItems {
      // Views of groups that begin at this slot are at the end of the list.
      let others = supplementaries.reversed().prefix { $0.slots.lowerBound == box.slots.lowerBound }
      supplementaries.append(
        GroupSupplementary(
          kind: item.elementKind, slots: box.slots, ordinal: others.count { $0.kind == item.elementKind },
          frame: item.frame(on: pixels, in: container), zIndex: item.zIndex))
    }
    switch box.content {
    case .item:
      slots.append(
        GroupSlot(
          frame: inset(pixels, by: box.insets), zIndex: 0, hasEstimatedWidth: box.isSelfSizing(.horizontal),
          hasEstimatedHeight: box.isSelfSizing(.vertical)))
    case .line(let line):
      layOut(line, in: inset(frame, by: box.insets))
    case .placed(let items):
      let inner = inset(frame, by: box.insets)
      let scale = container.scale.pixelsPerPoint
      for item in items {
        let itemFrame = Rect(
          x: inner.minX + item.frame.minX * scale, y: inner.minY + item.frame.minY * scale,
          width: item.frame.width * scale, height: item.frame.height * scale)
        slots.append(
          GroupSlot(
            frame: snapped(itemFrame, within: inner), zIndex: item.zIndex, hasEstimatedWidth: false,
            hasEstimatedHeight: false))
      }
    }
  }

  private mutating func layOut(_ line: GroupLine, in inner: Rect) {
    let lengths = line.lengths(in: inner.size, scale: container.scale.pixelsPerPoint)
    let along = line.axis
    let spread = line.spread(lengths, over: inner.size[along])
    let innerEnd = inner.origin[along] + inner.size[along]
    var edge = inner.origin[along]
    for (box, length) in zip(line.boxes, lengths) {
      let margins = box.margins[along]
      edge += margins.leading + (margins.leadingIsFlexible ? spread.share : 0)
      var frame = Rect.zero
      let start = min(edge, innerEnd)
      frame.origin[along] = start
      // Clip a box that only fits because of rounding at the end of the line.
      frame.size[along] = min(edge + length, innerEnd) - start
      let across = GroupPlacer.across(box, along.cross, in: inner, scale: container.scale.pixelsPerPoint)
      frame.origin[along.cross] = across.start
      frame.size[along.cross] = across.length
      layOut(box, in: frame.keepingPixel(within: inner))
      edge += length + margins.trailing + (margins.trailingIsFlexible ? spread.share : 0) + spread.gap
    }
  }

  /// Returns the position and length of a box along the cross axis of its line: at the start, after its
  /// leading margin, which grows if it is flexible.
  private static func across(
    _ box: GroupBox, _ axis: Axis, in inner: Rect, scale: Double
  ) -> (start: Double, length: Double) {
    let margins = box.margins[axis].cut(to: inner.size[axis])
    let length = min(box.preferredLength(axis, in: inner.size, scale: scale), max(1, inner.size[axis] - margins.sum))
    var start = inner.origin[axis] + margins.leading
    if margins.leadingIsFlexible {
      start += max(0, inner.size[axis] - margins.sum - length) / Double(margins.flexibleCount)
    }
    return (start, length)
  }

  private func inset(_ frame: Rect, by insets: BoxMargins) -> Rect {
    let horizontal = insets[.horizontal].cut(to: frame.width)
    let vertical = insets[.vertical].cut(to: frame.height)
    return Rect(
      x: frame.minX + horizontal.leading, y: frame.minY + vertical.leading, width: frame.width - horizontal.sum,
      height: frame.height - vertical.sum)
  }

  private func inset(_ frame: PixelFrame, by insets: BoxMargins) -> PixelFrame {
    let horizontal = insets[.horizontal].cut(to: Double(frame.width))
    let vertical = insets[.vertical].cut(to: Double(frame.height))
    return PixelFrame(
      minX: frame.minX + Int(horizontal.leading), minY: frame.minY + Int(vertical.leading),
      maxX: frame.maxX - Int(horizontal.trailing), maxY: frame.maxY - Int(vertical.trailing))
  }

  /// Returns the pixels of a frame, at least one along each axis and none outside of the bounds.
  private func snapped(_ frame: Rect, within bounds: Rect) -> PixelFrame {
    let x = snapped((frame.minX, frame.maxX), within: (bounds.minX, bounds.maxX))
    let y = snapped((frame.minY, frame.maxY), within: (bounds.minY, bounds.maxY))
    return PixelFrame(minX: x.start, minY: y.start, maxX: x.end, maxY: y.end)
  }

  private func snapped(
    _ span: (start: Double, end: Double), within bounds: (start: Double, end: Double)
  ) -> (start: Int, end: Int) {
    let first = PixelEdge.nearest(bounds.start)
    let last = max(first + 1, PixelEdge.nearest(bounds.end))
    let start = min(max(first, PixelEdge.nearest(min(max(span.start, bounds.start), bounds.end))), last - 1)
    return (start, min(max(start + 1, PixelEdge.nearest(min(span.end, bounds.end))), last))
  }
}

extension Rect {
  /// Returns the frame, enlarged to one pixel along each shorter axis and moved inside the bounds there.
  fileprivate func keepingPixel(within bounds: Rect) -> Rect {
    var frame = self
    for axis in [Axis.horizontal, .vertical] where frame.size[axis] < 1 {
      frame.size[axis] = 1
      frame.origin[axis] = max(bounds.origin[axis], min(origin[axis], bounds.origin[axis] + bounds.size[axis] - 1))
    }
    return frame
  }
}
