internal import VitrineGeometry

extension SolvedComposition {
  /// Returns the item to which a key moves the focus from another item, or nil if there is none in that direction.
  ///
  /// In a section with a client's layout, whose items need not be in rows, the client determines the item. Otherwise it
  /// is the nearest one in that direction; a distance across counts twice. Items that overlap the focused one come
  /// first, in the order of their origins, so that each of them can be reached. In other sections, rows are found as in
  /// ``SolvedLayout``.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: That of a few queries of the layout.
  public func item(from index: Int, _ move: FocusHeading, across: Double?) -> Int? {
    guard hasScatteredItems else { return rowItem(from: index, move, across: across) }
    let (section, item) = position(of: index)
    guard sections[section].hasScatteredItems, !sections[section].isOrthogonal else {
      return rowItem(from: index, move, across: across)
    }
    let (isForward, page): (Bool, Double)
    switch move {
    case .previous, .next, .first, .last: return rowItem(from: index, move, across: across)
    case .up: (isForward, page) = (false, 0)
    case .down: (isForward, page) = (true, 0)
    case .pageUp(let points): (isForward, page) = (false, points)
    case .pageDown(let points): (isForward, page) = (true, points)
    }
    if let target = sections[section].body.item(from: item, move) {
      return target == item ? nil : index - item + target
    }
    let frame = frame(ofItem: index)
    let search = DirectionalSearch(
      self, from: index, frame, sign: isForward == beginsAtEnd ? -1 : 1, across: across ?? middle(of: frame))
    return (page > 0 ? search.item(atDistance: page) : search.overlappingItem()) ?? search.nearestItem()
  }

  /// Returns the number of violations of rules by section layouts since the last call, and the first violation of each
  /// rule once.
  public func drainViolations() -> (count: Int, first: [SectionLayoutViolation]) {
    hasScatteredItems ? violations.drain() : (0, [])
  }
}

/// A search for the nearest item in a direction along the scroll axis.
private struct DirectionalSearch {
  private let layout: SolvedComposition
  /// The focused item and its frame.
  private let focused: (item: Int, frame: Rect)
  private let axis: Axis
  /// The direction of the search: 1 towards larger coordinates, otherwise -1.
  private let sign: Double
  private let across: Double
  /// The edge of the focused item in the direction of the search.
  private let edge: Double
  /// The edge of the focused item at which it starts, from which pages are measured.
  private let start: Double

  init(_ layout: SolvedComposition, from item: Int, _ frame: Rect, sign: Double, across: Double) {
    self.layout = layout
    focused = (item, frame)
    self.sign = sign
    self.across = across
    axis = layout.scrollAxis
    edge = frame.origin[axis] + (sign > 0 ? frame.size[axis] : 0)
    start = frame.origin[axis] + (layout.beginsAtEnd ? frame.size[axis] : 0)
  }

  /// Returns the next of the items that overlap the focused one, in the order of their origins and indices, or nil if
  /// there is none.
  func overlappingItem() -> Int? {
    let tolerance = 0.5 / layout.environment.scale.pixelsPerPoint
    // The items in a rectangle share a pixel with it; neighbours may do so by rounding.
    let inner = focused.frame.inset(
      by: Insets(top: tolerance, left: tolerance, bottom: tolerance, right: tolerance))
    func isBefore(_ first: (origin: Double, item: Int), _ second: (origin: Double, item: Int)) -> Bool {
      (first.origin * sign, Double(first.item) * sign) < (second.origin * sign, Double(second.item) * sign)
    }
    let start = (origin: focused.frame.origin[axis], item: focused.item)
    var next: (origin: Double, item: Int)?
    layout.visitItems(in: inner) { items in
      for item in items where item != focused.item {
        let frame = layout.frame(ofItem: item)
        let candidate = (origin: frame.origin[axis], item: item)
        guard frame.intersects(inner), isBefore(start, candidate) else { continue }
        if next.map({ isBefore(candidate, $0) }) ?? true { next = candidate }
      }
    }
    return next?.item
  }

  /// Returns the nearest item beyond the focused one.
  func nearestItem() -> Int? {
    let reach = ((sign > 0 ? layout.contentSize[axis] : 0) - edge) * sign
    var (distance, step) = (0.0, max(1, layout.viewportLength))
    var nearest: (item: Int, distance: Double)?
    while distance < min(reach, nearest?.distance ?? .infinity) {
      let next = min(reach, distance + step)
      findNearest(from: edge + sign * distance, to: edge + sign * next, &nearest) { frame in
        (frame.origin[axis] + (sign > 0 ? 0 : frame.size[axis]) - edge).magnitude
      }
      (distance, step) = (next, 2 * step)
    }
    return nearest?.item
  }

  /// Returns the item whose start is nearest to a line at a distance from that of the focused one, or nil if there is
  /// none within half a viewport.
  func item(atDistance points: Double) -> Int? {
    let line = max(0, min(layout.contentSize[axis], start + sign * points))
    let reach = layout.viewportLength / 2
    var nearest: (item: Int, distance: Double)?
    findNearest(from: line - reach, to: line + reach, &nearest) { frame in
      (frame.origin[axis] + (layout.beginsAtEnd ? frame.size[axis] : 0) - line).magnitude
    }
    return nearest?.item
  }

  /// Finds the nearest of the items that are between two lines and beyond the focused item.
  private func findNearest(
    from first: Double, to last: Double, _ nearest: inout (item: Int, distance: Double)?,
    distance: (Rect) -> Double
  ) {
    let tolerance = 0.5 / layout.environment.scale.pixelsPerPoint
    layout.visitItems(in: layout.region(from: min(first, last), to: max(first, last))) { items in
      for item in items {
        let frame = layout.frame(ofItem: item)
        let near = frame.origin[axis] + (sign > 0 ? 0 : frame.size[axis])
        guard (near - edge) * sign >= -tolerance else { continue }
        let low = frame.origin[axis.cross]
        let beside = max(0, low - across, across - low - frame.size[axis.cross])
        let total = distance(frame) + 2 * beside
        // Of items with equal frames, the one that overlappingItem() would reach first.
        if total < nearest?.distance ?? .infinity || (sign < 0 && total == nearest?.distance) {
          nearest = (item, total)
        }
      }
    }
  }
}
