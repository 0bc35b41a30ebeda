internal import Geometry

extension CollectionLayoutSupplementaryItem {
  /// Where it is on what it belongs to: whole pixels, its extent the same wherever that is.
  func frame(on container: PixelFrame, in room: SectionRoom) -> PixelFrame {
    let x = span(on: container, .horizontal, in: room)
    let y = span(on: container, .vertical, in: room)
    return PixelFrame(minX: x.start, minY: y.start, maxX: x.end, maxY: y.end)
  }

  private func span(on container: PixelFrame, _ axis: Axis, in room: SectionRoom) -> (start: Int, end: Int) {
    let scale = room.scale.pixelsPerPoint
    let size = Size(width: Double(container.width), height: Double(container.height))
    let length = PixelEdge.nearest(GroupBox.pixels(layoutSize[axis], in: size, scale: scale))
    let own = itemAnchor ?? CollectionLayoutAnchor(edges: containerAnchor.edges)
    let anchor = containerAnchor.unit(axis) * Double(container.length(axis))
    let start =
      anchor - own.unit(axis) * Double(length) + distance(containerAnchor, axis, length, scale)
      + distance(own, axis, length, scale)
    let far = Double(SectionRoom.longest)
    let first = container.start(axis) + PixelEdge.nearest(min(max(-far, start), far))
    return (first, first + length)
  }

  /// How far an anchor is moved along an axis, in pixels.
  private func distance(_ anchor: CollectionLayoutAnchor, _ axis: Axis, _ length: Int, _ scale: Double) -> Double {
    switch anchor.offset {
    case .absolute(let point): point[axis] * scale
    case .fractional(let point): point[axis] * Double(length)
    }
  }
}
