internal import Geometry

extension SolvedSection {
  /// What its boundary views stand at the edges of, where it begins at a line.
  func host(from begin: Int) -> BoundaryHost {
    let along = begin..<(begin + length)
    let items =
      rules.supplementariesFollowContentInsets
      ? (begin + bodyStart)..<(begin + bodyStart + bodyLength)
      : along.narrowed(near: boundary.start, far: boundary.end)
    return BoundaryHost(along: along, items: items, across: boundaryBreadth)
  }

  /// The place of a decoration by its kind and its number among those of its kind.
  func place(ofDecoration kind: String, ordinal: Int) -> Int? {
    rules.decorationItems.indices.first {
      rules.decorationItems[$0].elementKind == kind && self.ordinal(ofDecoration: $0) == ordinal
    }
  }

  /// Which one of its kind a decoration is.
  func ordinal(ofDecoration place: Int) -> Int {
    let kind = rules.decorationItems[place].elementKind
    return rules.decorationItems[..<place].count { $0.elementKind == kind }
  }

  /// The frame of a background where the section begins at a line, or nothing where its insets leave none.
  func background(_ place: Int, from begin: Int) -> PixelFrame? {
    let insets = PixelInsets(rules.decorationItems[place].contentInsets, axis: axis, room: room)
    let along = (begin + insets.before, begin + length - insets.behind)
    let across = (breadth.lowerBound + insets.near, breadth.upperBound - insets.far)
    let frame =
      axis == .vertical
      ? PixelFrame(minX: across.0, minY: along.0, maxX: across.1, maxY: along.1)
      : PixelFrame(minX: along.0, minY: across.0, maxX: along.1, maxY: across.1)
    return frame.isEmpty ? nil : frame
  }
}
