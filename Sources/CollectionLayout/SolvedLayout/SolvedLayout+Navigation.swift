public import VitrineGeometry

extension SolvedLayout {
  /// Returns the item to which a key moves the focus from the center of another item, or nil if there is none in that
  /// direction.
  ///
  /// - Precondition: The item exists.
  public func item(from index: Int, _ move: FocusHeading) -> Int? { item(from: index, move, across: nil) }

  /// Returns the item to which a key moves the focus from another item, or nil if there is none in that direction.
  ///
  /// Rows are found by geometry: the row above contains the last item that starts before the focused item, the row
  /// below the first item that ends after the end of the focused item. In that row, the item whose center is nearest to
  /// a cross position gets the focus. A caller that keeps this position while only rows change returns to the same
  /// column after a short row.
  ///
  /// - Parameters:
  ///   - index: The index of the focused item across all sections.
  ///   - move: The direction of the move.
  ///   - across: The cross position in points, or nil for the center of the focused item.
  /// - Precondition: The item exists.
  /// - Complexity: That of two queries of the layout, plus O(c) for a row of c items.
  func rowItem(from index: Int, _ move: FocusHeading, across: Double?) -> Int? {
    let frame = frame(ofItem: index)
    let across = across ?? middle(of: frame)
    let start = start(of: frame)
    let target: Int? =
      switch move {
      case .previous: index > 0 ? index - 1 : nil
      case .next: index < itemCounts.total - 1 ? index + 1 : nil
      case .first: index > 0 ? 0 : nil
      case .last: index < itemCounts.total - 1 ? itemCounts.total - 1 : nil
      case .up: rowBefore(start, nearest: across)
      case .down: rowAfter(end(of: frame), nearest: across)
      case .pageUp(let points): pageBefore(frame, points, across)
      case .pageDown(let points): pageAfter(frame, points, across)
      }
    return target == index ? nil : target
  }

  /// Returns the center of a frame along the cross axis, which a caller keeps while only rows change.
  public func middle(of frame: Rect) -> Double { frame.origin[scrollAxis.cross] + frame.size[scrollAxis.cross] / 2 }

  // MARK: - Positions along the scroll axis in reading direction

  /// Returns the start of a frame, which is its far edge if the content starts at the end of the axis.
  private func start(of frame: Rect) -> Double {
    frame.origin[scrollAxis] + (beginsAtEnd ? frame.size[scrollAxis] : 0)
  }

  private func end(of frame: Rect) -> Double {
    frame.origin[scrollAxis] + (beginsAtEnd ? 0 : frame.size[scrollAxis])
  }

  /// Returns the center along the scroll axis.
  ///
  /// Unlike an edge, it never coincides with the next row by a rounding error.
  private func center(of frame: Rect) -> Double { frame.origin[scrollAxis] + frame.size[scrollAxis] / 2 }

  private func isAfter(_ line: Double, _ other: Double) -> Bool { beginsAtEnd ? line < other : line > other }

  private func moved(_ line: Double, by points: Double) -> Double { beginsAtEnd ? line - points : line + points }

  private func region(before line: Double) -> Rect {
    beginsAtEnd ? region(from: line, to: .infinity) : region(from: -.infinity, to: line)
  }

  private func region(after line: Double) -> Rect {
    beginsAtEnd ? region(from: -.infinity, to: line) : region(from: line, to: .infinity)
  }

  // MARK: - Rows

  /// Returns the region of the content from the start to the end of a frame, unbounded along the cross axis.
  ///
  /// It intersects all items of the row. It does not include the hidden part of a section that scrolls orthogonally,
  /// which may be a million items.
  private func band(of frame: Rect) -> Rect {
    region(from: frame.origin[scrollAxis], to: frame.origin[scrollAxis] + frame.size[scrollAxis])
  }

  /// Returns the nearest item of the last row that starts before a line.
  private func rowBefore(_ line: Double, nearest across: Double) -> Int? {
    guard let last = lastItem(in: region(before: line)) else { return nil }
    let edge = frame(ofItem: last)
    let start = start(of: edge)
    let least = firstItem(in: band(of: edge)) ?? last
    var first = last
    while first > least, isAfter(center(of: frame(ofItem: first - 1)), start) { first -= 1 }
    return nearest(to: across, in: first...last)
  }

  /// Returns the nearest item of the first row that ends after a line.
  private func rowAfter(_ line: Double, nearest across: Double) -> Int? {
    guard let first = firstItem(in: region(after: line)) else { return nil }
    let edge = frame(ofItem: first)
    let end = end(of: edge)
    let most = lastItem(in: band(of: edge)) ?? first
    var last = first
    while last < most, isAfter(end, center(of: frame(ofItem: last + 1))) { last += 1 }
    return nearest(to: across, in: first...last)
  }

  /// Returns the nearest item of the highest row that starts at most one page above a frame.
  private func pageBefore(_ frame: Rect, _ points: Double, _ across: Double) -> Int? {
    let start = start(of: frame)
    let line = moved(start, by: -points)
    guard let above = rowBefore(start, nearest: across) else { return nil }
    guard points > 0, let candidate = rowAfter(line, nearest: across) else { return above }
    let candidateFrame = self.frame(ofItem: candidate)
    guard isAfter(line, self.start(of: candidateFrame)) else { return min(above, candidate) }
    return min(above, rowAfter(end(of: candidateFrame), nearest: across) ?? above)
  }

  /// Returns the nearest item of the lowest row that starts at most one page below a frame.
  private func pageAfter(_ frame: Rect, _ points: Double, _ across: Double) -> Int? {
    guard let below = rowAfter(end(of: frame), nearest: across) else { return nil }
    guard points > 0 else { return below }
    let line = moved(start(of: frame), by: points)
    // Includes a row that starts exactly at the line, within rounding errors.
    guard let candidate = rowBefore(moved(line, by: line.isFinite ? 16 * line.ulp : 0), nearest: across) else {
      return below
    }
    return max(below, candidate)
  }

  private func nearest(to across: Double, in row: ClosedRange<Int>) -> Int {
    var best = row.lowerBound
    var distance = Double.infinity
    for item in row {
      let candidateDistance = (middle(of: frame(ofItem: item)) - across).magnitude
      if candidateDistance < distance { (best, distance) = (item, candidateDistance) }
    }
    return best
  }
}

/// A move of the focus with the keyboard.
public enum FocusHeading: Hashable, Sendable {
  /// To the previous item, also at the start of a row.
  case previous
  /// To the next item, also at the end of a row.
  case next
  /// To the row above.
  case up
  /// To the row below.
  case down
  /// Up by a number of points, at least one row.
  case pageUp(Double)
  /// Down by a number of points, at least one row.
  case pageDown(Double)
  /// To the first item.
  case first
  /// To the last item.
  case last
}
