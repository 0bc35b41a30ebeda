internal import Geometry

/// Places the boxes of a group, from the outermost inwards, and rounds the edges of what is innermost.
///
/// Edges are computed as Doubles from the group's corner; those of cells are rounded, extents never are.
struct GroupPlacer {
  private let room: SectionRoom
  private var slots: [GroupSlot] = []
  private var supplementaries: [GroupSupplementary] = []

  private init(_ room: SectionRoom) { self.room = room }

  /// - Complexity: O(b) for b boxes.
  static func template(of root: GroupBox, in room: SectionRoom) -> GroupTemplate {
    var placer = GroupPlacer(room)
    placer.slots.reserveCapacity(root.slots.count)
    // The outermost group is whole pixels long, so that each repetition begins on an edge.
    let x = outermost(root, .horizontal, in: room)
    let y = outermost(root, .vertical, in: room)
    let frame = Rect(x: x.start, y: y.start, width: x.length, height: y.length)
    placer.place(root, in: frame)
    return GroupTemplate(
      slots: placer.slots, supplementaries: placer.supplementaries, width: Int(x.outer), height: Int(y.outer))
  }

  /// Where the outermost box is along an axis, and how long it is with the room outside its edges: whole numbers.
  private static func outermost(
    _ root: GroupBox, _ axis: Axis, in room: SectionRoom
  ) -> (start: Double, length: Double, outer: Double) {
    let margins = root.margins[axis]
    let length = Double(PixelEdge.nearest(root.need[axis]))
    guard axis != room.flow, !room.isOpenAcross else {
      return (margins.leading, length, margins.leading + length + margins.trailing)
    }
    let whole = Double(max(1, room.pixelLength(axis)))
    let bounded = min(length, whole)
    let cut = margins.cut(to: whole - bounded + 1)
    let left = whole - bounded - cut.sum
    guard cut.flexibleCount > 0 else { return (cut.leading, bounded, bounded + cut.sum) }
    let share = cut.leadingIsFlexible ? (left / Double(cut.flexibleCount)).rounded(.down) : 0
    return (cut.leading + share, bounded, whole)
  }

  private mutating func place(_ box: GroupBox, in frame: Rect) {
    let pixels = snapped(frame, within: frame)
    for item in box.supplementaryItems {
      // Those of groups that begin with the same place came last.
      let others = supplementaries.reversed().prefix { $0.slots.lowerBound == box.slots.lowerBound }
      supplementaries.append(
        GroupSupplementary(
          kind: item.elementKind, slots: box.slots, ordinal: others.count { $0.kind == item.elementKind },
          frame: item.frame(on: pixels, in: room), zIndex: item.zIndex))
    }
    switch box.content {
    case .item:
      slots.append(
        GroupSlot(
          frame: inset(pixels, by: box.insets), zIndex: 0, asksForWidth: box.isAsked(.horizontal),
          asksForHeight: box.isAsked(.vertical)))
    case .line(let line):
      place(line, in: inset(frame, by: box.insets))
    case .placed(let items):
      let inner = inset(frame, by: box.insets)
      let scale = room.scale.pixelsPerPoint
      for item in items {
        let wanted = Rect(
          x: inner.minX + item.frame.minX * scale, y: inner.minY + item.frame.minY * scale,
          width: item.frame.width * scale, height: item.frame.height * scale)
        slots.append(
          GroupSlot(
            frame: snapped(wanted, within: inner), zIndex: item.zIndex, asksForWidth: false, asksForHeight: false))
      }
    }
  }

  private mutating func place(_ line: GroupLine, in inner: Rect) {
    let lengths = line.lengths(in: inner.size, scale: room.scale.pixelsPerPoint)
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
      // What rounding let in ends where the line ends.
      frame.size[along] = min(edge + length, innerEnd) - start
      let across = GroupPlacer.across(box, along.cross, in: inner, scale: room.scale.pixelsPerPoint)
      frame.origin[along.cross] = across.start
      frame.size[along.cross] = across.length
      place(box, in: frame.keepingPixel(within: inner))
      edge += length + margins.trailing + (margins.trailingIsFlexible ? spread.share : 0) + spread.gap
    }
  }

  /// Where a box is across its line: at its beginning, but for the room outside its edges.
  private static func across(
    _ box: GroupBox, _ axis: Axis, in inner: Rect, scale: Double
  ) -> (start: Double, length: Double) {
    let margins = box.margins[axis].cut(to: inner.size[axis])
    let length = min(box.wanted(axis, in: inner.size, scale: scale), max(1, inner.size[axis] - margins.sum))
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

  /// The pixels of a frame, at least one each way and none outside of what it is in.
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
  /// The frame with at least a pixel each way, moved inwards where that would reach out of what it is in.
  fileprivate func keepingPixel(within bounds: Rect) -> Rect {
    var frame = self
    for axis in [Axis.horizontal, .vertical] where frame.size[axis] < 1 {
      frame.size[axis] = 1
      frame.origin[axis] = max(bounds.origin[axis], min(origin[axis], bounds.origin[axis] + bounds.size[axis] - 1))
    }
    return frame
  }
}
